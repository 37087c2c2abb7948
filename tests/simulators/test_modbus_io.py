import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from pymodbus import FramerType
from pymodbus.client import AsyncModbusSerialClient, AsyncModbusTcpClient

from bridge.wire.modbus_frames import decode_frame, encode_frame
from simulators.device import NoSuchChannelError
from simulators.modbus_io import SILENCE_US, ModbusIoModule, ModbusLine
from simulators.pacing import Pacing
from simulators.port import hosted
from simulators.pty_port import PtyPort
from simulators.tcp_port import TcpPort


def ask(line: ModbusLine, request: str | bytes, now_us: int = 1_000_000) -> str:
    """What the line says to one request, in hexadecimal."""
    data = bytes.fromhex(request) if isinstance(request, str) else request
    return b"".join(utterance.data for utterance in line.receive(data, now_us)).hex(" ").upper()


def module_on_line(unit: int = 1) -> tuple[ModbusIoModule, ModbusLine]:
    module = ModbusIoModule(unit)
    return module, ModbusLine([module])


# --- against bytes that others recorded or printed -----------------------------------------------------


def test_the_captured_poll_is_answered_as_captured() -> None:
    module, line = module_on_line()
    module.inputs.set(6, active=True)
    assert ask(line, "01 02 00 00 00 08 79 CC") == "01 02 01 20 A0 50"


def test_the_published_answer_of_a_module_with_nothing_on() -> None:
    _, line = module_on_line()
    assert ask(line, "01 02 00 00 00 08 79 CC") == "01 02 01 00 A1 88"


def test_the_captured_coil_write_is_echoed_and_reads_back_as_captured() -> None:
    module, line = module_on_line()
    assert ask(line, "01 01 00 05 00 01 ED CB") == "01 01 01 00 51 88"
    assert ask(line, "01 05 00 05 FF 00 9C 3B") == "01 05 00 05 FF 00 9C 3B"
    assert ask(line, "01 01 00 05 00 01 ED CB") == "01 01 01 01 90 48"
    assert module.outputs.active == {6}


def test_the_published_extension_switches_all_outputs() -> None:
    module, line = module_on_line()
    ask(line, "01 05 00 FF FF 00 BC 0A")
    assert module.outputs.active == frozenset(range(1, 9))
    ask(line, encode_frame(1, 5, bytes.fromhex("00FF0000")))
    assert module.outputs.active == frozenset()


def test_the_published_flash_goes_out_after_its_time() -> None:
    module, line = module_on_line()
    assert ask(line, "01 05 02 00 00 07 8D B0", 1_000_000) == "01 05 02 00 00 07 8D B0"
    ask(line, "01 01 00 00 00 08 3D CC", 1_699_999)
    assert module.outputs.active == {1}
    ask(line, "01 01 00 00 00 08 3D CC", 1_700_000)
    assert module.outputs.active == frozenset()


def test_an_output_that_is_switched_while_it_flashes_stays_as_switched() -> None:
    module, line = module_on_line()
    ask(line, "01 05 02 00 00 07 8D B0", 1_000_000)
    ask(line, "01 05 00 00 FF 00 8C 3A", 1_100_000)
    ask(line, "01 01 00 00 00 08 3D CC", 2_000_000)
    assert module.outputs.active == {1}


def test_the_published_mode_frames_set_and_show_linkage() -> None:
    module, line = module_on_line()
    assert ask(line, "01 03 10 00 00 08 40 CC") == encode_frame(1, 3, bytes((16,)) + bytes(16)).hex(" ").upper()
    write = "01 10 10 00 00 08 10 00 01 00 01 00 01 00 01 00 01 00 01 00 01 00 01 7C B1"
    assert decode_frame(bytes.fromhex(ask(line, write))).data == bytes.fromhex("10000008")
    assert module.modes == [1] * 8
    module.set_mode(2, 0)
    answer = decode_frame(bytes.fromhex(ask(line, "01 03 10 00 00 08 40 CC")))
    assert answer.data == bytes((16, 0, 1, 0, 0)) + bytes((0, 1)) * 6


