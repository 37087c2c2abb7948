"""All the simulated devices of one table, wired as its configuration says.

People do not know channels: here a position's sensor is covered, a key held down, a lamp seen.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager

from bridge.domain.errors import BridgeError
from bridge.domain.identity import DeviceId
from bridge.domain.indicators import Indicator, Lamp
from bridge.domain.setup import CoinSlot, IndicatorOutput, InputRole, LockOutput, TableSetup, WagerSensor
from bridge.domain.wagers import BettingPosition, WagerKind
from simulators.alpha_sign import MeterSign
from simulators.device import Signal, SimulatedCardReader, SimulatedDevice
from simulators.models import simulate_line
from simulators.port import Port
from simulators.table_ports import Hosting, TableLine, table_ports

SEEN_POLLS = 3
"""Polls after which a bridge that debounces by two has seen a level; one may have been under way."""


class TableWiringError(BridgeError):
    """The table has no device for what people want to do."""


class SimulatedTable:
    """What people can touch and see at a table."""

    def __init__(
        self,
        setup: TableSetup,
        devices: Mapping[DeviceId, SimulatedDevice],
        readers: Mapping[DeviceId, SimulatedCardReader],
        *,
        signs: Mapping[DeviceId, MeterSign] | None = None,
        seen_polls: int = SEEN_POLLS,
    ) -> None:
        self.setup = setup
        self.signs = dict(signs or {})
        self.devices = dict(devices)
        self.readers = dict(readers)
        self.ports: dict[str, Port] = {}
        """The ports of the lines, by name, while the table is hosted."""
        self._seen_polls = seen_polls
        self._seen = Signal()
        self._inputs: dict[InputRole, tuple[SimulatedDevice, int]] = {}
        self._areas: dict[tuple[BettingPosition, WagerKind], tuple[SimulatedDevice, int]] = {}
        self._lamps: dict[Indicator, tuple[SimulatedDevice, int]] = {}
        self._locks: list[tuple[SimulatedDevice, int]] = []
        for wiring in setup.wiring:
            if wiring.device in self.devices:
                device = self.devices[wiring.device]
                device.outputs.also_notify(self._seen)
                self._inputs |= {role: (device, channel) for channel, role in wiring.inputs}
                self._areas |= {
                    (role.position, role.wager): (device, channel)
                    for channel, role in wiring.inputs
                    if isinstance(role, WagerSensor | CoinSlot)
                }
                for channel, role in wiring.outputs:
                    match role:
                        case IndicatorOutput(indicators=indicators):
                            self._lamps |= dict.fromkeys(indicators, (device, channel))
                        case LockOutput():
                            self._locks.append((device, channel))

    @property
    def paths(self) -> dict[str, str]:
        """What the bridge opens, by name of the line."""
        return {name: port.url for name, port in self.ports.items()}

    @property
    def reader(self) -> SimulatedCardReader:
        """The card reader; raise ``TableWiringError`` if the table has none, or several."""
        if len(self.readers) != 1:
            raise TableWiringError(f"cards are shown to one card reader, and this table has {len(self.readers)}")
        return next(iter(self.readers.values()))

    def lay_chip(self, position: BettingPosition, wager: WagerKind) -> None:
        """Cover the wagering area of a position, or drop a coin into its slot."""
        device, channel = self._area(position, wager)
        device.inputs.set(channel, active=True)

    def take_chip(self, position: BettingPosition, wager: WagerKind) -> None:
        """Empty the wagering area of a position; a coin is gone whatever is done about it."""
        device, channel = self._area(position, wager)
        device.inputs.set(channel, active=False)

    @asynccontextmanager
    async def held(self, role: InputRole) -> AsyncIterator[None]:
        """Hold a button or key down; it was seen down when the body begins, and up afterwards."""
        device, channel = self._input(role)
        device.inputs.set(channel, active=True)
        try:
            await device.until_polled(self._seen_polls)
            yield
        finally:
            device.inputs.set(channel, active=False)
        await device.until_polled(self._seen_polls)

    async def until_sensors_seen(self) -> None:
        """Wait until the bridge has seen what every sensor shows now."""
        sensors = [device for device, _ in self._areas.values()]
        await asyncio.gather(*(device.until_polled(self._seen_polls) for device in dict.fromkeys(sensors)))

    def lit(self, lamp: Lamp) -> frozenset[BettingPosition]:
        """Return the positions at which a lamp is lit, as its device's output shows."""
        return frozenset(
            indicator.position
            for indicator, (device, channel) in self._lamps.items()
            if indicator.lamp is lamp and channel in device.outputs.active
        )

    def locked(self) -> bool:
        """Return whether every hardware lock-out is engaged; True where there is none."""
        return all(channel in device.outputs.active for device, channel in self._locks)

    def unlocked(self) -> bool:
        """Return whether every hardware lock-out is released; True where there is none."""
        return not any(channel in device.outputs.active for device, channel in self._locks)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition on lamps and locks holds; it is looked at after each change of an output."""
        await self._seen.until(condition)

    def has(self, role: InputRole) -> bool:
        """Return whether an input serves a role."""
        return role in self._inputs

    def _area(self, position: BettingPosition, wager: WagerKind) -> tuple[SimulatedDevice, int]:
        if (position, wager) not in self._areas:
            raise TableWiringError(
                f"table {self.setup.table} has no simulated area of {wager} at position {position}"
            )
        return self._areas[position, wager]

    def _input(self, role: InputRole) -> tuple[SimulatedDevice, int]:
        if role not in self._inputs:
            raise TableWiringError(f"no simulated input of table {self.setup.table} serves {role}")
        return self._inputs[role]


@asynccontextmanager
async def simulated_table(
    setup: TableSetup, lines: Sequence[TableLine], hosting: Hosting
) -> AsyncIterator[SimulatedTable]:
    """Put the devices of a table on ports, one for each line."""
    devices: dict[DeviceId, SimulatedDevice] = {}
    readers: dict[DeviceId, SimulatedCardReader] = {}
    signs: dict[DeviceId, MeterSign] = {}
    simulated = {line.name: simulate_line(line, devices, readers, signs) for line in lines}
    table = SimulatedTable(setup, devices, readers, signs=signs, seen_polls=_seen_polls(lines))
    async with table_ports(lines, simulated, hosting) as ports:
        table.ports.update(ports)
        yield table


def _seen_polls(lines: Sequence[TableLine]) -> int:
    """Return the polls after which a bridge has seen a level: its debounce, and one that may be under way.

    A chip that is gone has to be missed several times.
    """
    units = [unit for line in lines for _, unit in line.devices]
    debounces = [int(unit.spec.parameters.get("debounce_polls", SEEN_POLLS - 1)) for unit in units]
    debounces += [int(unit.spec.parameters.get("gone_after", 0)) for unit in units]
    return 1 + max(debounces, default=SEEN_POLLS - 1)
