"""USB devices as byte streams: HID reports as records (``wire.hid_reports``), or the bytes of bulk endpoints.

The library blocks, so an open device has two threads: one reads, with a short time-out and a stop flag; the other
carries out, in order, what is to be sent and asked. What arrives is handed to the event loop, where it waits for
its reader: nothing that was read is lost when a reader gives up waiting.
"""

import asyncio
import errno
import logging
import queue
import threading
from collections.abc import Callable
from contextlib import suppress

from usb.core import USBError, USBTimeoutError

from bridge.transports.byte_stream import RECEIVE_LIMIT
from bridge.transports.errors import TransientTransportError, TransportError
from bridge.transports.mailbox import Mailbox
from bridge.transports.on_thread import opened_on_thread
from bridge.transports.usb_address import UsbAddress
from bridge.transports.usb_claim import UsbClaim, claim
from bridge.transports.usb_errors import USB_FAILURES
from bridge.wire.hid_reports import Report, ReportKind, ReportReader, pack
from bridge.wire.spec import UsbPipe

_log = logging.getLogger(__name__)

READ_TIMEOUT_MS = 100
"""How long the reading thread waits before it looks whether it is to stop."""
SEND_LIMIT = 256
"""Reports not taken by the device before it counts as stuck."""
FAILURES_MAX = 3
"""Stalls in a row, or requests in a row that took too long, until the device is opened anew."""
CLOSE_TIMEOUT_S = 4.0
"""Longer than any one transfer; whatever still waits then waits inside the system, and is left there."""
_PRESENCE_S = 1.0
"""How often a device that never speaks is asked whether it is there."""
_ROOM_POLL_S = 0.02

_Job = Callable[[], bytes | None]
"""Something to be done on the sending thread; what it returns has arrived."""


async def open_usb(address: UsbAddress) -> "UsbStream":
    """Open a device; raise ``TransientTransportError`` or ``PermanentTransportError`` with what to do."""
    stream = UsbStream(address, await opened_on_thread(lambda: claim(address), UsbClaim.release))
    stream.start()
    return stream


class UsbStream:
    """One open device; a ``Transport``."""

    def __init__(self, address: UsbAddress, taken: UsbClaim) -> None:
        self._url = address.url
        self._pipe = address.match.pipe
        self._claim = taken
        self._loop = asyncio.get_running_loop()
        self._mailbox = Mailbox()
        self._records = ReportReader()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._released = asyncio.Event()
        self._unread = 0
        self._lock = threading.Lock()
        self._reader = threading.Thread(target=self._read_all, name=f"reads {self._url}", daemon=True)
        self._sender = threading.Thread(target=self._send_all, name=f"sends to {self._url}", daemon=True)

    def start(self) -> None:
        """Begin to read and to send."""
        if self._claim.reads:
            self._reader.start()
        self._sender.start()

    async def read(self) -> bytes:
        """Wait for bytes and return whatever arrived; raise when the device is gone and all bytes are taken.

        One reader at a time. Cancelling it loses nothing.
        """
        received = await self._mailbox.take()
        with self._lock:
            self._unread -= len(received)
        return received

    def write(self, data: bytes) -> None:
        """Hand bytes over to be sent; a failure shows in ``read``. When the device is gone they are dropped."""
        if not data or self._mailbox.ended:
            return
        if self._pipe is UsbPipe.BULK:
            self._jobs.put(lambda: self._claim.write(data))
        else:
            reports, junk = self._records.receive_data(data)
            if junk:
                _log.error("%s: %d bytes to be sent are no report", self._url, len(junk))
            for report in reports:
                self._jobs.put(self._job(report))
        if self._jobs.qsize() > SEND_LIMIT:
            self._mailbox.end(
                TransientTransportError(
                    f"{self._url}: {SEND_LIMIT} reports wait to be sent and the device takes none; plug it in anew"
                )
            )

    async def close(self) -> None:
        """Send what waits to be sent, and release the device; never waits longer than ``CLOSE_TIMEOUT_S``."""
        self._mailbox.end(TransientTransportError(f"{self._url}: closed"))
        self._stopping.set()
        self._jobs.put(None)
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await self._released.wait()
        except TimeoutError:
            _log.error("%s: the system does not let go of the device; plug it in anew", self._url)

    # --- the reading thread ---

    def _read_all(self) -> None:
        stalls = 0
        while not self._stopping.is_set():
            if self._is_full():
                self._stopping.wait(_ROOM_POLL_S)
                continue
            try:
                data = self._claim.read(READ_TIMEOUT_MS)
            except USBTimeoutError:
                continue
            except USB_FAILURES as error:
                stalls += 1
                if not self._resumed(error, stalls):
                    self._end(self._claim.explained(error, "it is read from"))
                    return
            else:
                stalls = 0
                self._hand_over(self._arrived(data))

    def _resumed(self, error: Exception, stalls: int) -> bool:
        """Say whether an endpoint that stalled goes on."""
        if not _is_stall(error) or stalls >= FAILURES_MAX:
            return False
        try:
            self._claim.resume_reading()
        except USB_FAILURES:
            return False
        return True

    def _arrived(self, data: bytes) -> bytes:
        if self._pipe is UsbPipe.BULK or not data:
            return data
        return pack(Report(ReportKind.INPUT, data))

    def _is_full(self) -> bool:
        with self._lock:
            return self._unread >= RECEIVE_LIMIT

    # --- the sending thread ---

    def _send_all(self) -> None:
        failures = 0
        while (job := self._next_job()) is not None:
            try:
                self._hand_over(job())
            except USB_FAILURES as error:
                failures += 1
                # A refused request harms nothing: whoever asked hears no answer, and says so.
                if not (_is_stall(error) or isinstance(error, USBTimeoutError)) or failures >= FAILURES_MAX:
                    self._end(self._claim.explained(error, "something is sent to it, or asked of it"))
                    self._stopping.wait()
                    break
            else:
                failures = 0
        if self._reader.is_alive():
            self._reader.join()
        self._claim.release()
        self._in_loop(self._released.set)

    def _next_job(self) -> _Job | None:
        if self._claim.reads:
            return self._jobs.get()
        try:
            return self._jobs.get(timeout=_PRESENCE_S)
        except queue.Empty:
            return self._claim.touch

    def _job(self, report: Report) -> _Job:
        data = report.data
        match report.kind:
            case ReportKind.OUTPUT:
                return lambda: self._claim.send_output(data)
            case ReportKind.FEATURE:
                return lambda: self._claim.set_feature(data)
            case ReportKind.FEATURE_REQUEST:
                return lambda: pack(Report(ReportKind.FEATURE, self._claim.get_feature(data[0], _length(data))))
            case ReportKind.INPUT:
                return lambda: None  # a device takes none

    # --- to the event loop ---

    def _hand_over(self, data: bytes | None) -> None:
        if data:
            with self._lock:
                self._unread += len(data)
            self._in_loop(self._mailbox.put, data)

    def _end(self, error: TransportError) -> None:
        self._in_loop(self._mailbox.end, error)

    def _in_loop(self, call: Callable[..., None], *given: object) -> None:
        with suppress(RuntimeError):  # the loop has ended, and nobody waits
            self._loop.call_soon_threadsafe(call, *given)


def _is_stall(error: Exception) -> bool:
    return isinstance(error, USBError) and error.errno == errno.EPIPE


def _length(request: bytes) -> int:
    return int.from_bytes(request[1:])
