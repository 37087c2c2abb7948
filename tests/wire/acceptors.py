"""What the tests of coin acceptors share: a specification, and a line of acceptors that knows nothing of our code.

Packets are taken apart and put together here by hand, from the numbers of the specification, so that two
halves of our own code cannot agree on a mistake.
"""

from collections import deque
from dataclasses import dataclass, field

from bridge.wire.protocols.cctalk_acceptor import AcceptorLine
from bridge.wire.spec import DeviceSpec, Unit
from tests.wire.cables import MILLISECOND, Fault, spec_of
from tests.wire.virtual_line import VirtualLine

SECOND = 1000 * MILLISECOND
NAK, BUSY = 5, 6


def acceptor_spec(*, inputs: int = 16, outputs: int = 1, **parameters: int | bool | str) -> DeviceSpec:
    return spec_of("cctalk_acceptor", "acceptor", parameters, inputs=inputs, outputs=outputs)


def packet(destination: int, source: int, header: int, *data: int) -> bytes:
    body = [destination, len(data), source, header, *data]
    return bytes([*body, (256 - sum(body) % 256) % 256])


def crc_packet(destination: int, header: int, *data: int) -> bytes:
    """The same with a CRC, computed bit by bit as the textbook divides polynomials."""
    register = 0
    for byte in [destination, len(data), header, *data]:
        for bit in range(7, -1, -1):
            carry = register >> 15 & 1
            register = register << 1 & 0xFFFF
            if carry ^ (byte >> bit & 1):
                register ^= 0x1021
    return bytes([destination, len(data), register & 0xFF, header, *data, register >> 8])


@dataclass
class FakeAcceptor:
    """An acceptor that takes the coins 1 to 8 when it is let."""

    address: int = 2
    category: str = "Coin Acceptor"
    coin_names: dict[int, str] = field(default_factory=lambda: {1: "US100A", 2: "US025A", 3: "US100B"})
    counter: int = 0
    events: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0)] * 5)
    inhibits: bytes = b"\x00\x00"
    accepting: bool = True
    alive: bool = True
    stuck: bool = False
    """The master inhibit is acknowledged, and nothing happens."""
    refusing: dict[int, int] = field(default_factory=dict)
    """Header to the header of the refusal."""
    delay_us: int = 2 * MILLISECOND
    heard: list[int] = field(default_factory=list)

    def count(self, first: int, second: int) -> None:
        self.counter = self.counter % 255 + 1
        self.events = [(first, second), *self.events[:4]]

    def drop_coin(self, coin: int) -> bool:
        """Return whether the coin was taken."""
        enabled = int.from_bytes(self.inhibits, "little") >> (coin - 1) & 1
        if self.accepting and enabled:
            self.count(coin, 1)
            return True
        self.count(0, 2)
        return False

    def restart(self) -> None:
        self.counter, self.events, self.inhibits, self.accepting = 0, [(0, 0)] * 5, b"\x00\x00", True

    def reply(self, header: int, data: bytes) -> tuple[int, list[int]] | None:
        """Return header and data of the answer."""
        if not self.alive:
            return None
        self.heard.append(header)
        if header in self.refusing:
            return self.refusing[header], []
        match header, list(data):
            case 245, []:
                return 0, list(self.category.encode())
            case 227, []:
                return 0, [int(self.accepting)]
            case 228, [value]:
                if not self.stuck:
                    self.accepting = value == 1
                return 0, []
            case 184, [coin]:
                return 0, list(self.coin_names.get(coin, "......").encode())
            case 231, [_, _]:
                self.inhibits = data
                return 0, []
            case 230, []:
                return 0, list(self.inhibits)
            case 229, []:
                return 0, [self.counter, *(byte for event in self.events for byte in event)]
            case _:
                raise AssertionError(f"the bridge asks what it never asks: {header} {data.hex()}")


class AcceptorBench(VirtualLine):
    """Acceptors on one wire: what is sent comes back, then the answer, spoilt on request."""

    def __init__(self, *acceptors: FakeAcceptor, spec: DeviceSpec | None = None) -> None:
        self.acceptors = {acceptor.address: acceptor for acceptor in acceptors or [FakeAcceptor()]}
        spec = spec or acceptor_spec()
        super().__init__(AcceptorLine([Unit(address=address, spec=spec) for address in self.acceptors]))
        self.crc = spec.parameters["check"] == "crc16"
        self.echo = True
        self.faults: deque[Fault] = deque()
        """Taken one for each reply, in order; without one a reply arrives as it is."""

    @property
    def acceptor(self) -> FakeAcceptor:
        (only,) = self.acceptors.values()
        return only

    def respond(self, data: bytes) -> None:
        if self.echo:
            self.answer(self.now_us, data)
        destination, length, source, header, *rest = data
        asked = bytes(rest[:-1])
        assert len(asked) == length
        made = crc_packet(destination, header, *asked) if self.crc else packet(destination, source, header, *asked)
        assert data == made
        assert self.crc or source == 1
        acceptor = self.acceptors[destination]
        answer = acceptor.reply(header, asked)
        if answer is None:
            return
        raw: bytes | None = (
            crc_packet(1, answer[0], *answer[1]) if self.crc else packet(1, destination, answer[0], *answer[1])
        )
        if self.faults and raw:
            raw = self.faults.popleft()(raw)
        if raw:
            self.answer(self.now_us + acceptor.delay_us, raw)

    def in_service(self) -> "AcceptorBench":
        """Go on until every acceptor is in service and its lock has been read back; forget what was said."""
        line = self.codec
        assert isinstance(line, AcceptorLine)
        self.run_until(lambda: all(unit.service.in_service for unit in line._units.values()))
        self.run(SECOND)
        self.messages.clear()
        self.requests.clear()
        self.asked_at.clear()
        return self

    def unlock(self, address: int = 2) -> "AcceptorBench":
        self.switch(address, 1, active=False)
        self.run(SECOND)
        return self
