"""Which simulator stands for which device model, set up as its profile states it."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from bridge.domain.errors import BridgeError
from bridge.domain.identity import DeviceId
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
from simulators.device import SimulatedCardReader, SimulatedDevice, SimulatedLine
from simulators.feig_reader import FeigLine, FeigReader
from simulators.generic_line import GenericDevice
from simulators.hid_pos import CardScanner, LineModeReader
from simulators.hid_pos_usb import HoneywellReader, NewlandReader, WedgeReader
from simulators.modbus_io import ModbusIoModule, ModbusLine
from simulators.rapidradio_reader import RapidRadioReader
from simulators.table_ports import TableLine
from simulators.xkeys import XkeysPanel


class NotSimulatedError(BridgeError):
    """Nothing here simulates the devices of a line, or not that many on one."""


def simulate_line(
    line: TableLine,
    devices: dict[DeviceId, SimulatedDevice],
    readers: dict[DeviceId, SimulatedCardReader],
    signs: dict[DeviceId, MeterSign] | None = None,
) -> SimulatedLine:
    """Return a line with the simulated devices on it, and add them to those of the table, by kind.

    Raise ``NotSimulatedError``.
    """
    protocols, alone = {unit.spec.protocol for _, unit in line.devices}, len(line.devices) == 1
    match sorted(protocols):
        case ["modbus_rtu"]:
            modules = {device: simulate_module(unit) for device, unit in line.devices}
            devices.update(modules)
            return ModbusLine(modules.values())
        case ["cctalk_acceptor"]:
            acceptors = {device: simulate_acceptor(unit) for device, unit in line.devices}
            devices.update(acceptors)
            return wire_of(acceptors.values(), line.devices[0][1])
        case [protocol] if alone and protocol in _SWITCHES_AND_LAMPS:
            device, unit = line.devices[0]
            simulated = _SWITCHES_AND_LAMPS[protocol](unit)
            devices[device] = simulated
            return simulated
        case [protocol] if alone and protocol in _CARD_READERS:
            device, unit = line.devices[0]
            reader = _CARD_READERS[protocol](unit)
            readers[device] = reader
            return reader
        case ["generic_line"] if alone:
            device, unit = line.devices[0]
            built = GenericDevice(inputs=unit.spec.inputs, outputs=unit.spec.outputs)
            devices[device] = built
            if unit.spec.parameters.get(READS_CARDS) is True:
                readers[device] = built
            return built
        case ["alpha_sign"] if alone:
            device, unit = line.devices[0]
            sign = simulate_sign(unit)
            if signs is not None:
                signs[device] = sign
            return sign
        case ["iso15693"]:
            feig = [unit for _, unit in line.devices if unit.spec.parameters.get("reader") == iso15693.FEIG]
            if not feig:
                device, unit = line.devices[0]
                only = RapidRadioReader(usb=unit.spec.parameters.get("reader") == iso15693.RAPIDRADIO_USB)
                devices[device] = only
                return only
            chip_readers = {device: FeigReader(unit.address) for device, unit in line.devices}
            devices.update(chip_readers)
            return FeigLine(chip_readers.values())
        case found:
            raise NotSimulatedError(
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


def simulate_lamps(unit: Unit) -> BlinkStick:
    """Return as many lamps as its profile states."""
    return BlinkStick(unit.spec.outputs)


# By protocol, of devices that have a line to themselves.
_SWITCHES_AND_LAMPS: Final[Mapping[str, Callable[[Unit], DelcomButton | XkeysPanel | BlinkStick]]] = (
    MappingProxyType({"delcom_switch": simulate_button, "xkeys": simulate_panel, "blinkstick": simulate_lamps})
)
_CARD_READERS: Final[Mapping[str, Callable[[Unit], CardScanner | AngelEyeShoe]]] = MappingProxyType(
    {"hid_pos": simulate_reader, "angel_eye": simulate_shoe}
)
