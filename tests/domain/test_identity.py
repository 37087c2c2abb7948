import pytest

from bridge.domain.identity import Timestamp, first_round_number

NEW_YEAR_2025_US = 1_735_689_600 * 1_000_000


@pytest.mark.parametrize(("seconds", "number"), [(0, 1), (7, 1), (8, 2), (86_400, 10_801)])
def test_rounds_are_counted_from_the_moment_at_which_their_journal_began(seconds: int, number: int) -> None:
    assert first_round_number(Timestamp(NEW_YEAR_2025_US + seconds * 1_000_000)) == number


def test_a_journal_replaced_after_some_rounds_begins_beyond_them() -> None:
    began = Timestamp(NEW_YEAR_2025_US + 12_345_678)
    rounds, seconds_a_round = 40, 9
    replaced = Timestamp(began + rounds * seconds_a_round * 1_000_000)

    assert first_round_number(replaced) >= first_round_number(began) + rounds


def test_a_clock_that_was_never_set_still_gives_a_number() -> None:
    assert first_round_number(Timestamp(0)) == 1