def test_every_recorded_or_printed_request_is_understood() -> None:
    frames = json.loads((Path(__file__).parent / "modbus_requests.json").read_text(encoding="utf-8"))
    for frame in frames:
        _, line = module_on_line()
        answer = bytes.fromhex(ask(line, frame["hex"]))
        assert answer, frame
        assert not decode_frame(answer).is_exception, frame


# --- what a module refuses, and what it does not hear ---------------------------------------------------


@pytest.mark.parametrize(
    ("function", "data", "code"),
    [
        (4, "00000001", 1),
        (0x2B, "0E0100", 1),
        (1, "00010008", 2),
        (2, "00080001", 2),
        (2, "00000000", 3),
        (3, "0FFF0001", 2),
        (3, "10000009", 2),
        (5, "0008FF00", 2),
        (5, "0208000A", 2),
        (5, "0000FFFF", 3),
        (5, "00FF5500", 3),
        (15, "0000000901FF", 2),
        (15, "0000000802FFFF", 3),
        (16, "10000001020004", 3),
        (16, "1000000101FF", 3),
        (16, "2000000102" + "0000", 2),
    ],
)
def test_what_the_module_does_not_have_is_refused_with_an_exception(function: int, data: str, code: int) -> None:
    module, line = module_on_line()
    before = (module.outputs.active, list(module.modes))
    answer = decode_frame(bytes.fromhex(ask(line, encode_frame(1, function, bytes.fromhex(data)))))
    assert answer.is_exception
    assert (answer.function, answer.data) == (function | 0x80, bytes((code,)))
    assert (module.outputs.active, module.modes) == before


def test_a_wrong_crc_is_met_with_silence_and_the_next_request_is_heard() -> None:
    _, line = module_on_line()
    assert ask(line, "01 02 00 00 00 08 79 CD") == ""
    assert ask(line, "01 02 00 00 00 08 79 CC") == "01 02 01 00 A1 88"


def test_a_foreign_unit_is_not_answered_for() -> None:
    module, line = module_on_line(unit=2)
    assert ask(line, "01 05 00 05 FF 00 9C 3B") == ""
    assert module.outputs.active == frozenset()


def test_a_broadcast_is_obeyed_by_all_and_answered_by_none() -> None:
    first, second = ModbusIoModule(1), ModbusIoModule(2)
    line = ModbusLine([first, second])
    assert ask(line, encode_frame(0, 15, bytes.fromhex("0000000801 A5".replace(" ", "")))) == ""
    assert first.outputs.active == second.outputs.active == {1, 3, 6, 8}


def test_units_on_one_line_are_told_apart() -> None:
    first, second = ModbusIoModule(1), ModbusIoModule(7)
    line = ModbusLine([first, second], turnaround_us=3000)
    second.inputs.set(1, active=True)
    said = line.receive(encode_frame(7, 2, bytes.fromhex("00000008")), 0)
    assert [(decode_frame(one.data).unit, one.data[3], one.delay_us) for one in said] == [(7, 1, 3000)]
    ask(line, encode_frame(7, 5, bytes.fromhex("0002FF00")))
    assert first.outputs.active == frozenset()
    assert second.outputs.active == {3}


def test_a_request_is_put_together_from_its_pieces() -> None:
    request = bytes.fromhex("01 0F 00 00 00 08 01 FF BE D5")
    module, line = module_on_line()
    for at in range(len(request)):
        answered = ask(line, request[at : at + 1], now_us=at)
        assert bool(answered) == (at == len(request) - 1)
    assert module.outputs.active == frozenset(range(1, 9))


def test_a_pause_ends_half_a_request() -> None:
    _, line = module_on_line()
    assert ask(line, "01 02 00", now_us=0) == ""
    assert ask(line, "01 02 00 00 00 08 79 CC", now_us=SILENCE_US + 1) == "01 02 01 00 A1 88"


def test_two_requests_in_one_read_are_both_answered() -> None:
    _, line = module_on_line()
    assert len(line.receive(bytes.fromhex("01 02 00 00 00 08 79 CC" * 2), 0)) == 2


