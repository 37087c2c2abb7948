from dataclasses import replace
from fractions import Fraction

import pytest

from bridge.domain.awards import AwardStatus
from bridge.domain.cards import Card, FaceOrUnseen, UnseenCard
from bridge.domain.identity import DeviceId, PersonId, ProgressiveId, RoundNumber, TableId, Timestamp
from bridge.domain.meters import Award
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.odds import Odds
from bridge.domain.rounds import DealtCard, Game, Hand, House, Round
from bridge.domain.settlements import (
    DeferredWager,
    EnvyBonus,
    MeterShare,
    Override,
    Result,
    Settlement,
    UndecidedWager,
    UnpaidOdds,
    WagerOutcome,
)
from bridge.domain.wagers import BettingPosition, UnknownAmount, Wager, WagerKind
from bridge.words.wager_ends import Ending, WagerEnd, amount_accepted, envy_bonus, point_count_seen, wager_end

TABLE, METER, NUMBER = TableId("t"), ProgressiveId("m"), RoundNumber(7)
FIVE, SIX = BettingPosition(5), BettingPosition(6)
PROGRESSIVE = WagerKind.ROYAL_MATCH_PROGRESSIVE
UNPAID = Cents(0)
NOTHING = Settlement(table=TABLE, round_number=NUMBER)
AWARD = Award(
    progressive=METER,
    table=TABLE,
    round_number=NUMBER,
    position=FIVE,
    amount=Cents(25_001_50),
    among=2,
    win_number=1,
    meter_before=MeterAmount(0),
    status=AwardStatus.HIT,
)


def outcome(
    result: Result,
    name: str,
    *,
    odds: Odds | UnpaidOdds = UnpaidOdds.NONE,
    paid: Cents | MeterShare | UnknownAmount = UNPAID,
    kind: WagerKind = PROGRESSIVE,
) -> Settlement:
    end = WagerOutcome(
        position=FIVE,
        kind=kind,
        amount=Cents(500),
        result=result,
        outcome=name,
        odds=odds,
        paid=paid,
        stake_returned=Cents(0),
    )
    return replace(NOTHING, outcomes=(end,))


def share(among: int) -> Settlement:
    paid = MeterShare(progressive=METER, odds=Odds.of_meter(Fraction(1)), among=among)
    return outcome(Result.WIN, "crown_treasure", odds=paid.odds, paid=paid)


@pytest.mark.parametrize(
    ("settlement", "end"),
    [
        (NOTHING, None),
        (outcome(Result.LOSE, "no_match"), WagerEnd(ending=Ending.LOST, outcome="No match")),
        (outcome(Result.PUSH, "voided"), WagerEnd(ending=Ending.RETURNED, outcome="voided, returned")),
        (
            outcome(Result.WIN, "royal_match", odds=Odds.for_one(60), paid=Cents(300_00)),
            WagerEnd(ending=Ending.WON, outcome="Royal Match", terms=" 60 for 1", paid="300.00"),
        ),
        (
            outcome(Result.WIN, "royal_match", odds=Odds.for_one(60), paid=UnknownAmount.UNKNOWN),
            WagerEnd(ending=Ending.WON, outcome="Royal Match", terms=" 60 for 1", paid="?"),
        ),
        (
            replace(NOTHING, deferred=(DeferredWager(position=FIVE, kind=PROGRESSIVE),)),
            WagerEnd(ending=Ending.DEFERRED, outcome="Royal Match, deferred"),
        ),
        (
            replace(NOTHING, undecided=(UndecidedWager(position=FIVE, kind=PROGRESSIVE, reason="card_unread"),)),
            WagerEnd(ending=Ending.UNDECIDED, outcome="card unread"),
        ),
    ],
)
def test_a_wager_is_said_to_have_ended_as_the_settlement_has_it(
    settlement: Settlement, end: WagerEnd | None
) -> None:
    assert wager_end(settlement, (), FIVE, PROGRESSIVE) == end
    assert wager_end(settlement, (), SIX, PROGRESSIVE) is None
    assert wager_end(settlement, (), FIVE, WagerKind.BLACKJACK) is None


