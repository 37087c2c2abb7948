"""One connection to a broker: aiomqtt, with the four things it leaves out.

aiomqtt 2 acknowledges a message before anybody handled it, holds what arrives in a queue without a bound,
waits for each confirmation before its caller goes on, and does not see that a connection is lost while it
is being made. All of it is decided inside the paho client that it wraps, so this file, and no other, reaches
for that client.
"""

import asyncio
import contextlib
import logging
import socket
from typing import Any, Final

import aiomqtt
import paho.mqtt.client as paho

from bridge.bus.mailbox import Arrival, Mailbox
from bridge.bus.mqtt_settings import MqttSettings
from bridge.bus.outbox import Outgoing
from bridge.contracts.codec import encode
from bridge.contracts.envelopes import Envelope
from bridge.contracts.topics import topic_of

AT_LEAST_ONCE: Final = 1
_NO_DELAY: Final = (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
"""Without it a message that follows another waits 40 ms for the acknowledgement of the first."""
_FAILURE: Final = 0x80
_SILENT: Final = logging.getLogger(f"{__name__}.paho")
_SILENT.setLevel(logging.CRITICAL)  # what it has to say about a lost connection, the bus says better


class MqttConnection:
    """From connecting to the end of this one connection; a new one is made for the next."""

    def __init__(self, settings: MqttSettings, *, client_id: str, will: Envelope | None, mailbox: Mailbox) -> None:
        self._settings = settings
        self._mailbox = mailbox
        self._loop = asyncio.get_running_loop()
        self._in_flight: dict[int, tuple[Outgoing, float]] = {}
        self._overflowed = asyncio.Event()
        self._closed = asyncio.Event()
        self._client = new_client(settings, client_id=client_id, clean_session=not settings.remembered, will=will)
        self._paho = self._client._client  # noqa: SLF001 see above
        self._paho.connect_timeout = settings.connect_timeout_s
        self._paho.manual_ack_set(True)  # noqa: FBT003 paho's signature
        self._paho.on_message = self._on_message
        self._paho.on_publish = self._on_publish
        self._tell_aiomqtt: Any = self._paho.on_disconnect
        self._paho.on_disconnect = self._on_disconnect

    async def connect(self, filters: tuple[str, ...]) -> tuple[str, ...]:
        """Connect and subscribe; return the filters that the broker refused. Raise ``aiomqtt.MqttError``."""
        connecting = self._loop.create_task(self._connect(filters), name="mqtt-connect")
        closed = self._loop.create_task(_when(self._closed, ""), name="mqtt-connect-until-closed")
        try:
            await asyncio.wait((connecting, closed), return_when=asyncio.FIRST_COMPLETED)
            if not connecting.done() or connecting.exception() is None:
                self._check_open()
            return connecting.result()
        except BaseException:
            self.cut()
            raise
        finally:
            connecting.cancel()
            closed.cancel()
            await asyncio.gather(connecting, closed, return_exceptions=True)

    async def _connect(self, filters: tuple[str, ...]) -> tuple[str, ...]:
        await self._client.__aenter__()
        self._paho.on_socket_register_write = self._write_now
        if not filters:
            return ()
        codes = await self._client.subscribe([(pattern, AT_LEAST_ONCE) for pattern in filters])
        refused = ((code if isinstance(code, int) else code.value) >= _FAILURE for code in codes)
        return tuple(pattern for pattern, no in zip(filters, refused, strict=True) if no)

    def _check_open(self) -> None:
        """Raise ``aiomqtt.MqttError`` if the broker has closed the connection, with its reason if it gave one."""
        if self._closed.is_set():
            answer = self._client._connected  # noqa: SLF001 see above
            raise (answer.exception() if answer.done() else None) or aiomqtt.MqttError("it closed the connection")

    async def watch(self, asked_to_leave: asyncio.Event) -> str:
        """Wait for the end of the connection and return why it came; empty if we were asked to leave."""
        async with asyncio.TaskGroup() as tasks:
            watchers = (
                tasks.create_task(self._until_lost(), name="mqtt-until-lost"),
                tasks.create_task(self._until_stalled(), name="mqtt-until-stalled"),
                tasks.create_task(
                    _when(self._overflowed, "more came than could be handled"), name="mqtt-until-overflowed"
                ),
                tasks.create_task(_when(asked_to_leave, ""), name="mqtt-until-asked-to-leave"),
            )
            await asyncio.wait(watchers, return_when=asyncio.FIRST_COMPLETED)
            for watcher in watchers:
                watcher.cancel()
        return next(watcher.result() for watcher in watchers if not watcher.cancelled())

    async def close(self) -> None:
        """Take leave of the broker, which then keeps the will to itself."""
        try:
            await self._client.__aexit__(None, None, None)
        except aiomqtt.MqttError:
            self.cut()

    def cut(self) -> None:
        """Drop the connection without a word, so that the broker publishes the will. Harmless when it is gone."""
        self._paho.on_message = None
        self._paho.on_publish = None
        open_socket = self._paho.socket()
        if isinstance(open_socket, socket.socket):
            with contextlib.suppress(OSError):
                open_socket.shutdown(socket.SHUT_RDWR)
        # Reading to the end is paho's way of closing: it takes the socket out of the event loop.
        while self._paho.socket() is not None and self._paho.loop_read() == paho.MQTT_ERR_SUCCESS:
            pass
        self._look_at_end()

    def send(self, message: Outgoing) -> None:
        """Write a message to the socket now; what cannot be written is sent over the next connection."""
        info = self._paho.publish(message.topic, message.payload, AT_LEAST_ONCE, message.retained)
        self._in_flight[info.mid] = (message, self._loop.time())

    # --- called by paho -----------------------------------------------------------------------------

    def _on_message(self, _client: paho.Client, _userdata: Any, message: paho.MQTTMessage) -> None:  # noqa: ANN401
        mid, qos = message.mid, message.qos
        arrival = Arrival(
            topic=message.topic,
            payload=bytes(message.payload),
            retained=message.retain,
            acknowledge=lambda: self._acknowledge(mid, qos),
        )
        # Not from inside paho: it must be let go before it can be asked to write.
        self._loop.call_soon(self._take, arrival)

    def _take(self, arrival: Arrival) -> None:
        if not self._overflowed.is_set() and not self._mailbox.arrived(arrival):
            self._overflowed.set()

    def _acknowledge(self, mid: int, qos: int) -> None:
        if self._paho.is_connected():
            self._paho.ack(mid, qos)

    def _on_publish(
        self,
        _client: paho.Client,
        _userdata: Any,  # noqa: ANN401 paho's signature
        mid: int,
        _reason: Any,  # noqa: ANN401 paho's signature
        _properties: Any,  # noqa: ANN401 paho's signature
    ) -> None:
        sent = self._in_flight.pop(mid, None)
        if sent is not None:
            self._loop.call_soon(self._mailbox.confirmed, sent[0])

    def _on_disconnect(self, *what: Any) -> None:  # noqa: ANN401 paho's signature
        self._closed.set()
        self._tell_aiomqtt(*what)
        self._look_at_end()

    def _look_at_end(self) -> None:
        """Look at the error that ended the connection: when aiomqtt does not wait for it any more, nobody does."""
        ended = self._client._disconnected  # noqa: SLF001 see above
        if ended.done():
            ended.exception()

    def _write_now(self, client: paho.Client, _userdata: Any, waiting: Any) -> None:  # noqa: ANN401
        """Write at once what paho wants to write, instead of waking the event loop up to be told that it can.

        Nothing of ours writes from inside a callback of paho, which is what paho could not bear.
        """
        client.loop_write()
        if client.want_write() and client.socket() is not None:
            self._loop.add_writer(waiting, client.loop_write)

    # --- watching -----------------------------------------------------------------------------------

    async def _until_lost(self) -> str:
        try:
            async for _ in self._client.messages:
                pass  # none comes here, for on_message is ours; only the end of the connection does
        except aiomqtt.MqttError as error:
            cause = error.__cause__
            return str(cause) if isinstance(cause, OSError) else "the connection broke off"
        return "the connection was closed"

    async def _until_stalled(self) -> str:
        timeout_s = self._settings.publish_timeout_s
        while True:
            await asyncio.sleep(timeout_s / 8)
            if self._in_flight:
                _, sent_at = next(iter(self._in_flight.values()))
                if self._loop.time() - sent_at > timeout_s:
                    return f"it confirmed nothing for {timeout_s} s; see whether it hangs"


def new_client(
    settings: MqttSettings, *, client_id: str, clean_session: bool, will: Envelope | None = None
) -> aiomqtt.Client:
    """Return a client that is not connected yet; raise ``BusError`` if a file for TLS is not usable."""
    return aiomqtt.Client(
        settings.host,
        settings.port,
        username=settings.username,
        password=settings.password,
        identifier=client_id,
        will=None if will is None else aiomqtt.Will(topic_of(will), encode(will), AT_LEAST_ONCE, retain=True),
        clean_session=clean_session,
        protocol=aiomqtt.ProtocolVersion.V311,
        keepalive=settings.keepalive_s,
        timeout=settings.connect_timeout_s,
        max_inflight_messages=settings.limits.in_flight_max,
        tls_context=settings.tls_context(),
        socket_options=[_NO_DELAY],
        logger=_SILENT,
    )


async def _when(happened: asyncio.Event, words: str) -> str:
    await happened.wait()
    return words
