from pathlib import Path

import pytest

from bridge.domain.cards import Card
from bridge.domain.errors import BridgeError
from bridge.transports.usb_socket_calls import UsbCall, UsbFault
from bridge.wire.shoe_commands import LOCK, encode_command
from bridge.wire.shoe_text import explain
from simulators.alpha_sign import MeterSign
from simulators.angel_eye import AngelEyeShoe
from simulators.blinkstick import BlinkStick
from simulators.cctalk_acceptor import CctalkLine, CoinAcceptor
from simulators.console import HELP, Console
from simulators.delcom import DelcomButton
from simulators.device import SimulatedLine
from simulators.feig_reader import FeigLine, FeigReader
from simulators.generic_line import GenericDevice
from simulators.hid_pos import LineModeReader
from simulators.modbus_io import ModbusIoModule, ModbusLine
from simulators.port import hosted
from simulators.pty_port import PtyPort
from simulators.rapidradio_reader import RapidRadioReader
from simulators.trouble import Trouble
from simulators.trouble_words import ConsoleError
from simulators.xkeys import XkeysPanel
from tests.transports.usb_buses import plugged
from tests.wire.acceptors import packet
from tests.wire.chips import UID, uid
from tests.wire.panels import xk3_spec
from tests.wire.shoes import shoe_spec


def modbus(tmp_path: Path) -> tuple[ModbusLine, Console]:
    line = ModbusLine([ModbusIoModule(1), ModbusIoModule(2)])
    return line, Console(PtyPort(line, tmp_path / "line"), line)


def reader(tmp_path: Path) -> tuple[bytearray, Console]:
    line = LineModeReader({Card.parse("Kh"): "2130"})
    console = Console(PtyPort(line, tmp_path / "line"), line)
    said = bytearray()
    line.connect(said.extend)
    return said, console


def test_inputs_are_switched_and_the_state_is_answered(tmp_path: Path) -> None:
    line, console = modbus(tmp_path)
    line.modules[2].outputs.set(8, active=True)
    assert console.do("on 1 3") == "unit 1: inputs on [3], outputs on []\nunit 2: inputs on [], outputs on [8]"
    assert console.do(" off  1 3 ") == console.do("outputs")
    assert line.modules[1].inputs.active == frozenset()


def test_a_mode_and_a_power_cut(tmp_path: Path) -> None:
    line, console = modbus(tmp_path)
    assert console.do("mode 2 8 1") == "modes of unit 2: [0, 0, 0, 0, 0, 0, 0, 1]"
    line.modules[1].outputs.set(1, active=True)
    assert console.do("power") == "power is back"
    assert line.modules[1].outputs.active == frozenset()


def test_cards_and_what_is_none(tmp_path: Path) -> None:
    said, console = reader(tmp_path)
    assert console.do("card kh") == "shown Kh"
    console.do("unreadable 9999")
    console.do("noise 00 FF")
    assert said == b"2130\r9999\r\x00\xff"


def shoe(tmp_path: Path) -> tuple[AngelEyeShoe, list[bytes], Console]:
    line = AngelEyeShoe()
    console = Console(PtyPort(line, tmp_path / "line"), line)
    said: list[bytes] = []
    line.connect(said.append)
    return line, said, console


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("card Kh", "card Kh, player 1"),
        ("card Kh banker 2", "card Kh, banker 2"),
        ("card 5d first_of_burn_count 1", "card 5d, first_of_burn_count 1"),
        ("again As player 1", "card As again, player 1"),
        ("outside Td setting", "card Td out of game, setting"),
        ("overdraw Kh player 1", "fault 2 overdraw, error mode"),
        ("unreadable 9999", "no card, player 1"),
        ("result tie player banker", "result tie, player pair, banker pair"),
        ("result forced_end", "result forced_end"),
        ("cut", "cut card"),
        ("standby", "standing by"),
        ("lock", "locked"),
        ("unlock", "unlocked"),
        ("fault 1", "fault 1 cannot_read, error mode"),
        ("clear 1", "cleared fault 1 cannot_read"),
        ("power", "started"),
    ],
)
def test_a_shoe_says_what_it_is_told_to(tmp_path: Path, text: str, says: str) -> None:
    _, said, console = shoe(tmp_path)
    assert console.do(text) in {"done", "shown", "shown Kh", "power is back"}
    assert len(said) == 3
    assert explain(said[0], shoe_spec()) == f"report 1: {says}"


