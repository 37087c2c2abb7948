from dataclasses import replace

import pytest

from bridge.domain.confirmations import ResultOverridden
from bridge.domain.identity import PersonId, RoundNumber
from bridge.domain.money import Cents
from bridge.domain.people import PersonRole
from bridge.domain.settlements import Result
from bridge.domain.table_view import IrregularityKind
from bridge.domain.wagers import WagerKind
from tests.table.tables import DEALER, FLOOR, PROGRESSIVE, Play, position

WON = ResultOverridden(
    round_number=RoundNumber(1),
    position=position(1),
    wager=PROGRESSIVE,
    result=Result.WIN,
    paid=Cents(300_00),
    stake_returned=Cents(0),
    reason="the queen was read as a jack",
)
LOST = replace(WON, result=Result.LOSE, paid=Cents(0))
PUSHED = replace(WON, result=Result.PUSH, paid=Cents(0), stake_returned=Cents(5_00))


def lost() -> Play:
    """A table at which the wager of position 1 was lost."""
    play = Play().dealt(1, 2, cards="Ks 2d 9d Js 7d 2c")
    return play.settled(decided=[(1, PROGRESSIVE), (2, PROGRESSIVE)])


def refusal(play: Play) -> str:
    assert play.irregular[-1] is IrregularityKind.CONFIRMATION_REFUSED
    return play.state.irregularities[-1].detail


def test_T50_a_floorperson_overrides_a_result_with_identity_time_and_reason() -> None:
    play = lost().confirm(WON)

    (override,) = play.state.round.overrides
    assert (override.position, override.wager, override.result) == (1, PROGRESSIVE, Result.WIN)
    assert (override.paid, override.stake_returned) == (300_00, 0)
    assert (override.by, override.at, override.reason) == (FLOOR, play.events[-1].at, WON.reason)
    assert play.irregular == []


def test_T54_a_repeated_override_is_one_and_another_word_is_a_further_record() -> None:
    play = lost().confirm(WON).confirm(WON).confirm(LOST, by=PersonId("floor-2")).confirm(WON)

    results = [one.result for one in play.state.round.overrides]
    assert results == [Result.WIN, Result.LOSE, Result.WIN], "nothing is edited, the last word holds"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (replace(WON, position=position(3)), "is not decided at fixed odds"),
        (replace(WON, wager=WagerKind.BLACKJACK), "is not decided at fixed odds"),
        (replace(WON, paid=Cents(0)), "more than nothing"),
        (replace(WON, stake_returned=Cents(-1)), "no amount is negative"),
        (replace(LOST, paid=Cents(1)), "a wager that ends as lose is paid nothing"),
        (replace(PUSHED, paid=Cents(1)), "a wager that ends as push is paid nothing"),
        (replace(LOST, stake_returned=Cents(1)), "a lost wager is not returned"),
        (replace(WON, reason="  "), "an override needs a reason"),
        (replace(WON, round_number=RoundNumber(7)), "it speaks of round 7"),
    ],
)
def test_T50_an_override_that_cannot_be_meant_is_refused(said: ResultOverridden, why: str) -> None:
    play = lost().confirm(said)

    assert why in refusal(play)
    assert play.state.round.overrides == ()


@pytest.mark.parametrize("said", [WON, LOST, PUSHED])
def test_T50_every_result_may_be_said(said: ResultOverridden) -> None:
    assert [one.result for one in lost().confirm(said).state.round.overrides] == [said.result]


def test_T50_a_dealer_overrides_nothing() -> None:
    assert "only a floorperson" in refusal(lost().confirm(WON, by=DEALER, role=PersonRole.DEALER))


def test_R39_an_award_is_not_overridden() -> None:
    play = Play().dealt(1, cards="Ks Qd Qs Kd").settled(awards=[1]).confirm(WON)

    assert "an award is rejected instead" in refusal(play)
