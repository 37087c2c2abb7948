"""The sign's end of the cable, told what to show by a public library."""

import asyncio
from pathlib import Path

import pytest
from alphasign import Packet
from alphasign.commands import WriteSpecialFunction, WriteString, WriteText
from alphasign.protocol import Color, DisplayMode, FileProtection, FileType
from hypothesis import given, strategies as st

from bridge.domain.devices import DeviceState
from bridge.wire.messages import ClearBanner, ShowBanner, ShowMeter
from simulators.alpha_sign import CHARACTERS_APART_MAX_US, MeterSign
from tests.drivers.lines import WIRING
from tests.simulators.driven import driven, on_port, on_pty

ALLOCATE = WriteSpecialFunction.configure_memory(
    [
        {"label": "A", "type": FileType.TEXT, "size": 64, "stop_time": 0},
        {"label": "M", "type": FileType.STRING, "protection": FileProtection.LOCKED, "size": 32},
    ]
)
SHOW = WriteText(Color.RED.value + b"METER \x10M", label="A", mode=DisplayMode.HOLD)
ACCEPTED = b"\x06\x40"


def packet(command: object, *, address: str = "00", type_code: bytes = b"Z", checksum: bool = True) -> bytes:
    made = Packet(type_code=type_code, address=address).add(command, checksum=checksum)
    return bytes(made.to_bytes()).replace(b"\xff", b"")


def tell(sign: MeterSign, *raw: bytes, now_us: int = 0) -> bytes:
    return b"".join(utterance.data for one in raw for utterance in sign.receive(one, now_us))


def laid_out(**settings: str) -> MeterSign:
    sign = MeterSign(**settings)  # type: ignore[arg-type]
    tell(sign, packet(ALLOCATE), packet(SHOW), packet(WriteString("$5.00", label="M")))
    return sign


def test_a_library_makes_the_sign_show_a_text_with_its_string() -> None:
    assert laid_out().shown == "METER $5.00"


def test_a_string_alone_changes_what_is_shown() -> None:
    sign = laid_out()
    tell(sign, packet(WriteString("$6.00", label="M"), checksum=False))
    assert sign.shown == "METER $6.00"


def test_the_bytes_that_a_physical_sign_took_are_taken() -> None:
    sign = MeterSign()
    tell(sign, packet(ALLOCATE))
    sign.leave_priority_text("OLD")
    tell(sign, bytes.fromhex("00 00 00 00 00 01 5A 30 30 02 41 41 1B 26 62 1C 43 54 45 53 54 03 30 32 43 39 04"))
    assert sign.shown == "OLD", "shown once the priority text was cleared, as the log says"
    tell(sign, bytes.fromhex("00 00 00 00 00 01 5A 30 30 02 41 30 04"))
    assert sign.shown == "TEST"


def test_a_file_that_was_given_no_room_is_not_kept() -> None:
    sign = MeterSign()
    tell(sign, packet(SHOW), packet(WriteString("$5.00", label="M")))
    assert sign.shown == ""
    tell(sign, packet(ALLOCATE), packet(WriteText("X", label="M")), packet(WriteString("Y", label="A")))
    assert sign.shown == ""


def test_what_is_longer_than_its_room_is_cut() -> None:
    sign = laid_out()
    tell(sign, packet(WriteString("9" * 60, label="M")))
    assert sign.shown == "METER " + "9" * 32


def test_a_string_calls_no_other_not_even_itself() -> None:
    sign = laid_out()
    tell(sign, packet(WriteString(b"A\x10M", label="M")))
    assert sign.shown == "METER A"


def test_files_survive_a_loss_of_power_and_not_that_of_the_battery() -> None:
    sign = laid_out()
    sign.receive(packet(WriteString("$6.00", label="M"))[:12], 0)
    sign.power_cycle()
    assert sign.shown == "METER $5.00"
    sign.lose_memory()
    assert sign.shown == ""


@pytest.mark.parametrize(
    ("address", "type_code", "heard"),
    [
        *(("00", b"Z", True), ("01", b"2", True), ("??", b"Z", True), ("0?", b"2", True)),
        *(("02", b"Z", False), ("01", b"1", False)),
    ],
)
def test_a_sign_hears_packets_for_itself_and_for_all(address: str, type_code: bytes, heard: bool) -> None:
    sign = laid_out()
    tell(sign, packet(WriteString("$6.00", label="M"), address=address, type_code=type_code))
    assert sign.shown == ("METER $6.00" if heard else "METER $5.00")


def test_a_second_without_a_character_ends_a_packet() -> None:
    sign = laid_out()
    raw = packet(WriteString("$6.00", label="M"))
    sign.receive(raw[:15], 0)
    sign.receive(raw[15:], CHARACTERS_APART_MAX_US + 1)
    assert sign.shown == "METER $5.00"
    sign.receive(raw[:15], 10_000_000)
    sign.receive(raw[15:], 10_000_000 + CHARACTERS_APART_MAX_US)
    assert sign.shown == "METER $6.00"


