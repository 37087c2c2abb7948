"""The side wagers of a round of blackjack: the Royal Match progressive, and what stands apart from it (R16).

The Blackjack wager is observed and never settled here; the dealer settles it by hand.
"""

from dataclasses import replace

from bridge.domain.cards import Card
from bridge.domain.rounds import Round
from bridge.domain.settlements import DealerStep, Result, Settlement, UndecidedWager, WagerOutcome
from bridge.domain.wagers import BettingPosition, Wager, WagerKind
from bridge.rules import royal_match_21
from bridge.rules.admission import Objection, admitted_by, filed_wager, in_force, wagers_by_position
from bridge.rules.blackjack import initial_cards
from bridge.rules.catalogue import CATALOGUE_ORDER
from bridge.rules.dealer_steps import call_supervisor, finish
from bridge.rules.progressive_settlement import settle_progressive
from bridge.rules.royal_match import OpenHand
from bridge.rules.settle_order import place_in
from bridge.rules.submission import NoVigorish, RulesSubmission, WagerFiling
from bridge.rules.wager_end import VOIDED, Found, amount_of, end_of, unpaid

_NOT_FIXED_ODDS = frozenset({WagerKind.BLACKJACK, WagerKind.ROYAL_MATCH_PROGRESSIVE})
_End = WagerOutcome | UndecidedWager


def settle_blackjack(round_: Round, submission: RulesSubmission) -> Settlement:
    """Return all that can be decided about the side wagers of a round as it stands (§ 633b.18(g), R27).

    What ``settle_progressive`` says holds; the other side wagers are settled in the same visit to their
    position, directly after the initial deal.
    """
    progressive = settle_progressive(round_, submission)
    others = [wager for wager in round_.accepted if wager.kind not in _NOT_FIXED_ODDS]
    if not others:
        return progressive
    if not round_.locked or not (round_.initial_deal_complete or round_.voided):
        return replace(progressive, all_decided=False)
    ends = [_end(wager, round_, submission) for wager in others]
    visits = sum(wager.kind is WagerKind.ROYAL_MATCH_PROGRESSIVE for wager in round_.accepted)
    steps = [*progressive.steps[:visits], *(map(_step, others, ends))]
    steps.sort(key=lambda step: _place(submission, step.position, step.kind))
    outcomes = [*progressive.outcomes, *(end for end in ends if isinstance(end, WagerOutcome))]
    decided = all(isinstance(end, WagerOutcome) for end in ends)
    return replace(
        progressive,
        outcomes=tuple(outcomes),
        undecided=(*progressive.undecided, *(end for end in ends if isinstance(end, UndecidedWager))),
        steps=(*steps, *progressive.steps[visits:]),
        all_decided=progressive.all_decided and decided,
    )


def _place(submission: RulesSubmission, position: BettingPosition, kind: WagerKind) -> tuple[int, int]:
    """Return what sorts the visits: from the dealer's right, counterclockwise (R28), and within a position."""
    orders = [filing.settle_order for filing in submission.wagers]
    if submission.royal_match_progressive is not None:
        orders.append(submission.royal_match_progressive.settle_order)
    return min((place_in(order, position) for order in orders), default=0), CATALOGUE_ORDER[kind]


def _end(wager: Wager, round_: Round, submission: RulesSubmission) -> _End:
    filing: WagerFiling | Objection
    refusal = in_force(round_, submission)
    if isinstance(refusal, Objection):
        filing = refusal
    else:
        beside = wagers_by_position(round_)[wager.position]
        filing = admitted_by(filed_wager(wager.kind, submission), wager, beside)
    reason = filing.value if isinstance(filing, Objection) else OpenHand.INITIAL_CARDS_NOT_READ.value
    if isinstance(filing, WagerFiling) and round_.initial_deal_complete:
        match initial_cards(round_, wager.position):
            case (Card() as first, Card() as second):
                outcome = royal_match_21.evaluate(first, second, filing.paytable.odds).value
                return end_of(wager, Found.by_paytable(filing, outcome, NoVigorish.OTHER_WAGER))
            case _:
                pass
    if round_.voided:
        return unpaid(wager, amount_of(wager, submission.filing(wager.kind)), Result.PUSH, VOIDED)
    return UndecidedWager(position=wager.position, kind=wager.kind, reason=reason)


def _step(wager: Wager, end: _End) -> DealerStep:
    if isinstance(end, WagerOutcome):
        return finish(end)
    return call_supervisor(wager.position, wager.kind, wager.amount, end.reason)
