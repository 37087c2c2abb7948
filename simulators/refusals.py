"""How the devices of a protocol refuse whatever they are asked, put in the place of their answers."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from bridge.wire.cctalk_frames import HOST, Check, Header, Packet, decode_packet, encode_packet
from bridge.wire.errors import FrameError
from bridge.wire.feig_frames import FeigFrame, decode_frame as decode_feig, encode_frame as encode_feig
from bridge.wire.generic_frames import END, Line, Mark, Verb, decode_line, encode_line
from bridge.wire.modbus_frames import EXCEPTION_BIT, ExceptionCode, decode_frame, encode_frame

_ISO15693_ERROR: Final = 0x95


def _modbus(answer: bytes) -> bytes:
    frame = decode_frame(answer)
    return encode_frame(frame.unit, frame.function | EXCEPTION_BIT, bytes((ExceptionCode.DEVICE_BUSY,)))


def _cctalk(answer: bytes) -> bytes:
    packet = decode_packet(answer, Check.SUM)
    if packet.destination != HOST:
        return answer  # what the wire hands back to the host
    return encode_packet(Packet(destination=HOST, source=packet.source, header=Header.NAK), Check.SUM)


def _generic(answer: bytes) -> bytes:
    line = decode_line(answer.removesuffix(END))
    return encode_line(Line(Mark.ANSWER, line.number, Verb.NO, "busy")) if line.mark is Mark.ANSWER else answer


def _feig(answer: bytes) -> bytes:
    frame = decode_feig(answer)
    return encode_feig(FeigFrame(frame.address, frame.control, bytes((_ISO15693_ERROR,)), frame.advanced))


_BY_PROTOCOL: Mapping[str, Callable[[bytes], bytes]] = MappingProxyType(
    {"modbus_rtu": _modbus, "cctalk_acceptor": _cctalk, "generic_line": _generic, "iso15693": _feig}
)


def can_refuse(protocol: str) -> bool:
    """Return whether a protocol has an answer that refuses."""
    return protocol in _BY_PROTOCOL


def refused(protocol: str, said: bytes) -> bytes:
    """Return a refusal in place of an answer; what is no answer, or of another protocol, stays as it is."""
    try:
        return _BY_PROTOCOL[protocol](said) if protocol in _BY_PROTOCOL else said
    except FrameError:
        return said
