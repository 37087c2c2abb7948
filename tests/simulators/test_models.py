from dataclasses import replace

import pytest

from bridge.domain.identity import DeviceId
from bridge.profiles import load_installed
from bridge.wire.modbus_frames import decode_frame, encode_frame
from bridge.wire.shoe_commands import LOCK, encode_command
from bridge.wire.spec import DeviceSpec, SerialSettings, Unit
from simulators.alpha_sign import MeterSign
from simulators.angel_eye import AngelEyeShoe
from simulators.blinkstick import BlinkStick
from simulators.cctalk_acceptor import CctalkLine
from simulators.delcom import DelcomButton
from simulators.device import SimulatedCardReader, SimulatedDevice
from simulators.feig_reader import FeigLine
from simulators.generic_line import GenericDevice
from simulators.hid_pos_usb import WedgeReader
from simulators.modbus_io import ModbusLine
from simulators.models import NotSimulatedError, simulate_line, simulate_module, simulate_sign
from simulators.rapidradio_reader import RapidRadioReader
from simulators.table_ports import TableLine
from simulators.xkeys import XkeysPanel
from tests.wire.acceptors import acceptor_spec, packet
from tests.wire.buttons import button_spec
from tests.wire.cables import modbus_spec
from tests.wire.panels import xk24_spec


def spec(protocol: str, **parameters: int | bool | str) -> DeviceSpec:
    return DeviceSpec(
        profile="p",
        title="t",
        protocol=protocol,
        serial=SerialSettings(),
        parameters=parameters,
        card_codes={},
        inputs=4,
        outputs=2,
        examples=(),
    )


@pytest.mark.parametrize(
    ("includes_stx", "bcc_in", "check"), [(True, "exclude_enq", b"62"), (False, "include_enq", b"67")]
)
def test_a_shoe_is_what_its_profile_says(includes_stx: bool, bcc_in: str, check: bytes) -> None:
    unit = Unit(address=0, spec=spec("angel_eye", cmd_bcc_includes_stx=includes_stx, bcc_in=bcc_in))
    line = TableLine(name="shoe", serial=SerialSettings(), devices=((DeviceId("shoe"), unit),))
    readers: dict[DeviceId, SimulatedCardReader] = {}
    shoe = simulate_line(line, {}, readers)
    assert isinstance(shoe, AngelEyeShoe)
    assert readers == {DeviceId("shoe"): shoe}
    said: list[bytes] = []
    shoe.connect(said.append)
    shoe.stand_by()
    assert said == [b"\x051P\x03" + check] * 3
    (answer,) = shoe.receive(encode_command(LOCK, includes_stx=includes_stx), 0)
    assert answer.data == b"\x06"


def test_a_module_is_what_its_profile_says() -> None:
    module = simulate_module(Unit(address=9, spec=modbus_spec(inputs=4, outputs=2, active_low=True)))
    assert (module.unit, module.inputs.count, module.outputs.count) == (9, 4, 2)
    (said,) = ModbusLine([module]).receive(encode_frame(9, 2, bytes.fromhex("00000004")), 0)
    assert decode_frame(said.data).data == bytes((1, 0b1111))


def test_a_board_of_another_make_has_its_channels_where_its_profile_has_them() -> None:
    board = modbus_spec(
        inputs=4,
        outputs=2,
        inputs_are="input_registers",
        inputs_from=0x81,
        outputs_from=16,
        check_output_modes=False,
    )
    module = simulate_module(Unit(address=9, spec=board))
    module.inputs.set(3, active=True)
    line = ModbusLine([module])

    def answer(function: int, data: str) -> str:
        (said,) = line.receive(encode_frame(9, function, bytes.fromhex(data)), 0)
        return decode_frame(said.data).data.hex()

    assert answer(4, "00810001") == "020004"
    assert answer(5, "0011ff00") == "0011ff00"
    assert answer(1, "00100002") == "0102"
    assert [answer(function, "00000001") for function in (1, 2, 4)] == ["02", "01", "02"]
    assert [answer(3, "10000002"), answer(5, "02000007"), answer(5, "00ffff00")] == ["01", "02", "02"]


