"""Serial ports behind a device server that takes their settings over the network: RFC 2217.

pyserial speaks the protocol and waits while it does, so a thread of each port listens. An end that has lost its
power says nothing at all: a line that is polled finds that out, as it does of a device.
"""

import asyncio
import threading
from typing import Final

import serial
from serial import rfc2217

from bridge.transports.errors import TransientTransportError
from bridge.transports.mailbox import Mailbox
from bridge.transports.on_thread import opened_on_thread
from bridge.wire.spec import SerialSettings

_LOOK_S = 0.1
"""How often a listening thread looks whether it is still wanted."""
_UNREAD_MAX: Final = 1024 * 1024
"""Bytes kept while nobody reads: over a minute of the fastest line. The library cannot tell a server to stop."""


async def open_rfc2217(url: str, settings: SerialSettings) -> "Rfc2217Port":
    """Open a port of a device server, set up as a serial port is; raise ``TransientTransportError``."""
    return Rfc2217Port(url, await opened_on_thread(lambda: _open(url, settings), rfc2217.Serial.close))


def _open(url: str, settings: SerialSettings) -> rfc2217.Serial:
    try:
        return rfc2217.Serial(
            url,
            baudrate=settings.baud,
            bytesize=settings.data_bits,
            parity=settings.parity.value,
            stopbits=settings.stop_bits,
            timeout=_LOOK_S,
        )
    except (serial.SerialException, OSError) as error:
        raise TransientTransportError(
            f"{url}: cannot be opened ({error}); is the device server on, in RFC 2217 mode, and not taken by "
            "another client? For one that hands on bytes alone write socket://"
        ) from error


class Rfc2217Port:
    """One open port; a ``Transport``."""

    def __init__(self, url: str, port: rfc2217.Serial) -> None:
        self._url = url
        self._port = port
        self._mailbox = Mailbox()
        self._loop = asyncio.get_running_loop()
        self._wanted = True
        self._thread = threading.Thread(target=self._listen, name=f"listens at {url}", daemon=True)
        self._thread.start()

    async def read(self) -> bytes:
        """Wait for bytes and return whatever arrived; raise when the port is gone and all bytes are taken."""
        return await self._mailbox.take()

    def write(self, data: bytes) -> None:
        """Hand bytes to the port; when it is gone they are dropped."""
        if not data or self._mailbox.ended:
            return
        try:
            self._port.write(data)
        except serial.SerialException as error:
            self._mailbox.end(self._gone(error))

    async def close(self) -> None:
        """Release the port; when this returns, it may be opened again."""
        self._wanted = False
        self._mailbox.end(TransientTransportError(f"{self._url}: closed"))
        await asyncio.to_thread(self._release)

    def _release(self) -> None:
        self._thread.join()
        self._port.close()

    def _listen(self) -> None:
        """Hand over what arrives, on a thread of its own, until the port is gone or not wanted any more."""
        try:
            while self._wanted:
                data = self._port.read(1)
                if data:
                    data += self._port.read(self._port.in_waiting)
                    self._loop.call_soon_threadsafe(self._arrived, data)
        except (serial.SerialException, OSError) as error:
            self._loop.call_soon_threadsafe(self._mailbox.end, self._gone(error))

    def _arrived(self, data: bytes) -> None:
        """Keep bytes for their reader, as long as there is room."""
        if len(self._mailbox) + len(data) > _UNREAD_MAX:
            self._mailbox.end(
                TransientTransportError(
                    f"{self._url}: more than {_UNREAD_MAX} bytes wait to be read; check what the server sends"
                )
            )
        self._mailbox.put(data)

    def _gone(self, error: Exception) -> TransientTransportError:
        return TransientTransportError(
            f"{self._url}: the port is gone ({error}); check the device server and the network"
        )
