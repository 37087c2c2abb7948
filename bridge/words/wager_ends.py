"""How a wager of a round stands or ended, and what is paid for it, as whoever watches the table is told."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bridge.domain.cards import Card
from bridge.domain.meters import Award
from bridge.domain.money import Cents, format_cents
from bridge.domain.names import RESULTS, outcome_name, plain
from bridge.domain.rounds import HandHolder, Round
from bridge.domain.settlements import MeterShare, Override, Result, Settlement, WagerOutcome
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.rules.baccarat import point_count
from bridge.rules.disclosed_cards import hand_as_seen
from bridge.rules.floorperson import envy_bonuses_owed, latest_overrides
from bridge.words.values import cents

NOT_FIXED = "…"
"""In place of an award whose posting has not come yet."""


class Ending(StrEnum):
    """How a wager ended, or why it has not."""

    WON = "won"
    LOST = "lost"
    RETURNED = "returned"
    REJECTED = "rejected"
    """A floorperson rejected the claim to an award (T52)."""
    DEFERRED = "deferred"
    """It waits for the hole card (§ 633b.18(g)(4))."""
    UNDECIDED = "undecided"
    """The system cannot decide it (T51)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerEnd:
    """The end of one wager in words."""

    ending: Ending
    outcome: str
    """What was won, or why it was not."""
    terms: str = ""
    """By which odds or share of the meter; follows the outcome directly."""
    paid: str = ""
    overridden: bool = False
    """Whether it is a floorperson's word in place of the system's (T50)."""


def wager_end(
    settlement: Settlement, awards: Sequence[Award], position: BettingPosition, kind: WagerKind
) -> WagerEnd | None:
    """Return how a wager ended; None while nothing is said of it."""
    wager = (position, kind)
    if (said := latest_overrides(settlement.overrides).get(wager)) is not None:
        return _overridden(said)
    if kind is WagerKind.ROYAL_MATCH_PROGRESSIVE and position in settlement.rejected:
        return WagerEnd(ending=Ending.REJECTED, outcome="claim rejected")
    for outcome in settlement.outcomes:
        if (outcome.position, outcome.kind) == wager:
            return _ended(outcome, awards)
    for undecided in settlement.undecided:
        if (undecided.position, undecided.kind) == wager:
            return WagerEnd(ending=Ending.UNDECIDED, outcome=plain(undecided.reason))
    if any((deferred.position, deferred.kind) == wager for deferred in settlement.deferred):
        return WagerEnd(ending=Ending.DEFERRED, outcome="Royal Match, deferred")
    return None


def envy_bonus(settlement: Settlement, position: BettingPosition) -> Cents:
    """Return what a position is owed for the hands of others."""
    owed = (bonus.amount for bonus in envy_bonuses_owed(settlement) if bonus.position == position)
    return Cents(sum(owed))


def amount_accepted(round_: Round, position: BettingPosition, kind: WagerKind) -> str:
    """Return what was wagered, in words; nothing where no such wager was accepted."""
    amounts = [wager.amount for wager in round_.accepted if (wager.position, wager.kind) == (position, kind)]
    return cents(amounts[0]) if amounts else ""


def point_count_seen(round_: Round, holder: HandHolder) -> int | None:
    """Return the Point Count of a hand of baccarat; None unless every card of it may be known."""
    hand = hand_as_seen(round_, holder)
    known = [card for card in hand if isinstance(card, Card)]
    return point_count(known) if hand and len(known) == len(hand) else None


def _overridden(said: Override) -> WagerEnd:
    return WagerEnd(
        ending=_ENDINGS[said.result],
        outcome=f"overridden: {RESULTS[said.result]}",
        paid=format_cents(said.paid) if said.result is Result.WIN else "",
        overridden=True,
    )


def _ended(outcome: WagerOutcome, awards: Sequence[Award]) -> WagerEnd:
    name, ending = outcome_name(outcome.outcome), _ENDINGS[outcome.result]
    match outcome.result:
        case Result.PUSH:
            return WagerEnd(ending=ending, outcome=f"{name}, returned")
        case Result.LOSE:
            return WagerEnd(ending=ending, outcome=name)
        case Result.WIN:
            terms, paid = _paid(outcome, awards)
            return WagerEnd(ending=ending, outcome=name, terms=terms, paid=paid)


def _paid(outcome: WagerOutcome, awards: Sequence[Award]) -> tuple[str, str]:
    match outcome.paid:
        case MeterShare(among=among):
            mine = [award.amount for award in awards if award.position == outcome.position]
            terms = ", the meter" if among == 1 else f", meter ÷ {among}"
            return terms, format_cents(mine[0]) if mine else NOT_FIXED
        case paid:
            return f" {outcome.odds}", cents(paid)


_ENDINGS = {Result.WIN: Ending.WON, Result.LOSE: Ending.LOST, Result.PUSH: Ending.RETURNED}
