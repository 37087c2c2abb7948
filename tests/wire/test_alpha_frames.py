from typing import Any

import pytest
from alphasign import Packet as TheirPacket
from alphasign.commands import WriteSpecialFunction, WriteString as TheirString, WriteText as TheirText
from alphasign.protocol import Color, DisplayMode, DisplayPosition, FileProtection, FileType
from hypothesis import given, strategies as st

from bridge.wire.alpha_frames import (
    PRIORITY,
    Acknowledge,
    Command,
    LayOutMemory,
    MemoryFile,
    SoftReset,
    WriteString,
    WriteText,
    call_string,
    decode_command,
    decode_packet,
    encode_command,
    encode_packet,
    in_colour,
    status_text,
)
from bridge.wire.errors import ChecksumError, FrameError, UnknownMessageError
from tests.test_frames import label, load

PRINTED = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=1, max_size=60)
COMMANDS: list[tuple[Command, object]] = [
    (
        WriteText("A", 0x20, "b", in_colour("1", b"PROGRESSIVE " + call_string("M"))),
        TheirText(Color.RED.value + b"PROGRESSIVE \x10M", "A", DisplayPosition.MIDDLE_LINE, DisplayMode.HOLD),
    ),
    (
        WriteText(PRIORITY, 0x26, "c", in_colour("C", b"POSITION 3")),
        TheirText(Color.AUTO.value + b"POSITION 3", PRIORITY, DisplayPosition.FILL, DisplayMode.FLASH),
    ),
    (WriteString("M", b"$12,345.67"), TheirString("$12,345.67", "M")),
    (
        LayOutMemory((MemoryFile("A", is_string=False, size=64), MemoryFile("M", is_string=True, size=32))),
        WriteSpecialFunction.configure_memory(
            [
                {"label": "A", "type": FileType.TEXT, "size": 64, "stop_time": 0},
                {"label": "M", "type": FileType.STRING, "protection": FileProtection.LOCKED, "size": 32},
            ]
        ),
    ),
    (SoftReset(), WriteSpecialFunction.soft_reset()),
    (Acknowledge(wanted=True), WriteSpecialFunction.enable_ack_nak(enabled=True)),
    (Acknowledge(wanted=False), WriteSpecialFunction.enable_ack_nak(enabled=False)),
]


@pytest.mark.parametrize(("ours", "theirs"), COMMANDS, ids=lambda command: type(command).__name__)
@pytest.mark.parametrize("checksum", [True, False])
@pytest.mark.parametrize("address", ["00", "0A"])
def test_a_public_library_writes_the_same_packet(
    ours: Command, theirs: object, checksum: bool, address: str
) -> None:
    packet = TheirPacket(type_code=b"Z", address=address).add(theirs, checksum=checksum)
    without_pauses = packet.to_bytes().replace(b"\xff", b"")
    assert encode_packet("Z", address, encode_command(ours), checksum=checksum) == without_pauses
    decoded = decode_packet(without_pauses)
    assert (decoded.type_code, decoded.address, decode_command(decoded.command)) == ("Z", address, ours)


@given(PRINTED, st.sampled_from("ABM"), st.booleans())
def test_what_is_written_is_read_back(text: str, label: str, checksum: bool) -> None:
    for command in (WriteString(label, text.encode()), WriteText(label, 0x22, "a", text.encode())):
        raw = encode_packet("2", "01", encode_command(command), checksum=checksum)
        assert decode_command(decode_packet(raw).command) == command


@given(PRINTED, st.data())
def test_a_checksum_notices_any_single_bit_but_those_of_the_etx_before_it(text: str, draw: st.DataObject) -> None:
    raw = bytearray(encode_packet("Z", "00", b"GM" + text.encode(), checksum=True))
    at = draw.draw(st.integers(raw.index(2), len(raw) - 1).filter(lambda at: raw[at] != 3))
    raw[at] ^= 1 << draw.draw(st.integers(0, 7))
    with pytest.raises(FrameError):
        decode_packet(bytes(raw))


def test_a_wrong_checksum_is_told_with_the_right_one() -> None:
    with pytest.raises(ChecksumError, match="checksum 0000, the bytes give 0283"):
        decode_packet(bytes(5) + b"\x01Z00\x02GM$12,345.67\x030000\x04")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        bytes(5),
        bytes(5) + b"\x01Z0\x02A0\x04",
        bytes(5) + b"\x01Z00\x02\x04",
        bytes(5) + b"\x01Z00\x02\x0300\x04",
        bytes(5) + b"\x01Z00\x02A\x03ZZZZ\x04",
        bytes(5) + b"\x01Z00\x02A0\x04\x04",
        bytes(5) + b"\x01Z00\x02A0\x02A0\x04",
    ],
)
def test_what_is_no_packet_is_refused(raw: bytes) -> None:
    with pytest.raises(FrameError):
        decode_packet(raw)


@pytest.mark.parametrize(
    "command",
    [
        *(b"A", b"AA\x1b b", b"AAtext", b"G", b"E,1", b"Es2", b"E*", b"BA", b"Z"),
        *(b"E$AAU0040FF0", b"E$AAU0040FFFF", b"E$ADU0040FF00", b"E$MBL00ZZ0000"),
    ],
)
def test_a_command_that_no_bridge_sends_is_unknown(command: bytes) -> None:
    with pytest.raises(UnknownMessageError):
        decode_command(command)


@given(st.binary(max_size=80))
def test_arbitrary_bytes_do_no_worse_than_a_frame_error(raw: bytes) -> None:
    for read in (decode_packet, decode_command):
        try:
            read(raw)
        except FrameError:
            continue


def test_a_status_says_all_that_is_wrong() -> None:
    assert status_text(0x40) == "no error"
    assert status_text(0x7F) == (
        "unknown command or label, wrong checksum, more than its buffer holds, too long a pause in the packet, "
        "framing, parity"
    )


KNOWN = [
    entry
    for entry in load("alpha_sign")["frames"]
    if entry["direction"] == "host->device" and entry["decoded"].get("meaning") != "framing only"
]


def their_file(file: MemoryFile) -> dict[str, object]:
    kind = {"type": FileType.STRING, "protection": FileProtection.LOCKED}
    return {
        "label": file.label,
        "size": file.size,
        **(kind if file.is_string else {"type": FileType.TEXT, "stop_time": 0}),
    }


@pytest.mark.parametrize("entry", KNOWN, ids=label)
def test_a_public_library_writes_the_known_packet(entry: dict[str, Any]) -> None:
    raw = bytes.fromhex(entry["hex"])
    packet, checksum = decode_packet(raw), b"\x03" in raw
    assert encode_packet(packet.type_code, packet.address, packet.command, checksum=checksum) == raw
    match decode_command(packet.command):
        case WriteText(content=b""):
            return  # that library cannot write a text without position and mode; a physical sign took it
        case WriteText(label=name, position=position, mode=mode, content=content):
            where, how = DisplayPosition(bytes((position,))), DisplayMode(mode.encode())
            theirs: object = TheirText(content, name, where, how)
        case WriteString(label=name, content=content):
            theirs = TheirString(content, name)
        case LayOutMemory(files=files):
            theirs = WriteSpecialFunction.configure_memory([their_file(file) for file in files])
        case SoftReset():
            theirs = WriteSpecialFunction.soft_reset()
        case Acknowledge(wanted=wanted):
            theirs = WriteSpecialFunction.enable_ack_nak(wanted)
    made = TheirPacket(packet.type_code.encode(), packet.address).add(theirs, checksum=checksum)
    assert bytes(made.to_bytes()).replace(b"\xff", b"") == raw
