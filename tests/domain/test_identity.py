import pytest

from bridge.domain.identity import Timestamp, first_round_number

DAY_US = 86_400 * 1_000_000
NEW_YEAR_2025_US = 1_735_689_600 * 1_000_000


@pytest.mark.parametrize(("days", "number"), [(0, 1), (1, 10_001), (697, 6_970_001)])
def test_rounds_are_counted_from_the_day_on_which_their_journal_began(days: int, number: int) -> None:
    assert first_round_number(Timestamp(NEW_YEAR_2025_US + days * DAY_US + 12_345)) == number


def test_a_clock_that_was_never_set_still_gives_a_number() -> None:
    assert first_round_number(Timestamp(0)) == 1