def test_a_shoe_goes_wrong_as_it_is_told_to(tmp_path: Path) -> None:
    line, said, console = shoe(tmp_path)
    console.do("spoil 1 2")
    console.do("standby")
    assert len(set(said)) == 3
    console.do("unended")
    console.do("standby")
    assert len(said[3]) > 128
    console.do("noise 00 FF")
    assert said[4] == b"\x00\xff"
    console.do("refuse FF")
    assert line.receive(encode_command(LOCK, includes_stx=True), 0)[0].data == b"\x15\xff"
    console.do("ignore")
    assert line.receive(encode_command(LOCK, includes_stx=True), 0) == ()


@pytest.mark.parametrize(
    "text",
    [
        "on 1 3",
        "card Kh dealer 1",
        "card Kh player x",
        "card Kh player 0",
        "result red",
        "result tie red",
        "spoil",
        "spoil 4",
        "refuse 0G",
        "outside Kh asleep",
        "cut 1",
        "dance",
    ],
)
def test_what_says_nothing_to_a_shoe_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(
        BridgeError, match=r"says nothing|is not one of|is no number|places? from|copies are|hexadecimal"
    ):
        shoe(tmp_path)[2].do(text)


async def test_the_cable_is_unplugged_and_plugged_in(tmp_path: Path) -> None:
    line = ModbusLine([ModbusIoModule(1)])
    async with hosted(PtyPort(line, tmp_path / "line")) as port:
        console = Console(port, line)
        assert console.do("unplug") == "unplugged"
        assert not port.plugged_in
        assert console.do("plug") == port.url
        assert port.plugged_in


async def test_calls_on_usb_fail_as_they_are_told_to(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24") as (port,):
        console = Console(port, port.line)
        assert console.do("fail read stall 2") == "done"
        assert console.do("fail open access") == "done"
        assert port.failing == {UsbCall.READ: UsbFault.STALL, UsbCall.OPEN: UsbFault.ACCESS}
        with pytest.raises(ConsoleError, match="'flat' is not one of timeout"):
            console.do("fail read flat")
        assert console.do("mend") == "done"
        assert port.failing == {}


def test_help_and_nothing(tmp_path: Path) -> None:
    _, console = modbus(tmp_path)
    assert console.do("help") == HELP
    assert console.do("  ") == ""


@pytest.mark.parametrize("text", ["card Kh", "on 1", "on 3 1", "on 1 x", "on 1 9", "mode 1 9 0", "dance"])
def test_what_says_nothing_to_a_module_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(
        BridgeError, match=r"says nothing|no unit 3|is no number|channels 1 to 8|outputs are 1 to 8"
    ):
        modbus(tmp_path)[1].do(text)


@pytest.mark.parametrize("text", ["on 1 3", "noise 0G", "card", "card Xx", "outputs"])
def test_what_says_nothing_to_a_reader_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BridgeError, match=r"says nothing|hexadecimal|is not a card"):
        reader(tmp_path)[1].do(text)
    assert issubclass(ConsoleError, BridgeError)


def test_coins_are_dropped_and_acceptors_go_wrong_as_they_are_told_to(tmp_path: Path) -> None:
    one, two = CoinAcceptor(2), CoinAcceptor(3)
    line = CctalkLine([one, two], echo=False)
    console = Console(PtyPort(line, tmp_path / "line"), line)
    assert console.do("coin 2 1") == "handed back"
    line.receive(packet(3, 1, 231, 1, 0), 0)
    assert console.do("coin 3 1") == "taken"
    assert console.do("trouble 3 20") == "done"
    assert console.do("outputs") == "acceptor 2: open, 1 events\nacceptor 3: open, 2 events"
    assert console.do("busy 3") == "done"
    (said,) = line.receive(packet(3, 1, 254), 0)
    assert said.data == packet(1, 3, 6)
    console.do("power")
    assert (one.counter, two.counter) == (0, 0)


def test_keys_are_pressed_and_plugs_are_pulled(tmp_path: Path) -> None:
    panel = XkeysPanel(xk3_spec())
    console = Console(PtyPort(panel, tmp_path / "line"), panel)
    assert console.do("press 5") == "inputs on [3, 5], outputs on []"
    assert console.do("release 5") == console.do("outputs") == "inputs on [3], outputs on []"
    assert console.do("out") == "inputs on [], outputs on []"
    assert console.do("in") == "inputs on [3], outputs on []"
    console.do("hang")
    assert panel.hanging
    console.do("unhang")
    assert not panel.hanging


