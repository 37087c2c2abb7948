"""The bus over MQTT: connects, stays connected, and connects again."""

import asyncio
import contextlib
import logging
import random
from typing import Final, Self

import aiomqtt

from bridge.bus import BusError
from bridge.bus.connection import MqttConnection
from bridge.bus.mailbox import Mailbox
from bridge.bus.mqtt_settings import MqttSettings
from bridge.clock import Clock
from bridge.contracts.envelopes import Envelope
from bridge.contracts.topics import TopicError, checked_level

_LOG = logging.getLogger(__name__)

_STEADY_S: Final = 10.0
"""A connection that lasted so long was a good one, and the next is tried at once after it."""
_DOUBLINGS_MAX: Final = 16
"""Beyond any sensible longest pause."""
_FAREWELL_S: Final = 2.0
"""How long leaving waits for the broker to take what is still to be sent."""


class MqttBus(Mailbox):
    """One process on the bus, under its one fixed client id. Implements ``Bus``.

    ``will`` is published by the broker when this process is lost, and by itself when it leaves. ``birth``
    is retained and published on every connection, and again whenever somebody says otherwise.
    """

    def __init__(
        self,
        settings: MqttSettings,
        *,
        client_id: str,
        subscriptions: tuple[str, ...],
        will: Envelope | None,
        birth: Envelope | None,
        clock: Clock,
    ) -> None:
        """Raise ``BusError`` for a client id or TLS files that cannot be used."""
        super().__init__(settings.limits, subscriptions=subscriptions, will=will, birth=birth, clock=clock)
        try:
            self._client_id = checked_level("client id", client_id)
        except TopicError as error:
            raise BusError(str(error)) from error
        settings.tls_context()
        self._settings = settings
        self._closing = asyncio.Event()
        self._tasks = asyncio.TaskGroup()
        self._address = f"{settings.host}:{settings.port}"

    async def __aenter__(self) -> Self:
        await self._tasks.__aenter__()
        self._tasks.create_task(self._stay_connected(), name=f"mqtt-{self._client_id}")
        self._tasks.create_task(self._remind(), name=f"mqtt-reminders-{self._client_id}")
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        try:
            self.leave()
            if self.connected:
                async with asyncio.timeout(_FAREWELL_S):
                    await self.wait_settled()
        except TimeoutError:
            _LOG.warning("Left the broker at %s without having sent everything", self._address)
        finally:
            self._closing.set()
            await self._tasks.__aexit__(None, None, None)

    async def _stay_connected(self) -> None:
        loop = asyncio.get_running_loop()
        attempts = 0
        while not self._closing.is_set():
            began = loop.time()
            trouble = await self._one_connection()
            if not trouble:
                return
            self.unlinked(trouble)
            self._log(trouble, "%s", trouble)
            attempts = 0 if loop.time() - began >= _STEADY_S else attempts + 1
            await self._pause(attempts)

    async def _one_connection(self) -> str:
        """Connect, serve until the connection ends, and return why it did; empty if we were asked to leave."""
        connection = MqttConnection(self._settings, client_id=self._client_id, will=self._will, mailbox=self)
        try:
            refused = await connection.connect(self.filters)
        except aiomqtt.MqttError as error:
            return f"No broker at {self._address}: {error}. Is it running, and may {self._client_id} log in?"
        if refused:
            _LOG.error(
                "The broker at %s refuses %s to %s; grant it in its access list",
                self._address,
                ", ".join(refused),
                self._client_id,
            )
        self.linked(connection)
        _LOG.info("Connected to the broker at %s as %s", self._address, self._client_id)
        trouble = await connection.watch(self._closing)
        if not trouble:
            if self._settled.is_set():
                self.unlinked("")
                await connection.close()
            else:
                self.unlinked("it did not take everything in time")
                connection.cut()  # the last word may not have reached it, and for a lost client it says the will
            return ""
        connection.cut()
        return (
            f"Lost the broker at {self._address}: {trouble}. "
            f"If it keeps happening, look for a second process with the client id {self._client_id}."
        )

    async def _remind(self) -> None:
        while not self._closing.is_set():
            await self._sleep(self._settings.remind_s)
            self.remind()

    async def _pause(self, attempts: int) -> None:
        """Wait longer after each failure, and not in step with all the others who lost the same broker."""
        doubled = self._settings.reconnect_min_s * 2 ** min(max(attempts - 1, 0), _DOUBLINGS_MAX)
        await self._sleep(min(doubled, self._settings.reconnect_max_s) * random.uniform(0.5, 1))  # noqa: S311 no secret

    async def _sleep(self, seconds: float) -> None:
        """Sleep, but not longer than this bus is open."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._closing.wait()
