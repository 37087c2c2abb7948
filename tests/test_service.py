import asyncio
import fcntl
import logging
import os
import pty
import signal
import struct
import termios
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import aiomqtt
import pytest

from bridge import service as module
from bridge.bus import BusError
from bridge.bus.mqtt_settings import TlsSettings
from bridge.config import BrokerConfig
from bridge.config.table_config import TlsConfig
from bridge.contracts.codec import decode
from bridge.contracts.envelopes import HealthEnvelope
from bridge.domain.controller import DisabledReason
from bridge.domain.errors import BridgeError
from bridge.domain.identity import TableId
from bridge.service import (
    Failure,
    NobodyHoldsStdinError,
    log_to_stderr,
    mqtt_settings,
    plain_errors,
    say_failed,
    service,
    until_told_to_stop,
)
from bridge.stores.journal import JournalError
from tests.brokers import free_port, running_mosquitto
from tests.one_process import SetClock
from tests.transports.ports import eventually

BROKER = BrokerConfig(host="127.0.0.1", port=1883, username=None, password_file=None, tls=None)


def with_password(folder: Path, content: bytes) -> BrokerConfig:
    file = folder / "password"
    file.write_bytes(content)
    return replace(BROKER, username="bj-1", password_file=file)


# --- how a broker is reached ---------------------------------------------------------------------------


def test_a_broker_that_asks_nothing_is_told_nothing() -> None:
    settings = mqtt_settings(BROKER)

    assert (settings.host, settings.port) == ("127.0.0.1", 1883)
    assert (settings.username, settings.password, settings.tls) == (None, None, None)


@pytest.mark.parametrize("content", [b"secret", b"secret\n", b"secret\r\n", b"secret\nwhat follows is a remark\n"])
def test_the_password_is_the_first_line_of_its_file(tmp_path: Path, content: bytes) -> None:
    settings = mqtt_settings(with_password(tmp_path, content))

    assert (settings.username, settings.password) == ("bj-1", "secret")


def test_a_password_file_that_cannot_be_read_says_which_and_why(tmp_path: Path) -> None:
    broker = with_password(tmp_path, b"secret")
    (tmp_path / "password").unlink()

    with pytest.raises(BusError, match=r"no password for the broker: .*/password: got 'No such file or dir"):
        mqtt_settings(broker)


def test_a_password_file_that_is_no_text_says_so_and_nothing_of_what_is_in_it(tmp_path: Path) -> None:
    with pytest.raises(BusError, match=r"/password: got a first line that is not UTF-8") as refused:
        mqtt_settings(with_password(tmp_path, b"s\xfccret"))

    assert "cret" not in str(refused.value).replace(str(tmp_path), "")


def test_tls_is_handed_on_as_it_is_configured(tmp_path: Path) -> None:
    files = TlsConfig(
        ca_file=tmp_path / "ca", certificate_file=tmp_path / "certificate", key_file=tmp_path / "key"
    )

    assert mqtt_settings(replace(BROKER, tls=files)).tls == TlsSettings(
        ca_file=tmp_path / "ca", certificate_file=tmp_path / "certificate", key_file=tmp_path / "key"
    )


# --- its name, its birth and its will ------------------------------------------------------------------


async def test_a_process_has_one_name_and_says_when_it_comes_and_that_it_is_gone() -> None:
    own = service("daemon", TableId("bj-1"), BROKER, subscriptions=(), clock=SetClock())

    assert own.author.sender == "bj-1-daemon"
    assert own.bus._client_id == "bj-1-daemon"
    birth, will = own.bus._outbox.take(), own.bus._will
    assert birth is not None
    assert birth.retained
    born = decode(birth.topic, birth.payload)
    assert isinstance(born, HealthEnvelope)
    assert isinstance(will, HealthEnvelope)
    assert (born.service, born.online) == (will.service, True) == ("daemon", True)
    assert (will.online, will.detail) == (False, "not connected")
    assert will.epoch == born.epoch == own.author.epoch


async def test_461a_4_a_process_says_which_software_it_is_and_what_it_found() -> None:
    failure = Failure(reason=DisabledReason.STORAGE_FAILURE, detail="the meter store is damaged")
    async with running_mosquitto() as broker:
        reached = replace(BROKER, host=broker.host, port=broker.port)
        own = service(
            "rules-worker",
            TableId("bj-1"),
            reached,
            subscriptions=(),
            clock=SetClock(),
            software="ab" * 32,
            failure=failure,
        )
        await say_failed(own)
        async with aiomqtt.Client(broker.host, broker.port) as client:
            await client.subscribe("#")
            async for message in client.messages:
                assert isinstance(message.payload, bytes)
                left = decode(str(message.topic), message.payload)
                break

    assert isinstance(left, HealthEnvelope)
    assert message.retain
    assert (left.service, left.online, left.software) == ("rules-worker", False, "ab" * 32)
    assert (left.failure, left.detail) == (failure.reason, failure.detail)


async def test_a_process_that_finds_no_broker_does_not_wait_for_ever_to_say_what_it_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_LAST_WORD_S", 0.01)
    failure = Failure(reason=DisabledReason.STORAGE_FAILURE, detail="damaged")
    reached = replace(BROKER, port=free_port())

    await say_failed(
        service("rules-worker", TableId("bj-1"), reached, subscriptions=(), clock=SetClock(), failure=failure)
    )


