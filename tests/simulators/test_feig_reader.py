"""The FEIG reader's end of the cable, against frames that were published or put together from the manuals."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from bridge.domain.events import DeviceReady
from bridge.wire.feig_frames import FeigFrame, decode_frame, encode_frame
from simulators.feig_reader import SILENCE_US, FeigLine, FeigReader
from tests.simulators.driven import driven, on_pty
from tests.transports.ports import eventually
from tests.wire.chips import UID, uid

PUBLISHED = bytes.fromhex("02 00 09 FF B0 01 00 18 43")
STANDARD = bytes.fromhex("07 FF B0 01 00 1C 56")


def ask(line: FeigLine, *raw: bytes, now_us: int = 0) -> str:
    """What the line says to it, in hexadecimal."""
    said = [utterance.data for one in raw for utterance in line.receive(one, now_us)]
    return b"".join(said).hex(" ").upper()


def with_chips(*uids: str, **settings: int | bool) -> tuple[FeigReader, FeigLine]:
    reader = FeigReader(**settings)  # type: ignore[arg-type]
    reader.antenna.place(*uids)
    return reader, FeigLine([reader])


def inventory(line: FeigLine, mode: int = 0) -> bytes:
    """The status and the list of an inventory."""
    raw = encode_frame(FeigFrame(0, 0xB0, bytes((1, mode)), advanced=True))
    return decode_frame(bytes.fromhex(ask(line, raw))).data


def test_the_known_requests_are_answered_with_the_known_answers() -> None:
    _, line = with_chips()
    assert ask(line, STANDARD) == "06 00 B0 01 5C 63"
    _, line = with_chips(UID)
    assert ask(line, STANDARD) == "11 00 B0 00 01 03 00 E0 04 01 00 12 34 56 78 D8 35"
    assert ask(line, PUBLISHED) == "02 00 13 00 B0 00 01 03 00 E0 04 01 00 12 34 56 78 03 71"


def test_more_chips_than_one_answer_lists_are_asked_for_by_mode() -> None:
    _, line = with_chips(UID, uid(1), uid(2), chips_at_once=1)
    assert ask(line, STANDARD) == "11 00 B0 94 01 03 00 E0 04 01 00 12 34 56 78 B6 8B"
    assert inventory(line, 0x80)[:2] == b"\x94\x01"
    assert inventory(line, 0x80)[:2] == b"\x00\x01"
    assert inventory(line, 0x80) == b"\x01"


def test_a_reader_that_tells_only_new_chips_tells_each_once_until_it_is_reset_or_the_chip_has_left() -> None:
    reader, line = with_chips(UID, only_new=True)
    assert [inventory(line)[0], inventory(line)[0]] == [0, 1]
    ask(line, encode_frame(FeigFrame(0, 0x69, b"", advanced=False)))
    assert [inventory(line)[0], inventory(line)[0]] == [0, 1]
    reader.antenna.lift(UID)
    assert inventory(line) == b"\x01"
    reader.antenna.place(UID)
    assert [inventory(line)[0], inventory(line)[0]] == [0, 1]
    line.power_cycle()
    assert inventory(line)[0] == 0


@pytest.mark.parametrize(
    ("control", "data", "status"), [(0x69, b"", 0x00), (0x65, b"", 0x80), (0xB0, b"\x01\x02", 0x11)]
)
def test_what_else_it_is_asked_is_answered_with_a_status(control: int, data: bytes, status: int) -> None:
    _, line = with_chips()
    said = decode_frame(bytes.fromhex(ask(line, encode_frame(FeigFrame(0, control, data, advanced=True)))))
    assert said == FeigFrame(0, control, bytes((status,)), advanced=True)


def test_an_inventory_may_be_refused() -> None:
    reader, line = with_chips(UID)
    reader.refuses_with = 0x05
    assert inventory(line) == b"\x05"


def test_a_wrong_crc_and_another_address_are_met_with_silence() -> None:
    _, line = with_chips(UID)
    assert ask(line, PUBLISHED[:-1] + b"\x00") == ""
    other = encode_frame(FeigFrame(9, 0xB0, b"\x01\x00", advanced=True))
    assert ask(line, other, now_us=SILENCE_US + 1) == ""
    assert ask(line, PUBLISHED, now_us=SILENCE_US + 1) != ""


def test_every_reader_of_a_line_hears_the_common_address() -> None:
    line = FeigLine([FeigReader(1), FeigReader(2)], turnaround_us=700)
    said = line.receive(PUBLISHED, 0)
    assert [decode_frame(utterance.data).address for utterance in said] == [1, 2]
    assert {utterance.delay_us for utterance in said} == {700}


def test_a_pause_ends_a_frame() -> None:
    _, line = with_chips()
    line.connect(lambda _: None)
    assert ask(line, STANDARD[:3]) == ""
    assert ask(line, STANDARD[3:], now_us=SILENCE_US + 1) == ""
    assert ask(line, STANDARD[:3], now_us=2 * SILENCE_US + 2) == ""
    assert ask(line, STANDARD[3:], now_us=3 * SILENCE_US + 2) == "06 00 B0 01 5C 63"


async def test_the_bridge_finds_the_reader_over_a_real_port(tmp_path: Path) -> None:
    reader, line = with_chips(UID)
    port = on_pty(line, tmp_path)
    async with driven("feig_iso15693", port, poll_ms=5, reply_timeout_ms=200, silent_poll_ms=50) as run:
        await run.record.until(DeviceReady)
        run.port.unplug()
        reader.power_cycle()
        run.record.forget()
        run.port.plug_in()
        await eventually(lambda: bool(run.record.of(DeviceReady)))


@given(st.lists(st.binary(max_size=120), max_size=8))
def test_arbitrary_bytes_do_no_harm(reads: list[bytes]) -> None:
    _, line = with_chips(UID)
    for read in reads:
        line.receive(read, 0)
    assert ask(line, PUBLISHED, now_us=SILENCE_US + 1).endswith("12 34 56 78 03 71")
