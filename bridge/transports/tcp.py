"""Serial lines behind a device server: the same bytes over TCP."""

import asyncio
import socket

from bridge.transports.byte_stream import ByteStream
from bridge.transports.errors import TransientTransportError

CONNECT_TIMEOUT_S = 5
"""A device server is on the same switch; one that takes longer is not there."""

_QUIET_S = 5
_PROBE_EVERY_S = 2
_PROBES = 3
_UNACKNOWLEDGED_MS = 10_000

_OPTIONS = (
    # A request is a few bytes and must leave at once, not wait for the acknowledgement of the last one.
    (socket.IPPROTO_TCP, "TCP_NODELAY", 1),
    # A line may be quiet for minutes; a device server that lost its power says nothing at all.
    (socket.SOL_SOCKET, "SO_KEEPALIVE", 1),
    (socket.IPPROTO_TCP, "TCP_KEEPIDLE", _QUIET_S),
    (socket.IPPROTO_TCP, "TCP_KEEPINTVL", _PROBE_EVERY_S),
    (socket.IPPROTO_TCP, "TCP_KEEPCNT", _PROBES),
    (socket.IPPROTO_TCP, "TCP_USER_TIMEOUT", _UNACKNOWLEDGED_MS),
)


async def open_tcp(url: str, host: str, port: int) -> ByteStream:
    """Connect to a device server; raise ``TransientTransportError`` with what to do. ``url`` names the line."""
    try:
        async with asyncio.timeout(CONNECT_TIMEOUT_S):
            transport, stream = await asyncio.get_running_loop().create_connection(
                lambda: ByteStream(url), host, port
            )
    except ConnectionRefusedError:
        raise TransientTransportError(
            f"{url}: connection refused; is the device server in TCP server mode, on port {port}, and not taken "
            "by another client?"
        ) from None
    except TimeoutError:
        raise TransientTransportError(
            f"{url}: no answer within {CONNECT_TIMEOUT_S} s; is the device server on and on this network?"
        ) from None
    except socket.gaierror as error:
        raise TransientTransportError(
            f"{url}: the name {host} is not known ({error.strerror}); correct it, or write the address in numbers"
        ) from error
    except UnicodeError:  # a part of the name is empty, or too long
        raise TransientTransportError(f"{url}: {host!r} cannot be the name of a machine; correct it") from None
    except OSError as error:
        raise TransientTransportError(f"{url}: cannot be reached ({error.strerror or error})") from error
    _set_options(transport.get_extra_info("socket"))
    return stream


def _set_options(connection: socket.socket) -> None:
    for level, name, value in _OPTIONS:
        if hasattr(socket, name):  # not every system has all of them
            connection.setsockopt(level, getattr(socket, name), value)
