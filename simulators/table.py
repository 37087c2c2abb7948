"""All the simulated devices of one table, wired as its configuration says.

People do not know channels: here a position's sensor is covered, a key held down, a lamp seen.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager

from bridge.domain.errors import BridgeError
from bridge.domain.identity import DeviceId
from bridge.domain.indicators import Indicator, Lamp
from bridge.domain.setup import CoinSlot, IndicatorOutput, InputRole, LockOutput, TableSetup, WagerSensor
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.wire import hid_pos_reports
from bridge.wire.cctalk_frames import Check
from bridge.wire.cctalk_text import coins_of
from bridge.wire.modbus_map import map_of
from bridge.wire.protocols import hid_pos, iso15693
from bridge.wire.shoe_text import INCLUDE_ENQ
from bridge.wire.spec import READS_CARDS, Unit
from simulators.alpha_sign import MeterSign
from simulators.angel_eye import AngelEyeShoe
from simulators.blinkstick import BlinkStick
from simulators.cctalk_acceptor import COINS, CctalkLine, CoinAcceptor
from simulators.delcom import DelcomButton
from simulators.device import Signal, SimulatedCardReader, SimulatedDevice, SimulatedLine
from simulators.feig_reader import FeigLine, FeigReader
from simulators.generic_line import GenericDevice
from simulators.hid_pos import CardScanner, LineModeReader
from simulators.hid_pos_usb import HoneywellReader, NewlandReader, WedgeReader
from simulators.host import Port
from simulators.modbus_io import ModbusIoModule, ModbusLine
from simulators.rapidradio_reader import RapidRadioReader
from simulators.table_ports import Hosting, TableLine, table_ports
from simulators.xkeys import XkeysPanel

SEEN_POLLS = 3
"""Polls after which a bridge that debounces by two has seen a level; one may have been under way."""


class TableWiringError(BridgeError):
    """The table has no device for what people want to do, or one that nobody simulates."""


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


def simulate_line(
    line: TableLine,
    devices: dict[DeviceId, SimulatedDevice],
    readers: dict[DeviceId, SimulatedCardReader],
    signs: dict[DeviceId, MeterSign] | None = None,
) -> SimulatedLine:
    """Return a line with the simulated devices on it, and add them to those of the table, by kind."""
    protocols = {unit.spec.protocol for _, unit in line.devices}
    match sorted(protocols):
        case ["modbus_rtu"]:
            modules = {device: simulate_module(unit) for device, unit in line.devices}
            devices.update(modules)
            return ModbusLine(modules.values())
        case ["cctalk_acceptor"]:
            acceptors = {device: simulate_acceptor(unit) for device, unit in line.devices}
            devices.update(acceptors)
            return wire_of(acceptors.values(), line.devices[0][1])
        case ["delcom_switch"] if len(line.devices) == 1:
            device, unit = line.devices[0]
            button = simulate_button(unit)
            devices[device] = button
            return button
        case ["xkeys"] if len(line.devices) == 1:
            device, unit = line.devices[0]
            panel = simulate_panel(unit)
            devices[device] = panel
            return panel
        case ["hid_pos"] if len(line.devices) == 1:
            device, unit = line.devices[0]
            reader = simulate_reader(unit)
            readers[device] = reader
            return reader
        case ["angel_eye"] if len(line.devices) == 1:
            device, unit = line.devices[0]
            shoe = simulate_shoe(unit)
            readers[device] = shoe
            return shoe
        case ["generic_line"] if len(line.devices) == 1:
            device, unit = line.devices[0]
            built = GenericDevice(inputs=unit.spec.inputs, outputs=unit.spec.outputs)
            devices[device] = built
            if unit.spec.parameters.get(READS_CARDS) is True:
                readers[device] = built
            return built
        case ["blinkstick"] if len(line.devices) == 1:
            device, unit = line.devices[0]
            lamps = BlinkStick(unit.spec.outputs)
            devices[device] = lamps
            return lamps
        case ["alpha_sign"] if len(line.devices) == 1:
            device, unit = line.devices[0]
            sign = simulate_sign(unit)
            if signs is not None:
                signs[device] = sign
            return sign
        case ["iso15693"]:
            feig = [unit for _, unit in line.devices if unit.spec.parameters.get("reader") == iso15693.FEIG]
            if not feig:
                device, unit = line.devices[0]
                alone = RapidRadioReader(usb=unit.spec.parameters.get("reader") == iso15693.RAPIDRADIO_USB)
                devices[device] = alone
                return alone
            chip_readers = {device: FeigReader(unit.address) for device, unit in line.devices}
            devices.update(chip_readers)
            return FeigLine(chip_readers.values())
        case found:
            raise TableWiringError(
                f"line {line.name}: nothing here simulates {len(line.devices)} devices of {', '.join(found)}"
            )


def simulate_module(unit: Unit) -> ModbusIoModule:
    """Return a module as its profile states it."""
    spec = unit.spec
    return ModbusIoModule(
        unit.address,
        active_low=spec.parameters["active_low"] is True,
        places=map_of(spec),
        extended=spec.parameters["check_output_modes"] is True,
    )


def simulate_acceptor(unit: Unit) -> CoinAcceptor:
    """Return an acceptor whose first coins are those that its profile names, if it names any."""
    name = str(unit.spec.parameters.get("coin_id", ""))
    taken = coins_of(int(unit.spec.parameters["coins_taken"]).to_bytes(2, "little"))
    return CoinAcceptor(unit.address, coins={**COINS, **dict.fromkeys(taken, f"{name or COINS[1]:.<6}")})


def wire_of(acceptors: Iterable[CoinAcceptor], unit: Unit) -> CctalkLine:
    """Return the wire that acceptors are on, with or without echo as the profile of one states it."""
    parameters = unit.spec.parameters
    return CctalkLine(acceptors, echo=parameters["echo"] is True, check=Check(str(parameters["check"])))


def simulate_button(unit: Unit) -> DelcomButton:
    """Return a lighted button as its profile states it."""
    parameters = unit.spec.parameters
    return DelcomButton(
        active_low=parameters["active_low"] is True, numbered_answers=parameters["numbered_answers"] is True
    )


def simulate_panel(unit: Unit) -> XkeysPanel:
    """Return a panel as its profile states it, with the unit id that is asked for."""
    return XkeysPanel(unit.spec, unit_id=max(0, int(unit.spec.parameters["unit_id"])))


def simulate_reader(unit: Unit) -> CardScanner:
    """Return a reader of cards that carry the codes of its profile, in the language that it states."""
    codes = {card: code for code, card in unit.spec.card_codes.items()}
    match unit.spec.parameters.get("mode"):
        case hid_pos_reports.HONEYWELL:
            return HoneywellReader(codes, needs_hid_mode=unit.spec.parameters.get("hid_mode_report") is True)
        case hid_pos_reports.NEWLAND:
            return NewlandReader(codes)
        case hid_pos.WEDGE:
            return WedgeReader(codes)
        case _:
            return LineModeReader(codes)


def simulate_sign(unit: Unit) -> MeterSign:
    """Return a sign at its address; one that hears what is for all signs has the first."""
    can_acknowledge = unit.spec.parameters.get("acknowledges") is True
    return MeterSign(address=f"{unit.address or 1:02X}", can_acknowledge=can_acknowledge)


def simulate_shoe(unit: Unit) -> AngelEyeShoe:
    """Return a shoe as its profile states it."""
    parameters = unit.spec.parameters
    return AngelEyeShoe(
        cmd_bcc_includes_stx=parameters.get("cmd_bcc_includes_stx") is not False,
        bcc_includes_enq=parameters.get("bcc_in") == INCLUDE_ENQ,
    )


def _seen_polls(lines: Sequence[TableLine]) -> int:
    """Return the polls after which a bridge has seen a level: its debounce, and one that may be under way.

    A chip that is gone has to be missed several times.
    """
    units = [unit for line in lines for _, unit in line.devices]
    debounces = [int(unit.spec.parameters.get("debounce_polls", SEEN_POLLS - 1)) for unit in units]
    debounces += [int(unit.spec.parameters.get("gone_after", 0)) for unit in units]
    return 1 + max(debounces, default=SEEN_POLLS - 1)