def test_a_sign_that_was_not_told_to_says_nothing() -> None:
    assert tell(MeterSign(can_acknowledge=True), packet(SHOW), packet(ALLOCATE)) == b""


def test_a_sign_that_cannot_acknowledge_does_not() -> None:
    sign = MeterSign()
    assert tell(sign, packet(WriteSpecialFunction.enable_ack_nak(enabled=True)), packet(ALLOCATE)) == b""


def test_a_sign_that_was_told_to_acknowledges_and_says_what_is_wrong() -> None:
    sign = MeterSign(can_acknowledge=True)
    assert tell(sign, packet(WriteSpecialFunction.enable_ack_nak(enabled=True))) == ACCEPTED
    assert tell(sign, packet(SHOW)) == b"\x15\x60", "no such label"
    assert tell(sign, packet(ALLOCATE), packet(SHOW)) == 2 * ACCEPTED
    assert tell(sign, packet(WriteString("1", label="M")).replace(b"1", b"2")) == b"\x15\x50", "checksum"
    assert tell(sign, packet(WriteSpecialFunction.soft_reset())) == ACCEPTED
    assert tell(sign, packet(WriteSpecialFunction.set_time(1, 2))) == b"\x15\x60", "a command no bridge sends"
    assert tell(sign, bytes(5) + b"\x01" + b"x" * 600) == b"\x15\x48", "more than it holds"
    sign.receive(packet(SHOW)[:10], 0)
    assert tell(sign, b"", now_us=CHARACTERS_APART_MAX_US + 1) == b"\x15\x44", "too long a pause"
    assert tell(sign, packet(WriteSpecialFunction.enable_ack_nak(enabled=False)), packet(SHOW)) == b""


async def test_a_change_wakes_whoever_looks_at_the_sign() -> None:
    sign = laid_out()
    async with asyncio.TaskGroup() as tasks:
        seen = tasks.create_task(sign.until_shown(lambda shown: shown.endswith("$7.00")))
        tasks.create_task(asyncio.to_thread(bytes))
        tell(sign, packet(WriteString("$7.00", label="M")))
    assert seen.result() == "METER $7.00"
    sign.connect(lambda _: None)


@given(st.lists(st.binary(max_size=80), max_size=8))
def test_arbitrary_bytes_do_no_harm_and_the_next_packet_is_taken(reads: list[bytes]) -> None:
    sign = laid_out()
    for read in reads:
        sign.receive(read, 0)
        assert isinstance(sign.shown, str)
    sign.lose_memory()
    tell(sign, packet(ALLOCATE), packet(SHOW), packet(WriteString("$6.00", label="M")), now_us=5_000_000)
    assert sign.shown == "METER $6.00"


HURRIED: dict[str, int | bool | str] = {
    "stx_pause_ms": 1,
    "packet_gap_ms": 0,
    "memory_pause_ms": 0,
    "answer_ms": 100,
}


@pytest.mark.parametrize("over_tcp", [False, True], ids=["pty", "tcp"])
@pytest.mark.parametrize("acknowledges", [False, True])
async def test_the_bridge_shows_meter_and_banner_over_a_real_port(
    tmp_path: Path, over_tcp: bool, acknowledges: bool
) -> None:
    sign = MeterSign(can_acknowledge=True)
    parameters = HURRIED | {"acknowledges": acknowledges}
    async with driven("alpha_sign", on_port(sign, tmp_path, over_tcp=over_tcp), {1: WIRING}, **parameters) as run:
        run.order(ShowMeter(address=1, cents=1_234_567))
        await sign.until_shown(lambda shown: shown == "PROGRESSIVE $12,345.67")
        run.order(ShowBanner(address=1, text="POSITION 3"))
        await sign.until_shown(lambda shown: shown == "POSITION 3")
        run.order(ShowMeter(address=1, cents=1), ClearBanner(address=1))
        await sign.until_shown(lambda shown: shown == "PROGRESSIVE $0.01")
        assert DeviceState.READY in run.record.states()


async def test_a_sign_that_is_unplugged_shows_what_was_ordered_meanwhile_when_it_is_back(tmp_path: Path) -> None:
    sign = MeterSign()
    async with driven("alpha_sign", on_pty(sign, tmp_path), {1: WIRING}, **HURRIED) as run:
        await sign.until_shown(lambda shown: shown == "PROGRESSIVE ----")
        run.port.unplug()
        run.order(ShowMeter(address=1, cents=500))
        run.port.plug_in()
        await sign.until_shown(lambda shown: shown == "PROGRESSIVE $5.00")
