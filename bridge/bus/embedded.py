"""An MQTT broker inside the process: amqtt, on the loopback, for demonstrations and for tests.

It keeps nothing beyond its own life. What amqtt 0.12 does otherwise than MQTT 3.1.1, and what our bus must
be able to rely on, is put right here:

- a QoS 1 message that is not acknowledged within five seconds, or when its client goes away, is forgotten;
- what a session missed is sent to it marked as retained, so that commands among it would be refused;
- a returning session is not served before it has acknowledged all that was in flight;
- a returning session is sent retained messages of everybody's subscriptions, none of which it asked for;
- what is published while a returning session is sent what it missed overtakes that;
- the connection that was put out by a namesake marks the session of its successor as disconnected;
- a connection that ends, or is put out, before it is served stands for ever;
- so does one that says nothing, or nothing of MQTT, until there is no room for another;
- connections of one name that come at once have a session each;
- a client that falls silent is never given up, so its will is not published;
- sessions of clients that do not log in are not kept;
- stopping waits for ever for a connection that read something at that moment.
"""

import asyncio
import ipaddress
import logging
from typing import Any, Final, Self

from amqtt.broker import Broker
from amqtt.errors import NoDataError
from amqtt.mqtt.protocol.broker_handler import BrokerProtocolHandler
from amqtt.plugins.base import BaseAuthPlugin
from amqtt.session import OUTGOING, OutgoingApplicationMessage

from bridge.bus import BusError

_HOST: Final = "127.0.0.1"
_AT_LEAST_ONCE: Final = 1
_FIRST_WORD_S: Final = 10.0
"""How long a connection may take to say who it is."""
_NEWEST: Final = "table-bridge.newest-connection"
"""The attribute of a session that holds the connection that came last."""

for _name in ("amqtt", "transitions"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)  # each client that goes away is an error to them


class LoopbackLogin(BaseAuthPlugin):  # type: ignore[misc]
    """Lets in whoever is on this machine, with or without a name, and keeps sessions for all of them."""

    async def authenticate(self, *, session: Any) -> bool:  # noqa: ANN401 amqtt is not typed
        """Return whether the connection comes from this machine."""
        return ipaddress.ip_address(session.remote_address).is_loopback


class _Handler(BrokerProtocolHandler):  # type: ignore[misc]
    """One connection; what is not acknowledged stays in its session, however it ends."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **kwargs)
        self.serving = False
        """Whether the client has been sent all that came before: until then everything new has to wait."""
        self.ended = False
        """Whether the connection is over, or has to make room for another one."""
        self.gone = asyncio.Event()
        self._farewell: Any = None

    async def mqtt_publish(self, topic: str, data: bytes, qos: int, *, retain: bool) -> None:
        """Send a message after everything that came before it."""
        if self.serving or not qos:
            await super().mqtt_publish(topic, data, qos, retain)
        else:
            self.session.retained_messages.put_nowait(OutgoingApplicationMessage(None, topic, qos, data, retain))

    async def send_missed(self) -> None:
        """Send what the session missed, and what is published meanwhile."""
        missed = self.session.retained_messages
        while not missed.empty():
            message = missed.get_nowait()
            await super().mqtt_publish(message.topic, message.data, _AT_LEAST_ONCE, False)  # noqa: FBT003 amqtt's

    async def start(self) -> None:
        """Begin to read; whatever ended the connection meanwhile ends it now."""
        await super().start()
        if self.ended and not self._disconnect_waiter.done():
            self._disconnect_waiter.set_result(self._farewell)

    async def handle_disconnect(self, disconnect: Any) -> None:  # noqa: ANN401
        """End the connection, with the client's last word if it said one."""
        if not self.ended:
            self.ended, self._farewell = True, disconnect
        await super().handle_disconnect(disconnect)

    async def put_out(self) -> None:
        """End the connection without a word, and return when its session is free."""
        await self.handle_connection_closed()
        self._abort()
        await self.gone.wait()

    async def _handle_qos1_message_flow(self, app_message: Any) -> None:  # noqa: ANN401
        if app_message.direction != OUTGOING:
            await super()._handle_qos1_message_flow(app_message)
            return
        again = app_message.publish_packet is not None
        self.session.inflight_out[app_message.packet_id] = app_message
        app_message.publish_packet = app_message.build_publish_packet(dup=again)
        await self._send_packet(app_message.publish_packet)

    async def handle_puback(self, puback: Any) -> None:  # noqa: ANN401
        """Forget a message that its client has handled."""
        if self.session is not None:
            self.session.inflight_out.pop(puback.variable_header.packet_id, None)

    async def _retry_deliveries(self) -> None:
        for message in list(self.session.inflight_out.values()):
            await self._handle_message_flow(message)

    def handle_read_timeout(self) -> None:
        """Give up a client that was silent for longer than its keepalive allows."""
        self._abort()

    async def stop(self) -> None:
        """End the connection. Cancelling a read may come too late for it; the end of its stream does not."""
        self.ended = True
        self._abort()
        await super().stop()

    def _abort(self) -> None:
        if self.writer is not None:
            self.writer._writer.transport.abort()  # noqa: SLF001


