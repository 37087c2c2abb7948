"""Between a table's processes and their broker: messages are lost, doubled and overtaken on the way.

A TCP proxy that reads MQTT 3.1.1 as far as it must: it finds the PUBLISH packets of QoS 1 and their
acknowledgements, and lets everything else pass. What it loses it acknowledges itself, as a broker does that
takes a message and forgets it; of what it doubles it keeps one acknowledgement to itself.
"""

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum

from tests.brokers import RunningBroker

_PUBLISH, _PUBACK = 3, 4
_DUPLICATE, _QOS_1 = 0x08, 0x02
_HELD_S = 0.05
"""A message that waits to be overtaken goes on after so long, if none follows."""


class Mishap(StrEnum):
    """What happens to a message."""

    LOST = "lost"
    DOUBLED = "doubled"
    OVERTAKEN = "overtaken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chances:
    """How often each mishap happens to a message of QoS 1, from 0 to 1."""

    lost: float = 0
    doubled: float = 0
    overtaken: float = 0


class Packets:
    """Cuts a stream of MQTT into packets."""

    def __init__(self) -> None:
        self._data = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Take bytes; yield the packets that are complete."""
        self._data += data
        while (end := _end_of(self._data)) is not None:
            packet, self._data = self._data[:end], self._data[end:]
            yield packet


class _Direction:
    """One way through the proxy."""

    def __init__(self, chance: random.Random, chances: Chances, counts: Counter[Mishap]) -> None:
        self._chance = chance
        self._chances = chances
        self._counts = counts
        self._held = b""
        self.swallow: Counter[int] = Counter()
        """Acknowledgements, by message id, that the sender of the doubled message must not see twice."""

    def take(self, packet: bytes, answers: "_Direction") -> tuple[bytes, bytes]:
        """Return what goes on and what goes back; ``answers`` is the other way."""
        if packet[0] >> 4 == _PUBACK:
            number = int.from_bytes(packet[2:4])
            if self.swallow[number]:
                self.swallow[number] -= 1
                return b"", b""
            return packet, b""
        if packet[0] >> 4 != _PUBLISH or not packet[0] & _QOS_1:
            return packet, b""
        mishap = self._draw()
        number = _message_id(packet)
        match mishap:
            case Mishap.LOST:
                return self.release(), bytes((_PUBACK << 4, 2)) + number.to_bytes(2)
            case Mishap.DOUBLED:
                answers.swallow[number] += 1
                again = bytes((packet[0] | _DUPLICATE,)) + packet[1:]
                return packet + again + self.release(), b""
            case Mishap.OVERTAKEN:
                earlier, self._held = self._held, packet
                return earlier, b""
            case None:
                return packet + self.release(), b""

    def release(self) -> bytes:
        """Return the message that was held back; it has been overtaken."""
        held, self._held = self._held, b""
        return held

    def _draw(self) -> Mishap | None:
        drawn = self._chance.random()
        for mishap, chance in (
            (Mishap.LOST, self._chances.lost),
            (Mishap.DOUBLED, self._chances.doubled),
            (Mishap.OVERTAKEN, self._chances.overtaken),
        ):
            if drawn < chance:
                self._counts[mishap] += 1
                return mishap
            drawn -= chance
        return None


class FaultyProxy:
    """A broker's address at which messages come to harm. ``counts`` says how many did."""

    def __init__(self, broker: RunningBroker, chances: Chances, seed: int) -> None:
        self.host = "127.0.0.1"
        self.port = 0
        self.counts: Counter[Mishap] = Counter()
        self._broker = broker
        self._chances = chances
        self._chance = random.Random(seed)  # noqa: S311 - mishaps have to be repeatable, not secret

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection until either end closes it."""
        try:
            up_reader, up_writer = await asyncio.open_connection(self._broker.host, self._broker.port)
        except OSError:
            writer.close()
            return
        up, down = (_Direction(self._chance, self._chances, self.counts) for _ in range(2))
        ways = [
            asyncio.create_task(self._carry(reader, up_writer, writer, up, down), name="to-the-broker"),
            asyncio.create_task(self._carry(up_reader, writer, up_writer, down, up), name="from-the-broker"),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            for end in (writer, up_writer):
                end.close()

    async def _carry(
        self,
        source: asyncio.StreamReader,
        onward: asyncio.StreamWriter,
        back: asyncio.StreamWriter,
        way: _Direction,
        other: _Direction,
    ) -> None:
        packets = Packets()
        with contextlib.suppress(OSError):
            while True:
                try:
                    async with asyncio.timeout(_HELD_S):
                        data = await source.read(65_536)
                except TimeoutError:
                    onward.write(way.release())
                    continue
                if not data:
                    return
                for packet in packets.feed(data):
                    forward, answer = way.take(packet, other)
                    onward.write(forward)
                    back.write(answer)


@asynccontextmanager
async def faulty_proxy(broker: RunningBroker, chances: Chances, seed: int = 0) -> AsyncIterator[FaultyProxy]:
    """Serve a broker at an address of its own, where messages come to harm by the chances given."""
    proxy = FaultyProxy(broker, chances, seed)
    server = await asyncio.start_server(proxy.serve, proxy.host, 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()


def _end_of(data: bytes) -> int | None:
    """Return where the first packet ends, if all of it is there."""
    length, shift = 0, 0
    for place, byte in enumerate(data[1:5], start=1):
        length |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            end = place + 1 + length
            return end if len(data) >= end else None
    return None


def _message_id(publish: bytes) -> int:
    """Return the id of a PUBLISH of QoS 1: it stands behind the topic."""
    head = 1 + next(place for place, byte in enumerate(publish[1:5], start=1) if not byte & 0x80)
    topic_end = head + 2 + int.from_bytes(publish[head : head + 2])
    return int.from_bytes(publish[topic_end : topic_end + 2])
