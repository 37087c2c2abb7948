import pytest

from bridge.wire.errors import ChecksumError, FrameError, UnknownMessageError
from bridge.wire.shoe_commands import (
    CONFIRM_GAME,
    LOCK,
    NAK_REASONS,
    UNLOCK,
    CommandType,
    ShoeCommand,
    cancel_fault,
    decode_answer,
    decode_command,
    encode_command,
)

LOCK_ON = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")
COMMANDS = [LOCK, UNLOCK, CONFIRM_GAME, cancel_fault(0), cancel_fault(2), cancel_fault(63)]


def test_lock_on_is_the_makers_own_example_with_stx_in_its_check() -> None:
    assert encode_command(LOCK, includes_stx=True) == LOCK_ON
    assert encode_command(LOCK, includes_stx=False)[-2:] == b"19"


@pytest.mark.parametrize("command", COMMANDS, ids=str)
@pytest.mark.parametrize("includes_stx", [True, False])
def test_a_command_is_read_as_it_was_written(command: ShoeCommand, includes_stx: bool) -> None:
    raw = encode_command(command, includes_stx=includes_stx)
    assert decode_command(raw, includes_stx=includes_stx) == command
    with pytest.raises(ChecksumError):
        decode_command(raw, includes_stx=not includes_stx)


@pytest.mark.parametrize(("type_", "data"), [("LK", "00"), ("LK", "03"), ("EC", "64"), ("EC", "1"), ("GP", "01")])
def test_a_command_that_no_source_lists_cannot_be_made(type_: str, data: str) -> None:
    with pytest.raises(ValueError, match=f"{type_} {data}: {type_} takes "):
        ShoeCommand(type=CommandType(type_), data=data)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        LOCK_ON[:-1],
        LOCK_ON + b"0",
        b"\x05" + LOCK_ON[1:],
        LOCK_ON.replace(b"OP", b"OQ"),
        LOCK_ON[:5] + b"\x03" * 5,
    ],
)
def test_what_is_no_command_is_refused(raw: bytes) -> None:
    with pytest.raises(FrameError, match="not one command"):
        decode_command(raw, includes_stx=True)


def test_a_sound_command_that_no_source_lists_is_refused() -> None:
    with pytest.raises(UnknownMessageError, match="a command 'XY02'"):
        decode_command(bytes.fromhex("02 4F 50 58 59 30 32 03 31 44"), includes_stx=True)


def test_the_answers_and_their_reasons() -> None:
    assert decode_answer(b"\x06") == ""
    for code, reason in NAK_REASONS.items():
        assert decode_answer(bytes((0x15, code))) == f"NAK {code:02X}: {reason}"
    assert decode_answer(b"\x15\x7f") == "NAK 7F: a code that no source lists"


def test_a_refused_check_names_the_option() -> None:
    assert "cmd_bcc_includes_stx" in decode_answer(b"\x15\x02")


@pytest.mark.parametrize("raw", [b"", b"\x15", b"\x07", b"\x06\x06", b"\x06\x02"])
def test_what_is_no_answer_is_refused(raw: bytes) -> None:
    with pytest.raises(FrameError, match="not an ACK"):
        decode_answer(raw)
