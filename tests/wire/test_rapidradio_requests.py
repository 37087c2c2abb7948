import pytest
from hypothesis import given, strategies as st

from bridge.wire.chip_requests import Asking, Done, Page, Refused
from bridge.wire.hid_reports import Report, ReportKind, pack
from bridge.wire.messages import FaultCause
from bridge.wire.rapidradio_frames import RapidRadioFrame, ReaderCommand, encode_frame, encode_uids
from bridge.wire.rapidradio_requests import RapidRadioRequest
from tests.wire.chips import UID, uid

INVENTORY, INFO, NEXT = ReaderCommand.FULL_INVENTORY, ReaderCommand.INFO, ReaderCommand.NEXT_FRAME
COMMANDS = {Asking.INVENTORY: INVENTORY, Asking.PROBE: INFO, Asking.MORE: NEXT}
SEVEN = tuple(uid(number) for number in range(7))


def request(kind: Asking = Asking.INVENTORY, *, usb: bool = True) -> RapidRadioRequest:
    return RapidRadioRequest(kind=kind, command=COMMANDS[kind], usb=usb)


def answer(data: bytes, command: int = INVENTORY, *, usb: bool = True) -> bytes:
    frame = encode_frame(RapidRadioFrame(command, data))
    return pack(Report(ReportKind.INPUT, frame.ljust(64, b"\xee"))) if usb else frame


def test_a_request_travels_in_a_report_of_64_bytes_or_alone() -> None:
    frame = bytes.fromhex("04 1F 01 06 A2 93")
    assert request().data == b"O\x00\x40" + frame + bytes(58)
    assert request(usb=False).data == frame
    assert request().answer_length == 67
    assert request(usb=False).answer_length == 64


@given(st.booleans(), st.binary(max_size=8), st.binary(max_size=8))
def test_an_answer_is_found_wherever_it_stands(usb: bool, before: bytes, after: bytes) -> None:
    raw = answer(b"\x00\x00\x01" + encode_uids((UID,)), usb=usb)
    assert request(usb=usb).find_answer(before + raw + after) == slice(len(before), len(before) + len(raw))
    assert request(usb=usb).find_answer(before + raw[:-1]) is None


@pytest.mark.parametrize("usb", [True, False])
@pytest.mark.parametrize("kind", list(COMMANDS))
def test_the_echo_of_a_request_is_no_answer(usb: bool, kind: Asking) -> None:
    asked = request(kind, usb=usb)
    assert asked.find_answer(asked.data.replace(b"O\x00\x40", b"I\x00\x40")) is None


def test_the_answer_to_another_request_is_none() -> None:
    other = answer(b"\x00\x00AB", INFO)
    assert request().find_answer(other) is None
    verdict = request().judge(other)
    assert (verdict.cause, verdict.answer_may_follow) == (FaultCause.UNKNOWN, True)
    assert verdict.reason == "the reader was asked for its inventory, and this is command F000"


def test_what_is_no_answer_is_judged() -> None:
    assert request().judge(b"").cause is FaultCause.TIMEOUT
    spoilt = bytearray(answer(b"\x00\x00\x00"))
    spoilt[5] ^= 1
    verdict = request().judge(bytes(spoilt))
    assert (verdict.cause, verdict.answer_may_follow) == (FaultCause.CHECKSUM, False)


@pytest.mark.parametrize("usb", [True, False])
@pytest.mark.parametrize(
    ("kind", "data", "said"),
    [
        (Asking.PROBE, b"\xff\xff", Done()),
        (Asking.INVENTORY, b"\xff\xff", Page(uids=frozenset(), more=False)),
        (Asking.INVENTORY, b"\x00\x00", Page(uids=frozenset(), more=False)),
        (Asking.INVENTORY, b"\x00\x00\x00", Page(uids=frozenset(), more=False)),
        (
            Asking.INVENTORY,
            b"\x00\x00\x01" + encode_uids((UID,)),
            Page(uids=frozenset({UID}), more=False, total=1),
        ),
        (
            Asking.INVENTORY,
            b"\x00\x00\x09" + encode_uids(SEVEN),
            Page(uids=frozenset(SEVEN), more=True, total=9),
        ),
        (Asking.MORE, b"\x00\x00" + encode_uids((UID,)), Page(uids=frozenset({UID}), more=False)),
        (Asking.MORE, b"\x00\x00\x01" + encode_uids((UID,)), Page(uids=frozenset({UID}), more=False)),
        (Asking.MORE, b"\x00\x00" + encode_uids(SEVEN), Page(uids=frozenset(SEVEN), more=True)),
        (Asking.INVENTORY, b"\x12\x34", Refused("error 1234, which its document does not list")),
        (Asking.INVENTORY, b"\x00\x00\x01\x02\x03", Refused("a list of chips in which one breaks off")),
    ],
)
def test_an_answer_says_which_chips_and_whether_there_are_more(
    usb: bool, kind: Asking, data: bytes, said: object
) -> None:
    assert request(kind, usb=usb).read(answer(data, COMMANDS[kind], usb=usb)) == said
