"""The real chain, measured: daemon and rules worker as they run at a table, on simulated devices.

Rounds are played as fast as devices can be seen to have been polled, and only by what can be seen of the
devices, so that nobody else has work to do while a card is on its way. Each round takes one sample of each
kind: a chip, the lock-out button, and the card that decides a Royal Match paid at once.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import aiomqtt

from bridge.config import TableConfig, load_table
from bridge.contracts.codec import decode
from bridge.contracts.envelopes import DeviceEnvelope, Envelope, HealthEnvelope, RoundEnvelope
from bridge.contracts.topics import topic_filter
from bridge.demo.stage import table_lines
from bridge.domain.cards import Card
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.devices import DeviceState, DeviceStatus
from bridge.domain.indicators import Indicator, Lamp
from bridge.domain.setup import (
    DealerKeyInput,
    IndicatorOutput,
    InputRole,
    LockOutButton,
    LockOutput,
    OutputRole,
    WagerSensor,
)
from bridge.domain.wagers import BettingPosition, WagerKind
from simulators.scenario import ScriptedRound
from simulators.table import SimulatedTable, simulated_table
from simulators.table_ports import Hosting
from tests.benchmarks.brokers import Broker
from tests.benchmarks.figures import RealFigures
from tests.benchmarks.processes import bridge_options, process, resident_bytes
from tests.benchmarks.tap import Tap

_PATIENCE_S = 30
_PROGRESSIVE = WagerKind.ROYAL_MATCH_PROGRESSIVE
_DAEMON, _WORKER = "daemon", "rules-worker"
_LOSERS = tuple(
    (Card.parse(first), Card.parse(second))
    for first, second in (pair.split() for pair in ("2c 7d", "4h 9s", "6c Jd", "3s 8h", "5d Tc", "7h 2s", "9c 4d"))
)
"""Hands that win nothing, one for each position."""
_WINNER = (Card.parse("Ks"), Card.parse("Qs"))
_UP_CARD, _HOLE_CARD = Card.parse("9d"), Card.parse("8c")


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """Where something is connected."""

    tap: Tap
    unit: int
    channel: int
    debounce_polls: int


class BenchedTable:
    """A simulated table with a tap on each of its lines, and what is connected where."""

    def __init__(self, config: TableConfig, table: SimulatedTable, taps: Mapping[str, Tap]) -> None:
        self.config = config
        self.table = table
        self._taps = taps

    def forget(self) -> None:
        """Let every tap start afresh."""
        for tap in self._taps.values():
            tap.forget()

    def input(self, wanted: InputRole) -> Channel:
        """Return where an input of the table is connected."""
        return next(
            self._channel(line.name, device.unit.address, channel, device.unit.spec.parameters)
            for line in self.config.lines
            for device in line.devices
            for channel, role in device.wiring.inputs
            if role == wanted
        )

    def output(self, serves: OutputRole | Indicator) -> Channel:
        """Return where the lock, or a lamp, is connected."""
        return next(
            self._channel(line.name, device.unit.address, channel, device.unit.spec.parameters)
            for line in self.config.lines
            for device in line.devices
            for channel, role in device.wiring.outputs
            if role == serves or (isinstance(role, IndicatorOutput) and serves in role.indicators)
        )

    def reaction_ns(self, cause: InputRole, effect: OutputRole | Indicator) -> int:
        """Return from the reply that ended an input's debounce to the request that switches an output on."""
        seen, driven = self.input(cause), self.output(effect)
        seen_ns = seen.tap.seen_active_ns(seen.unit, seen.channel, seen.debounce_polls)
        return driven.tap.switched_on_ns(driven.unit, driven.channel) - seen_ns

    def _channel(self, line: str, unit: int, channel: int, parameters: Mapping[str, object]) -> Channel:
        polls = parameters["debounce_polls"]
        assert isinstance(polls, int)
        return Channel(tap=self._taps[line], unit=unit, channel=channel, debounce_polls=polls)


@asynccontextmanager
async def benched_table(config: TableConfig, directory: Path) -> AsyncIterator[BenchedTable]:
    """Put the table's devices on pseudo-terminals that carry bytes in no time."""
    async with simulated_table(
        config.setup, table_lines(config), Hosting(directory=directory, paced=False)
    ) as table:
        taps = {name: Tap(port.line) for name, port in table.ports.items()}
        for name, tap in taps.items():
            table.ports[name].line = tap
        yield BenchedTable(config, table, taps)


async def measure_real_chain(
    broker: Broker, file: Path, directory: Path, *, samples: int, warm_up: int, pause_s: float
) -> RealFigures:
    """Start daemon and rules worker together, play, and return what was measured."""
    config, figures = load_table(file), RealFigures()
    async with AsyncExitStack() as stack:
        bench = await stack.enter_async_context(benched_table(config, directory / "ports"))
        options = bridge_options(file, broker.host, broker.port, directory / "var", bench.table.paths)
        started_ns = time.time_ns()
        daemon, worker = [
            await stack.enter_async_context(process("bridge", name, *options, log=directory / f"{name}.log"))
            for name in (_DAEMON, _WORKER)
        ]
        client = await stack.enter_async_context(aiomqtt.Client(broker.host, broker.port))
        ready_ns = await until_ready_ns(client, config, started_ns)
        figures.daemon_ready.add(ready_ns[_DAEMON])
        figures.worker_ready.add(ready_ns[_WORKER])
        for number in range(warm_up + samples):
            async with asyncio.timeout(_PATIENCE_S):
                await _play(bench, client, number, pause_s, figures if number >= warm_up else RealFigures())
        figures.daemon_bytes.append(resident_bytes(daemon))
        figures.worker_bytes.append(resident_bytes(worker))
    return figures


