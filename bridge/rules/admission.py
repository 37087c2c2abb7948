"""Which wagers may stand (``may_be_placed``, ``may_stand``), and which accepted ones a settlement may decide.

The table does not accept other wagers; a settlement that met one anyway must not pay by a rule that the
wager does not have: it is left to a supervisor, with the reason (T51).
"""

from collections.abc import Collection, Mapping
from enum import StrEnum
from functools import lru_cache

from bridge.domain.rounds import Round
from bridge.domain.wagers import BettingPosition, Wager, WagerKind
from bridge.rules.catalogue import CATALOGUE, WAGER_OF_KIND
from bridge.rules.submission import (
    BaccaratFiling,
    NotFiled,
    RoyalMatchProgressiveFiling,
    RulesSubmission,
    WagerFiling,
)

_SUBMISSIONS_KEPT = 16
"""Rules submissions that are remembered: a table has one, a file of rounds a few."""


class Admission(StrEnum):
    """In place of an objection."""

    ADMITTED = "admitted"


class Objection(StrEnum):
    """Why a wager may not stand, or is not decided, whatever the cards."""

    OTHER_SUBMISSION = "other_submission"
    """The round is played under another rules submission than the one at hand."""
    NOT_FILED = "not_filed"
    """The rules submission does not offer it (§§ 633b.18(e), 627b.5(a), 631c.7(b); R3)."""
    NO_BLACKJACK_WAGER = "no_blackjack_wager"
    """The position has no accepted Blackjack wager, which this one requires (R22)."""
    NO_BACCARAT_WAGER = "no_baccarat_wager"
    """The position has none of the wagers of § 627a.7(a) that this one requires (R50)."""
    NOT_AN_EZ_TABLE = "not_an_ez_table"
    """Dragon 7 and Panda 8 are wagers of EZ Baccarat (§ 627a.1)."""
    NOT_IN_SETTLE_ORDER = "not_in_settle_order"
    """Nobody filed when this position is settled (R28)."""
    LOCKED_OUT = "locked_out"
    """Its wagering device recognises nothing after "no more bets" (§ 633b.18(d)(2), R21)."""
    AFTER_NO_MORE_BETS = "after_no_more_bets"
    """It was placed after "no more bets" (§ 627b.5(b), R51)."""


def may_be_placed(
    kind: WagerKind, beside: Collection[WagerKind], submission: RulesSubmission, *, locked: bool
) -> Admission | Objection:
    """Return whether a wager may be placed now, ``beside`` being the wagers of its position."""
    if locked:
        progressive = kind is WagerKind.ROYAL_MATCH_PROGRESSIVE
        return Objection.LOCKED_OUT if progressive else Objection.AFTER_NO_MORE_BETS
    return may_stand(kind, beside, submission)


def may_stand(
    kind: WagerKind, beside: Collection[WagerKind], submission: RulesSubmission
) -> Admission | Objection:
    """Return whether a wager may stand at all, ``beside`` being the wagers of its position."""
    if not submission.files(kind):
        return Objection.NOT_FILED
    match kind:
        case WagerKind.BLACKJACK:
            return Admission.ADMITTED
        case WagerKind.ROYAL_MATCH_PROGRESSIVE:
            return Admission.ADMITTED if WagerKind.BLACKJACK in beside else Objection.NO_BLACKJACK_WAGER
        case _:
            filing = filed_wager(kind, submission)
            return filing if isinstance(filing, Objection) else stands_beside(filing, beside)


def filed_wager(kind: WagerKind, submission: RulesSubmission) -> WagerFiling | Objection:
    """Return the filing of a wager of fixed odds, or why the table does not offer it at any position."""
    filing = submission.filing(kind)
    if isinstance(filing, NotFiled) or submission.game not in CATALOGUE[WAGER_OF_KIND[kind]].games:
        return Objection.NOT_FILED
    ez = isinstance(submission.baccarat, BaccaratFiling) and submission.baccarat.ez
    if CATALOGUE[WAGER_OF_KIND[kind]].ez_only and not ez:
        return Objection.NOT_AN_EZ_TABLE
    return filing


@lru_cache(maxsize=_SUBMISSIONS_KEPT)
def filed_wagers(submission: RulesSubmission) -> Mapping[WagerKind, WagerFiling | Objection]:
    """Return what ``filed_wager`` says, for every kind."""
    return {kind: filed_wager(kind, submission) for kind in WagerKind}


def stands_beside(filing: WagerFiling, beside: Collection[WagerKind]) -> Admission | Objection:
    """Return whether a filed wager may stand beside the other wagers of its position (R50, T37)."""
    if not filing.requires or any(required in beside for required in filing.requires):
        return Admission.ADMITTED
    blackjack = WagerKind.BLACKJACK in filing.requires
    return Objection.NO_BLACKJACK_WAGER if blackjack else Objection.NO_BACCARAT_WAGER


def in_force(round_: Round, submission: RulesSubmission) -> Admission | Objection:
    """Return whether a round is played under this very submission."""
    same = round_.submission_digest == submission.digest and round_.game is submission.game
    return Admission.ADMITTED if same else Objection.OTHER_SUBMISSION


def admitted_by(
    filing: WagerFiling | Objection, wager: Wager, beside: Collection[WagerKind]
) -> WagerFiling | Objection:
    """Return the filing that an accepted wager is decided by, or the objection to deciding it."""
    if not isinstance(filing, WagerFiling):
        return filing
    if filing.requires:
        stands = stands_beside(filing, beside)
        if isinstance(stands, Objection):
            return stands
    if isinstance(filing.settle_order, tuple) and wager.position not in filing.settle_order:
        return Objection.NOT_IN_SETTLE_ORDER
    return filing


def wagers_by_position(round_: Round) -> dict[BettingPosition, set[WagerKind]]:
    """Return the kinds of the accepted wagers of each position."""
    found: dict[BettingPosition, set[WagerKind]] = {}
    for wager in round_.accepted:
        found.setdefault(wager.position, set()).add(wager.kind)
    return found


def progressive_in_force(round_: Round, submission: RulesSubmission) -> RoyalMatchProgressiveFiling | Objection:
    """Return the filing that the Royal Match progressive of a round is played under, or why there is none."""
    if round_.submission_digest != submission.digest:
        return Objection.OTHER_SUBMISSION
    if submission.royal_match_progressive is None:
        return Objection.NOT_FILED
    return submission.royal_match_progressive


def admitted(round_: Round, filing: RoyalMatchProgressiveFiling, wager: Wager) -> Wager | Objection:
    """Return the progressive wager if a settlement may decide it, or the objection to it."""
    if _has_blackjack_wager(round_, wager.position):
        return wager if wager.position in filing.settle_order else Objection.NOT_IN_SETTLE_ORDER
    return Objection.NO_BLACKJACK_WAGER


def _has_blackjack_wager(round_: Round, position: BettingPosition) -> bool:
    return any(wager.position == position and wager.kind is WagerKind.BLACKJACK for wager in round_.accepted)
