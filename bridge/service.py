"""What every process of a table has in common: its one name on the bus, its birth and will, its end."""

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from bridge.bus import BusError
from bridge.bus.mqtt import MqttBus
from bridge.bus.mqtt_settings import MqttSettings, TlsSettings
from bridge.clock import Clock
from bridge.config import BrokerConfig
from bridge.contracts.author import Author
from bridge.contracts.envelopes import HealthEnvelope
from bridge.documents.document import read_first_line
from bridge.documents.faults import DocumentError
from bridge.domain.controller import DisabledReason
from bridge.domain.errors import BridgeError
from bridge.domain.identity import TableId

_LAST_WORD_S = 3.0
"""How long a process that cannot do its work tries to say so."""
_STOP_SIGNS = (signal.SIGTERM, signal.SIGINT)
_STDIN: Final = 0
_STANDARD_STREAMS: Final = (_STDIN, 1, 2)
_READ_BYTES_MAX: Final = 4096


class NobodyHoldsStdinError(BridgeError):
    """The process shall stop when its standard input is closed, and that will never happen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A process on the bus: what it sends with, and what it is called."""

    bus: MqttBus
    author: Author


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """What a process found that disables the progressive controller."""

    reason: DisabledReason
    detail: str


def mqtt_settings(broker: BrokerConfig) -> MqttSettings:
    """Return how to reach a broker; raise ``BusError`` if the password cannot be read."""
    password = None
    if broker.password_file is not None:
        try:
            password = read_first_line(broker.password_file)
        except DocumentError as error:
            raise BusError(f"no password for the broker: {error}") from error
    tls = None
    if broker.tls is not None:
        tls = TlsSettings(
            ca_file=broker.tls.ca_file,
            certificate_file=broker.tls.certificate_file,
            key_file=broker.tls.key_file,
        )
    return MqttSettings(host=broker.host, port=broker.port, username=broker.username, password=password, tls=tls)


def service(
    name: Literal["daemon", "rules-worker"],
    table: TableId,
    broker: BrokerConfig,
    *,
    subscriptions: tuple[str, ...],
    clock: Clock,
    software: str = "",
    failure: Failure | None = None,
) -> Service:
    """Return a process of a table, not connected yet. There is one of its name: a second takes its place.

    ``software`` is the digest of what runs; ``failure`` is what it found that disables the controller.
    """
    client_id = f"{table}-{name}"
    author = Author(client_id, clock)
    said = {"table": table, "service": name, "software": software}
    known = {"detail": failure.detail, "failure": failure.reason} if failure else {"detail": ""}
    here = author.stamp(HealthEnvelope, **said, online=True, **known)
    lost = {"detail": "not connected"} if failure is None else known
    gone = author.stamp(HealthEnvelope, **said, online=False, **lost)
    bus = MqttBus(
        mqtt_settings(broker), client_id=client_id, subscriptions=subscriptions, will=gone, birth=here, clock=clock
    )
    return Service(bus=bus, author=author)


async def say_failed(own: Service) -> None:
    """Say what a process found, as far as there is a broker, and leave it retained when the process has ended."""
    async with own.bus:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WORD_S):
                await own.bus.wait_connected()
                await own.bus.wait_settled()


async def until_told_to_stop(work: Awaitable[None], *, until_stdin_closes: bool = False) -> None:
    """Do the work until it ends, or until a signal asks this process to stop; then let it clean up.

    So does the closing of its terminal, unless the process was started to outlive it, as ``nohup`` does. With
    ``until_stdin_closes`` so does the end of standard input: whoever started this process holds it open, and
    cannot die without closing it. Raise ``NobodyHoldsStdinError`` if it is not of a kind that closes.
    """
    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()
    terminals = [descriptor for descriptor in _STANDARD_STREAMS if os.isatty(descriptor)]

    def hang_up() -> None:
        let_nobody_read(terminals)
        task.cancel()

    heeded: dict[signal.Signals, Callable[[], object]] = dict.fromkeys(_STOP_SIGNS, task.cancel)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        heeded[signal.SIGHUP] = hang_up
    for sign, heed in heeded.items():
        loop.add_signal_handler(sign, heed)
    try:
        watching = _watching_stdin(task.cancel) if until_stdin_closes else contextlib.nullcontext()
        with watching, contextlib.suppress(asyncio.CancelledError):
            await task
    finally:
        # Whoever is asked once more while the rest is taken down means it.
        for sign in heeded:
            loop.remove_signal_handler(sign)
        task.cancel()


def let_nobody_read(descriptors: Iterable[int]) -> None:
    """Let what is still written to a terminal that is gone, or a full disk, be read by nobody and not fail."""
    with Path(os.devnull).open("r+b") as nowhere:
        for descriptor in descriptors:
            os.dup2(nowhere.fileno(), descriptor)


@contextlib.contextmanager
def _watching_stdin(stop: Callable[[], object]) -> Iterator[None]:
    loop = asyncio.get_running_loop()

    def readable() -> None:
        try:
            said = os.read(_STDIN, _READ_BYTES_MAX)
        except OSError:  # a terminal that is gone
            said = b""
        if not said:
            loop.remove_reader(_STDIN)
            stop()

    try:
        loop.add_reader(_STDIN, readable)
    except OSError as error:
        raise NobodyHoldsStdinError(
            "standard input is a file or nothing at all, which nobody can close; give it a pipe"
        ) from error
    try:
        yield
    finally:
        loop.remove_reader(_STDIN)


@contextlib.contextmanager
def plain_errors() -> Iterator[None]:
    """Let an error made on purpose out of its task groups, so that a person reads its message and no more.

    A group that holds anything else is a fault of ours, and comes out whole.
    """
    try:
        yield
    except BaseExceptionGroup as group:
        on_purpose, other = group.split(BridgeError)
        if on_purpose is None or other is not None:
            raise
        raise _first(on_purpose) from None


def _first(group: BaseExceptionGroup[BridgeError]) -> BridgeError:
    first = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first


class _OneByOne(logging.Formatter):
    """Shows signs that do something to a terminal, and sets further lines in: strangers make topics up."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return an entry, without its traceback, so that no part of it looks like another entry."""
        entry = super().formatMessage(record)
        return entry if entry.isprintable() else "".join(map(_shown, entry))


def _shown(sign: str) -> str:
    if sign == "\n":
        return "\n    "
    return sign if sign.isprintable() else sign.encode("unicode_escape").decode()


def log_to_stderr(level: str) -> None:
    """Write this process's log to standard error, an entry a line, further lines of it set in."""
    handler = logging.StreamHandler()
    handler.setFormatter(_OneByOne("%(asctime)s %(levelname)-7s %(name)s: %(message)s"))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
