"""The Royal Match progressive of a round of blackjack (§ 633b.18): outcomes, awards, Envy Bonuses."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from bridge.domain.awards import AwaitedAct, PayoutAct, award_status, next_act
from bridge.domain.money import Cents
from bridge.domain.odds import OddsBasis
from bridge.domain.rounds import Round
from bridge.domain.settlements import (
    Contribution,
    DealerStep,
    DeferredWager,
    EnvyBonus,
    MeterShare,
    Result,
    Settlement,
    UndecidedWager,
    WagerOutcome,
)
from bridge.domain.wagers import BettingPosition, UnknownAmount, Wager, WagerKind
from bridge.rules.admission import Objection, admitted, progressive_in_force
from bridge.rules.blackjack import hole_card, initial_cards, up_card
from bridge.rules.dealer_steps import call_supervisor, defer, finish, pay_envy_bonuses
from bridge.rules.envy_bonus import envy_owed, unwagered_hands
from bridge.rules.indicators import lamps_won
from bridge.rules.odds import fixed_payment
from bridge.rules.progressive import contribution
from bridge.rules.royal_match import Evaluation, OpenHand, RoyalMatchOutcome, Verdict, crown_treasure, evaluate
from bridge.rules.submission import RoyalMatchProgressiveFiling, RulesSubmission
from bridge.rules.wager_end import VOIDED, unpaid

_KIND = WagerKind.ROYAL_MATCH_PROGRESSIVE
_End = WagerOutcome | DeferredWager | UndecidedWager


class OpenAward(StrEnum):
    """Why a Crown Treasure is not paid yet."""

    SHARES_NOT_KNOWN = "shares_not_known"
    """Another wager may be one too, and it would share the meter (§ 633b.18(j))."""


class Voided(StrEnum):
    """What is found for a wager that was not decided when its round was voided."""

    VOIDED = VOIDED


class OpenEnvy(StrEnum):
    """Why Envy Bonuses are not known yet, besides a hand that is not."""

    OWNER_UNKNOWN = "owner_unknown"
    """The bonus depends on persons, and nobody declared who plays the position (T24)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Assessed:
    """An accepted wager and all that its cards say about it."""

    position: BettingPosition
    amount: Cents
    found: RoyalMatchOutcome | OpenHand | OpenAward | Objection | Voided
    deferred: bool
    crown: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class _Envy:
    """The Envy Bonuses of the round, and what stands in the way of more."""

    bonuses: tuple[EnvyBonus, ...] = ()
    awaits_hole_card: tuple[BettingPosition, ...] = ()
    doubts: tuple[tuple[BettingPosition, str], ...] = ()


def settle_progressive(round_: Round, submission: RulesSubmission) -> Settlement:
    """Return all that can be decided about the Royal Match progressive of a round as it stands.

    Contributions are due from lock-out on (T19), outcomes once the initial deal is complete, deferred
    outcomes once the hole card is exposed. ``all_decided`` needs the lock-out, an outcome for every
    accepted wager, and every Envy Bonus known; with none accepted it holds at lock-out. From the initial
    deal on, the first steps are one for each wager: its position's visit of § 633b.18(g).

    A wager that cannot be decided stays in ``undecided`` while the others are settled. ``deferred`` also
    names a position without the wager whose Royal Match may owe Envy Bonuses at the hole card (T25).
    Raises ``InexactAmountError``, ``InexactPaymentError`` or ``MeterOddsError`` for a submission whose
    rates or odds this wager cannot be paid by.
    """
    side_wagers = tuple(wager for wager in round_.accepted if wager.kind is _KIND)
    settlement = Settlement(
        table=round_.table, round_number=round_.number, all_decided=round_.locked and not side_wagers
    )
    if not round_.locked or not side_wagers:
        return settlement
    filing = progressive_in_force(round_, submission)
    if isinstance(filing, Objection):
        return _refused(settlement, side_wagers, filing, voided=round_.voided)
    contributions = tuple(
        Contribution(
            progressive=filing.progressive.id,
            position=wager.position,
            kind=wager.kind,
            amount=contribution(_amount(wager, filing), filing.progressive.increment_rate),
            hidden=contribution(_amount(wager, filing), filing.progressive.hidden_rate),
        )
        for wager in side_wagers
    )
    settlement = replace(settlement, contributions=contributions)
    if not round_.initial_deal_complete and not round_.voided:
        return settlement
    assessed = _assess_all(side_wagers, round_, filing)
    return _decide(settlement, round_, filing, _void(assessed, round_) if round_.voided else assessed)


