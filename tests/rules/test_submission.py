import pytest

from bridge.domain.rounds import Game
from bridge.domain.wagers import WagerKind
from bridge.rules.submission import GamingDayError, InForce, OutsideWindow, window
from tests.rules.rounds import SUBMISSION, a_filing, a_submission


def test_633b_18_e_a_side_wager_is_off_unless_it_is_filed() -> None:
    assert a_submission(a_filing()).files(WagerKind.ROYAL_MATCH_PROGRESSIVE)
    assert not a_submission(None).files(WagerKind.ROYAL_MATCH_PROGRESSIVE)


def test_the_blackjack_wager_belongs_to_blackjack() -> None:
    assert SUBMISSION.game is Game.BLACKJACK
    assert SUBMISSION.files(WagerKind.BLACKJACK)


@pytest.mark.parametrize("day", ["2024-03-23", "2025-12-31", "2027-03-08"])
def test_r49_both_ends_of_the_effective_window_are_inside(day: str) -> None:
    assert window(SUBMISSION, day) is InForce.YES


@pytest.mark.parametrize("day", ["2024-03-22", "2027-03-09", "0999-12-31"])
@pytest.mark.parametrize(
    ("filed", "expected"),
    [(OutsideWindow.WARN, InForce.WARN), (OutsideWindow.REFUSE, InForce.REFUSE)],
)
def test_r49_outside_the_window_a_round_warns_or_is_refused(
    day: str, filed: OutsideWindow, expected: InForce
) -> None:
    assert window(a_submission(a_filing(), filed), day) is expected


@pytest.mark.parametrize(
    "day",
    ["", "2026-3-8", "8 March 26", "20260308", "2026/03/08", "2026-03-08T00", "2-26-03-08", "２０２６-03-08"],  # noqa: RUF001 - digits that only look like digits
)
def test_r49_a_gaming_day_of_another_shape_is_refused(day: str) -> None:
    with pytest.raises(GamingDayError, match="write it as 2027-03-08"):
        window(SUBMISSION, day)
