from dataclasses import replace
from fractions import Fraction

import pytest

from bridge.domain.money import Cents
from bridge.domain.odds import Odds
from bridge.domain.settlements import StepAction
from bridge.rules.catalogue import FixedOddsWager
from bridge.rules.rounding import Direction, Rounding
from bridge.rules.submission import VigorishTaken
from bridge.rules.vigorish import TAKING, vigorish_owed
from tests.rules.baccarat_rounds import EZ, FIVE_PERCENT, Coup, a_baccarat_submission, ends, filings, steps

BANKER_WINS = Coup(player="8s Kd", banker="9c Kd", wagers={1: {"banker": 700}})


@pytest.mark.parametrize(
    ("won", "percent", "to_cents", "direction", "owed"),
    [
        (700, 5, 1, Direction.UP, 35),
        (700, 5, 25, Direction.UP, 50),
        (700, 5, 25, Direction.DOWN, 25),
        (700, 4, 1, Direction.UP, 28),
        (333, 5, 1, Direction.UP, 17),
        (333, 5, 1, Direction.DOWN, 16),
    ],
)
def test_t28_a_part_of_the_amount_won_rounded_as_filed(
    won: int, percent: int, to_cents: int, direction: Direction, owed: int
) -> None:
    filing = replace(
        FIVE_PERCENT,
        rate=Fraction(percent, 100),
        rounding=Rounding(to_cents=to_cents, direction=direction),
    )
    assert vigorish_owed(Odds.to_one(1), Cents(won), filing).cents == owed


def test_627a_11_b_what_the_dealer_does_about_it_is_filed() -> None:
    for taken, action in ((VigorishTaken.MARKED, "mark_vigorish"), (VigorishTaken.COLLECTED, "collect_vigorish")):
        submission = a_baccarat_submission(vigorish=replace(FIVE_PERCENT, taken=taken))
        settlement = BANKER_WINS.settled(submission)
        assert TAKING[taken] == action
        assert steps(settlement) == [(StepAction(action), 1, "banker"), (StepAction.PAY, 1, "banker")]


def test_t28_nothing_but_the_banker_wager_owes_it() -> None:
    wagers = {1: {"banker": 700, "tie": 100, "golden_talons_banker": 100}}
    found = ends(replace(BANKER_WINS, wagers=wagers).settled())
    assert {kind: end.vigorish for (_, kind), end in found.items()} == {
        "banker": 35, "tie": 0, "golden_talons_banker": 0,
    }  # fmt: skip


def test_627a_11_b_r67_an_ez_table_collects_none() -> None:
    settlement = BANKER_WINS.settled(EZ)
    assert steps(settlement) == [(StepAction.PAY, 1, "banker")]
    assert [end.vigorish for end in settlement.outcomes] == [0]


def test_t28_how_a_payment_is_rounded_changes_nothing_of_the_vigorish() -> None:
    to_a_dollar = Rounding(to_cents=100, direction=Direction.UP)
    submission = a_baccarat_submission(wagers=filings(FixedOddsWager.BANKER, rounding=to_a_dollar))
    (end,) = replace(BANKER_WINS, wagers={1: {"banker": 320}}).settled(submission).outcomes
    assert (end.paid, end.vigorish) == (400, 16)