class _Broker(Broker):  # type: ignore[misc]
    """amqtt with the faults of the list above put right."""

    async def _client_connected(self, listener_name: str, reader: Any, writer: Any) -> None:  # noqa: ANN401
        try:
            await super()._client_connected(listener_name, reader, writer)
        finally:
            writer._writer.close()  # noqa: SLF001

    async def _initialize_client_session(self, *args: Any) -> tuple[_Handler, Any]:  # noqa: ANN401
        try:
            async with asyncio.timeout(_FIRST_WORD_S):
                _, session = await super()._initialize_client_session(*args)
        except TimeoutError as error:
            raise NoDataError("it did not say who it is") from error
        session.keep_alive += session.keep_alive // 2  # MQTT-3.1.2-24
        handler = _Handler(self.plugins_manager, loop=self._loop)
        if not session.clean_session:
            self._sessions.setdefault(session.client_id, (session, handler))
        return handler, session

    async def _handle_client_session(
        self,
        reader: Any,  # noqa: ANN401
        writer: Any,  # noqa: ANN401
        session: Any,  # noqa: ANN401
        handler: _Handler,
        *where: Any,  # noqa: ANN401
    ) -> None:
        """Serve a client when its namesake has gone; of several who wait for that, the last to come."""
        namesake = session.attributes.get(_NEWEST)
        session.attributes[_NEWEST] = handler
        try:
            if namesake is not None:
                await namesake.put_out()
            if handler.ended:
                await writer.close()
            else:
                await super()._handle_client_session(reader, writer, session, handler, *where)
        finally:
            session.transitions.disconnect()
            handler.gone.set()

    async def _client_message_loop(self, client_session: Any, handler: _Handler) -> None:  # noqa: ANN401
        handler.serving = True
        await super()._client_message_loop(client_session, handler)

    async def shutdown(self) -> None:
        """Let nobody in any more, then put everybody out."""
        for server in self._servers.values():
            server.instance.close()
        await super().shutdown()

    async def _publish_session_retained_messages(self, session: Any) -> None:  # noqa: ANN401
        await self._get_handler(session).send_missed()

    async def _publish_retained_messages_for_subscription(self, subscription: Any, session: Any) -> None:  # noqa: ANN401
        if self._get_handler(session).serving:
            await super()._publish_retained_messages_for_subscription(subscription, session)


class EmbeddedBroker:
    """A broker for as long as the context lasts; ``port`` says where."""

    def __init__(self, port: int = 0) -> None:
        """Listen on a port of the loopback; 0 takes a free one."""
        self.host = _HOST
        self.port = port
        self._broker: Any = None

    async def __aenter__(self) -> Self:
        broker = _Broker(
            {
                "listeners": {"default": {"type": "tcp", "bind": f"{_HOST}:{self.port}"}},
                "plugins": {f"{__name__}.{LoopbackLogin.__name__}": {}},
            }
        )
        try:
            await broker.start()
        except Exception as error:  # amqtt wraps whatever happened, and not always
            raise BusError(
                f"no broker on {_HOST}:{self.port}: {error}; stop what uses the port, or give another port"
            ) from error
        self._broker = broker
        # asyncio sets TCP_NODELAY on every connection that it accepts, so this end needs no more.
        self.port = broker._servers["default"].instance.sockets[0].getsockname()[1]  # noqa: SLF001
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self._broker.shutdown()
