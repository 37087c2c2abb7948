"""Campaigns against the shoe: the real driver at one end of a real port, the simulated shoe at the other, a bad
cable between them. Whatever the cable does, a card is the right one, or somebody is told.

``python -m tests.simulators.shoe_campaigns --campaigns 500`` runs for as long as it is asked to.
"""

import argparse
import asyncio
import logging
import random
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bridge.domain.cards import Card, Rank, Suit
from bridge.domain.events import CardDrawn, CardUnread, DeviceLost, DeviceReady, TableEvent
from bridge.domain.shoe import DealTarget
from bridge.domain.shoe_events import ShoeReportLost, ShoeStoodBy
from bridge.drivers.fleet import Fleet
from bridge.drivers.line import Line, LineDevice
from bridge.profiles import load_installed
from bridge.transports import Transport, open_transport
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.spec import SerialSettings, Unit
from simulators.angel_eye import AngelEyeShoe
from simulators.faults import Arrival, Cable, Cables, Delivery, Fault, FaultyCable
from simulators.pacing import UNPACED, Pacing
from simulators.port import Port, hosted
from simulators.pty_port import PtyPort
from simulators.tcp_port import TcpPort
from tests.drivers.lines import IMPATIENT, READER_WIRING, Record, StoppedClock, background
from tests.transports.ports import eventually

SHOE = load_installed("angel_eye_ii_ex")
BETWEEN_CARDS_US = 3_000_000
DRAWS_MAX = 104
Drawn = tuple[Card, DealTarget, int]

EVERYTHING: Mapping[Fault, float] = {fault: 0.02 if fault is Fault.UNPLUG else 0.1 for fault in Fault}


class NoisyCable:
    """Flips bits at random: where a copy has several wrong ones, the check may pass."""

    def __init__(self, *, seed: int, bit_errors: float) -> None:
        self._random = random.Random(seed)  # noqa: S311 - damage has to be repeatable, not secret
        self._bit_errors = bit_errors

    def carry(self, data: bytes) -> tuple[Delivery, ...]:
        return (Delivery(bytes(byte ^ self._mask() for byte in data)),)

    def _mask(self) -> int:
        return sum((self._random.random() < self._bit_errors) << place for place in range(8))


class Watched:
    """A cable that can be made sound, and knows how much it has delivered."""

    def __init__(self, cable: Cable) -> None:
        self._cable = cable
        self.is_sound = False
        self.delivered = 0

    def carry(self, data: bytes) -> tuple[Arrival, ...]:
        arrivals: tuple[Arrival, ...] = (Delivery(data),) if self.is_sound else self._cable.carry(data)
        self.delivered += sum(len(arrival.data) for arrival in arrivals if isinstance(arrival, Delivery))
        return arrivals


class Counting:
    """An open port that knows how much was read from it."""

    def __init__(self, inner: Transport) -> None:
        self._inner = inner
        self.read_bytes = 0

    async def read(self) -> bytes:
        data = await self._inner.read()
        self.read_bytes += len(data)
        return data

    def write(self, data: bytes) -> None:
        self._inner.write(data)

    async def close(self) -> None:
        await self._inner.close()


class Table:
    """A shoe, its port, and the driver that reads it."""

    def __init__(self, port: Port, shoe: AngelEyeShoe, cable: Watched) -> None:
        self.port = port
        self.shoe = shoe
        self.cable = cable
        self.clock = StoppedClock()
        self._transport: Counting | None = None
        unit = Unit(address=0, spec=SHOE)
        line = Line(
            name="shoe",
            url=port.url,
            serial=SHOE.serial,
            family=PROTOCOLS[SHOE.protocol],
            devices=(LineDevice(device=READER_WIRING.device, unit=unit, wiring=READER_WIRING),),
        )
        self.fleet = Fleet([line], self.clock, open_port=self._open, policy=replace(IMPATIENT), seed=1)
        self.record = Record(self.fleet.observations)

    async def until_read(self) -> None:
        """Wait until the driver has read everything that the cable delivered, or the plug is out."""

        def is_read() -> bool:
            transport = self._transport
            read = transport is not None and transport.read_bytes >= self.cable.delivered
            return read or not self.port.plugged_in

        await eventually(is_read)

    async def plugged_in(self) -> None:
        """Put the plug in again if it is out, and wait for the driver."""
        if self.port.plugged_in:
            return
        before = len(self.record.of(DeviceReady))
        self.cable.delivered = 0
        self.port.plug_in()
        await eventually(lambda: len(self.record.of(DeviceReady)) > before)

    async def draw(self, drawn: Drawn) -> None:
        """Draw a card, and let the time pass that a dealer takes."""
        await self.plugged_in()
        self.shoe.draw(*drawn)
        await self.until_read()
        self.clock.ahead_us += BETWEEN_CARDS_US

    async def finish(self) -> list[TableEvent]:
        """Let the shoe stand by over a sound cable; return everything that the driver has told."""
        self.cable.is_sound = True
        await self.plugged_in()
        self.shoe.stand_by()
        await self.record.until(ShoeStoodBy)
        return self.record.events()

    async def _open(self, url: str, serial: SerialSettings) -> Transport:
        self._transport = Counting(await open_transport(url, serial))
        return self._transport


