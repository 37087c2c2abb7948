"""The money of a gaming day: its rounds settled, counted and added up."""

from collections.abc import Iterable, Iterator, Mapping, Sequence as Items
from typing import Final

from bridge.domain.errors import BridgeError
from bridge.domain.gaming_day import (
    NO_MONEY,
    BonusOfDay,
    OutcomesCounted,
    OverrideOfDay,
    RoundsTold,
    RulesPlayedUnder,
    Total,
    VigorishLedger,
    WagersAccepted,
    WagersWithoutOutcome,
)
from bridge.domain.identity import RoundNumber
from bridge.domain.money import Cents
from bridge.domain.rounds import Round
from bridge.domain.settlements import (
    DealerStep,
    MeterShare,
    Result,
    Settlement,
    StepAction,
    UnpaidOdds,
    WagerOutcome,
)
from bridge.domain.wagers import UnknownAmount, Wager, WagerAmount, WagerKind, plus
from bridge.reports.journal_day import JournalDay, Ledger, PlayedRound
from bridge.rules.floorperson import envy_bonuses_owed
from bridge.rules.settlement import settle
from bridge.rules.submission import RulesSubmission

Submissions = Mapping[str, RulesSubmission]
"""Rules submissions by their digests."""

Settled = tuple[Round, Settlement]

_RESULTS: Final = (Result.WIN, Result.PUSH, Result.LOSE)


class MissingSubmissionError(BridgeError):
    """A round was played under a rules submission that is not at hand."""


def submission_of(round_: Round, submissions: Submissions) -> RulesSubmission:
    """Return the submission that a round was played under; raise ``MissingSubmissionError`` if it is missing."""
    if round_.submission_digest not in submissions:
        at_hand = ", ".join(digest[:12] for digest in submissions)
        raise MissingSubmissionError(
            f"round {round_.number} was played under the rules submission with digest {round_.submission_digest},"
            f" which is not among those at hand ({at_hand}); give the document of that time with --submission FILE"
        )
    return submissions[round_.submission_digest]


def settled(rounds: Iterable[Round], submissions: Submissions) -> tuple[Settled, ...]:
    """Return rounds with what they settle to under the rules they were played under."""
    return tuple((round_, settle(round_, submission_of(round_, submissions))) for round_ in rounds)


def rounds_told(rounds: Items[PlayedRound]) -> RoundsTold:
    """Return how many rounds were played."""
    numbers = [played.round.number for played in rounds]
    return RoundsTold(
        played=len(rounds),
        with_wagers=sum(bool(played.round.accepted) for played in rounds),
        voided=sum(played.round.voided for played in rounds),
        open=sum(not played.over for played in rounds),
        first=min(numbers, default=RoundNumber(0)),
        last=max(numbers, default=RoundNumber(0)),
    )


def rules_played_under(day: Items[Settled], submissions: Submissions) -> tuple[RulesPlayedUnder, ...]:
    """Return the rules submissions of the day, in the order in which they came into use."""
    rounds: dict[str, int] = {}
    for round_, _ in day:
        rounds[round_.submission_digest] = rounds.get(round_.submission_digest, 0) + 1
    return tuple(
        RulesPlayedUnder(digest=digest, approval_references=approval_references(submissions[digest]), rounds=count)
        for digest, count in rounds.items()
    )


def approval_references(submission: RulesSubmission) -> tuple[str, ...]:
    """Return the references of the layouts that the wagers of a submission are approved for (R2)."""
    progressive = submission.royal_match_progressive
    references = [] if progressive is None else [progressive.approval_reference]
    return tuple(dict.fromkeys([*references, *(filing.approval_reference for filing in submission.wagers)]))


def wagers_accepted(day: Items[Settled]) -> tuple[WagersAccepted, ...]:
    """Return the accepted wagers by kind, in catalogue order."""
    return tuple(
        WagersAccepted(kind=kind, count=count, amount=amount)
        for kind, count, amount in _by_kind(wager for round_, _ in day for wager in round_.accepted)
    )


def wagers_without_outcome(day: Items[Settled]) -> tuple[WagersWithoutOutcome, ...]:
    """Return the accepted wagers that no settlement decides, by kind."""
    return tuple(
        WagersWithoutOutcome(kind=kind, count=count, amount=amount)
        for kind, count, amount in _by_kind(
            wager
            for round_, settlement in day
            for wager in round_.accepted
            if (wager.position, wager.kind) not in {(o.position, o.kind) for o in settlement.outcomes}
        )
    )