# --- its end -------------------------------------------------------------------------------------------


@pytest.fixture
def signals_as_before() -> Iterator[None]:
    before = {sign: signal.getsignal(sign) for sign in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)}
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    for sign, handler in before.items():
        signal.signal(sign, handler)


@pytest.mark.usefixtures("signals_as_before")
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_a_process_that_is_told_to_stop_cleans_up_and_ends_in_peace(sign: signal.Signals) -> None:
    cleaned = []

    async def work() -> None:
        asyncio.get_running_loop().call_soon(os.kill, os.getpid(), sign)
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned.append(True)

    await until_told_to_stop(work())

    assert cleaned == [True]
    assert signal.getsignal(sign) in (signal.SIG_DFL, signal.default_int_handler), "asked once more, it obeys"


@pytest.mark.usefixtures("signals_as_before")
async def test_a_process_that_was_started_to_outlive_its_terminal_does() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    finished = []

    async def work() -> None:
        os.kill(os.getpid(), signal.SIGHUP)
        await asyncio.sleep(0)
        finished.append(True)

    await until_told_to_stop(work())

    assert finished == [True]
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


@pytest.mark.usefixtures("signals_as_before")
async def test_what_is_said_after_a_hang_up_is_read_by_nobody_and_fails_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours, theirs = pty.openpty()
    monkeypatch.setattr(module, "_STANDARD_STREAMS", (theirs,))
    said = []

    async def work() -> None:
        os.close(ours)
        with pytest.raises(OSError, match="Input/output error"):
            os.write(theirs, b"to nobody")
        asyncio.get_running_loop().call_soon(os.kill, os.getpid(), signal.SIGHUP)
        try:
            await asyncio.Event().wait()
        finally:
            said.append(os.write(theirs, b"the summary"))

    await until_told_to_stop(work())
    os.close(theirs)

    assert said == [len(b"the summary")]


@pytest.mark.usefixtures("signals_as_before")
async def test_a_process_that_is_held_by_its_standard_input_ends_with_whoever_holds_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    theirs, ours = os.pipe()
    monkeypatch.setattr(module, "_STDIN", theirs)
    cleaned = []

    async def work() -> None:
        os.write(ours, b"whatever is said does not matter")
        try:
            await eventually(lambda: unread(theirs) == 0)
            os.close(ours)
            await asyncio.Event().wait()
        finally:
            cleaned.append(True)

    await until_told_to_stop(work(), until_stdin_closes=True)
    os.close(theirs)

    assert cleaned == [True]


def unread(descriptor: int) -> int:
    (count,) = struct.unpack("i", fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4)))
    assert isinstance(count, int)
    return count


@pytest.mark.usefixtures("signals_as_before")
async def test_a_standard_input_that_nobody_can_close_holds_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    monkeypatch.setattr(module, "_STDIN", nothing)
    with pytest.raises(NobodyHoldsStdinError, match="nobody can close; give it a pipe"):
        await until_told_to_stop(asyncio.Event().wait(), until_stdin_closes=True)  # type: ignore[arg-type]
    os.close(nothing)


@pytest.mark.usefixtures("signals_as_before")
async def test_work_that_ends_by_itself_ends_the_wait_and_its_error_comes_out() -> None:
    async def done() -> None:
        await asyncio.sleep(0)

    async def failed() -> None:
        raise JournalError("the disk is full; free some space")

    await until_told_to_stop(done())
    with pytest.raises(JournalError, match="free some space"):
        await until_told_to_stop(failed())
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


# --- its errors ----------------------------------------------------------------------------------------


def raised_through(error: BaseException) -> None:
    with plain_errors():
        raise error


def test_an_error_made_on_purpose_comes_out_of_its_groups() -> None:
    cause = JournalError("free some space")
    sibling = BusError("it went down with it")

    with pytest.raises(JournalError) as raised:
        raised_through(ExceptionGroup("outer", [ExceptionGroup("inner", [cause]), sibling]))
    assert raised.value is cause
    assert raised.value.__suppress_context__


def test_a_group_with_a_fault_of_ours_comes_out_whole() -> None:
    mixed = ExceptionGroup("outer", [BridgeError("on purpose"), ZeroDivisionError("a fault of ours")])

    with pytest.raises(ExceptionGroup) as raised:
        raised_through(mixed)
    assert raised.value is mixed


def test_an_error_in_no_group_comes_out_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        raised_through(ZeroDivisionError())


# --- its log -------------------------------------------------------------------------------------------


def test_the_log_is_a_line_an_entry_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    root.handlers = []
    try:
        log_to_stderr("warning")
        logging.getLogger("bridge.daemon").warning("the lock %s", "is engaged")
        logging.getLogger("bridge.daemon").info("nobody reads this")
        logging.getLogger("bridge.bus").warning("on %s", "devices/x\n2026-11-30 ERROR forged \x1b[2J\u202e é")
    finally:
        root.handlers = handlers
        root.setLevel(level)

    out, err = capsys.readouterr()
    assert out == ""
    line, named_by_a_stranger, set_in = err.splitlines()
    assert line.endswith("WARNING bridge.daemon: the lock is engaged")
    assert named_by_a_stranger.endswith("on devices/x")
    assert set_in == "    2026-11-30 ERROR forged \\x1b[2J\\u202e é"