def test_a_button_is_pressed(tmp_path: Path) -> None:
    button = DelcomButton()
    console = Console(PtyPort(button, tmp_path / "line"), button)
    assert console.do("press 1") == "inputs on [1], outputs on []"
    with pytest.raises(BridgeError, match="'out' says nothing to this device"):
        console.do("out")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("coin 9 1", "no unit 9; on this line are 2"),
        ("coin 2 17", "coin 17: an acceptor has coins 1 to 16"),
        ("trouble 2 256", "256 is no code; codes are 0 to 255"),
        ("on 2 1", "'on 2 1' says nothing to this device; help lists what does"),
    ],
)
def test_what_says_nothing_to_an_acceptor_is_refused(tmp_path: Path, text: str, told: str) -> None:
    line = CctalkLine([CoinAcceptor(2)])
    with pytest.raises(BridgeError, match=told):
        Console(PtyPort(line, tmp_path / "line"), line).do(text)


def console_of(line: SimulatedLine, tmp_path: Path) -> Console:
    return Console(PtyPort(line, tmp_path / "line"), line)


def test_a_device_that_somebody_built_is_touched_and_shown_cards(tmp_path: Path) -> None:
    device = GenericDevice()
    console = console_of(device, tmp_path)
    assert console.do("on 3") == "inputs on [3], outputs on []"
    assert console.do("off 3") == console.do("outputs") == "inputs on [], outputs on []"
    assert console.do("card Kh") == "shown Kh"
    assert console.do("unreadable 9999") == "shown"


def test_lamps_and_signs_are_looked_at(tmp_path: Path) -> None:
    lamps = BlinkStick()
    lamps.outputs.set(2, active=True)
    assert console_of(lamps, tmp_path).do("outputs") == "inputs on [], outputs on [2]"
    sign = MeterSign()
    sign.leave_priority_text("CLOSED")
    assert console_of(sign, tmp_path).do("sign") == "CLOSED"


def test_chips_are_placed_and_lifted(tmp_path: Path) -> None:
    feig = console_of(FeigLine([FeigReader(3)]), tmp_path)
    assert feig.do(f"place 3 {UID} {uid(1)}") == f"chips: {UID} {uid(1)}"
    with pytest.raises(ConsoleError, match="no unit 4; on this line are 3"):
        feig.do(f"place 4 {UID}")
    alone = console_of(RapidRadioReader(), tmp_path)
    alone.do(f"place {UID}")
    assert alone.do(f"lift {UID}") == "chips: none"


@pytest.mark.parametrize(
    ("line", "said", "answer"),
    [
        (DelcomButton(), "tap", "inputs on [], outputs on []"),
        (BlinkStick(), "stick 3", "output 3 is broken"),
        (GenericDevice(), "stick 3", "output 3 is broken"),
        (MeterSign(), "forget", "its memory is empty"),
        (CctalkLine([CoinAcceptor(2)]), "mute 2", "done"),
        (AngelEyeShoe(), "preset 01 0005", "done"),
    ],
)
def test_what_a_technician_does_to_a_device(tmp_path: Path, line: SimulatedLine, said: str, answer: str) -> None:
    assert Console(PtyPort(line, tmp_path / "line"), line).do(said) == answer


def test_an_acceptor_that_was_muted_answers_nothing_until_it_is_unmuted(tmp_path: Path) -> None:
    line = CctalkLine([CoinAcceptor(2)])
    console = Console(PtyPort(line, tmp_path / "line"), line)
    console.do("mute 2")
    assert not line.acceptors[2].answering
    console.do("unmute 2")
    assert line.acceptors[2].answering


def list_of(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def test_a_line_comes_back_under_another_name(tmp_path: Path) -> None:
    line = GenericDevice()
    async with hosted(PtyPort(line, tmp_path / "ttyUSB0")) as port:
        assert Console(port, line).do("plug as ttyUSB1") == str(tmp_path / "ttyUSB1")
        assert list_of(tmp_path) == ["ttyUSB1"]


async def test_a_cable_is_troubled_and_flooded_only_where_something_can_be_wrong_with_it(tmp_path: Path) -> None:
    line = ModbusLine([ModbusIoModule(1)])
    trouble = Trouble(seed=1, baud=9600, protocol="modbus_rtu")
    async with hosted(PtyPort(line, tmp_path / "line", cables=trouble.cables)) as port:
        console = Console(port, line, trouble)
        assert console.do("trouble loss 1 host") == "to the host: loss 1"
        assert console.do("flood 100") == "flooded"
        with pytest.raises(ConsoleError, match="'much' is no number"):
            console.do("flood much")
        with pytest.raises(ConsoleError, match="says nothing to this device"):
            Console(port, line).do("trouble none")
