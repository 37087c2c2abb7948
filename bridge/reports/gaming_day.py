"""The report of a gaming day, put together from journal, rules and meters."""

from collections import Counter
from collections.abc import Iterable, Sequence as Items
from typing import Final

from bridge.domain.gaming_day import GamingDay, IrregularitiesCounted, MeterMovements
from bridge.domain.identity import ProgressiveId
from bridge.domain.meters import Posting, PostingReason
from bridge.domain.money import MeterAmount
from bridge.domain.settlements import Contribution, MeterShare
from bridge.domain.table_view import IrregularityKind
from bridge.reports.day_figures import (
    Settled,
    Submissions,
    envy_bonuses,
    outcomes_counted,
    overrides,
    rounds_told,
    rules_played_under,
    settled,
    vigorish_ledger,
    wagers_accepted,
    wagers_without_outcome,
)
from bridge.reports.journal_day import JournalDay
from bridge.reports.meter_books import MeterBooks

_OF_WAGERS: Final = (PostingReason.CONTRIBUTION, PostingReason.CORRECTION)


def gaming_day(journal: JournalDay, submissions: Submissions, books: MeterBooks) -> GamingDay:
    """Return the report of a day; raise ``MissingSubmissionError`` if its rules are not at hand."""
    table = journal.setup.table
    day = settled((played.round for played in journal.rounds), submissions)
    numbers = {round_.number for round_, _ in day}
    kinds = Counter(one.kind for one in journal.irregularities)
    return GamingDay(
        document=f"DR-{table}-{journal.day}",
        table=table,
        game=journal.setup.game,
        day=journal.day,
        over=journal.over,
        journal=journal.span,
        software=journal.software,
        rules=rules_played_under(day, submissions),
        rounds=rounds_told(journal.rounds),
        wagers=wagers_accepted(day),
        outcomes=outcomes_counted(day),
        without_outcome=wagers_without_outcome(day),
        meters=tuple(_movements(progressive, postings, day) for progressive, postings in books.postings),
        awards=tuple(award for award in books.awards if award.round_number in numbers),
        envy_bonuses=envy_bonuses(day),
        overrides=overrides(day),
        vigorish=vigorish_ledger(journal, day, submissions),
        irregularities=journal.irregularities,
        irregularities_by_kind=tuple(
            IrregularitiesCounted(kind=kind, count=kinds[kind]) for kind in IrregularityKind if kinds[kind]
        ),
        confirmations=journal.confirmations,
        changes=journal.changes,
        disabled=journal.disabled,
    )


def _movements(progressive: ProgressiveId, postings: Items[Posting], day: Items[Settled]) -> MeterMovements:
    """Return what the day did to a meter, as its rounds settle and as it was posted."""
    rounds = {(round_.table, str(round_.number)) for round_, _ in day}
    posted = [posting for posting in postings if tuple(posting.key.split("/")[:2]) in rounds]
    made = [one for _, settlement in day for one in settlement.contributions if one.progressive == progressive]
    taken = [one for _, settlement in day for one in settlement.corrections if one.progressive == progressive]
    awards = [posting for posting in posted if posting.reason is PostingReason.AWARD]
    return MeterMovements(
        progressive=progressive,
        contributions=len(made),
        contributed=_total(made),
        taken_back=_total(taken),
        posted=_total(posting for posting in posted if posting.reason in _OF_WAGERS),
        awards_won=sum(
            isinstance(outcome.paid, MeterShare) and outcome.paid.progressive == progressive
            for _, settlement in day
            for outcome in settlement.outcomes
        ),
        awards_posted=len(awards),
        awarded=-_total(awards),
    )


def _total(amounts: Iterable[Contribution | Posting]) -> MeterAmount:
    return MeterAmount.total(one.amount for one in amounts)
