"""Which accepted wagers a settlement may decide. The others are left to a supervisor, with the reason (T51).

The table does not accept such wagers; a settlement that met one anyway must not pay by a rule that the
wager does not have.
"""

from enum import StrEnum

from bridge.domain.rounds import Round
from bridge.domain.wagers import BettingPosition, Wager, WagerKind
from bridge.rules.submission import RoyalMatchProgressiveFiling, RulesSubmission


class Objection(StrEnum):
    """Why an accepted wager is not decided, whatever the cards."""

    OTHER_SUBMISSION = "other_submission"
    """The round is played under another rules submission than the one at hand."""
    NOT_FILED = "not_filed"
    """The rules submission does not offer it (§ 633b.18(e))."""
    NO_BLACKJACK_WAGER = "no_blackjack_wager"
    """The position has no accepted Blackjack wager, which this one requires (R22)."""
    NOT_IN_SETTLE_ORDER = "not_in_settle_order"
    """Nobody filed when this position is settled (R28)."""


def progressive_in_force(round_: Round, submission: RulesSubmission) -> RoyalMatchProgressiveFiling | Objection:
    """Return the filing that the Royal Match progressive of a round is played under, or why there is none."""
    if round_.submission_digest != submission.digest:
        return Objection.OTHER_SUBMISSION
    if submission.royal_match_progressive is None:
        return Objection.NOT_FILED
    return submission.royal_match_progressive


def admitted(round_: Round, filing: RoyalMatchProgressiveFiling, wager: Wager) -> Wager | Objection:
    """Return the wager if a settlement may decide it, or the objection to it."""
    if _has_blackjack_wager(round_, wager.position):
        return wager if wager.position in filing.settle_order else Objection.NOT_IN_SETTLE_ORDER
    return Objection.NO_BLACKJACK_WAGER


def _has_blackjack_wager(round_: Round, position: BettingPosition) -> bool:
    return any(wager.position == position and wager.kind is WagerKind.BLACKJACK for wager in round_.accepted)