def test_inputs_that_are_active_low_show_the_opposite_level() -> None:
    module = ModbusIoModule(1, active_low=True)
    module.inputs.set(6, active=True)
    answer = decode_frame(bytes.fromhex(ask(ModbusLine([module]), "01 02 00 00 00 08 79 CC")))
    assert answer.data == bytes((1, 0xDF))


def test_a_power_cut_puts_the_outputs_out_and_keeps_the_modes() -> None:
    module, line = module_on_line()
    line.connect(lambda _: None)
    module.set_mode(4, 2)
    ask(line, "01 0F 00 00 00 08 01 FF BE D5")
    ask(line, "01 02 00")
    line.power_cycle()
    assert module.outputs.active == frozenset()
    assert module.modes[3] == 2
    assert ask(line, "01 02 00 00 00 08 79 CC") == "01 02 01 00 A1 88"


def test_an_address_outside_the_manual_is_refused() -> None:
    with pytest.raises(ValueError, match="from 1 to 255"):
        ModbusIoModule(0)


@pytest.mark.parametrize(("channel", "mode"), [(0, 1), (9, 1), (1, 4)])
def test_a_mode_or_output_that_does_not_exist_is_refused(channel: int, mode: int) -> None:
    with pytest.raises(NoSuchChannelError, match="outputs are 1 to 8"):
        ModbusIoModule(1).set_mode(channel, mode)


@given(st.lists(st.binary(max_size=40), max_size=20))
def test_whatever_a_host_sends_the_line_survives_and_hears_the_next_request(chunks: list[bytes]) -> None:
    _, line = module_on_line()
    for chunk in chunks:
        line.receive(chunk, 0)
    assert len(line._buffer) <= 256
    assert ask(line, "01 02 00 00 00 08 79 CC", now_us=SILENCE_US + 1).startswith("01 02 01")


async def test_polls_that_were_answered_are_counted() -> None:
    module, line = module_on_line()
    waiting = asyncio.ensure_future(module.until_polled(2))
    for expected in (False, True):
        await asyncio.sleep(0)
        ask(line, "01 02 00 00 00 08 79 CC")
        ask(line, "01 01 00 00 00 08 3D CC")
        await asyncio.sleep(0)
        assert waiting.done() is expected


# --- an outside witness -----------------------------------------------------------------------------------


async def test_pymodbus_reads_and_writes_over_tcp() -> None:
    module = ModbusIoModule(5)
    module.inputs.set(2, active=True)
    async with hosted(TcpPort(ModbusLine([module], turnaround_us=1000))) as port:
        host, number = port.address
        client = AsyncModbusTcpClient(host, port=number, framer=FramerType.RTU)
        await client.connect()
        try:
            assert (await client.read_discrete_inputs(0, count=8, device_id=5)).bits[:3] == [False, True, False]
            await client.write_coils(0, [True, False, True, False, False, False, False, False], device_id=5)
            await client.write_coil(7, value=True, device_id=5)
            assert module.outputs.active == {1, 3, 8}
            assert (await client.read_coils(0, count=8, device_id=5)).bits == [
                True,
                False,
                True,
                False,
                False,
                False,
                False,
                True,
            ]
            await client.write_registers(0x1000, [1, 3], device_id=5)
            assert (await client.read_holding_registers(0x1000, count=8, device_id=5)).registers == [1, 3] + [
                0
            ] * 6
            assert (await client.read_coils(100, count=1, device_id=5)).exception_code == 2
            assert (await client.read_input_registers(0, count=1, device_id=5)).exception_code == 1
        finally:
            client.close()


async def test_pymodbus_reads_and_writes_over_a_pseudo_terminal_at_its_baud_rate(tmp_path: Path) -> None:
    module = ModbusIoModule(1)
    module.inputs.set(8, active=True)
    async with hosted(PtyPort(ModbusLine([module]), tmp_path / "rs485", pacing=Pacing(200))) as port:
        client = AsyncModbusSerialClient(port.url, framer=FramerType.RTU, baudrate=9600)
        assert await client.connect()
        try:
            assert (await client.read_discrete_inputs(0, count=8, device_id=1)).bits == [False] * 7 + [True]
            await client.write_coil(3, value=True, device_id=1)
            assert module.outputs.active == {4}
        finally:
            client.close()
