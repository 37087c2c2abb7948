"""Coin acceptors on one ccTalk wire.

The behaviour is that of the ccTalk Generic Specification 4.x: an acceptor speaks only when asked, is silent on
a wrong checksum and for other addresses, forgets half a packet after 50 ms, keeps its last five events, and
comes up with a counter of 0, its coins inhibited one by one and its master inhibit released. Whoever sends on
the wire hears himself.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from bridge.wire.cctalk_credits import COUNTER_MAX, EVENTS_KEPT, NO_EVENT, Event
from bridge.wire.cctalk_frames import HOST, Check, Header, Packet, decode_packet, encode_packet, packet_length
from bridge.wire.cctalk_text import coins_of
from bridge.wire.errors import FrameError
from simulators.device import Channels, NoSuchAddressError, NoSuchChannelError, Reaction, Signal, Utterance

SILENCE_US = 50_000
"""After so long without a byte half a packet is dropped."""
COINS: Mapping[int, str] = MappingProxyType({1: "US100A", 2: "US500A", 3: "US025A"})
"""What the acceptor knows; the coins it has no name for it does not recognise."""
NO_COIN = "......"
SORTER_PATH = 1
REJECTED, INHIBITED = 1, 2
_COINS_MAX = 16
_TEXTS: Mapping[int, str] = MappingProxyType(
    {
        Header.EQUIPMENT_CATEGORY: "Coin Acceptor",
        Header.MANUFACTURER: "SIM",
        Header.PRODUCT_CODE: "SLOT",
        Header.SOFTWARE_REVISION: "1.0",
    }
)
_POLL_EVERY_200_MS = b"\x02\x14"


class CoinAcceptor:
    """One acceptor: coins are its inputs, its master inhibit is its output."""

    def __init__(self, address: int, *, coins: Mapping[int, str] = COINS, serial_number: int = 0) -> None:
        """Put an acceptor at an address; ``coins`` are the names of the coins it knows."""
        if not HOST < address <= 255:  # noqa: PLR2004 - an address is one byte
            raise NoSuchAddressError(f"address {address}: an acceptor has an address from 2 to 255")
        self.address = address
        self.coins = dict(coins)
        self.inputs = Channels(_COINS_MAX)
        """A coin lies in the slot while its input is active; it drops when the input becomes active."""
        self.outputs = Channels(1)
        """Active while the master inhibit is engaged."""
        self.counter = 0
        self.events: tuple[Event, ...] = (NO_EVENT,) * EVENTS_KEPT
        self.answering = True
        """False for an acceptor whose plug is out: it keeps its power, and its coins."""
        self._serial_number = serial_number.to_bytes(3, "little")
        self._inhibits = bytes(2)
        self._in_slot: frozenset[int] = frozenset()
        self._refusal: Header | None = None
        self._polls = 0
        self._polled = Signal()
        self.inputs.also_notify(Reaction(self._slot_changed))

    async def until_polled(self, times: int) -> None:
        """Wait until the events were asked for, and answered, so many more times."""
        target = self._polls + times
        await self._polled.until(lambda: self._polls >= target)

    def drop_coin(self, coin: int) -> bool:
        """Drop a coin; return whether it was taken. Raise ``NoSuchChannelError`` for a coin no acceptor has."""
        if not 1 <= coin <= _COINS_MAX:
            raise NoSuchChannelError(f"coin {coin}: an acceptor has coins 1 to {_COINS_MAX}")
        if coin not in self.coins:
            self.report(REJECTED)
            return False
        if self.outputs.active or coin not in coins_of(self._inhibits):
            self.report(INHIBITED)
            return False
        self._count((coin, SORTER_PATH))
        return True

    def report(self, code: int) -> None:
        """Count an error: something other than a coin that was taken."""
        self._count((0, code))

    def refuse_next(self, refusal: Header = Header.NAK) -> None:
        """Answer the next request with NAK or BUSY."""
        self._refusal = refusal

    def power_cycle(self) -> None:
        """Lose power and get it back: the counter is 0, and no setting is kept."""
        self.counter = 0
        self.events = (NO_EVENT,) * EVENTS_KEPT
        self._inhibits = bytes(2)
        self.outputs.replace(frozenset())

    def answer(self, packet: Packet) -> Packet | None:
        """Do what a sound packet for this acceptor asks; return the reply, None for a header it does not know."""
        if self._refusal is not None:
            refusal, self._refusal = self._refusal, None
            return self._reply(b"", refusal)
        data = self._perform(packet.header, packet.data)
        return None if data is None else self._reply(data)

    def _reply(self, data: bytes, header: Header = Header.REPLY) -> Packet:
        return Packet(destination=HOST, source=self.address, header=header, data=data)

    def _perform(self, header: int, asked: bytes) -> bytes | None:
        match header, len(asked):
            case Header.SIMPLE_POLL, 0:
                return b""
            case Header.BUFFERED_CREDIT, 0:
                self._polls += 1
                self._polled.notify()
                return bytes((self.counter, *(byte for event in self.events for byte in event)))
            case Header.SET_MASTER_INHIBIT, 1:
                self.outputs.set(1, active=not asked[0] & 1)
                return b""
            case Header.MASTER_INHIBIT, 0:
                return bytes((not self.outputs.active,))
            case Header.SET_INHIBITS, 2:
                self._inhibits = asked
                return b""
            case Header.INHIBITS, 0:
                return self._inhibits
            case Header.COIN_ID, 1:
                return self.coins.get(asked[0], NO_COIN).encode("ascii")
            case Header.POLLING_PRIORITY, 0:
                return _POLL_EVERY_200_MS
            case Header.SERIAL_NUMBER, 0:
                return self._serial_number
            case _ if header in _TEXTS and not asked:
                return _TEXTS[header].encode("ascii")
            case _:
                return None

    def _count(self, event: Event) -> None:
        self.counter = self.counter % COUNTER_MAX + 1
        self.events = (event, *self.events[: EVENTS_KEPT - 1])

    def _slot_changed(self) -> None:
        before, self._in_slot = self._in_slot, self.inputs.active
        for coin in sorted(self._in_slot - before):
            self.drop_coin(coin)


class CctalkLine:
    """One wire with acceptors on it."""

    def __init__(
        self,
        acceptors: Iterable[CoinAcceptor],
        *,
        echo: bool = True,
        check: Check = Check.SUM,
        turnaround_us: int = 0,
    ) -> None:
        """``echo`` is False behind an adapter that does not hand a host its own bytes back."""
        self.acceptors = {acceptor.address: acceptor for acceptor in acceptors}
        self._echo = echo
        self._check = check
        self._turnaround_us = turnaround_us
        self._buffer = b""
        self._heard_us = 0

    def connect(self, say: Callable[[bytes], None]) -> None:
        """Take note of nothing: an acceptor never speaks unasked."""

    def power_cycle(self) -> None:
        """Cut the power of every acceptor on the wire."""
        self._buffer = b""
        for acceptor in self.acceptors.values():
            acceptor.power_cycle()

    def receive(self, data: bytes, now_us: int) -> tuple[Utterance, ...]:
        """Take bytes from the host; return them, then the replies that they complete."""
        if now_us - self._heard_us > SILENCE_US:
            self._buffer = b""
        self._heard_us = now_us
        self._buffer += data
        said = [Utterance(data)] if self._echo and data else []
        while (length := packet_length(self._buffer)) is not None and len(self._buffer) >= length:
            raw, self._buffer = self._buffer[:length], self._buffer[length:]
            said += self._heard(raw)
        return tuple(said)

    def _heard(self, raw: bytes) -> Iterable[Utterance]:
        try:
            packet = decode_packet(raw, self._check)
        except FrameError:
            self._buffer = b""  # whatever follows belongs to it: only silence brings the next packet
            return
        acceptor = self.acceptors.get(packet.destination)
        if acceptor is None or not acceptor.answering:
            return
        reply = acceptor.answer(packet)
        if reply is not None:
            yield Utterance(encode_packet(reply, self._check), self._turnaround_us)
