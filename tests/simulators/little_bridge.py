"""A bridge without journal and broker: the table's own drivers, rules of play and settlement, in one task.

People and simulated devices are tried against it, and it is their display.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from bridge.clock import SystemClock
from bridge.config.load import load_table
from bridge.config.table_config import TableConfig
from bridge.demo.stage import table_lines
from bridge.domain.commands import PublishRound, PublishTable, SetIndicator, SetLock
from bridge.domain.confirmations import Confirmation
from bridge.domain.devices import DeviceStatus
from bridge.domain.events import BridgeStarted, GamingDayBegan, IndicatorRequested, PersonConfirmed, TableEvent
from bridge.domain.identity import PersonId
from bridge.domain.indicators import LampState
from bridge.domain.people import PersonRole
from bridge.domain.rounds import Round
from bridge.domain.settlements import Settlement
from bridge.domain.table_view import TableView
from bridge.drivers.fleet import Fleet
from bridge.drivers.line import LineDevice
from bridge.rules.indicators import win_lamps
from bridge.rules.settlement import settle
from bridge.rules.submission import RulesSubmission
from bridge.table.answers import answer
from bridge.table.evolve import evolve
from bridge.table.react import react
from bridge.table.state import initial_state
from bridge.table.view import view
from simulators.device import Signal
from simulators.running import running
from simulators.table import SimulatedTable, simulated_table
from simulators.table_ports import Hosting

DEMONSTRATION = Path(__file__).parents[2] / "simulators" / "tables" / "blackjack.toml"


class LittleBridge:
    """Fold what the devices say, do what the table asks, settle at once; show it to the people."""

    def __init__(self, config: TableConfig, fleet: Fleet) -> None:
        self.state = initial_state(config.setup)
        self.finished: list[tuple[Round, Settlement]] = []
        """Every closed round with its settlement."""
        self.views: list[TableView] = []
        """Everything the display showed."""
        self.confirmed: list[Confirmation] = []
        self._submission: RulesSubmission = config.submission
        self._fleet = fleet
        self._clock = SystemClock()
        self._changed = Signal()
        self._people = dict(config.people)

    async def run(self) -> None:
        at = self._clock.wall()
        self._take(BridgeStarted(at=at, version="0", setup=self.state.setup))
        self._take(GamingDayBegan(at=at, day="2026-11-29"))
        while True:
            observed = await self._fleet.observations.get()
            if not isinstance(observed, DeviceStatus):
                self._take(observed)

    async def until(self, condition: Callable[[TableView], bool]) -> TableView:
        await self._changed.until(lambda: condition(view(self.state)))
        return view(self.state)

    async def until_round(self, condition: Callable[[Round], bool]) -> Round:
        await self._changed.until(lambda: condition(self.state.round))
        return self.state.round

    async def confirm(self, by: PersonId, confirmation: Confirmation) -> None:
        self.confirmed.append(confirmation)
        role = self._people.get(by, PersonRole.DEALER)
        self._take(PersonConfirmed(at=self._clock.wall(), by=by, role=role, confirmation=confirmation))

    def _take(self, event: TableEvent) -> None:
        before = self.state
        self.state = evolve(before, event)
        self.views.append(view(self.state))
        if before.round.locked and not self.state.round.locked:
            self.finished.append((before.round, settle(before.round, self._submission)))
        for command in react(before, event, self.state):
            match command:
                case SetLock() | SetIndicator():
                    self._fleet.perform(command)
                case PublishRound(round=round_):
                    self._settle(round_)
                case PublishTable():
                    pass
        self._changed.notify()

    def _settle(self, round_: Round) -> None:
        settlement = settle(round_, self._submission)
        complete = settlement.all_decided and not settlement.awaiting
        at = self._clock.wall()
        self._take(answer(settlement, self.state, answers=self.state.sequence, complete=complete, at=at))
        for indicator, wanted in win_lamps(settlement, round_, self.state.setup.deal_order):
            if wanted is LampState.ON and indicator not in self.state.win_lamps:
                self._take(
                    IndicatorRequested(
                        at=at, round_number=settlement.round_number, indicator=indicator, state=LampState.ON
                    )
                )


def polled_often(config: TableConfig) -> TableConfig:
    """Let the bridge poll as fast as it can: a pseudo-terminal is quicker than RS-485.

    A millisecond for each device, so that a round of polls leaves time for everything else on a crowded machine
    too: in memory an answer is there in the very call, and who is always due to ask never lets go of the loop.
    """
    period_ms = sum(len(line.devices) for line in config.lines)

    def hurried(device: LineDevice) -> LineDevice:
        spec = device.unit.spec
        if "poll_period_ms" not in spec.parameters:
            return device
        quick = replace(spec, parameters={**spec.parameters, "poll_period_ms": period_ms})
        return replace(device, unit=replace(device.unit, spec=quick))

    lines = (replace(line, devices=tuple(map(hurried, line.devices))) for line in config.lines)
    return replace(config, lines=tuple(lines))


@asynccontextmanager
async def bridged_table(
    directory: Path, *, table: Path = DEMONSTRATION
) -> AsyncIterator[tuple[SimulatedTable, LittleBridge]]:
    """Put the demonstration's table on pseudo-terminals, with a bridge at the other end."""
    config = polled_often(load_table(table))
    hosting = Hosting(directory=directory, paced=False)
    async with simulated_table(config.setup, table_lines(config), hosting) as simulated:
        config = config.with_ports(simulated.paths)
        fleet = Fleet(config.lines, SystemClock(), seed=1)
        bridge = LittleBridge(config, fleet)
        async with running(fleet.run(), name="fleet"), running(bridge.run(), name="little bridge"):
            yield simulated, bridge
