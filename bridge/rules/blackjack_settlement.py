"""The side wagers of a round of blackjack: the Royal Match progressive, and what stands apart from it (R16).

The Blackjack wager is observed and never settled here; the dealer settles it by hand.
"""

from collections.abc import Mapping
from functools import lru_cache

from bridge.domain.cards import Card
from bridge.domain.rounds import Round
from bridge.domain.settlements import DealerStep, Result, Settlement, UndecidedWager, WagerOutcome
from bridge.domain.wagers import BettingPosition, Wager, WagerKind
from bridge.rules import royal_match_21
from bridge.rules.admission import Objection, admitted_by, filed_wagers, in_force, wagers_by_position
from bridge.rules.blackjack import InitialCards, initial_cards
from bridge.rules.catalogue import CATALOGUE_ORDER
from bridge.rules.dealer_steps import call_supervisor, finish
from bridge.rules.gathered import Gathered
from bridge.rules.progressive_settlement import settle_progressive
from bridge.rules.royal_match import OpenHand
from bridge.rules.settle_order import place_in
from bridge.rules.submission import RulesSubmission, WagerFiling
from bridge.rules.visit import visit
from bridge.rules.wager_end import VOIDED, amount_of, unpaid

_NOT_FIXED_ODDS = frozenset({WagerKind.BLACKJACK, WagerKind.ROYAL_MATCH_PROGRESSIVE})
_PLACES_KEPT = 64
"""Positions whose place is remembered: those of one layout."""


def settle_blackjack(round_: Round, submission: RulesSubmission) -> Settlement:
    """Return all that can be decided about the side wagers of a round as it stands (§ 633b.18(g), R27).

    What ``settle_progressive`` says holds; the other side wagers are settled in the same visit to their
    position, directly after the initial deal.
    """
    gathered, cards, beside = Gathered(), initial_cards(round_), wagers_by_position(round_)
    decided = settle_progressive(gathered, round_, submission, cards, beside)
    others = [wager for wager in round_.accepted if wager.kind not in _NOT_FIXED_ODDS]
    if not others:
        return gathered.settlement(round_, all_decided=decided)
    if not round_.locked or not (round_.initial_deal_complete or round_.voided):
        return gathered.settlement(round_, all_decided=False)
    filings = _filings(round_, submission)
    for wager in others:
        filing = admitted_by(filings[wager.kind], wager, beside[wager.position])
        end, step = _end(wager, filing, round_, submission, cards)
        gathered.steps.append(step)
        if isinstance(end, WagerOutcome):
            gathered.outcomes.append(end)
        else:
            gathered.undecided.append(end)
            decided = False
    places = {position: _place(position, submission) for position in beside}
    gathered.steps.sort(key=lambda step: (places[step.position], CATALOGUE_ORDER[step.kind]))
    return gathered.settlement(round_, all_decided=decided)


@lru_cache(maxsize=_PLACES_KEPT)
def _place(position: BettingPosition, submission: RulesSubmission) -> int:
    """Return what sorts the visits: from the dealer's right, counterclockwise (R28)."""
    orders = [filing.settle_order for filing in submission.wagers]
    if submission.royal_match_progressive is not None:
        orders.append(submission.royal_match_progressive.settle_order)
    return min((place_in(order, position) for order in orders), default=0)


def _filings(round_: Round, submission: RulesSubmission) -> Mapping[WagerKind, WagerFiling | Objection]:
    refusal = in_force(round_, submission)
    return dict.fromkeys(WagerKind, refusal) if isinstance(refusal, Objection) else filed_wagers(submission)


def _end(
    wager: Wager, filing: WagerFiling | Objection, round_: Round, submission: RulesSubmission, cards: InitialCards
) -> tuple[WagerOutcome | UndecidedWager, DealerStep]:
    """Return how a wager of fixed odds ends, and the step of its visit."""
    if isinstance(filing, WagerFiling) and round_.initial_deal_complete:
        match cards.of(wager.position):
            case (Card() as first, Card() as second):
                outcome = royal_match_21.evaluate(first, second, filing.paytable.odds)
                decided = visit(wager, str(outcome), submission)
                return decided.end, decided.steps[-1]
            case _:
                pass
    if round_.voided:
        returned = unpaid(wager, amount_of(wager, submission.filing(wager.kind)), Result.PUSH, VOIDED)
        return returned, finish(returned)
    reason = filing.value if isinstance(filing, Objection) else OpenHand.INITIAL_CARDS_NOT_READ.value
    undecided = UndecidedWager(position=wager.position, kind=wager.kind, reason=reason)
    return undecided, call_supervisor(wager.position, wager.kind, wager.amount, reason)