async def until_ready_ns(client: aiomqtt.Client, config: TableConfig, started_ns: int) -> dict[str, int]:
    """Return after how long each process was there, and with the daemon all its devices.

    What a process said before it was started now does not count: the broker keeps the words of the last one.
    """
    devices = {wiring.device for wiring in config.setup.wiring}
    missing: dict[str, set[str]] = {_DAEMON: {_DAEMON, *devices}, _WORKER: {_WORKER}}
    ready_ns: dict[str, int] = {}
    topics = [topic_filter(envelope, table=config.setup.table) for envelope in (HealthEnvelope, DeviceEnvelope)]
    async with asyncio.timeout(_PATIENCE_S), _heard(client, *topics) as envelopes:
        async for said in envelopes:
            if said.epoch * 1000 < started_ns:
                continue
            there = _there(said)
            for process_, names in missing.items():
                names.discard(there)
                if not names:
                    ready_ns.setdefault(process_, time.time_ns() - started_ns)
            if len(ready_ns) == len(missing):
                break
    return ready_ns


async def _dealt(client: aiomqtt.Client, config: TableConfig, cards: int) -> None:
    """Wait until the table has published a round with so many cards; then nobody here listens any more."""
    async with _heard(client, topic_filter(RoundEnvelope, table=config.setup.table)) as envelopes:
        async for said in envelopes:
            match said:
                case RoundEnvelope(round=round_) if sum(len(hand.cards) for hand in round_.hands) == cards:
                    return
                case _:
                    pass


@asynccontextmanager
async def _heard(client: aiomqtt.Client, *topics: str) -> AsyncIterator[AsyncIterator[Envelope]]:
    """Listen to topics for as long as the body, and to nothing that came later; what is retained comes first."""
    for topic in topics:
        await client.subscribe(topic, qos=1)
    try:
        yield (decode(str(message.topic), bytes(message.payload)) async for message in client.messages)
    finally:
        for topic in topics:
            await client.unsubscribe(topic)
        while len(client.messages):
            await anext(client.messages)


def _there(said: Envelope) -> str:
    """Return whom a message says to be there, if it says so of anybody."""
    match said:
        case HealthEnvelope(online=True, service=service):
            return service
        case DeviceEnvelope(status=DeviceStatus(state=DeviceState.READY, device=device)):
            return device
        case _:
            return ""


async def _play(
    bench: BenchedTable, client: aiomqtt.Client, number: int, pause_s: float, figures: RealFigures
) -> None:
    """Play one round and add its samples; another position wins than in the round before."""
    table, order = bench.table, bench.config.setup.deal_order
    winner = order[number % len(order)]
    script = _script(order, winner)
    await table.until(table.unlocked)
    for position in order:
        table.lay_chip(position, WagerKind.BLACKJACK)
    await table.until_sensors_seen()

    await _rest(bench, pause_s)
    table.lay_chip(winner, _PROGRESSIVE)
    await table.until(lambda: table.lit(Lamp.WAGER_ACCEPTED) == {winner})
    figures.chip_to_lamp.add(
        bench.reaction_ns(WagerSensor(position=winner, wager=_PROGRESSIVE), Indicator(winner, Lamp.WAGER_ACCEPTED))
    )
    for position in order:
        table.lay_chip(position, _PROGRESSIVE)
    await table.until(lambda: table.lit(Lamp.WAGER_ACCEPTED) == set(order))

    await _rest(bench, pause_s)
    async with table.held(LockOutButton()):
        await table.until(table.locked)
    figures.button_to_lock.add(bench.reaction_ns(LockOutButton(), LockOutput()))

    for position in order:
        table.take_chip(position, _PROGRESSIVE)
    await table.until_sensors_seen()
    async with table.held(DealerKeyInput(key=DealerKey.COUNT_AGREED)):
        pass
    *cards, deciding = script.initial_deal(order)
    for card in cards:
        table.reader.show(card)
    await _dealt(client, bench.config, len(cards))

    await _rest(bench, pause_s)
    shown_ns = time.monotonic_ns()
    table.reader.show(deciding)
    await table.until(lambda: table.lit(Lamp.ROYAL_MATCH) == {winner})
    lamp = bench.output(Indicator(winner, Lamp.ROYAL_MATCH))
    figures.card_to_lamp.add(lamp.tap.switched_on_ns(lamp.unit, lamp.channel) - shown_ns)

    for position in order:
        table.take_chip(position, WagerKind.BLACKJACK)
    await table.until_sensors_seen()
    while not table.unlocked():
        async with table.held(DealerKeyInput(key=DealerKey.ROUND_COMPLETE)):
            pass


async def _rest(bench: BenchedTable, pause_s: float) -> None:
    """Let everything that was begun be finished, as between two movements of a dealer."""
    await asyncio.sleep(pause_s)
    bench.forget()


def _script(order: Sequence[BettingPosition], winner: BettingPosition) -> ScriptedRound:
    """Return a round of a full table in which one position has a Royal Match against a nine."""
    hands = {position: _LOSERS[place] for place, position in enumerate(order)} | {winner: _WINNER}
    return ScriptedRound(
        blackjack=tuple(order),
        progressive=tuple(order),
        hands=tuple(hands.items()),
        up_card=_UP_CARD,
        hole_card=_HOLE_CARD,
    )
