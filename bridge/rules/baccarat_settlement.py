"""The settlement of a round of baccarat, whichever game of the family (§§ 627a.11, 627b.5, 631c.7).

Two moments: after the first four cards Majestic Match, and after the last card that is due everything else.
A card that lies face down only delays (T48); a card that was not read, and hands that are not as the rules
have them, leave to a supervisor what depends on them (T51).

What was decided stays so because hands that are complete take no further card: one that comes all the same
belongs to neither (``Round.unassigned``), whatever a shoe says.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from bridge.domain.cards import Card, FaceOrUnseen
from bridge.domain.rounds import House, Round
from bridge.domain.settlements import (
    Announcement,
    DealerStep,
    EzResult,
    FinalResult,
    InitialPointCounts,
    Result,
    Settlement,
    UndecidedWager,
    WagerOutcome,
)
from bridge.domain.wagers import Wager, WagerKind
from bridge.rules import baccarat_wagers
from bridge.rules.admission import Objection, admitted_by, filed_wager, in_force, wagers_by_position
from bridge.rules.baccarat import (
    INITIAL_CARDS,
    HandVerdict,
    NotTold,
    final_hands,
    known_hands,
    next_holder,
    point_count,
    verdict,
)
from bridge.rules.catalogue import CATALOGUE_ORDER
from bridge.rules.dealer_steps import call_supervisor, finish, take_vigorish
from bridge.rules.disclosed_cards import hand_as_seen
from bridge.rules.ez_baccarat import ez_result
from bridge.rules.settle_order import place_in
from bridge.rules.submission import (
    BaccaratFiling,
    Moment,
    NotFiled,
    NoVigorish,
    RulesSubmission,
    VigorishFiling,
    WagerFiling,
)
from bridge.rules.vigorish import TAKING
from bridge.rules.wager_end import VOIDED, Found, amount_of, end_of, unpaid

_Hands = tuple[tuple[Card, ...], tuple[Card, ...]]
_Open = HandVerdict | NotTold
_MOMENTS = (Moment.AFTER_FOUR_CARDS, Moment.AFTER_RESULT)


class _Wait(Enum):
    """In place of hands or of a reason."""

    NOT_YET = "not_yet"
    """The cards that decide are still to come, or to be turned."""


@dataclass(slots=True, kw_only=True)
class _Gathered:
    """What is said of the wagers so far, in the order of settlement."""

    announcements: list[Announcement] = field(default_factory=list)
    outcomes: list[WagerOutcome] = field(default_factory=list)
    undecided: list[tuple[Wager, str]] = field(default_factory=list)
    steps: list[DealerStep] = field(default_factory=list)


def settle_baccarat(round_: Round, submission: RulesSubmission) -> Settlement:
    """Return all that can be decided about the wagers of a round as it stands.

    ``all_decided`` needs the lock-out and an outcome for every accepted wager. Raises ``MeterOddsError`` for
    a submission that pays one of these wagers from a meter.
    """
    gathered = _Gathered()
    if round_.locked:
        refusal = in_force(round_, submission)
        table = submission.baccarat
        if isinstance(refusal, Objection) or isinstance(table, NotFiled):
            reason = refusal if isinstance(refusal, Objection) else Objection.NOT_FILED
            gathered.undecided += [(wager, reason.value) for wager in round_.accepted]
        else:
            _gather(gathered, round_, submission, table)
        if round_.voided:
            _return_undecided(gathered, round_.accepted, submission)
        gathered.steps += [
            call_supervisor(wager.position, wager.kind, wager.amount, reason)
            for wager, reason in gathered.undecided
        ]
    return Settlement(
        table=round_.table,
        round_number=round_.number,
        announcements=tuple(gathered.announcements),
        outcomes=tuple(gathered.outcomes),
        undecided=tuple(
            UndecidedWager(position=wager.position, kind=wager.kind, reason=reason)
            for wager, reason in gathered.undecided
        ),
        steps=tuple(gathered.steps),
        all_decided=round_.locked and len(gathered.outcomes) == len(round_.accepted),
    )


def _gather(gathered: _Gathered, round_: Round, submission: RulesSubmission, table: BaccaratFiling) -> None:
    filed: dict[Moment, list[tuple[Wager, WagerFiling]]] = {moment: [] for moment in _MOMENTS}
    beside = wagers_by_position(round_)
    by_kind = {kind: filed_wager(kind, submission) for kind in {wager.kind for wager in round_.accepted}}
    for wager in round_.accepted:
        filing = admitted_by(by_kind[wager.kind], wager, beside[wager.position])
        if isinstance(filing, Objection):
            gathered.undecided.append((wager, filing.value))
        else:
            filed[filing.moment].append((wager, filing))
    player = hand_as_seen(round_, House.PLAYER)
    banker = hand_as_seen(round_, House.BANKER)
    _after_four_cards(gathered, filed[Moment.AFTER_FOUR_CARDS], _initial(player, banker))
    finished = _finished(player, banker, declared=round_.hands_declared_complete)
    _after_result(gathered, filed[Moment.AFTER_RESULT], finished, table)


def _initial(player: Sequence[FaceOrUnseen], banker: Sequence[FaceOrUnseen]) -> _Hands | _Open | _Wait:
    """Return the first two cards of each hand once all four may be known (R7)."""
    if min(len(player), len(banker)) < INITIAL_CARDS:
        return _Wait.NOT_YET
    return _or_not_yet(known_hands(player[:INITIAL_CARDS], banker[:INITIAL_CARDS]))


def _finished(
    player: Sequence[FaceOrUnseen], banker: Sequence[FaceOrUnseen], *, declared: bool
) -> _Hands | _Open | _Wait:
    """Return both hands once no card is due any more (R63)."""
    due = next_holder(player, banker)
    if isinstance(due, House) and not declared:
        return _Wait.NOT_YET
    known = _or_not_yet(known_hands(player, banker))
    if isinstance(known, NotTold | _Wait) or due is HandVerdict.LEGAL:
        return known
    return verdict(*known)


def _or_not_yet(known: _Hands | NotTold) -> _Hands | NotTold | _Wait:
    return _Wait.NOT_YET if known is NotTold.AWAITS_DISCLOSURE else known


def _after_four_cards(
    gathered: _Gathered, wagers: Sequence[tuple[Wager, WagerFiling]], initial: _Hands | _Open | _Wait
) -> None:
    """Announce both Point Counts, collect what lost, then pay what won (§ 631c.7(c), R7 to R11)."""
    if isinstance(initial, _Wait):
        return
    if isinstance(initial, HandVerdict | NotTold):
        gathered.undecided += [(wager, initial.value) for wager, _ in wagers]
        return
    player, banker = initial
    counts = InitialPointCounts(player=point_count(player), banker=point_count(banker))
    gathered.announcements.append(counts)
    found = {
        kind: Found.by_paytable(
            filing, baccarat_wagers.after_four_cards(kind, player, banker), NoVigorish.OTHER_WAGER
        )
        for kind, filing in _by_kind(wagers)
    }
    _settle(gathered, wagers, found)


def _after_result(
    gathered: _Gathered,
    wagers: Sequence[tuple[Wager, WagerFiling]],
    finished: _Hands | _Open | _Wait,
    table: BaccaratFiling,
) -> None:
    """Announce the result, and settle in the order of § 627a.11(b) (R60 to R68)."""
    if isinstance(finished, _Wait):
        return
    if isinstance(finished, HandVerdict | NotTold):
        gathered.undecided += [(wager, finished.value) for wager, _ in wagers]
        return
    hands = final_hands(*finished)
    gathered.announcements.append(
        FinalResult(
            player=hands.player,
            banker=hands.banker,
            winner=hands.winner,
            ez=ez_result(hands) if table.ez else EzResult.NONE,
        )
    )
    found = {
        kind: Found.by_paytable(
            filing,
            baccarat_wagers.after_result(
                kind, hands, filing.paytable.odds, ez=table.ez, on_dragon_7=table.on_dragon_7
            ),
            table.vigorish,
        )
        for kind, filing in _by_kind(wagers)
    }
    _settle(gathered, wagers, found)


def _by_kind(wagers: Iterable[tuple[Wager, WagerFiling]]) -> Iterable[tuple[WagerKind, WagerFiling]]:
    return {wager.kind: filing for wager, filing in wagers}.items()


def _settle(
    gathered: _Gathered, wagers: Sequence[tuple[Wager, WagerFiling]], found: dict[WagerKind, Found]
) -> None:
    """Collect every losing wager, then visit each winning position once, then return what is pushed (T29, T56)."""
    in_order = sorted(
        wagers,
        key=lambda filed: (
            place_in(filed[1].settle_order, filed[0].position),
            CATALOGUE_ORDER[filed[0].kind],
        ),
    )
    ends = [end_of(wager, found[wager.kind]) for wager, _ in in_order]
    for result in (Result.LOSE, Result.WIN, Result.PUSH):
        for end in ends:
            if end.result is result:
                gathered.outcomes.append(end)
                gathered.steps += (*_vigorish(end, found[end.kind].vigorish), finish(end))


def _vigorish(end: WagerOutcome, vigorish: VigorishFiling | NoVigorish) -> tuple[DealerStep, ...]:
    return take_vigorish(end, TAKING[vigorish.taken]) if isinstance(vigorish, VigorishFiling) else ()


def _return_undecided(gathered: _Gathered, accepted: Sequence[Wager], submission: RulesSubmission) -> None:
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
