from pathlib import Path

import pytest
from crccheck.crc import CrcModbus
from hypothesis import given, strategies as st

from bridge.wire.errors import ChecksumError, FrameError, UnknownMessageError
from bridge.wire.generic_frames import (
    LINE_LENGTH_MAX,
    Line,
    Mark,
    Verb,
    decode_channels,
    decode_line,
    decode_state,
    encode_channels,
    encode_line,
    explain_line,
)

DOCUMENT = (Path(__file__).parents[2] / "device_profiles" / "README.md").read_text("utf-8")
TRANSCRIPT = [line for line in DOCUMENT.splitlines() if line[:3] in {"> =", "> ?", "< =", "< !"}]
RESTS = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters="*"), max_size=40)


def by_hand(text: str) -> bytes:
    """A line as its document says, with the CRC of a public library."""
    return f"{text}*{CrcModbus.calc(text.encode()):04X}\r\n".encode()


def test_the_transcript_of_the_document_is_a_conversation_of_sound_lines() -> None:
    assert len(TRANSCRIPT) == 14
    waiting: dict[str, Line] = {}
    for shown in TRANSCRIPT:
        speaker, text = shown[0], shown[2:]
        line = decode_line(text.encode())
        assert encode_line(line) == by_hand(text[:-5]) == text.encode() + b"\r\n"
        if line.mark is Mark.ANSWER:
            asked = waiting.pop(speaker)
            assert asked.number == line.number, shown
        else:
            assert (line.mark is Mark.REQUEST) is (speaker == ">")
            waiting["<" if speaker == ">" else ">"] = line
    assert not waiting


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("!07 IN 01000000", Line(Mark.EVENT, 7, Verb.IN, "01000000")),
        ("!99 START", Line(Mark.EVENT, 99, Verb.START)),
        ("?12 SET 10", Line(Mark.REQUEST, 12, Verb.SET, "10")),
        ("=01 NO door is open!", Line(Mark.ANSWER, 1, Verb.NO, "door is open!")),
    ],
)
def test_a_line_is_what_the_document_says(text: str, line: Line) -> None:
    assert encode_line(line) == by_hand(text)
    assert decode_line(by_hand(text)[:-2]) == line


@given(st.integers(0, 99), RESTS.filter(bool))
def test_what_is_written_is_read_back(number: int, rest: str) -> None:
    line = Line(Mark.EVENT, number, Verb.UNREAD, rest)
    assert decode_line(encode_line(line)[:-2]) == line


@pytest.mark.parametrize("rest", ["*", "é", "\n", "x" * 70])
def test_what_nobody_could_read_is_not_written(rest: str) -> None:
    with pytest.raises(ValueError, match=r"is no line of at most 80|codec"):
        encode_line(Line(Mark.EVENT, 1, Verb.UNREAD, rest))


@given(st.integers(0, 99), RESTS, st.data())
def test_any_single_wrong_character_is_noticed(number: int, rest: str, draw: st.DataObject) -> None:
    raw = bytearray(encode_line(Line(Mark.EVENT, number, Verb.UNREAD, f"x{rest}"))[:-2])
    raw[draw.draw(st.integers(0, len(raw) - 1))] ^= draw.draw(st.integers(1, 127))
    with pytest.raises(FrameError):
        decode_line(bytes(raw))


def test_a_wrong_crc_is_told_with_the_right_one() -> None:
    with pytest.raises(ChecksumError, match="checksum 0000, the bytes give 6152"):
        decode_line(b"!00 START*0000")


@pytest.mark.parametrize(
    "raw",
    [
        *(b"", b"!0 START*6152", b"00 START*6152", b"!00 START", b"!00 START*615", b"!00 START*6152 "),
        *(b"!00  IN 1*0000", b"!00 start*6152", b"\xff" * 10, b"!00 UNREAD " + b"x" * 80 + b"*0000"),
    ],
)
def test_what_is_no_line_is_refused(raw: bytes) -> None:
    with pytest.raises(FrameError):
        decode_line(raw)


@pytest.mark.parametrize(
    "text",
    [
        "!00 SET 1",
        "?00 IN 1",
        "=00 START",
        "!00 HELLO",
        "!00 START now",
        "?00 ID x",
        "!00 IN",
        "=00 OK x",
        "=00 NO",
    ],
)
def test_a_line_that_nobody_says_is_unknown(text: str) -> None:
    with pytest.raises(UnknownMessageError):
        decode_line(by_hand(text)[:-2])


@given(st.integers(1, 32), st.data())
def test_channels_are_digits_the_first_channel_first(count: int, draw: st.DataObject) -> None:
    active = draw.draw(st.frozensets(st.integers(1, count)))
    text = encode_channels(active, count)
    assert [digit == "1" for digit in text] == [channel in active for channel in range(1, count + 1)]
    assert decode_channels(text, count) == active


def test_a_device_without_channels_says_a_dash() -> None:
    assert encode_channels(frozenset(), 0) == "-"
    assert decode_channels("-", 0) == frozenset()
    assert decode_state("- 01", 0, 2) == (frozenset(), frozenset({2}))


@pytest.mark.parametrize(("text", "count"), [("", 1), ("0", 2), ("00", 1), ("2", 1), ("-", 1), ("", 0)])
def test_channels_that_are_not_all_there_are_refused(text: str, count: int) -> None:
    with pytest.raises(FrameError, match=f"is not {count} digits"):
        decode_channels(text, count)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("!00 START", "event 00: the device has come up"),
        ("!07 IN 010", "event 07: inputs 2"),
        ("!08 CARD Kh", "event 08: card Kh"),
        ("!09 UNREAD ???", "event 09: not a card: '???'"),
        ("?10 ID", "request 10: say who you are"),
        ("?11 STATE", "request 11: say the state"),
        ("?12 SET 101", "request 12: set outputs 1, 3"),
        ("=10 ID 8 8 box", "answer 10: identity 8 8 box"),
        ("=11 STATE 000 -", "answer 11: inputs none, outputs none"),
        ("=07 OK", "answer 07: heard"),
        ("=12 NO fuse", "answer 12: refused: fuse"),
    ],
)
def test_a_line_is_said_in_one_line(text: str, says: str) -> None:
    assert explain_line(by_hand(text)) == explain_line(by_hand(text)[:-2]) == says


@given(st.binary(max_size=LINE_LENGTH_MAX + 5))
def test_arbitrary_bytes_do_no_worse_than_a_frame_error(raw: bytes) -> None:
    try:
        explain_line(raw)
    except FrameError:
        return