def test_acceptors_are_what_their_profiles_say() -> None:
    device = replace(acceptor_spec(coins_taken=0b10, coin_id="EU100", echo=False), serial=SerialSettings())
    units = tuple((DeviceId(f"slot-{at}"), Unit(address=at, spec=device)) for at in (2, 3))
    devices: dict[DeviceId, SimulatedDevice] = {}
    line = simulate_line(TableLine(name="slots", serial=SerialSettings(), devices=units), devices, {})
    assert isinstance(line, CctalkLine)
    assert list(devices.values()) == list(line.acceptors.values())
    (said,) = line.receive(packet(3, 1, 184, 2), 0)
    assert said.data == packet(1, 3, 0, *b"EU100.")


@pytest.mark.parametrize(("device", "kind"), [(xk24_spec(unit_id=7), XkeysPanel), (button_spec(), DelcomButton)])
def test_usb_devices_are_what_their_profiles_say(device: DeviceSpec, kind: type) -> None:
    devices: dict[DeviceId, SimulatedDevice] = {}
    units = ((DeviceId("usb"), Unit(address=0, spec=device)),)
    line = simulate_line(TableLine(name="usb", serial=SerialSettings(), devices=units), devices, {})
    assert isinstance(line, kind)
    assert id(devices[DeviceId("usb")]) == id(line)
    assert getattr(line, "unit_id", 7) == 7


@pytest.mark.parametrize(
    "protocols",
    [
        ["cctalk"],
        ["xkeys", "xkeys"],
        ["delcom_switch", "delcom_switch"],
        ["modbus_rtu", "hid_pos"],
        ["hid_pos", "hid_pos"],
        ["angel_eye", "angel_eye"],
    ],
)
def test_a_line_that_nothing_simulates_is_refused(protocols: list[str]) -> None:
    units = tuple(
        (DeviceId(str(number)), Unit(address=number, spec=spec(protocol)))
        for number, protocol in enumerate(protocols, start=1)
    )
    line = TableLine(name="odd", serial=SerialSettings(), devices=units)
    with pytest.raises(NotSimulatedError, match=f"line odd: nothing here simulates {len(protocols)} devices of"):
        simulate_line(line, {}, {})


@pytest.mark.parametrize(
    ("profile", "kind", "touched", "reads"),
    [
        ("alpha_sign", MeterSign, False, False),
        ("blinkstick", BlinkStick, True, False),
        ("rrhfoem04", RapidRadioReader, True, False),
        ("generic_line", GenericDevice, True, False),
        ("hid_pos_wedge", WedgeReader, False, True),
    ],
)
def test_every_profile_is_simulated_by_its_device(profile: str, kind: type, touched: bool, reads: bool) -> None:
    device, model = DeviceId("one"), load_installed(profile)
    line = TableLine(name="line", serial=model.serial, devices=((device, Unit(address=0, spec=model)),))
    devices: dict[DeviceId, SimulatedDevice] = {}
    readers: dict[DeviceId, SimulatedCardReader] = {}
    simulated = simulate_line(line, devices, readers)
    assert type(simulated) is kind
    assert [id(one) for one in devices.values()] == [id(simulated)] * touched
    assert [id(one) for one in readers.values()] == [id(simulated)] * reads


def test_a_device_that_somebody_built_reads_cards_if_its_profile_says_so() -> None:
    unit = Unit(address=0, spec=spec("generic_line", reads_cards=True))
    line = TableLine(name="line", serial=SerialSettings(), devices=((DeviceId("box"), unit),))
    readers: dict[DeviceId, SimulatedCardReader] = {}
    built = simulate_line(line, {}, readers)
    assert [id(one) for one in readers.values()] == [id(built)]


def test_signs_and_chip_readers_are_at_their_addresses() -> None:
    assert simulate_sign(Unit(address=0x1F, spec=spec("alpha_sign"))).address == "1F"
    assert simulate_sign(Unit(address=0, spec=spec("alpha_sign"))).address == "01"
    units = tuple((DeviceId(f"at-{at}"), Unit(address=at, spec=spec("iso15693", reader="feig"))) for at in (3, 4))
    touched: dict[DeviceId, SimulatedDevice] = {}
    readers = simulate_line(TableLine(name="line", serial=SerialSettings(), devices=units), touched, {})
    assert isinstance(readers, FeigLine)
    assert list(touched) == ["at-3", "at-4"]
    assert list(readers.readers) == [3, 4]
