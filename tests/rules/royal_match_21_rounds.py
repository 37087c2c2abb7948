"""Rounds of blackjack with Royal Match 21 wagers."""

from collections.abc import Mapping
from dataclasses import replace

from bridge.domain.rounds import Round
from bridge.domain.settlements import Settlement
from bridge.domain.wagers import UnknownAmount, WagerKind
from bridge.rules.catalogue import FixedOddsWager
from bridge.rules.settlement import settle
from bridge.rules.submission import RoyalMatchProgressiveFiling, RulesSubmission
from tests.rules.baccarat_rounds import filings
from tests.rules.rounds import Deal, a_submission, positions, wager_of

KIND = WagerKind.ROYAL_MATCH_21
SETTLE_ORDER = positions(7, 6, 5, 4, 3, 2, 1)


def a_royal_match_21_submission(
    letter: str = "A", progressive: RoyalMatchProgressiveFiling | None = None
) -> RulesSubmission:
    (filing,) = filings(FixedOddsWager.ROYAL_MATCH_21, letter)
    return replace(a_submission(progressive), wagers=(replace(filing, settle_order=SETTLE_ORDER),))


def with_royal_match_21(round_: Round, wagers: Mapping[int, int | UnknownAmount]) -> Round:
    """Return the round with these wagers accepted besides its own."""
    accepted = tuple(wager_of(position, amount, KIND) for position, amount in wagers.items())
    return replace(round_, accepted=(*round_.accepted, *accepted))


def beside_blackjack(
    hands: Mapping[int, str], wagers: Mapping[int, int | UnknownAmount], letter: str = "A"
) -> Settlement:
    """Return the settlement of these hands with Royal Match 21 wagers and no progressive."""
    round_ = Deal(hands=hands, dealer="9h 9s", wagers={}).round()
    return settle(with_royal_match_21(round_, wagers), a_royal_match_21_submission(letter))
