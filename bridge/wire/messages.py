"""What a codec says, in the words of the wire: inputs, outputs and cards, not positions and wagers.

``address`` is the unit on a shared line, 0 where a line has one device. Channels count from 1.
"""

from dataclasses import dataclass
from enum import StrEnum

from bridge.domain.cards import Card, UnseenCard
from bridge.domain.shoe import DealTarget, ShoeFault, ShoeMode, ShoeResult


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitAnswering:
    """A unit answers, for the first time or again. ``active_inputs`` is what its inputs show now."""

    address: int
    active_inputs: frozenset[int]
    shows_levels: bool = True
    """False for a unit whose inputs pulse, as coins do, or are told otherwise: showing none takes nothing back."""


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
    target: DealTarget = DealTarget.UNSTATED
    place: int = 0
    """Which card of its target it is, from 1; 0 where the device does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardNotRead:
    """The reader says something that is not a card, or a card that must not be believed."""

    address: int
    raw: str
    target: DealTarget = DealTarget.UNSTATED
    place: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CardOutOfGame:
    """A card left the shoe outside the game."""

    address: int
    card: Card | UnseenCard
    mode: ShoeMode


@dataclass(frozen=True, slots=True, kw_only=True)
class CardStatedAgain:
    """The shoe's "retransmission" of a card. It alters no hand: what it means is not agreed on."""

    address: int
    card: Card | UnseenCard
    target: DealTarget
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CutCardSeen:
    """The cut card passed the reader."""

    address: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultStated:
    """The device's own reckoning of a round."""

    address: int
    result: ShoeResult
    player_pair: bool
    banker_pair: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultStated:
    """The device is in trouble, or no longer (``active``). ``code`` is its own number for it."""

    address: int
    fault: ShoeFault
    code: int
    active: bool
    error_mode: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyTurned:
    """The device's key was turned to locked or unlocked."""

    address: int
    locked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitStarted:
    """The device says that it has just come up."""

    address: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitStandingBy:
    """The device says that it waits."""

    address: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetChanged:
    """A setting was changed at the device."""

    address: int
    preset: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportLost:
    """The device reported something that did not arrive so that it may be believed. The reason names no card."""

    address: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandAnswered:
    """A command was carried out, refused, or not answered at all."""

    address: int
    command: str
    accepted: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InputChanged:
    """An input changed, after debouncing."""

    address: int
    channel: int
    active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CoinAccepted:
    """An acceptor has taken a coin: it is gone, and no later message takes it back. One message for each coin."""

    address: int
    coin: int
    """The acceptor's number for this kind of coin, from 1: the input channel that has pulsed."""
    sorter_path: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CoinNotAccepted:
    """An acceptor has not taken a coin, or cannot take any. ``code`` is its own number for the reason."""

    address: int
    code: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsRead:
    """What lies on an antenna now; sent when the reader is found and whenever a chip has come or gone.

    A chip is named by the 16 hexadecimal digits of its UID, most significant first.
    """

    address: int
    antenna: int
    """Which antenna of the unit, from 1: its input channel."""
    uids: frozenset[str]
    laid: frozenset[str] = frozenset()
    """Which of them have come since it was told last; none when the reader is found, for nobody saw them come."""
    lifted: frozenset[str] = frozenset()
    """Which have gone since."""


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
    | CardOutOfGame
    | CardStatedAgain
    | CutCardSeen
    | ResultStated
    | FaultStated
    | KeyTurned
    | UnitStarted
    | UnitStandingBy
    | PresetChanged
    | ReportLost
    | CommandAnswered
    | InputChanged
    | CoinAccepted
    | CoinNotAccepted
    | ChipsRead
    | OutputReported
    | OutputFailed
    | FrameFault
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOutput:
    """An output on or off."""

    address: int
    channel: int
    active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowMeter:
    """An amount on a sign, as the progressive meter reads."""

    address: int
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowBanner:
    """A text on a sign before everything else, until it is cleared."""

    address: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearBanner:
    """The end of a banner: the sign shows the meter again."""

    address: int


Order = SetOutput | ShowMeter | ShowBanner | ClearBanner
"""What a bridge orders a device to do. The last order for an output, a meter or a banner holds."""
