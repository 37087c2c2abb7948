"""What a table leaves behind, read afterwards, and what must hold of it however often its processes died."""

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from bridge.contracts.envelopes import Envelope, RoundEnvelope, SettlementEnvelope, TableEnvelope
from bridge.domain.cards import Card
from bridge.domain.events import BridgeStarted
from bridge.domain.identity import RoundNumber, Sequence as RecordNumber
from bridge.domain.meters import MeterReading, Posting
from bridge.domain.rounds import Round
from bridge.domain.settlements import Settlement, WagerOutcome
from bridge.stores.journal import JournalRecord
from bridge.stores.sqlite_journal import SqliteJournal
from bridge.stores.sqlite_meters import SqliteMeterStore
from bridge.table.disclosure import disclose_round
from bridge.table.evolve import evolve
from bridge.table.state import TableState, cards_of, initial_state
from bridge.table.view import view
from tests.processes.table import RunningTable

_DIFFERS_FROM_RUN_TO_RUN = {"at", "opened_at", "sequence", "answers", "irregularities", "version"}
"""Times, and what else depends on them: how often a key was pressed, which poll saw which lamp first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Books:
    """Journal and meters of a table that stands still, or that has just been killed."""

    records: tuple[JournalRecord, ...]
    states: tuple[TableState, ...]
    """The state after so many records: 0 is before the first."""
    closed: tuple[Round, ...]
    """Every round that has ended, as it was at its end."""
    postings: tuple[Posting, ...]
    readings: tuple[MeterReading, ...]

    @property
    def state(self) -> TableState:
        """The state after the last record."""
        return self.states[-1]


async def read_books(table: RunningTable) -> Books:
    """Read a copy of the files, as a restarted process would find them."""
    with tempfile.TemporaryDirectory(prefix="books-") as name:
        copy = Path(name) / "var"
        shutil.copytree(table.journal.parent, copy)
        async with SqliteJournal.open(copy / table.journal.name) as journal:
            records = tuple(await journal.read(RecordNumber(0)))
        progressives = table.config.submission.progressives()
        async with SqliteMeterStore.open(copy / table.meters.name, progressives) as meters:
            readings = await meters.readings()
            postings = [posting for one in readings for posting in await meters.postings(one.progressive)]
    states, closed = fold(records)
    return Books(records=records, states=states, closed=closed, postings=tuple(postings), readings=readings)


def fold(records: Sequence[JournalRecord]) -> tuple[tuple[TableState, ...], tuple[Round, ...]]:
    """Return the state after each record, and the rounds that ended; the first record numbers the first."""
    first = records[0].event
    assert isinstance(first, BridgeStarted)
    states = [initial_state(first.setup)]
    closed: list[Round] = []
    for record in records:
        states.append(evolve(states[-1], record.event))
        if record.sequence > 1 and states[-1].round.number != states[-2].round.number:
            closed.append(states[-2].round)
    return tuple(states), tuple(closed)


def timeless(value: Any, first_round: int) -> Any:
    """Return a value of the domain as nested mappings, without what differs from run to run.

    Rounds are counted from the first of the run: a journal counts on from the day on which it begins.
    """
    match value:
        case list() | tuple():
            return [timeless(one, first_round) for one in value]
        case frozenset():
            return sorted(str(timeless(one, first_round)) for one in value)
        case _ if is_dataclass(value) and not isinstance(value, type):
            return {"is": type(value).__name__} | {
                field.name: _of_field(value, field.name, first_round)
                for field in fields(value)
                if field.name not in _DIFFERS_FROM_RUN_TO_RUN
            }
        case _:
            return value


def _of_field(owner: Any, name: str, first_round: int) -> Any:
    value = getattr(owner, name)
    match owner, name:
        case (Round(), "number") | (_, "round_number"):
            return value - first_round
        case Posting(), "key":
            return [int(part) - first_round if part.isdecimal() else part for part in value.split("/", 2)]
        case _:
            return timeless(value, first_round)


def faces(round_: Round) -> list[Card]:
    """Return the cards of a round in the order in which they came."""
    return [card.card for card in cards_of(round_) if isinstance(card.card, Card)]


def settled_in_the_end(heard: Iterable[Envelope]) -> tuple[Settlement, ...]:
    """Return the last settlement of each round that has contributions; assert that each has only grown."""
    last: dict[RoundNumber, SettlementEnvelope] = {}
    outcomes: dict[tuple[RoundNumber, int, str], WagerOutcome] = {}
    for envelope in heard:
        if isinstance(envelope, SettlementEnvelope) and envelope.settlement.contributions:
            number = envelope.settlement.round_number
            for outcome in envelope.settlement.outcomes:
                key = (number, outcome.position, outcome.kind)
                assert outcomes.setdefault(key, outcome) == outcome, "an outcome changed"
            # An answer to an older round may be repeated late: what the newest one answers counts.
            if number not in last or last[number].sequence <= envelope.sequence:
                last[number] = envelope
    return tuple(last[number].settlement for number in sorted(last))


def check_published(books: Books, heard: Iterable[Envelope]) -> int:
    """Assert that every state and round that was published is the fold of the journal up to that record.

    Return how many were looked at.
    """
    looked_at = 0
    for envelope in heard:
        match envelope:
            case TableEnvelope():
                assert envelope.view == view(books.states[envelope.sequence]), f"state at {envelope.sequence}"
                looked_at += 1
            case RoundEnvelope():
                assert envelope.round == disclose_round(books.states[envelope.sequence].round), (
                    f"round at {envelope.sequence}"
                )
                looked_at += 1
            case _:
                pass
    return looked_at


def check_same(books: Books, reference: Books) -> None:
    """Assert that rounds, money and the state of the table are what they are when nothing dies."""

    def told(of: Books) -> list[Any]:
        what = ([*of.closed], [*of.postings], [*of.readings], of.state)
        return [timeless(one, of.closed[0].number) for one in what]

    differ = list(differences(told(books), told(reference)))
    assert not differ, f"not the same books: {'; '.join(differ[:5])}"


def differences(here: Any, there: Any, place: str = "") -> Iterator[str]:
    """Yield where two nested values differ, and how."""
    match here, there:
        case dict(), dict() if here.keys() == there.keys():
            for key in here:
                yield from differences(here[key], there[key], f"{place}.{key}")
        case list(), list() if len(here) == len(there):
            for number, (one, other) in enumerate(zip(here, there, strict=True)):
                yield from differences(one, other, f"{place}[{number}]")
        case _ if here != there:
            yield f"{place}: {str(here)[:300]} instead of {str(there)[:300]}"
