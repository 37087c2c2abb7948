import pytest

from bridge.wire.alpha_frames import (
    Acknowledge,
    Command,
    LayOutMemory,
    MemoryFile,
    SoftReset,
    WriteString,
    WriteText,
    encode_command,
    encode_packet,
)
from bridge.wire.alpha_text import explain
from bridge.wire.errors import FrameError
from tests.wire.cables import sign_spec


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (WriteText("0"), "priority text cleared"),
        (WriteText("A"), "text A cleared"),
        (WriteText("0", 0x20, "c", b"\x1c1HELLO"), "priority text, position 20, mode c: {colour 1}HELLO"),
        (WriteText("A", 0x30, "a", b"A\x10M\x07\x80"), "text A, position 30, mode a: A{string M}{07}{80}"),
        (WriteString("M", b"$1.00\x1c"), "string M: $1.00{1C}"),
        (LayOutMemory(()), "memory cleared"),
        (
            LayOutMemory((MemoryFile("A", is_string=False, size=255),)),
            "memory for text A of 255 bytes, and nothing else",
        ),
        (SoftReset(), "soft reset"),
        (Acknowledge(wanted=True), "answer every packet"),
        (Acknowledge(wanted=False), "answer no packet"),
    ],
)
def test_a_packet_is_said_in_one_line(command: Command, says: str) -> None:
    raw = encode_packet("2", "0A", encode_command(command), checksum=True)
    assert explain(raw, sign_spec()) == f"to 20A: {says}"


def test_a_command_of_one_letter_is_said_as_such() -> None:
    assert explain(encode_packet("Z", "00", b"A", checksum=False), sign_spec()) == "to Z00: command A without data"


@pytest.mark.parametrize(
    ("raw", "says"),
    [(b"\x06\x40", "accepted: no error"), (b"\x15\x61", "refused: unknown command or label, parity")],
)
def test_an_answer_is_said_in_one_line(raw: bytes, says: str) -> None:
    assert explain(raw, sign_spec()) == says


@pytest.mark.parametrize("raw", [b"", b"\x06", b"\x15\x10", b"\x06\x40\x40", b"hello"])
def test_what_is_neither_is_refused(raw: bytes) -> None:
    with pytest.raises(FrameError):
        explain(raw, sign_spec())
