"""The report of a gaming day, put together from journal, rules and meters."""

from collections import Counter

from bridge.domain.gaming_day import GamingDay, IrregularitiesCounted
from bridge.domain.table_view import IrregularityKind
from bridge.reports.day_figures import (
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
from bridge.reports.day_meters import meter_movements, postings_besides
from bridge.reports.journal_day import JournalDay
from bridge.reports.meter_books import MeterBooks


def gaming_day(journal: JournalDay, submissions: Submissions, books: MeterBooks) -> GamingDay:
    """Return the report of a day; raise ``MissingSubmissionError`` if its rules are not at hand."""
    table = journal.setup.table
    day = settled((played.round for played in journal.rounds), submissions)
    kinds = Counter(one.kind for one in journal.irregularities)
    return GamingDay(
        document=f"DR-{table}-{journal.day}{'' if journal.over else f'-to-{journal.span.last}'}",
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
        meters=meter_movements(books, day),
        postings=postings_besides(books, journal.began_at, journal.ended_at),
        awards=books.awards_of(table, frozenset(round_.number for round_, _ in day)),
        envy_bonuses=envy_bonuses(day),
        overrides=overrides(day),
        vigorish=vigorish_ledger(journal, day, submissions),
        coins=journal.coins,
        irregularities=journal.irregularities,
        irregularities_by_kind=tuple(
            IrregularitiesCounted(kind=kind, count=kinds[kind]) for kind in IrregularityKind if kinds[kind]
        ),
        confirmations=journal.confirmations,
        changes=journal.changes,
        disabled=journal.disabled,
    )
