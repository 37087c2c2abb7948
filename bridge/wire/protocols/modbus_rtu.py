"""A line of Modbus RTU input and output modules, polled by the bridge."""

from bridge.wire.modbus_frames import (
    ExceptionCode,
    Frame,
    Function,
    decode_frame,
    encode_frame,
    pack_channels,
    reply_length,
    request_length,
    unpack_channels,
)

__all__ = [
    "ExceptionCode",
    "Frame",
    "Function",
    "decode_frame",
    "encode_frame",
    "pack_channels",
    "reply_length",
    "request_length",
    "unpack_channels",
]