def outcomes_counted(day: Items[Settled]) -> tuple[OutcomesCounted, ...]:
    """Return the outcomes by wager and row of the paytable, winning rows first, in catalogue order."""
    alike: dict[tuple[WagerKind, str, str, str], list[WagerOutcome]] = {}
    for _, settlement in day:
        for one in settlement.outcomes:
            odds = "" if isinstance(one.odds, UnpaidOdds) else str(one.odds)
            alike.setdefault((one.kind, one.result, one.outcome, odds), []).append(one)
    counted = [
        OutcomesCounted(
            kind=kind,
            result=ends[0].result,
            outcome=outcome,
            odds=odds,
            count=len(ends),
            wagered=total(end.amount for end in ends),
            paid=total(end.paid for end in ends if not isinstance(end.paid, MeterShare)),
            returned=total(end.stake_returned for end in ends),
            of_meter=sum(isinstance(end.paid, MeterShare) for end in ends),
        )
        for (kind, _, outcome, odds), ends in alike.items()
    ]
    kinds = list(WagerKind)
    return tuple(
        sorted(counted, key=lambda one: (kinds.index(one.kind), _RESULTS.index(one.result), one.outcome, one.odds))
    )


def envy_bonuses(day: Items[Settled]) -> tuple[BonusOfDay, ...]:
    """Return every Envy Bonus that is owed of the day: none for a hand whose claim was rejected (T52)."""
    return tuple(
        BonusOfDay(round_number=round_.number, bonus=bonus)
        for round_, settlement in day
        for bonus in envy_bonuses_owed(settlement)
    )


def overrides(day: Items[Settled]) -> tuple[OverrideOfDay, ...]:
    """Return what floorpersons said in place of what was decided, each beside it."""
    return tuple(
        OverrideOfDay(
            round_number=round_.number,
            said=said,
            decided=end.result,
            decided_paid=UnknownAmount.UNKNOWN if isinstance(end.paid, MeterShare) else end.paid,
            decided_returned=end.stake_returned,
        )
        for round_, settlement in day
        for said in settlement.overrides
        for end in settlement.outcomes
        if (end.position, end.kind) == (said.position, said.wager)
    )


def vigorish_ledger(journal: JournalDay, day: Items[Settled], submissions: Submissions) -> VigorishLedger:
    """Return what was owed, marked, collected and is open: the first and second less the third are the fourth.

    A round that is on the table when the day ends is in the ledger of the table only when it closes, and counts
    here on its own day.
    """
    marked = _steps(day, StepAction.MARK_VIGORISH)
    under_way_before = _steps(settled(journal.under_way_before, submissions), StepAction.MARK_VIGORISH)
    under_way_after = _steps(settled(journal.under_way_after, submissions), StepAction.MARK_VIGORISH)
    open_at = _with_steps(journal.ledger_after, under_way_after)
    return VigorishLedger(
        owed_before=total(amount for _, amount in _with_steps(journal.ledger_before, under_way_before)),
        marked=total(map(_amount, marked)),
        collected_later=journal.vigorish_collected,
        open=total(amount for _, amount in open_at),
        open_at=open_at,
        collected_with_payment=total(map(_amount, _steps(day, StepAction.COLLECT_VIGORISH))),
    )


def total(amounts: Iterable[WagerAmount]) -> Total:
    """Return the sum of amounts, the unknown ones counted."""
    sum_ = NO_MONEY
    for amount in amounts:
        sum_ = sum_.plus(amount)
    return sum_


def _by_kind(wagers: Iterable[Wager]) -> Iterator[tuple[WagerKind, int, Total]]:
    alike: dict[WagerKind, list[Wager]] = {}
    for wager in wagers:
        alike.setdefault(wager.kind, []).append(wager)
    for kind in WagerKind:
        if kind in alike:
            yield kind, len(alike[kind]), total(wager.amount for wager in alike[kind])


def _steps(day: Items[Settled], action: StepAction) -> list[DealerStep]:
    return [step for _, settlement in day for step in settlement.steps if step.action is action]


def _amount(step: DealerStep) -> WagerAmount:
    """Return what a step about vigorish is about; it is never a share of a meter (T28)."""
    return UnknownAmount.UNKNOWN if isinstance(step.amount, MeterShare) else step.amount


def _with_steps(ledger: Ledger, steps: Items[DealerStep]) -> Ledger:
    owed = dict(ledger)
    for step in steps:
        owed[step.position] = plus(owed.get(step.position, Cents(0)), _amount(step))
    return tuple(sorted(owed.items()))