@pytest.mark.parametrize(("among", "terms"), [(1, ", the meter"), (2, ", meter ÷ 2")])
def test_a_share_of_the_meter_has_its_cents_once_it_is_posted(among: int, terms: str) -> None:
    not_yet = wager_end(share(among), (replace(AWARD, position=SIX),), FIVE, PROGRESSIVE)
    posted = wager_end(share(among), (AWARD,), FIVE, PROGRESSIVE)

    assert not_yet == WagerEnd(ending=Ending.WON, outcome="Crown Treasure", terms=terms, paid="…")
    assert posted is not None
    assert posted.paid == "25,001.50"


def test_T52_a_rejected_claim_is_no_win_and_leaves_the_other_wagers_of_the_position() -> None:
    rejected = replace(share(1), rejected=(FIVE,))

    said = wager_end(rejected, (AWARD,), FIVE, PROGRESSIVE)

    assert said == WagerEnd(ending=Ending.REJECTED, outcome="claim rejected")
    assert wager_end(rejected, (), FIVE, WagerKind.ROYAL_MATCH_21) is None


@pytest.mark.parametrize(
    ("result", "ending", "outcome_said", "paid"),
    [
        (Result.WIN, Ending.WON, "overridden: won", "50.00"),
        (Result.PUSH, Ending.RETURNED, "overridden: returned", ""),
        (Result.LOSE, Ending.LOST, "overridden: lost", ""),
    ],
)
def test_T50_the_word_of_a_floorperson_stands_in_place_of_the_outcome(
    result: Result, ending: Ending, outcome_said: str, paid: str
) -> None:
    override = Override(
        position=FIVE,
        wager=PROGRESSIVE,
        result=result,
        paid=Cents(50_00),
        stake_returned=Cents(0),
        by=PersonId("floor-1"),
        at=Timestamp(0),
        reason="misread",
    )
    settlement = replace(outcome(Result.LOSE, "no_match"), overrides=(override,))

    said = wager_end(settlement, (), FIVE, PROGRESSIVE)

    assert said == WagerEnd(ending=ending, outcome=outcome_said, paid=paid, overridden=True)


def test_633b_18_k_the_envy_bonuses_of_a_position_are_added_but_for_a_rejected_hand() -> None:
    bonuses = tuple(
        EnvyBonus(position=SIX, for_hand_of=BettingPosition(hand), amount=Cents(2_500_00)) for hand in (1, 2)
    )

    assert envy_bonus(replace(NOTHING, envy_bonuses=bonuses), SIX) == 5_000_00
    assert envy_bonus(replace(NOTHING, envy_bonuses=bonuses, rejected=(BettingPosition(2),)), SIX) == 2_500_00
    assert envy_bonus(replace(NOTHING, envy_bonuses=bonuses), FIVE) == 0


def a_round(*cards: FaceOrUnseen, disclosed: bool = True) -> Round:
    dealt = tuple(
        DealtCard(order=order, card=card, device=DeviceId("d"), at=Timestamp(0), disclosed=disclosed)
        for order, card in enumerate(cards, 1)
    )
    return Round(
        table=TABLE,
        number=NUMBER,
        game=Game.BACCARAT,
        submission_digest="",
        opened_at=Timestamp(0),
        hands=(Hand(holder=House.PLAYER, cards=dealt),),
        accepted=(
            Wager(position=FIVE, kind=WagerKind.TIE, amount=Cents(500)),
            Wager(position=SIX, kind=WagerKind.TIE, amount=UnknownAmount.UNKNOWN),
        ),
    )


def test_an_accepted_amount_is_said_and_one_that_nobody_knows_is_a_question() -> None:
    assert amount_accepted(a_round(), FIVE, WagerKind.TIE) == "5.00"
    assert amount_accepted(a_round(), SIX, WagerKind.TIE) == "?"
    assert amount_accepted(a_round(), SIX, WagerKind.PLAYER) == ""


def test_T48_a_hand_is_counted_when_all_of_it_is_known() -> None:
    nine, king = Card.parse("9s"), Card.parse("Kd")

    assert point_count_seen(a_round(nine, king), House.PLAYER) == 9
    assert point_count_seen(a_round(nine, UnseenCard.HIDDEN), House.PLAYER) is None
    assert point_count_seen(a_round(nine, king, disclosed=False), House.PLAYER) is None
    assert point_count_seen(a_round(), House.PLAYER) is None
