from dataclasses import replace
from typing import Any

from bridge.contracts.envelopes import RoundEnvelope, SettlementEnvelope
from bridge.dashboard.history_money import ShownMoney, ShownWager, shown_money
from bridge.domain.identity import ProgressiveId, RoundNumber, TableId
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.odds import Odds
from bridge.domain.settlements import (
    Contribution,
    DeferredWager,
    MeterShare,
    Result,
    UndecidedWager,
    WagerOutcome,
)
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerKind
from bridge.stores.heard_reader import read
from tests.contracts.samples import SETTLEMENT
from tests.dashboard.past import baccarat, blackjack, first_round, heard
from tests.rules.rounds import override
from tests.stores.hearing import OPENED, Telling, Written, ended, in_memory, wager

ROYAL = WagerKind.ROYAL_MATCH_PROGRESSIVE


def money(*outcomes: WagerOutcome, accepted: Any = None, **changes: Any) -> ShownMoney:
    """Return the money of a round of these wagers and ends."""
    table = Telling()
    opened, before = table.open(1)
    laid = tuple(wager(one.position, one.kind) for one in outcomes) if accepted is None else accepted
    said: list[Any] = [opened, before, table.event(), table.round(accepted=laid)]
    said.append(table.settlement(*outcomes, **changes))
    with in_memory() as connection:
        Written(connection).hear(said)
        return shown_money(read(connection, TableId("bj-1"), RoundNumber(1)))


def the(shown: ShownMoney) -> ShownWager:
    (only,) = shown.wagers
    return only


async def test_an_award_is_told_with_its_amount_its_life_and_who_signed_for_it() -> None:
    said = await blackjack()
    shown = shown_money(heard(said, first_round(said) + 1))
    royal = shown.wagers[1]
    (award,) = shown.awards

    assert (royal.name, royal.ended, royal.odds) == (
        "Royal Match progressive",
        "won: Crown Treasure",
        "100% of meter",
    )
    assert royal.paid == award.amount
    assert (award.position, award.stands, award.among, award.win_number) == (4, "paid, meter reset", 1, 1)
    assert [(one.act, one.by) for one in shown.acts] == [
        ("winning hand verified", "dealer-1"),
        ("win lamp seen lit", "floor-1"),
        ("payout validated", "floor-1"),
        ("documents of the award complete", "floor-1"),
        ("award paid", "floor-1"),
        ("meter reset", "reset-1"),
    ]
    assert [(one.position, one.amount, one.hidden) for one in shown.contributions] == [(4, "0.7500", "")]


async def test_a_claim_that_was_rejected_is_told_with_the_reason() -> None:
    said = await blackjack()
    numbers = {one.round.number for one in said if isinstance(one, RoundEnvelope)}
    shown = [shown_money(heard(said, number)) for number in sorted(numbers)]
    (rejected,) = [one for one in shown if any(wager.ending == "rejected" for wager in one.wagers)]

    assert "claim rejected" in {wager.ended for wager in rejected.wagers}
    (act,) = [one for one in rejected.acts if one.act == "claim rejected"]
    assert act.reason
    assert act.by == "floor-1"


async def test_wagers_of_baccarat_are_told_with_odds_what_is_returned_and_vigorish() -> None:
    said = await baccarat()
    shown = shown_money(heard(said, first_round(said)))
    won = [one for one in shown.wagers if one.ending == "won"]

    assert any(one.odds.endswith("to 1") and one.paid and one.stake for one in won)
    vigorish = the(money(ended(3, Result.WIN, WagerKind.BANKER, outcome="banker", vigorish=Cents(25))))
    assert vigorish.vigorish == "0.25"


def test_every_end_of_a_wager_is_told() -> None:
    lost = the(money(ended(3, Result.LOSE, outcome="no_match")))
    push = the(money(ended(3, Result.PUSH, outcome="tie_hand", stake_returned=Cents(5_00))))
    fixed = the(money(ended(3, Result.WIN)))
    by_hand = the(money(accepted=(replace(wager(3, WagerKind.BLACKJACK), amount=UnknownAmount.UNKNOWN),)))
    open_ = the(money(accepted=(wager(3),)))
    deferred = DeferredWager(position=BettingPosition(3), kind=ROYAL)
    waits = the(money(accepted=(wager(3),), deferred=(deferred,)))
    undecided = UndecidedWager(position=BettingPosition(3), kind=ROYAL, reason="card 9 is not read")
    unread = the(money(accepted=(wager(3),), undecided=(undecided,)))

    assert (lost.ended, lost.paid, lost.stake) == ("lost: No match", "", "")
    assert (push.ended, push.stake) == ("tie hand, returned", "5.00")
    assert (fixed.ended, fixed.odds, fixed.paid, fixed.amount) == (
        "won: Royal Match",
        "60 for 1",
        "300.00",
        "5.00",
    )
    assert (by_hand.ended, by_hand.amount) == ("settled by the dealer by hand", "not known")
    assert (open_.ended, open_.ending) == ("not decided yet", "")
    assert waits.ended == "Royal Match, deferred"
    assert unread.ended == "not decided: card 9 is not read"


def test_T50_what_was_decided_stays_beside_what_a_floorperson_said() -> None:
    fouled = override(3, Result.PUSH, returned=5_00, at=OPENED, reason="the hand was fouled")
    overridden = the(money(ended(3, Result.WIN), overrides=(fouled,)))

    assert (overridden.ended, overridden.paid, overridden.stake, overridden.odds) == ("returned", "", "5.00", "")
    assert "Overridden by floor-1" in overridden.overridden
    assert "the hand was fouled. Decided before: won: Royal Match, paid 300.00." in overridden.overridden
    early = the(money(accepted=(wager(3),), overrides=(fouled,)))
    assert early.overridden.endswith("Decided before: not decided yet.")


def test_an_award_nobody_has_posted_yet_is_not_guessed() -> None:
    share = MeterShare(progressive=ProgressiveId("royal"), odds=Odds.for_one(1), among=1)
    assert the(money(ended(3, Result.WIN, paid=share))).paid == "…"


def test_contributions_that_were_taken_back_and_envy_bonuses_that_are_owed_are_told() -> None:
    back = Contribution(
        progressive=ProgressiveId("royal"),
        position=BettingPosition(3),
        kind=ROYAL,
        amount=MeterAmount(7_500),
        hidden=MeterAmount(500),
    )
    shown = money(corrections=(back,), envy_bonuses=SETTLEMENT.envy_bonuses, accepted=())

    assert [(one.amount, one.hidden, one.taken_back) for one in shown.contributions] == [
        ("0.7500", "0.0500", True)
    ]
    assert [(one.position, one.for_hand_of, one.amount) for one in shown.bonuses] == [(5, 3, "2,500.00")]


async def test_a_round_whose_settlement_was_not_heard_has_its_wagers_and_nothing_else() -> None:
    said = await blackjack()
    number = first_round(said) + 1
    unsettled = shown_money(heard((one for one in said if not isinstance(one, SettlementEnvelope)), number))

    assert {one.ending for one in unsettled.wagers} == {""}
    assert (unsettled.awards, unsettled.contributions, unsettled.bonuses) == ((), (), ())
