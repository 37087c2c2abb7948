"""The RapidRadio reader's end of the cable, against frames that were put together from its document."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from bridge.domain.events import DeviceReady
from bridge.wire.hid_reports import Report, ReportKind, pack
from bridge.wire.rapidradio_frames import (
    RapidRadioFrame,
    ReaderCommand,
    decode_frame,
    decode_uids,
    encode_frame,
    encode_request,
)
from simulators.rapidradio_reader import RapidRadioReader
from tests.simulators.driven import driven, on_port
from tests.wire.chips import UID, uid

INVENTORY = ReaderCommand.FULL_INVENTORY


def with_chips(*uids: str, **settings: bool) -> RapidRadioReader:
    reader = RapidRadioReader(**settings)
    reader.antenna.place(*uids)
    return reader


def report(frame: bytes) -> bytes:
    return pack(Report(ReportKind.OUTPUT, frame.ljust(64, b"\x00")))


def ask(reader: RapidRadioReader, frame: bytes) -> bytes:
    """The report that a request on USB is answered with."""
    (said,) = reader.receive(report(frame), 0)
    assert said.data[:3] == b"I\x00\x40"
    return said.data[3:]


def asked(reader: RapidRadioReader, command: ReaderCommand) -> bytes:
    return decode_frame(ask(reader, encode_request(command))).data


def test_the_known_requests_are_answered_with_the_known_answers() -> None:
    single = bytes.fromhex("04 10 01 26 92 AD")
    expected = bytes.fromhex("0E 10 01 00 00 01 78 56 34 12 00 01 04 E0 70 45")
    assert ask(with_chips(UID), single).startswith(expected)
    assert ask(with_chips(), single).startswith(bytes.fromhex("05 10 01 FF FF C3 14"))


def test_what_the_last_frame_left_in_the_report_is_not_cleared() -> None:
    reader = with_chips(UID)
    first = ask(reader, encode_request(INVENTORY))
    reader.antenna.lift(UID)
    second = ask(reader, encode_request(INVENTORY))
    assert second[7:] == first[7:]
    assert any(second[7:])


@pytest.mark.parametrize("rest_is_counted", [False, True])
def test_seven_chips_fit_into_one_answer_and_the_rest_is_asked_for(rest_is_counted: bool) -> None:
    stack = [uid(number) for number in range(10)]
    reader = with_chips(*stack, rest_is_counted=rest_is_counted)
    first, rest = asked(reader, INVENTORY), asked(reader, ReaderCommand.NEXT_FRAME)
    assert first[:3] == b"\x00\x00\x0a"
    assert decode_uids(first[3:]) == tuple(stack[:7])
    assert rest[: 2 + rest_is_counted] == b"\x00\x00" + b"\x03" * rest_is_counted
    assert decode_uids(rest[2 + rest_is_counted :]) == tuple(stack[7:])
    assert asked(reader, ReaderCommand.NEXT_FRAME) == b"\xff\xff"


def test_a_chip_may_be_counted_and_not_named() -> None:
    reader = with_chips(UID, uid(1))
    reader.misses_last = 1
    data = asked(reader, INVENTORY)
    assert (data[2], decode_uids(data[3:])) == (2, (UID,))


def test_it_says_who_it_is_and_beeps() -> None:
    reader = with_chips()
    reader.connect(lambda _: None)
    assert asked(reader, ReaderCommand.INFO).startswith(b"\x00\x00RRHFOEM04-")
    assert asked(reader, ReaderCommand.BEEP) == b"\x00\x00"


@pytest.mark.parametrize("frame", [RapidRadioFrame(0x2F01, b""), RapidRadioFrame(0x1001, b"\x36")])
def test_what_it_does_not_know_has_failed(frame: RapidRadioFrame) -> None:
    assert decode_frame(ask(with_chips(UID), encode_frame(frame))).data == b"\xff\xff"


def test_a_wrong_crc_and_what_is_no_output_are_met_with_silence() -> None:
    reader = with_chips(UID)
    frame = encode_request(INVENTORY)
    assert reader.receive(report(frame[:-1] + b"\x00"), 0) == ()
    assert reader.receive(pack(Report(ReportKind.FEATURE, frame)), 0) == ()
    assert reader.receive(report(frame)[:20], 0) == ()
    reader.power_cycle()
    assert len(reader.receive(report(frame), 0)) == 1


@pytest.mark.parametrize("size", [1, 4, 100])
def test_over_tcp_frames_stand_alone(size: int) -> None:
    reader = with_chips(UID, usb=False)
    frame = encode_request(INVENTORY)
    assert reader.receive(b"\x00\x01" + frame[:-1] + b"\x00", 0) == ()
    said = [one for at in range(0, len(frame), size) for one in reader.receive(frame[at : at + size], 0)]
    (answer,) = said
    assert decode_uids(decode_frame(answer.data).data[3:]) == (UID,)


@pytest.mark.parametrize("usb", [True, False])
async def test_the_bridge_finds_the_reader_over_a_real_port(usb: bool, tmp_path: Path) -> None:
    model = "rrhfoem04" if usb else "rrhfoem04_tcp"
    port = on_port(with_chips(UID, usb=usb), tmp_path, over_tcp=not usb)
    async with driven("rrhfoem04", port, reader=model, gap_ms=1) as run:
        await run.record.until(DeviceReady)


@given(st.booleans(), st.lists(st.binary(max_size=120), max_size=8))
def test_arbitrary_bytes_do_no_harm(usb: bool, reads: list[bytes]) -> None:
    reader = with_chips(UID, usb=usb)
    for read in reads:
        reader.receive(read, 0)
    reader.power_cycle()
    frame = encode_request(INVENTORY)
    assert len(reader.receive(report(frame) if usb else frame, 0)) == 1
