import pytest

from bridge.wire.cctalk_frames import Packet, encode_packet
from bridge.wire.feig_frames import FeigFrame, decode_frame as decode_feig, encode_frame as encode_feig
from bridge.wire.generic_frames import Line, Mark, Verb, encode_line
from bridge.wire.protocols import PROTOCOLS
from simulators.refusals import can_refuse, refused


@pytest.mark.parametrize(
    ("protocol", "answer", "refusal"),
    [
        ("modbus_rtu", bytes.fromhex("01 02 01 20 A0 50"), bytes.fromhex("01 82 06 C0 A2")),
        (
            "cctalk_acceptor",
            encode_packet(Packet(destination=1, source=2, header=0, data=b"\x01")),
            bytes.fromhex("01 00 02 05 F8"),
        ),
        (
            "generic_line",
            encode_line(Line(Mark.ANSWER, 7, Verb.OK)),
            encode_line(Line(Mark.ANSWER, 7, Verb.NO, "busy")),
        ),
    ],
)
def test_an_answer_becomes_a_refusal(protocol: str, answer: bytes, refusal: bytes) -> None:
    assert can_refuse(protocol)
    assert refused(protocol, answer) == refusal


def test_a_reader_of_chips_refuses_with_a_status() -> None:
    answer = encode_feig(FeigFrame(1, 0xB0, b"\x00\x00", advanced=True))
    assert decode_feig(refused("iso15693", answer)) == FeigFrame(1, 0xB0, b"\x95", advanced=True)


@pytest.mark.parametrize(
    ("protocol", "said"),
    [
        ("modbus_rtu", b"\x01\x02"),
        ("cctalk_acceptor", encode_packet(Packet(destination=2, source=1, header=229))),
        ("generic_line", encode_line(Line(Mark.EVENT, 7, Verb.START))),
        ("generic_line", b"junk\r\n"),
        ("hid_pos", b"2130\r"),
        ("", b"2130\r"),
    ],
)
def test_what_is_no_answer_stays_as_it_is(protocol: str, said: bytes) -> None:
    assert refused(protocol, said) == said


def test_only_what_is_asked_can_refuse() -> None:
    assert {name for name in PROTOCOLS if can_refuse(name)} == {
        "modbus_rtu",
        "cctalk_acceptor",
        "generic_line",
        "iso15693",
    }
