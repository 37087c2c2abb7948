"""The Royal Match progressive of a round of blackjack (§ 633b.18): outcomes, awards, Envy Bonuses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

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
    UndecidedWager,
    WagerOutcome,
)
from bridge.domain.wagers import BettingPosition, UnknownAmount, Wager, WagerKind
from bridge.rules.admission import Objection, WagersByPosition, admitted, progressive_in_force
from bridge.rules.blackjack import InitialCards
from bridge.rules.dealer_steps import call_supervisor, defer, finish, pay_envy_bonuses
from bridge.rules.envy_bonus import envy_owed, unwagered_hands
from bridge.rules.gathered import Gathered
from bridge.rules.indicators import lamps_won
from bridge.rules.odds import fixed_payment
from bridge.rules.progressive import contribution
from bridge.rules.royal_match import Evaluation, OpenHand, RoyalMatchOutcome, Verdict, crown_treasure, evaluate
from bridge.rules.settle_order import place_in
from bridge.rules.submission import RoyalMatchProgressiveFiling, RulesSubmission
from bridge.rules.wager_end import VOIDED, unpaid

_KIND = WagerKind.ROYAL_MATCH_PROGRESSIVE
_NO_ROYAL_MATCH = frozenset({RoyalMatchOutcome.STRAIGHT_FLUSH, RoyalMatchOutcome.NO_MATCH})
_CONTRIBUTIONS_KEPT = 64
"""Contributions that are remembered: one of each position, the amount being fixed (T21)."""
_ENDS_KEPT = 512
"""Ends that are remembered: of each position the few outcomes, a Crown Treasure by its number of shares."""


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


class _Assessed(NamedTuple):
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


_NO_ENVY = _Envy()


def settle_progressive(
    gathered: Gathered,
    round_: Round,
    submission: RulesSubmission,
    cards: InitialCards,
    beside: WagersByPosition,
) -> bool:
    """Gather all that can be decided about the Royal Match progressive of a round as it stands.

    Contributions are due from lock-out on (T19), outcomes once the initial deal is complete, deferred
    outcomes once the hole card is exposed. Return whether all is decided, which needs the lock-out, an outcome
    for every accepted wager, and every Envy Bonus known; with none accepted it holds at lock-out. The
    steps are one for each wager, its position's visit of § 633b.18(g); the last steps those after the hole card.

    A wager that cannot be decided stays in ``undecided`` while the others are settled. ``deferred`` also
    names a position without the wager whose Royal Match may owe Envy Bonuses at the hole card (T25).
    Raises ``InexactAmountError``, ``InexactPaymentError`` or ``MeterOddsError`` for a submission whose
    rates or odds this wager cannot be paid by.
    """
    wagers = [wager for wager in round_.accepted if wager.kind is _KIND]
    if not round_.locked or not wagers:
        return round_.locked
    filing = progressive_in_force(round_, submission)
    if isinstance(filing, Objection):
        return _refuse(gathered, wagers, filing, voided=round_.voided)
    gathered.contributions += [
        _contribution(wager.position, _amount(wager, filing), submission) for wager in wagers
    ]
    if not round_.initial_deal_complete and not round_.voided:
        return False
    assessed = _assess_all(wagers, filing, cards, beside)
    receivers = {one.position: one.amount for one in assessed if not isinstance(one.found, Objection)}
    if round_.voided:
        assessed = _void(assessed, round_)
    _decide(gathered, assessed, submission)
    envy = _envy(round_, filing, assessed, receivers, cards)
    _gather_envy(gathered, envy)
    _gather_won(gathered, round_, filing)
    return len(gathered.outcomes) == len(wagers) and not envy.awaits_hole_card and not envy.doubts


def _refuse(gathered: Gathered, wagers: Sequence[Wager], objection: Objection, *, voided: bool) -> bool:
    if voided:
        gathered.outcomes += [unpaid(wager, wager.amount, Result.PUSH, VOIDED) for wager in wagers]
        gathered.steps += map(finish, gathered.outcomes)
        return True
    for wager in wagers:
        undecided = UndecidedWager(position=wager.position, kind=wager.kind, reason=objection.value)
        gathered.undecided.append(undecided)
        gathered.steps.append(call_supervisor(wager.position, wager.kind, wager.amount, objection.value))
    return False


def _void(assessed: Sequence[_Assessed], round_: Round) -> Sequence[_Assessed]:
    """Return the wagers of a voided round: what was not decided is returned, and has won nothing."""
    return [
        one
        if round_.initial_deal_complete and isinstance(one.found, RoyalMatchOutcome)
        else one._replace(found=Voided.VOIDED, deferred=False, crown=Verdict.NO)
        for one in assessed
    ]


def _amount(wager: Wager, filing: RoyalMatchProgressiveFiling) -> Cents:
    """Return what was wagered; where the sensor only sees a chip, it is the one amount filed (T21)."""
    return wager.amount if isinstance(wager.amount, int) else filing.wager


@lru_cache(maxsize=_CONTRIBUTIONS_KEPT)
def _contribution(position: BettingPosition, amount: Cents, submission: RulesSubmission) -> Contribution:
    progressive = submission.progressive_filed().progressive
    return Contribution(
        progressive=progressive.id,
        position=position,
        kind=_KIND,
        amount=contribution(amount, progressive.increment_rate),
        hidden=contribution(amount, progressive.hidden_rate),
    )


def _assess_all(
    wagers: Sequence[Wager], filing: RoyalMatchProgressiveFiling, cards: InitialCards, beside: WagersByPosition
) -> Sequence[_Assessed]:
    """Return the wagers in the order of settlement (R28), Crown Treasures only where their shares are known."""
    in_order = sorted(wagers, key=lambda wager: place_in(filing.settle_order, wager.position))
    assessed = [_assess(wager, filing, cards, beside) for wager in in_order]
    if all(one.crown is not Verdict.OPEN for one in assessed):
        return assessed
    return [
        one._replace(found=OpenAward.SHARES_NOT_KNOWN) if one.found is RoyalMatchOutcome.CROWN_TREASURE else one
        for one in assessed
    ]


def _assess(
    wager: Wager, filing: RoyalMatchProgressiveFiling, cards: InitialCards, beside: WagersByPosition
) -> _Assessed:
    position = wager.position
    evaluation = _evaluate(cards, position, filing)
    crown = Verdict.NO if evaluation.found in _NO_ROYAL_MATCH else _crown(cards, position)
    allowed = admitted(wager, beside[position], filing)
    if isinstance(allowed, Objection):
        # Whether it may win is a supervisor's to say, so it may still share the award.
        open_crown = crown if crown is Verdict.NO else Verdict.OPEN
        return _Assessed(position, _amount(wager, filing), allowed, deferred=False, crown=open_crown)
    return _Assessed(position, _amount(wager, filing), evaluation.found, evaluation.deferred, crown)


def _crown(cards: InitialCards, position: BettingPosition) -> Verdict:
    return crown_treasure(cards.of(position), cards.up_card, cards.hole_card)


def _evaluate(cards: InitialCards, position: BettingPosition, filing: RoyalMatchProgressiveFiling) -> Evaluation:
    return evaluate(cards.of(position), cards.up_card, cards.hole_card, filing.ace_adjacency)


def _decide(gathered: Gathered, assessed: Sequence[_Assessed], submission: RulesSubmission) -> None:
    """Gather what the cards decide now: directly after the initial deal first, then after the hole card."""
    among = [one.found for one in assessed].count(RoyalMatchOutcome.CROWN_TREASURE)
    deferred = []
    for one in assessed:
        if one.deferred:
            deferred.append(one)
            gathered.steps.append(defer(one.position, _KIND, one.amount))
        else:
            gathered.steps.append(_end(gathered, one, submission, among))
    for one in deferred:
        if one.found is OpenHand.AWAITS_HOLE_CARD:
            gathered.deferred.append(DeferredWager(position=one.position, kind=_KIND))
        else:
            gathered.last_steps.append(_end(gathered, one, submission, among))
    returned = {one.position for one in assessed if one.found is Voided.VOIDED}
    gathered.corrections += [one for one in gathered.contributions if one.position in returned]


def _end(gathered: Gathered, one: _Assessed, submission: RulesSubmission, among: int) -> DealerStep:
    """Gather how a wager ends, and return the step about it."""
    if isinstance(one.found, RoyalMatchOutcome):
        outcome, step = _decided(one.position, one.amount, one.found, among, submission)
    elif one.found is Voided.VOIDED:
        outcome = _unpaid(one.position, one.amount, Result.PUSH, VOIDED)
        step = finish(outcome)
    else:
        reason = one.found.value
        gathered.undecided.append(UndecidedWager(position=one.position, kind=_KIND, reason=reason))
        return call_supervisor(one.position, _KIND, one.amount, reason)
    gathered.outcomes.append(outcome)
    return step


def _unpaid(position: BettingPosition, amount: Cents, result: Result, outcome: str) -> WagerOutcome:
    return unpaid(Wager(position=position, kind=_KIND, amount=amount), amount, result, outcome)


@lru_cache(maxsize=_ENDS_KEPT)
def _decided(
    position: BettingPosition, amount: Cents, found: RoyalMatchOutcome, among: int, submission: RulesSubmission
) -> tuple[WagerOutcome, DealerStep]:
    """Return how a wager ends whose cards are known: the same in every round in which it ends so."""
    if found is RoyalMatchOutcome.NO_MATCH:
        outcome = _unpaid(position, amount, Result.LOSE, found.value)
    else:
        outcome = _won(position, amount, found, among, submission.progressive_filed())
    return outcome, finish(outcome)


def _won(
    position: BettingPosition,
    amount: Cents,
    found: RoyalMatchOutcome,
    among: int,
    filing: RoyalMatchProgressiveFiling,
) -> WagerOutcome:
    odds = filing.paytable.odds[found]
    paid: Cents | MeterShare
    if found is RoyalMatchOutcome.CROWN_TREASURE and odds.basis is OddsBasis.METER:
        paid = MeterShare(progressive=filing.progressive.id, odds=odds, among=among)
        returned = Cents(0)
    else:
        payment = fixed_payment(odds, amount)
        paid, returned = payment.paid, payment.stake_returned
    return WagerOutcome(
        position=position,
        kind=_KIND,
        amount=amount,
        result=Result.WIN,
        outcome=found.value,
        odds=odds,
        paid=paid,
        stake_returned=returned,
    )


def _envy(
    round_: Round,
    filing: RoyalMatchProgressiveFiling,
    assessed: Sequence[_Assessed],
    receivers: Mapping[BettingPosition, Cents],
    cards: InitialCards,
) -> _Envy:
    """Return the Envy Bonuses, none before every hand that counts is known to be a Crown Treasure or not.

    A voided round may return a receiver's own wager; it was made all the same (T57).
    """
    crowns = {one.position: one.crown for one in assessed}
    awaits_hole_card: list[BettingPosition] = []
    doubts: list[tuple[BettingPosition, str]] = []
    for position in unwagered_hands(round_, filing, tuple(crowns)):
        crowns[position] = _crown(cards, position)
        if round_.voided and crowns[position] is Verdict.OPEN:
            crowns[position] = Verdict.NO
        if crowns[position] is Verdict.OPEN:
            found = _evaluate(cards, position, filing).found
            if found is OpenHand.AWAITS_HOLE_CARD:
                awaits_hole_card.append(position)
            else:
                doubts.append((position, found.value))
    verdicts = set(crowns.values())
    if Verdict.OPEN in verdicts:
        return _Envy(awaits_hole_card=tuple(awaits_hole_card), doubts=tuple(doubts))
    if Verdict.YES not in verdicts:
        return _NO_ENVY
    winning = [position for position in filing.settle_order if crowns.get(position) is Verdict.YES]
    owed = envy_owed(receivers, winning, round_, filing)
    return _Envy(
        bonuses=owed.bonuses,
        doubts=tuple((position, OpenEnvy.OWNER_UNKNOWN.value) for position in owed.owners_unknown),
    )


def _gather_envy(gathered: Gathered, envy: _Envy) -> None:
    gathered.deferred += [DeferredWager(position=position, kind=_KIND) for position in envy.awaits_hole_card]
    gathered.envy_bonuses += envy.bonuses
    gathered.last_steps += [
        call_supervisor(position, _KIND, UnknownAmount.UNKNOWN, why) for position, why in envy.doubts
    ]
    gathered.last_steps += pay_envy_bonuses(_KIND, envy.bonuses)


def _gather_won(gathered: Gathered, round_: Round, filing: RoyalMatchProgressiveFiling) -> None:
    """Gather the lamps that say what was won, and what of it is not signed off yet (R37, R40)."""
    won = [outcome for outcome in gathered.outcomes if outcome.result is Result.WIN]
    gathered.lamps += lamps_won(won, gathered.envy_bonuses)
    gathered.awaiting += _awaiting(won, round_, filing)


def _awaiting(
    outcomes: Sequence[WagerOutcome], round_: Round, filing: RoyalMatchProgressiveFiling
) -> list[AwaitedAct]:
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
    return found
