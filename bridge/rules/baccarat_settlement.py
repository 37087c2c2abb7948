"""The settlement of a round of baccarat, whichever game of the family (§§ 627a.11, 627b.5, 631c.7).

Two moments: after the first four cards Majestic Match, and after the last card that is due everything else.
A card that lies face down only delays (T48); a card that was not read, and hands that are not as the rules
have them, leave to a supervisor what depends on them (T51).

What was decided stays so because hands that are complete take no further card: one that comes all the same
belongs to neither (``Round.unassigned``), whatever a shoe says.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from operator import attrgetter

from bridge.domain.cards import Card, FaceOrUnseen
from bridge.domain.rounds import House, Round
from bridge.domain.settlements import (
    EzResult,
    FinalResult,
    InitialPointCounts,
    Result,
    Settlement,
    UndecidedWager,
)
from bridge.domain.wagers import Wager, WagerKind
from bridge.rules import baccarat_wagers
from bridge.rules.admission import Objection, admitted_by, filed_wagers, in_force, wagers_by_position
from bridge.rules.baccarat import (
    INITIAL_CARDS,
    FinalHands,
    HandVerdict,
    NotTold,
    final_hands,
    known_hands,
    next_holder,
    point_count,
    verdict,
)
from bridge.rules.dealer_steps import call_supervisor, finish
from bridge.rules.disclosed_cards import hand_as_seen
from bridge.rules.ez_baccarat import ez_result
from bridge.rules.gathered import Gathered
from bridge.rules.submission import (
    Moment,
    NotFiled,
    RulesSubmission,
    WagerFiling,
)
from bridge.rules.visit import visit
from bridge.rules.wager_end import VOIDED, amount_of, unpaid

_Hands = tuple[tuple[Card, ...], tuple[Card, ...]]
_Open = HandVerdict | NotTold
_MOMENTS = (Moment.AFTER_FOUR_CARDS, Moment.AFTER_RESULT)
_COUNTS_KEPT = 100
"""Pairs of Point Counts."""
_RESULTS_KEPT = 512
"""Results that are remembered: two Point Counts of two or three cards each."""


class _Wait(Enum):
    """In place of hands or of a reason."""

    NOT_YET = "not_yet"
    """The cards that decide are still to come, or to be turned."""


def settle_baccarat(round_: Round, submission: RulesSubmission) -> Settlement:
    """Return all that can be decided about the wagers of a round as it stands.

    ``all_decided`` needs the lock-out and an outcome for every accepted wager. Raises ``MeterOddsError`` for
    a submission that pays one of these wagers from a meter.
    """
    gathered = Gathered()
    if round_.locked:
        refusal = in_force(round_, submission)
        if isinstance(refusal, Objection) or isinstance(submission.baccarat, NotFiled):
            reason = refusal if isinstance(refusal, Objection) else Objection.NOT_FILED
            _leave(gathered, round_.accepted, reason.value)
        else:
            _gather(gathered, round_, submission)
        if round_.voided:
            _return_undecided(gathered, round_.accepted, submission)
    decided = len(gathered.outcomes) == len(round_.accepted)
    return gathered.settlement(round_, all_decided=round_.locked and decided)


def _gather(gathered: Gathered, round_: Round, submission: RulesSubmission) -> None:
    admitted: dict[Moment, list[Wager]] = {moment: [] for moment in _MOMENTS}
    filings = filed_wagers(submission)
    beside = wagers_by_position(round_)
    for wager in round_.accepted:
        filing = admitted_by(filings[wager.kind], wager, beside[wager.position])
        if isinstance(filing, WagerFiling):
            admitted[filing.moment].append(wager)
        else:
            _leave(gathered, (wager,), filing.value)
    player = hand_as_seen(round_, House.PLAYER)
    banker = hand_as_seen(round_, House.BANKER)
    known = known_hands(player, banker)
    _after_four_cards(gathered, admitted[Moment.AFTER_FOUR_CARDS], _initial(player, banker, known), submission)
    finished = _finished(player, banker, known, declared=round_.hands_declared_complete)
    _after_result(gathered, admitted[Moment.AFTER_RESULT], finished, submission)


def _initial(
    player: Sequence[FaceOrUnseen], banker: Sequence[FaceOrUnseen], known: _Hands | NotTold
) -> _Hands | NotTold | _Wait:
    """Return the first two cards of each hand once all four may be known (R7)."""
    if len(player) < INITIAL_CARDS or len(banker) < INITIAL_CARDS:
        return _Wait.NOT_YET
    if isinstance(known, NotTold):
        return _or_not_yet(known_hands(player[:INITIAL_CARDS], banker[:INITIAL_CARDS]))
    return known[0][:INITIAL_CARDS], known[1][:INITIAL_CARDS]


def _finished(
    player: Sequence[FaceOrUnseen], banker: Sequence[FaceOrUnseen], known: _Hands | NotTold, *, declared: bool
) -> _Hands | _Open | _Wait:
    """Return both hands once no card is due any more (R63)."""
    if not declared and isinstance(next_holder(player, banker), House):
        return _Wait.NOT_YET
    if isinstance(known, NotTold):
        return _or_not_yet(known)
    found = verdict(*known)
    return known if found is HandVerdict.LEGAL else found


def _or_not_yet(known: _Hands | NotTold) -> _Hands | NotTold | _Wait:
    return _Wait.NOT_YET if known is NotTold.AWAITS_DISCLOSURE else known


def _after_four_cards(
    gathered: Gathered, wagers: Sequence[Wager], initial: _Hands | NotTold | _Wait, submission: RulesSubmission
) -> None:
    """Announce both Point Counts, collect what lost, then pay what won (§ 631c.7(c), R7 to R11)."""
    if isinstance(initial, tuple):
        player, banker = initial
        gathered.announcements.append(_initial_point_counts(point_count(player), point_count(banker)))
        kinds = {wager.kind for wager in wagers}
        outcomes = {kind: baccarat_wagers.after_four_cards(kind, player, banker) for kind in kinds}
        _settle(gathered, wagers, outcomes, submission)
    elif not isinstance(initial, _Wait):
        _leave(gathered, wagers, initial.value)


@lru_cache(maxsize=_COUNTS_KEPT)
def _initial_point_counts(player: int, banker: int) -> InitialPointCounts:
    return InitialPointCounts(player=player, banker=banker)


def _after_result(
    gathered: Gathered, wagers: Sequence[Wager], finished: _Hands | _Open | _Wait, submission: RulesSubmission
) -> None:
    """Announce the result, and settle in the order of § 627a.11(b) (R60 to R68)."""
    if isinstance(finished, tuple):
        announced, outcomes = _result(final_hands(*finished), submission)
        gathered.announcements.append(announced)
        _settle(gathered, wagers, outcomes, submission)
    elif not isinstance(finished, _Wait):
        _leave(gathered, wagers, finished.value)


@lru_cache(maxsize=_RESULTS_KEPT)
def _result(hands: FinalHands, submission: RulesSubmission) -> tuple[FinalResult, Mapping[WagerKind, str]]:
    """Return the announcement of a result, and how each filed wager on it ends."""
    table = submission.baccarat_filed()
    announced = FinalResult(
        player=hands.player,
        banker=hands.banker,
        winner=hands.winner,
        ez=ez_result(hands) if table.ez else EzResult.NONE,
    )
    return announced, {
        filing.kind: baccarat_wagers.after_result(
            filing.kind, hands, filing.paytable.odds, ez=table.ez, on_dragon_7=table.on_dragon_7
        )
        for filing in submission.wagers
        if filing.moment is Moment.AFTER_RESULT
    }


def _settle(
    gathered: Gathered, wagers: Sequence[Wager], outcomes: Mapping[WagerKind, str], submission: RulesSubmission
) -> None:
    """Collect every losing wager, then visit each winning position once, then return what is pushed (T29, T56)."""
    if not wagers:
        return
    visits = [visit(wager, outcomes[wager.kind], submission) for wager in wagers]
    for one in sorted(visits, key=attrgetter("turn")):
        gathered.outcomes.append(one.end)
        gathered.steps += one.steps


def _leave(gathered: Gathered, wagers: Iterable[Wager], reason: str) -> None:
    """Leave wagers to a supervisor, after all that can be settled (T51)."""
    for wager in wagers:
        gathered.undecided.append(UndecidedWager(position=wager.position, kind=wager.kind, reason=reason))
        gathered.last_steps.append(call_supervisor(wager.position, wager.kind, wager.amount, reason))


def _return_undecided(gathered: Gathered, accepted: Sequence[Wager], submission: RulesSubmission) -> None:
    """Return every wager of a voided round that was not decided before."""
    decided = {(end.position, end.kind) for end in gathered.outcomes}
    ends = [
        unpaid(wager, amount_of(wager, submission.filing(wager.kind)), Result.PUSH, VOIDED)
        for wager in accepted
        if (wager.position, wager.kind) not in decided
    ]
    gathered.outcomes += ends
    gathered.steps += [finish(end) for end in ends]
    gathered.undecided.clear()
    gathered.last_steps.clear()