def _refused(settlement: Settlement, wagers: Sequence[Wager], objection: Objection, *, voided: bool) -> Settlement:
    if voided:
        ends = tuple(unpaid(wager, wager.amount, Result.PUSH, VOIDED) for wager in wagers)
        return replace(settlement, outcomes=ends, steps=tuple(map(finish, ends)), all_decided=True)
    return replace(
        settlement,
        undecided=tuple(
            UndecidedWager(position=wager.position, kind=wager.kind, reason=objection.value) for wager in wagers
        ),
        steps=tuple(
            call_supervisor(wager.position, wager.kind, wager.amount, objection.value) for wager in wagers
        ),
    )


def _void(assessed: tuple[_Assessed, ...], round_: Round) -> tuple[_Assessed, ...]:
    """Return the wagers of a voided round: what was not decided is returned, and has won nothing."""
    return tuple(
        one
        if round_.initial_deal_complete and isinstance(one.found, RoyalMatchOutcome)
        else replace(one, found=Voided.VOIDED, deferred=False, crown=Verdict.NO)
        for one in assessed
    )


def _amount(wager: Wager, filing: RoyalMatchProgressiveFiling) -> Cents:
    """Return what was wagered; where the sensor only sees a chip, it is the one amount filed (T21)."""
    return filing.wager if isinstance(wager.amount, UnknownAmount) else wager.amount


def _assess_all(
    wagers: Sequence[Wager], round_: Round, filing: RoyalMatchProgressiveFiling
) -> tuple[_Assessed, ...]:
    """Return the wagers in the order of settlement (R28), Crown Treasures only where their shares are known."""
    order = filing.settle_order
    in_order = sorted(
        wagers,
        key=lambda wager: order.index(wager.position) if wager.position in order else len(order),
    )
    assessed = tuple(_assess(wager, round_, filing) for wager in in_order)
    if all(one.crown is not Verdict.OPEN for one in assessed):
        return assessed
    return tuple(
        replace(one, found=OpenAward.SHARES_NOT_KNOWN) if one.found is RoyalMatchOutcome.CROWN_TREASURE else one
        for one in assessed
    )


def _assess(wager: Wager, round_: Round, filing: RoyalMatchProgressiveFiling) -> _Assessed:
    amount = _amount(wager, filing)
    crown = _crown(round_, wager.position)
    allowed = admitted(round_, filing, wager)
    if isinstance(allowed, Objection):
        # Whether it may win is a supervisor's to say, so it may still share the award.
        open_crown = crown if crown is Verdict.NO else Verdict.OPEN
        return _Assessed(position=wager.position, amount=amount, found=allowed, deferred=False, crown=open_crown)
    evaluation = _evaluate(round_, wager.position, filing)
    return _Assessed(
        position=wager.position,
        amount=amount,
        found=evaluation.found,
        deferred=evaluation.deferred,
        crown=crown,
    )


def _crown(round_: Round, position: BettingPosition) -> Verdict:
    return crown_treasure(initial_cards(round_, position), up_card(round_), hole_card(round_))


def _evaluate(round_: Round, position: BettingPosition, filing: RoyalMatchProgressiveFiling) -> Evaluation:
    return evaluate(initial_cards(round_, position), up_card(round_), hole_card(round_), filing.ace_adjacency)


def _decide(
    settlement: Settlement,
    round_: Round,
    filing: RoyalMatchProgressiveFiling,
    assessed: tuple[_Assessed, ...],
) -> Settlement:
    """Return the settlement with everything that the cards decide now."""
    among = sum(one.found is RoyalMatchOutcome.CROWN_TREASURE for one in assessed)
    by_phase = sorted(assessed, key=lambda one: one.deferred)
    ends = {one.position: _end(one, filing, among) for one in by_phase}
    outcomes = tuple(end for end in ends.values() if isinstance(end, WagerOutcome))
    envy = _envy(round_, filing, assessed)
    returned = {one.position for one in assessed if one.found is Voided.VOIDED}
    waiting = [end for end in ends.values() if isinstance(end, DeferredWager)]
    waiting += [DeferredWager(position=position, kind=_KIND) for position in envy.awaits_hole_card]
    return replace(
        settlement,
        corrections=tuple(one for one in settlement.contributions if one.position in returned),
        outcomes=outcomes,
        deferred=tuple(waiting),
        undecided=tuple(end for end in ends.values() if isinstance(end, UndecidedWager)),
        envy_bonuses=envy.bonuses,
        lamps=lamps_won(outcomes, envy.bonuses),
        steps=_steps(assessed, ends, envy),
        awaiting=_awaiting(outcomes, round_, filing),
        all_decided=len(outcomes) == len(assessed) and not envy.awaits_hole_card and not envy.doubts,
    )


