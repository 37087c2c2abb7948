"""What a journal's events are folded into, as far as keeping the result needs to know: any state will do."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Generic, TypeVar

from bridge.contracts.state_records import state_from_json, state_to_json
from bridge.domain.events import BridgeStarted, TableEvent
from bridge.domain.identity import Sequence
from bridge.domain.setup import TableSetup
from bridge.stores.journal import JournalError
from bridge.table.evolve import evolve
from bridge.table.gaming_day import day_after, is_at_rest
from bridge.table.state import TableState, initial_state

S = TypeVar("S")

_CORE = ("bridge.domain", "bridge.rules", "bridge.table")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold(Generic[S]):
    """How events become a state, and a state becomes bytes and comes back from them."""

    begin: Callable[[TableEvent], S]
    """The state before the first event of all, which says under what setup the journal was begun."""
    evolve: Callable[[S, TableEvent], S]
    encode: Callable[[S], bytes]
    decode: Callable[[bytes], S]
    """Raises ``ContractError`` on what ``encode`` of the same code has not written."""
    sequence: Callable[[S], Sequence]
    """Of the last record folded in."""
    is_at_rest: Callable[[S], bool]
    """Whether records may be divided after this state: no round is on."""
    day_after: Callable[[S, TableEvent], str]
    """The gaming day after one more event; empty if none was told yet."""
    code: bytes
    """Digest of the code that folds: states of other code are not the same fold, whatever their version says."""


def table_fold(setup: TableSetup | None = None) -> Fold[TableState]:
    """Return the fold of a table; ``setup`` is for a journal that does not begin by telling its own."""

    def begin(event: TableEvent) -> TableState:
        match event:
            case BridgeStarted():
                return initial_state(event.setup)
            case _ if setup is not None:
                return initial_state(setup)
            case _:
                raise JournalError("the journal does not begin with the start of a bridge; it is not whole")

    return Fold(
        begin=begin,
        evolve=evolve,
        encode=state_to_json,
        decode=state_from_json,
        sequence=lambda state: state.sequence,
        is_at_rest=is_at_rest,
        day_after=day_after,
        code=core_digest(),
    )


@cache
def core_digest() -> bytes:
    """Return the SHA-256 of the source of everything that a table's state follows from."""
    digest = sha256()
    for package in _CORE:
        for name, text in _sources(files(package), package):
            digest.update(b"%b %d\n%b" % (name.encode(), len(text), text))
    return digest.digest()


def _sources(folder: Traversable, name: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            found += _sources(entry, f"{name}.{entry.name}")
        elif entry.name.endswith(".py"):
            found.append((f"{name}.{entry.name}", entry.read_bytes()))
    return found
