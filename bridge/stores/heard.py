"""What was heard of the rounds of tables, as values: what is looked for, what is found, what was not heard."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bridge.contracts.envelopes import EventEnvelope, RoundEnvelope, SettlementEnvelope, TableEnvelope
from bridge.domain.errors import BridgeError
from bridge.domain.identity import RoundNumber, Sequence, TableId, Timestamp
from bridge.domain.wagers import BettingPosition, WagerKind

Heard = EventEnvelope | RoundEnvelope | TableEnvelope | SettlementEnvelope
"""The messages that tell a round."""
PAGE_ROUNDS: Final = 50
"""Rounds that are found at once: more than a screen shows."""
PAGE_EVENTS: Final = 1_000
"""Events of a round that are read at once: ten ordinary rounds; one may stay open over night."""


class HeardStoreError(BridgeError):
    """The history cannot be opened, written or read; the message says what to do."""


class NotHeardError(BridgeError):
    """Of that round nothing was heard, or it is no longer kept."""


class Ended(StrEnum):
    """How a round, or a wager in it, ended: what rounds are looked for by."""

    WON = "won"
    LOST = "lost"
    RETURNED = "returned"
    UNDECIDED = "undecided"
    """No word on it, or that it cannot be decided (T51)."""
    AWARD = "award"
    """A share of a meter was won, and the claim was not rejected."""
    REJECTED = "rejected"
    """A claim to an award was (T52)."""
    OVERRIDDEN = "overridden"
    """By a floorperson (T50)."""
    PLAYER = "player"
    """Baccarat: the Player's Hand won the round, and so the next two."""
    BANKER = "banker"
    TIE_HAND = "tie_hand"
    VOIDED = "voided"
    IRREGULAR = "irregular"


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """Which rounds are looked for: those of which all of it holds; what is said of wagers, of one and the same."""

    number: RoundNumber | None = None
    opened_from: Timestamp | None = None
    opened_until: Timestamp | None = None
    """Exclusive."""
    position: BettingPosition | None = None
    wager: WagerKind | None = None
    ended: Ended | None = None
    won_as: str = ""
    """Row of a paytable by which a wager was won; empty for any end."""
    page: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPlace:
    """Where a round stands. Numbers are never used again, except by a journal that fell back behind another."""

    number: RoundNumber
    journal: int
    """Counted by the history, up."""
    newest: bool
    """Whether no later journal has a round of this number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundWager:
    """An accepted wager of a round that was found."""

    position: BettingPosition
    kind: str
    ending: str
    """Value of ``wager_ends.Ending``, or ``heard_writer.BY_HAND``; empty while nothing is said of it."""
    won_as: str
    award: bool
    overridden: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRound:
    """A round that was found."""

    place: RoundPlace
    opened_at: Timestamp
    over: bool
    voided: bool
    irregularities: int
    winner: str
    """Value of ``Winner``; empty where no hand won."""
    wagers: tuple[FoundWager, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One page of what was looked for, newest first."""

    rounds: tuple[FoundRound, ...]
    count: int
    """Of all pages."""
    kept: int
    """Rounds of the table that there are at all."""
    oldest: Timestamp | None
    """When the oldest of those was opened."""
    before: RoundPlace | None = None
    """The last round of the page before, next newer than these; None on the first page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Journal records that were not heard; nothing is known of them."""

    first: Sequence | None
    """None where nobody can say with which record the round began."""
    last: Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardRound:
    """All that was heard of one round, decoded as strictly as it was when it came."""

    table: TableId
    place: RoundPlace
    round: RoundEnvelope
    state: TableEnvelope | None
    settlement: SettlementEnvelope | None
    events: tuple[EventEnvelope, ...]
    """Those of this page, in the order of the journal."""
    page: int
    pages: int
    records: tuple[Sequence, Sequence] | None
    """The first and the last record that was heard of it; None where none was."""
    gaps: tuple[Gap, ...]
    """Of all pages."""
    over: bool
    """Whether a later round was heard of; until then it may go on."""
    ends_at: Sequence
    """The last record that can belong to it, as far as anything was heard."""
    older: RoundPlace | None
    newer: RoundPlace | None
    namesakes: tuple[RoundPlace, ...]
    """Rounds of the same number in other journals."""
