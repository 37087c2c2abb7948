import pytest

from bridge.domain.setup import EffectiveWindow
from bridge.domain.wagers import WagerKind
from tests.table.tables import setup


def test_an_offered_wager_is_found_by_its_kind() -> None:
    assert setup().offer(WagerKind.ROYAL_MATCH_PROGRESSIVE).requires == (WagerKind.BLACKJACK,)


def test_a_wager_that_is_not_offered_is_an_error_of_the_program() -> None:
    table = setup()
    with pytest.raises(KeyError):
        type(table)(**{name: getattr(table, name) for name in table.__slots__} | {"offered": ()}).offer(
            WagerKind.BLACKJACK
        )


@pytest.mark.parametrize(
    ("day", "inside"), [("2024-03-22", False), ("2024-03-23", True), ("2027-03-08", True), ("2027-03-09", False)]
)
def test_R49_both_ends_of_the_effective_window_are_inside(day: str, inside: bool) -> None:
    window = EffectiveWindow(first_day="2024-03-23", last_day="2027-03-08", refuse_outside=True)

    assert window.holds(day) is inside
