"""What a device model is: its protocol with parameters, and the examples that prove them.

Made by ``profiles.load`` from a file of ``device_profiles/``; valid by construction.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bridge.domain.cards import Card
from bridge.wire.codec import Codec

READS_CARDS = "reads_cards"
"""The parameter by which a profile says whether its model reads cards, where some models of a family do."""


class Parity(StrEnum):
    """Parity of a serial line."""

    NONE = "N"
    EVEN = "E"
    ODD = "O"


@dataclass(frozen=True, slots=True, kw_only=True)
class SerialSettings:
    """How a serial line is opened."""

    baud: int = 9600
    data_bits: int = 8
    parity: Parity = Parity.NONE
    stop_bits: int = 1

    @property
    def character_bits(self) -> int:
        """Return the bits that one character takes on the line, start, parity and stop included."""
        return 1 + self.data_bits + (self.parity is not Parity.NONE) + self.stop_bits

    @property
    def character_us(self) -> int:
        """Return how long one character takes on the line, in microseconds, not less."""
        return -(-self.character_bits * 1_000_000 // self.baud)


class UsbPipe(StrEnum):
    """How a USB device is spoken to."""

    HID = "hid"
    """In reports, which travel as records (``hid_reports``)."""
    BULK = "bulk"
    """In plain bytes, over its bulk endpoints."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsbMatch:
    """By what a device model is known on the bus, and which of its interfaces is meant."""

    vendors: tuple[int, ...] = ()
    """Vendor ids; empty where any maker's device may be meant, and the port must say whose."""
    products: tuple[int, ...] = ()
    """Product ids; empty for all of these vendors."""
    usage_page: int | None = None
    """Of the interface, as its report descriptor states it; None if any will do."""
    usage: int | None = None
    pipe: UsbPipe = UsbPipe.HID

    def fits(self, vendor: int, product: int) -> bool:
        """Say whether a device with these ids may be meant."""
        return (not self.vendors or vendor in self.vendors) and (not self.products or product in self.products)


class Provenance(StrEnum):
    """Where the bytes of an example come from, in falling order of weight."""

    CAPTURED = "captured"
    PUBLISHED = "published"
    IMPLEMENTATION_TEST = "implementation-test"
    DERIVED = "derived"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleFrame:
    """Bytes that the profile's device sends, or is sent, and what they mean in words of the protocol."""

    data: bytes
    provenance: Provenance
    means: str
    """The decoded frame as the protocol prints it; an example that decodes to anything else is refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSpec:
    """One device model, as its profile states it."""

    profile: str
    title: str
    protocol: str
    serial: SerialSettings
    parameters: Mapping[str, int | bool | str]
    """Checked against the parameters that the protocol declares."""
    card_codes: Mapping[str, Card]
    """What the reader says for each card; empty for a device that reads none."""
    inputs: int
    """How many input channels the model has; they count from 1."""
    outputs: int
    examples: tuple[ExampleFrame, ...]
    usb: UsbMatch | None = None
    """None for a model that has no USB port, or only one that is a serial port to the computer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One device of a line: a model at an address (0 where the line has one device)."""

    address: int
    spec: DeviceSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterRule:
    """One parameter that a protocol takes from a profile; its default has the right type."""

    default: int | bool | str
    meaning: str
    choices: tuple[str, ...] = ()
    """For a text parameter: what it may be."""
    minimum: int = 0
    maximum: int = 1_000_000
    """For an integer parameter: its range, both ends allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolFamily:
    """A protocol as the rest of the bridge sees it; ``wire.protocols`` lists them by name."""

    name: str
    parameters: Mapping[str, ParameterRule]
    reads_cards: bool
    """Whether its units read cards; those alone that have ``READS_CARDS`` set, if it has that parameter."""
    addresses: range
    """Addresses a unit may have; ``range(1)`` where a line has one device."""
    serial: SerialSettings
    """How its documents open the line."""
    codec: Callable[[Sequence[Unit]], Codec]
    """Make the bridge's end of a line with these units."""
    explain: Callable[[bytes, DeviceSpec], str]
    """Say what one whole frame means, for examples and ``profile decode``; raise ``FrameError``."""
    names_cards: bool = False
    """Whether the protocol itself says which card is which, so that a profile lists no codes."""
    shows_text: bool = False
    """Whether its units take ``ShowMeter``, ``ShowBanner`` and ``ClearBanner``."""
    reads_chips: bool = False
    """Whether its inputs are antennas that tell which chips lie there."""
    takes_coins: bool = False
    """Whether its inputs are coins that it takes and keeps."""
    engaged_outputs: frozenset[int] = frozenset()
    """Outputs that its codec engages when it finds a unit, until they are released: nobody releases but a lock."""


def reads_cards(family: ProtocolFamily, spec: DeviceSpec) -> bool:
    """Say whether a model of a family reads cards."""
    return family.reads_cards and spec.parameters.get(READS_CARDS, True) is True
