"""Brokers for any test: Mosquitto as a process of its own, and the embedded one.

async with running_mosquitto() as broker:
    settings = broker.settings()
"""

import asyncio
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Protocol

import aiomqtt
import pytest

from bridge.bus.embedded import EmbeddedBroker
from bridge.bus.mqtt_settings import MqttSettings
from bridge.contracts.topics import ROOT, TOPIC_RULES, Writer, topic_filter
from tests.leash import leashed
from tests.patience import PATIENCE_S

_PORT_RANGE = range(16_384, 32_768)
_PORTS = iter(random.sample(_PORT_RANGE, len(_PORT_RANGE)))
_MOSQUITTO_PLACES = "/usr/sbin:/usr/local/sbin:/opt/homebrew/sbin"


class Address(Protocol):
    """Where a broker is found."""

    host: str
    port: int


TABLE_LOGIN = ("bj-demo", "the table's own password")
"""Name and password of a table's processes, at a broker that asks for logins."""


class RunningBroker(Address, Protocol):
    """A broker that a test may stop and start."""

    login: tuple[str, str] | None
    """What it asks of a table's own processes."""

    async def kill(self) -> None:
        """Take it away without a word."""

    async def restart(self) -> None:
        """Bring it back on its port; what it remembers is its own affair."""


def settings_for(broker: RunningBroker) -> MqttSettings:
    """Return settings as a table has them, but but with short pauses and long patience."""
    username, password = broker.login or (None, None)
    return MqttSettings(
        host=broker.host,
        port=broker.port,
        username=username,
        password=password,
        publish_timeout_s=PATIENCE_S,
        connect_timeout_s=PATIENCE_S,
        reconnect_min_s=0.01,
        reconnect_max_s=0.1,
    )


def free_port() -> int:
    """Return a port of the loopback that nobody uses, and nobody else is given before it is used.

    What a system gives to outgoing connections, and to whoever asks for any port, lies above these.
    """
    for port in _PORTS:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    pytest.fail(f"no port of {_PORT_RANGE} is free")


async def publish_raw(broker: RunningBroker, topic: str, payload: bytes, *, retained: bool = False) -> None:
    """Publish any bytes, as any program with a login might; an empty retained message clears a topic."""
    async with aiomqtt.Client(broker.host, broker.port, timeout=PATIENCE_S) as client:
        await client.publish(topic, payload, qos=1, retain=retained)


class Mosquitto:
    """A Mosquitto process with the settings that a table needs."""

    def __init__(self, directory: Path, people: Mapping[str, str] | None = None) -> None:
        """``people`` are the secrets of those who log in; where they do, so does the table."""
        self.host = "127.0.0.1"
        self.port = free_port()
        self.login: tuple[str, str] | None = TABLE_LOGIN if people else None
        self._people = people or {}
        self._directory = directory
        self._process: asyncio.subprocess.Process | None = None
        self._log: asyncio.Task[None] | None = None
        found = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:{_MOSQUITTO_PLACES}")
        if found is None:
            pytest.fail("Mosquitto is not installed; install it with: apt-get install mosquitto")
        self._program = found

    async def restart(self) -> None:
        """Start it, and return when it listens."""
        configuration = self._directory / "mosquitto.conf"
        lines = (
            f"listener {self.port} {self.host}",
            *(self._access_list() if self._people else ["allow_anonymous true"]),
            "set_tcp_nodelay true",
            "max_queued_messages 100000",
            "persistence true",
            f"persistence_location {self._directory}/",
            "log_dest stderr",
            "log_type information",
            "log_type error",
            *(["user root"] if os.geteuid() == 0 else []),
        )
        configuration.write_text("\n".join(lines) + "\n")
        self._process = await asyncio.create_subprocess_exec(
            *leashed(self._program, "-c", str(configuration)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        log = self._process.stderr
        assert log is not None
        said: list[str] = []
        async with asyncio.timeout(PATIENCE_S):
            while not (said and said[-1].endswith("running")):
                line = (await log.readline()).decode()
                if not line:
                    pytest.fail(f"Mosquitto does not start: {' / '.join(said)}")
                said.append(line.strip())
        self._log = asyncio.create_task(_read_to_end(log), name="mosquitto-log")

    def _access_list(self) -> list[str]:
        """Hold every login to the topics that it writes, and every person to his own."""
        passwords, access = self._directory / "passwords", self._directory / "access"
        passwords.write_text(
            "".join(f"{name}:{secret}\n" for name, secret in [TABLE_LOGIN, *self._people.items()])
        )
        for file in (passwords, access):
            file.touch()
            file.chmod(0o600)
        subprocess.run(["mosquitto_passwd", "-U", str(passwords)], check=True)  # noqa: S607 - it stands in PATH
        own = (topic_filter(rule.envelope) for rule in TOPIC_RULES if rule.writer is not Writer.PERSON)
        access.write_text(
            "\n".join(
                [
                    f"user {TABLE_LOGIN[0]}",
                    *(f"topic write {topic}" for topic in own),
                    f"pattern read {ROOT}/#",
                    f"pattern write {ROOT}/tables/+/confirmations/%u",
                ]
            )
        )
        return ["allow_anonymous false", f"password_file {passwords}", f"acl_file {access}"]

    def freeze(self) -> None:
        """Let it hang: connections stand, and nothing moves on them."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    async def kill(self) -> None:
        """End it at once, as a power cut would."""
        if self._process is not None and self._log is not None:
            self._signal(signal.SIGKILL)
            await self._process.wait()
            await self._log
            self._process = None

    async def stop(self) -> None:
        """Let it write down what it remembers, and end."""
        assert self._process is not None
        assert self._log is not None
        self._signal(signal.SIGTERM)
        await self._process.wait()
        await self._log
        self._process = None

    async def kill_and_empty(self) -> None:
        """End it at once, and take away what it remembers."""
        await self.kill()
        for database in self._directory.glob("mosquitto.db*"):
            database.unlink()

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)


async def _read_to_end(log: asyncio.StreamReader) -> None:
    while await log.readline():
        pass


class Embedded:
    """The embedded broker, in this process."""

    def __init__(self) -> None:
        self.host = "127.0.0.1"
        self.port = free_port()
        self.login: tuple[str, str] | None = None
        self._broker: EmbeddedBroker | None = None

    async def restart(self) -> None:
        """Start a new one on the port of the last; it remembers nothing."""
        broker = EmbeddedBroker(self.port)
        await broker.__aenter__()
        self._broker = broker

    async def kill(self) -> None:
        """Stop it, and with it all that it remembers."""
        if self._broker is not None:
            await self._broker.__aexit__(None, None, None)
            self._broker = None

    async def kill_and_empty(self) -> None:
        """Stop it; it is empty anyway when it comes back."""
        await self.kill()


@asynccontextmanager
async def running_mosquitto(people: Mapping[str, str] | None = None) -> AsyncIterator[Mosquitto]:
    """Run Mosquitto on a free port of the loopback; fail with what to install if it is not there.

    With secrets of people it has an access list, which holds each of them to his own confirmations.
    """
    with tempfile.TemporaryDirectory(prefix="mosquitto-") as directory:
        broker = Mosquitto(Path(directory), people)
        await broker.restart()
        try:
            yield broker
        finally:
            await broker.kill()


@asynccontextmanager
async def running_embedded() -> AsyncIterator[Embedded]:
    """Run the embedded broker on a free port of the loopback."""
    broker = Embedded()
    await broker.restart()
    try:
        yield broker
    finally:
        await broker.kill()
