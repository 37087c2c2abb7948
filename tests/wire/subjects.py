"""Every installed profile with its simulated device: what happens there, and what may be said of it.

Something new happens with each ``touch``. A message is a lie if it says that something happened which did not:
a card that was not shown, a wager that nobody placed, a lamp that was never lit.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import count

from bridge.domain.cards import Card, Rank, Suit
from bridge.domain.identity import DeviceId
from bridge.domain.shoe import DealTarget
from bridge.profiles import installed_profiles, load_installed
from bridge.wire.codec import Codec
from bridge.wire.messages import (
    CardRead,
    ChipsRead,
    CoinAccepted,
    InputChanged,
    Order,
    OutputReported,
    SetOutput,
    ShowMeter,
    UnitAnswering,
    WireMessage,
)
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.spec import ProtocolFamily, Unit
from simulators.alpha_sign import MeterSign
from simulators.angel_eye import AngelEyeShoe
from simulators.cctalk_acceptor import CctalkLine
from simulators.chips import Antenna
from simulators.device import SimulatedCardReader, SimulatedDevice, SimulatedLine
from simulators.feig_reader import FeigLine
from simulators.hid_pos_usb import HoneywellReader
from simulators.models import simulate_line
from simulators.rapidradio_reader import RapidRadioReader
from simulators.table_ports import TableLine

Claim = tuple[str, str]
"""What happened, and to what: ``("card", "Kh")``, ``("input on", "3")``."""

PROFILES = tuple(installed_profiles())
installed = cache(load_installed)
"""A profile that came with the bridge, read once."""
_DECK = tuple(str(Card(rank, suit)) for rank in Rank for suit in Suit)
_ONCE_EACH = frozenset({"card", "coin"})
"""What may be told as often as it happened, and not more often: nothing takes it back."""
_CHIPS_MAX = 6
_PLACES = 3
"""Cards that a shoe deals to one side."""


class Subject(ABC):
    """One device of a profile, alone on its line."""

    def __init__(self, profile: str) -> None:
        spec = installed(profile)
        self.family: ProtocolFamily = PROTOCOLS[spec.protocol]
        self.unit = Unit(address=self.family.addresses[0], spec=spec)
        self.devices: dict[DeviceId, SimulatedDevice] = {}
        self.readers: dict[DeviceId, SimulatedCardReader] = {}
        table_line = TableLine(name=profile, serial=spec.serial, devices=((DeviceId(profile), self.unit),))
        self.line: SimulatedLine = simulate_line(table_line, self.devices, self.readers)
        self.happened: list[Claim] = [("output on", str(output)) for output in self.family.engaged_outputs]

    def codec(self) -> Codec:
        """Return a new codec for the device."""
        return self.family.codec([self.unit])

    @property
    def first_orders(self) -> tuple[Order, ...]:
        """What the bridge orders before anything can happen."""
        return ()

    @abstractmethod
    def touch(self) -> tuple[Order, ...]:
        """Let the next thing happen; return what the bridge has to order for it."""

    reserved = 0
    """The output that a lock is wired to, and nothing else touches; 0 for none."""

    pause_us = 0
    """What must be between a mishap and the next good frame, of a device whose frames end by themselves."""

    def is_settled(self, messages: Iterable[WireMessage]) -> bool:  # noqa: ARG002 - most devices tell only what is new
        """Return whether everything that can still be told has been."""
        return True

    def is_told(self, since: Iterable[WireMessage]) -> bool:
        """Return whether what happened last has been told since, or can be seen."""
        return self.happened[-1] in {claim for message in since for claim in claims(message)}

    def lies(self, messages: Iterable[WireMessage]) -> list[Claim]:
        """Return what was told and never happened, or was told too often."""
        told = Counter(claim for message in messages for claim in claims(message))
        true = Counter(self.happened)
        return [
            claim
            for claim, times in told.items()
            if claim not in true or (claim[0] in _ONCE_EACH and times > true[claim])
        ]


def claims(message: WireMessage) -> Iterator[Claim]:
    """Yield what a message says to have happened."""
    match message:
        case InputChanged(channel=channel, active=active):
            yield f"input {'on' if active else 'off'}", str(channel)
        case UnitAnswering(active_inputs=active_inputs):
            yield from (("input on", str(channel)) for channel in active_inputs)
        case CoinAccepted(coin=coin):
            yield "coin", str(coin)
        case CardRead(card=card):
            yield "card", str(card)
        case ChipsRead(uids=uids):
            yield from (("chip", uid) for uid in uids)
        case OutputReported(channel=channel, active=True):
            yield "output on", str(channel)
        case _:
            pass


class Switched(Subject):
    """A device with inputs: the first of them changes."""

    def __init__(self, profile: str) -> None:
        super().__init__(profile)
        (self._device,) = self.devices.values()
        self._input = 1
        self.happened += [("input on", str(channel)) for channel in self._device.inputs.active]

    def touch(self) -> tuple[Order, ...]:
        active = self._input not in self._device.inputs.active
        self._device.inputs.set(self._input, active=active)
        self.happened.append((f"input {'on' if active else 'off'}", str(self._input)))
        return ()

    def is_settled(self, messages: Iterable[WireMessage]) -> bool:
        """Return whether the bridge knows the level of the input; what changed and changed back, nobody tells."""
        known = False
        for message in messages:
            match message:
                case UnitAnswering(active_inputs=active_inputs):
                    known = self._input in active_inputs
                case InputChanged(channel=channel, active=active) if channel == self._input:
                    known = active
                case _:
                    pass
        return known is (self._input in self._device.inputs.active)


class Acceptor(Subject):
    """An acceptor: a coin is dropped as soon as it takes one."""

    @property
    def first_orders(self) -> tuple[Order, ...]:
        return (SetOutput(address=self.unit.address, channel=1, active=False),)

    def touch(self) -> tuple[Order, ...]:
        assert isinstance(self.line, CctalkLine)
        if self.line.acceptors[self.unit.address].drop_coin(1):
            self.happened.append(("coin", "1"))
        return ()

    def is_told(self, since: Iterable[WireMessage]) -> bool:
        return self.happened[-1][0] == "coin" and super().is_told(since)


class CardSource(Subject):
    """A reader or a shoe: the cards of a deck, one after the other."""

    pause_us = 1_000_000

    def __init__(self, profile: str) -> None:
        super().__init__(profile)
        (self._reader,) = self.readers.values()
        self._number = count()

    def touch(self) -> tuple[Order, ...]:
        number = next(self._number)
        card = _DECK[number % len(_DECK)]
        if isinstance(self._reader, AngelEyeShoe):
            self._reader.draw(Card.parse(card), DealTarget.PLAYER, 1 + number % _PLACES)
        else:
            self._reader.show(Card.parse(card))
        self.happened.append(("card", card))
        return ()

    def is_settled(self, messages: Iterable[WireMessage]) -> bool:  # noqa: ARG002 - it is seen, not told
        """Return whether the reader says what it reads: some must be made to, which takes its time on a port."""
        return not isinstance(self._reader, HoneywellReader) or self._reader.speaks


class Chips(Subject):
    """A reader of chips: one chip more, at last one for another."""

    def __init__(self, profile: str) -> None:
        super().__init__(profile)
        self._number = count(1)

    def touch(self) -> tuple[Order, ...]:
        antenna = self._antenna()
        uid = f"E00401{next(self._number):010X}"
        antenna.place(uid)
        antenna.lift(*antenna.uids[:-_CHIPS_MAX])
        self.happened.append(("chip", uid))
        return ()

    def _antenna(self) -> Antenna:
        if isinstance(self.line, FeigLine):
            return self.line.readers[self.unit.address].antenna
        assert isinstance(self.line, RapidRadioReader)
        return self.line.antenna


class Lamps(Subject):
    """Lamps that are read back: one after the other is lit, and the one before goes out."""

    def __init__(self, profile: str) -> None:
        super().__init__(profile)
        self._number = count()

    def touch(self) -> tuple[Order, ...]:
        lamps = [lamp for lamp in range(1, self.unit.spec.outputs + 1) if lamp != self.reserved]
        place = next(self._number)
        lit, dark = lamps[place % len(lamps)], lamps[(place - 1) % len(lamps)]
        self.happened.append(("output on", str(lit)))
        return tuple(
            SetOutput(address=self.unit.address, channel=channel, active=channel == lit) for channel in (dark, lit)
        )


class Sign(Subject):
    """A meter sign: the amount grows; what it shows is seen, not told."""

    def __init__(self, profile: str) -> None:
        super().__init__(profile)
        self._cents = count(1_000_000, 101)
        self._amount = ""

    def touch(self) -> tuple[Order, ...]:
        cents = next(self._cents)
        self._amount = f"{cents // 100:,}.{cents % 100:02}"
        self.happened.append(("amount", self._amount))
        return (ShowMeter(address=self.unit.address, cents=cents),)

    def is_told(self, since: Iterable[WireMessage]) -> bool:  # noqa: ARG002 - a sign has no answer
        assert isinstance(self.line, MeterSign)
        return self._amount in self.line.shown


_KINDS: dict[str, type[Subject]] = {
    "alpha_sign": Sign,
    "angel_eye": CardSource,
    "blinkstick": Lamps,
    "cctalk_acceptor": Acceptor,
    "hid_pos": CardSource,
    "iso15693": Chips,
}


def subject(profile: str) -> Subject:
    """Return the device of a profile."""
    return _KINDS.get(installed(profile).protocol, Switched)(profile)