@asynccontextmanager
async def shoe_table(
    folder: Path, cable: Cable, *, over_tcp: bool, pacing: Pacing = UNPACED
) -> AsyncIterator[Table]:
    """Put a shoe on a port, and a driver at the other end of it."""
    shoe, watched = AngelEyeShoe(), Watched(cable)
    cables = Cables(to_host=watched)
    port: Port = (
        TcpPort(shoe, cables=cables, pacing=pacing)
        if over_tcp
        else PtyPort(shoe, folder / "shoe", cables=cables, pacing=pacing)
    )
    async with hosted(port):
        table = Table(port, shoe, watched)
        async with background(table.fleet.run):
            await table.record.until(DeviceReady)
            yield table


def draws(seed: int, count: int) -> list[Drawn]:
    """Return cards in random order, no two of which are the same card for the same side."""
    chance = random.Random(seed)  # noqa: S311 - as above
    drawn = [
        (Card(rank, suit), target, chance.randint(1, 3))
        for rank in Rank
        for suit in Suit
        for target in (DealTarget.PLAYER, DealTarget.BANKER)
    ]
    chance.shuffle(drawn)
    return drawn[:count]


@dataclass(frozen=True)
class Tally:
    """What became of the cards."""

    right: int
    missing: int
    irregularities: int


def judge(drawn: list[Drawn], events: list[TableEvent]) -> Tally:
    """Fail if a card is not the next that was drawn, or if one is missing and nobody was told."""
    at, told, right, irregularities = 0, False, 0, 0
    for event in events:
        match event:
            case CardDrawn(card=Card() as card, target=target, place=place):
                assert (card, target, place) in drawn[at:], f"a wrong card, or one twice: {event}"
                found = drawn.index((card, target, place))
                assert found == at or told, f"cards {at} to {found - 1} are missing and nobody was told"
                at, told, right = found + 1, False, right + 1
            case CardUnread() | ShoeReportLost() | DeviceLost():
                told = True
                irregularities += 1
            case _:
                pass
    assert at == len(drawn) or told, f"the cards from {at} on are missing and nobody was told"
    return Tally(right, len(drawn) - right, irregularities)


async def campaign(folder: Path, cable: Cable, *, over_tcp: bool, seed: int, count: int) -> Tally:
    """Draw cards over a bad cable, and judge what was made of them."""
    drawn = draws(seed, count)
    async with shoe_table(folder, cable, over_tcp=over_tcp) as table:
        for one in drawn:
            await table.draw(one)
        return judge(drawn, await table.finish())


async def _run(chosen: argparse.Namespace) -> None:
    total = Tally(0, 0, 0)
    for seed in range(chosen.seed, chosen.seed + chosen.campaigns):
        noise = (seed % 5) / 100
        cable: Cable = FaultyCable(seed=seed, chances=EVERYTHING)
        if seed % 2:
            cable = NoisyCable(seed=seed, bit_errors=noise)
        with tempfile.TemporaryDirectory() as folder:
            tally = await campaign(
                Path(folder), cable, over_tcp=bool(seed // 2 % 2), seed=seed, count=chosen.draws
            )
        total = Tally(
            total.right + tally.right,
            total.missing + tally.missing,
            total.irregularities + tally.irregularities,
        )
        sys.stdout.write(f"seed {seed}: {tally}\n")
    sys.stdout.write(f"no wrong card; in all {total}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Draw cards over bad cables; stop at the first wrong one.")
    parser.add_argument("--campaigns", type=int, default=100)
    parser.add_argument("--draws", type=int, default=DRAWS_MAX)
    parser.add_argument("--seed", type=int, default=1)
    logging.disable(logging.WARNING)  # that a plug comes out is what is tried here
    asyncio.run(_run(parser.parse_args()))
