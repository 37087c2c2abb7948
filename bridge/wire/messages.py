"""What a codec says, in the words of the wire: inputs, outputs and cards, not positions and wagers.

``address`` is the unit on a shared line, 0 where a line has one device. Channels count from 1.
"""

from dataclasses import dataclass
from enum import StrEnum

from bridge.domain.cards import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitAnswering:
    """A unit answers, for the first time or again. ``active_inputs`` is what its inputs show now."""

    address: int
    active_inputs: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitSilent:
    """A unit that must answer does not."""

    address: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitRefused:
    """A unit answers that it will not do what it was asked, or is set up in a way that must not be used.

    Like a silent unit it is out of service until ``UnitAnswering``.
    """

    address: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRead:
    """A card passed the reader."""

    address: int
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class CardNotRead:
    """The reader says something that is not a card."""

    address: int
    raw: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InputChanged:
    """An input changed, after debouncing."""

    address: int
    channel: int
    active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputReported:
    """The real state of an output, read back from the unit; sent at first and whenever it changes."""

    address: int
    channel: int
    active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFailed:
    """An output was commanded and does not read back as commanded."""

    address: int
    channel: int
    commanded: bool


class FaultCause(StrEnum):
    """Why bytes were thrown away; one counter each in the device's status."""

    JUNK = "junk"
    CHECKSUM = "checksum"
    UNKNOWN = "unknown"
    OVERFLOW = "overflow"
    TIMEOUT = "timeout"


EVIDENCE_MAX = 64
"""How many bytes of evidence a fault carries: what a person can look through, whatever a peer sends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameFault:
    """Bytes that were not understood, or an answer that did not come. ``raw`` is the evidence, bounded."""

    address: int
    cause: FaultCause
    reason: str
    raw: bytes


WireMessage = (
    UnitAnswering
    | UnitSilent
    | UnitRefused
    | CardRead
    | CardNotRead
    | InputChanged
    | OutputReported
    | OutputFailed
    | FrameFault
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOutput:
    """The one order a bridge gives a device: an output on or off. The last order for an output holds."""

    address: int
    channel: int
    active: bool
