"""Lines of the generic line protocol, as either end writes and reads them.

The protocol is our own, for a device that somebody builds: no maker speaks it. Its document is in
``device_profiles/README.md``. A line is a mark, a number of two digits, a verb and what belongs to it, an asterisk
and the CRC-16/MODBUS of everything before it in four hexadecimal digits:

    !07 IN 01000000*CRC    event of the device       ?12 SET 10*CRC    request of the bridge
    =07 OK*CRC             answer to either, with its number
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from bridge.wire.checksums import crc16_modbus
from bridge.wire.errors import ChecksumError, FrameError, UnknownMessageError

LINE_LENGTH_MAX = 80
"""The end of the line not counted; so that a small controller can hold one."""
NUMBERS = 100
"""Numbers are 00 to 99, and 00 comes after 99."""
NO_CHANNELS = "-"
"""Stands for the channels of a device that has none."""
END = b"\r\n"
_LINE = re.compile(
    r"""(?P<mark>[!?=])(?P<number>[0-9]{2})[ ](?P<verb>[A-Z]+)
        (?:[ ](?P<rest>[ -)+-~]*))?  # everything that prints but the asterisk
        \*(?P<crc>[0-9A-F]{4})""",
    re.VERBOSE,
)


class Mark(StrEnum):
    """What a line is."""

    EVENT = "!"
    REQUEST = "?"
    ANSWER = "="


class Verb(StrEnum):
    """What a line says."""

    START = "START"
    """Event: the device has come up; its outputs are off."""
    IN = "IN"
    """Event: all inputs as they are now."""
    CARD = "CARD"
    """Event: a card was read."""
    UNREAD = "UNREAD"
    """Event: a card passed that was not read."""
    ID = "ID"
    """Request, and its answer: how many inputs and outputs, and the name of the model."""
    STATE = "STATE"
    """Request, and the answer to it and to SET: all inputs and outputs as they are now."""
    SET = "SET"
    """Request: all outputs."""
    OK = "OK"
    """Answer to an event: it has been heard."""
    NO = "NO"
    """Answer: it will not be done, and why."""


_VERBS = {
    Mark.EVENT: {Verb.START, Verb.IN, Verb.CARD, Verb.UNREAD},
    Mark.REQUEST: {Verb.ID, Verb.STATE, Verb.SET},
    Mark.ANSWER: {Verb.OK, Verb.NO, Verb.ID, Verb.STATE},
}
_ALONE = {(Mark.EVENT, Verb.START), (Mark.REQUEST, Verb.ID), (Mark.REQUEST, Verb.STATE), (Mark.ANSWER, Verb.OK)}
"""The lines with nothing after the verb; all others have something."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line whose CRC was right."""

    mark: Mark
    number: int
    verb: Verb
    rest: str = ""


def encode_line(line: Line) -> bytes:
    """Return the bytes of a line, its end included; raise ``ValueError`` for one that nobody could read."""
    text = f"{line.mark}{line.number:02} {line.verb}{' ' if line.rest else ''}{line.rest}"
    raw = f"{text}*{crc16_modbus(text.encode('ascii')):04X}"
    if len(raw) > LINE_LENGTH_MAX or _LINE.fullmatch(raw) is None:
        raise ValueError(f"{raw!r} is no line of at most {LINE_LENGTH_MAX} printing characters, one an asterisk")
    return raw.encode("ascii") + END


def decode_line(raw: bytes) -> Line:
    """Return what a line without its end says; raise ``FrameError``, or ``ChecksumError`` for a wrong CRC."""
    if not raw.isascii() or len(raw) > LINE_LENGTH_MAX:
        raise FrameError(f"not a line of at most {LINE_LENGTH_MAX} ASCII characters", raw)
    found = _LINE.fullmatch(raw.decode("ascii"))
    if found is None:
        raise FrameError("not mark, number, verb, asterisk and CRC", raw)
    expected = f"{crc16_modbus(raw[: found.start('crc') - 1]):04X}"
    if found["crc"] != expected:
        raise ChecksumError(raw, expected=expected, got=found["crc"])
    mark, verb, rest = Mark(found["mark"]), found["verb"], found["rest"] or ""
    if verb not in _VERBS[mark]:
        raise UnknownMessageError(f"{verb} is not a verb after {mark}", raw)
    if bool(rest) is ((mark, verb) in _ALONE):
        raise UnknownMessageError(f"{verb} after {mark} has {'nothing' if rest else 'something'} behind it", raw)
    return Line(mark, int(found["number"]), Verb(verb), rest)


def encode_channels(active: frozenset[int], count: int) -> str:
    """Return the channels 1 to ``count`` as digits, channel 1 first: 1 is active."""
    return "".join("01"[channel in active] for channel in range(1, count + 1)) or NO_CHANNELS


def decode_channels(text: str, count: int) -> frozenset[int]:
    """Return which of the channels 1 to ``count`` are active; raise ``FrameError`` unless the text has all."""
    if count == 0 and text == NO_CHANNELS:
        return frozenset()
    if not text or len(text) != count or not set(text) <= {"0", "1"}:
        raise FrameError(f"{text!r} is not {count} digits of 0 and 1", text.encode("ascii"))
    return frozenset(channel for channel, digit in enumerate(text, start=1) if digit == "1")


def decode_state(text: str, inputs: int, outputs: int) -> tuple[frozenset[int], frozenset[int]]:
    """Return the active inputs and outputs of an answer; raise ``FrameError``."""
    shown_inputs, _, shown_outputs = text.partition(" ")
    return decode_channels(shown_inputs, inputs), decode_channels(shown_outputs, outputs)


def explain_line(raw: bytes) -> str:
    """Say what one whole line means, its end included or not; raise ``FrameError`` for anything else."""
    line = decode_line(raw.removesuffix(b"\n").removesuffix(b"\r"))
    said = _said(line)
    match line.mark:
        case Mark.EVENT:
            return f"event {line.number:02}: {said}"
        case Mark.REQUEST:
            return f"request {line.number:02}: {said}"
        case Mark.ANSWER:
            return f"answer {line.number:02}: {said}"
        case _:
            assert_never(line.mark)


def _said(line: Line) -> str:
    match line.verb:
        case Verb.IN:
            return f"inputs {_active(line.rest)}"
        case Verb.SET:
            return f"set outputs {_active(line.rest)}"
        case Verb.STATE if line.rest:
            inputs, _, outputs = line.rest.partition(" ")
            return f"inputs {_active(inputs)}, outputs {_active(outputs)}"
        case Verb.STATE:
            return "say the state"
        case Verb.START:
            return "the device has come up"
        case Verb.CARD:
            return f"card {line.rest}"
        case Verb.UNREAD:
            return f"not a card: '{line.rest}'"
        case Verb.ID if line.rest:
            return f"identity {line.rest}"
        case Verb.ID:
            return "say who you are"
        case Verb.OK:
            return "heard"
        case Verb.NO:
            return f"refused: {line.rest}"
        case _:
            assert_never(line.verb)


def _active(text: str) -> str:
    active = decode_channels(text, 0 if text == NO_CHANNELS else len(text))
    return ", ".join(map(str, sorted(active))) or "none"