def _end(one: _Assessed, filing: RoyalMatchProgressiveFiling, among: int) -> _End:
    if one.found is OpenHand.AWAITS_HOLE_CARD:
        return DeferredWager(position=one.position, kind=_KIND)
    wager = Wager(position=one.position, kind=_KIND, amount=one.amount)
    if one.found is Voided.VOIDED:
        return unpaid(wager, one.amount, Result.PUSH, one.found.value)
    if not isinstance(one.found, RoyalMatchOutcome):
        return UndecidedWager(position=one.position, kind=_KIND, reason=one.found.value)
    if one.found is RoyalMatchOutcome.NO_MATCH:
        return unpaid(wager, one.amount, Result.LOSE, one.found.value)
    odds = filing.paytable.odds[one.found]
    paid: Cents | MeterShare
    if one.found is RoyalMatchOutcome.CROWN_TREASURE and odds.basis is OddsBasis.METER:
        paid = MeterShare(progressive=filing.progressive.id, odds=odds, among=among)
        returned = Cents(0)
    else:
        payment = fixed_payment(odds, one.amount)
        paid, returned = payment.paid, payment.stake_returned
    return WagerOutcome(
        position=one.position,
        kind=_KIND,
        amount=one.amount,
        result=Result.WIN,
        outcome=one.found.value,
        odds=odds,
        paid=paid,
        stake_returned=returned,
    )


def _envy(round_: Round, filing: RoyalMatchProgressiveFiling, assessed: Sequence[_Assessed]) -> _Envy:
    """Return the Envy Bonuses, none before every hand that counts is known to be a Crown Treasure or not."""
    receivers = {one.position: one.amount for one in assessed if not isinstance(one.found, Objection | Voided)}
    crowns = {one.position: one.crown for one in assessed}
    awaits_hole_card: list[BettingPosition] = []
    doubts: list[tuple[BettingPosition, str]] = []
    for position in unwagered_hands(round_, filing, tuple(crowns)):
        crowns[position] = _crown(round_, position)
        if round_.voided and crowns[position] is Verdict.OPEN:
            crowns[position] = Verdict.NO
        if crowns[position] is Verdict.OPEN:
            found = _evaluate(round_, position, filing).found
            if found is OpenHand.AWAITS_HOLE_CARD:
                awaits_hole_card.append(position)
            else:
                doubts.append((position, found.value))
    if Verdict.OPEN in crowns.values():
        return _Envy(awaits_hole_card=tuple(awaits_hole_card), doubts=tuple(doubts))
    winning = [position for position in filing.settle_order if crowns.get(position) is Verdict.YES]
    owed = envy_owed(receivers, winning, round_, filing)
    return _Envy(
        bonuses=owed.bonuses,
        doubts=tuple((position, OpenEnvy.OWNER_UNKNOWN.value) for position in owed.owners_unknown),
    )


def _steps(
    assessed: Sequence[_Assessed],
    ends: dict[BettingPosition, _End],
    envy: _Envy,
) -> tuple[DealerStep, ...]:
    """Return the steps in order: after the initial deal, after the hole card, then the Envy Bonuses."""
    now = [
        defer(one.position, _KIND, one.amount) if one.deferred else _step(one, ends[one.position])
        for one in assessed
    ]
    later = [
        _step(one, ends[one.position])
        for one in assessed
        if one.deferred and not isinstance(ends[one.position], DeferredWager)
    ]
    doubts = [call_supervisor(position, _KIND, UnknownAmount.UNKNOWN, why) for position, why in envy.doubts]
    return (*now, *later, *doubts, *pay_envy_bonuses(_KIND, envy.bonuses))


def _step(one: _Assessed, end: _End) -> DealerStep:
    if isinstance(end, WagerOutcome):
        return finish(end)
    return call_supervisor(one.position, _KIND, one.amount, one.found.value)


def _awaiting(
    outcomes: Sequence[WagerOutcome], round_: Round, filing: RoyalMatchProgressiveFiling
) -> tuple[AwaitedAct, ...]:
    """Return the next act of each payout: an award has its life, one at fixed odds is at most validated."""
    found = []
    for outcome in outcomes:
        done = round_.acts_at(outcome.position)
        act: PayoutAct | None = None
        if isinstance(outcome.paid, MeterShare):
            act = next_act(award_status(done))
        elif outcome.outcome in filing.validated_outcomes and PayoutAct.VALIDATED not in done:
            act = PayoutAct.VALIDATED
        if act is not None:
            found.append(AwaitedAct(position=outcome.position, act=act))
    return tuple(found)
