"""The harness of ``BusTests`` over a broker that speaks MQTT."""

from contextlib import AbstractAsyncContextManager
from dataclasses import replace

from bridge.bus.connection import MqttConnection
from bridge.bus.mailbox import Limits, Mailbox
from bridge.bus.mqtt import MqttBus
from bridge.bus.mqtt_settings import MqttSettings
from bridge.clock import SystemClock
from bridge.contracts.envelopes import Envelope
from tests.brokers import Embedded, Mosquitto, publish_raw, settings_for


class MqttHarness:
    """Buses of one broker, which may be treated badly."""

    def __init__(self, broker: Embedded | Mosquitto, settings: MqttSettings | None = None) -> None:
        self.broker = broker
        self.settings = settings or settings_for(broker)

    def bus(
        self,
        client_id: str,
        subscriptions: tuple[str, ...] = (),
        *,
        will: Envelope | None = None,
        birth: Envelope | None = None,
        limits: Limits | None = None,
    ) -> AbstractAsyncContextManager[Mailbox]:
        return MqttBus(
            self.settings if limits is None else replace(self.settings, limits=limits),
            client_id=client_id,
            subscriptions=subscriptions,
            will=will,
            birth=birth,
            clock=SystemClock(),
        )

    async def inject(self, topic: str, payload: bytes, *, retained: bool = False) -> None:
        await publish_raw(self.broker, topic, payload, retained=retained)

    def cut(self, bus: Mailbox) -> None:
        assert isinstance(bus._link, MqttConnection)
        bus._link.cut()

    async def wait_turned_away(self, bus: Mailbox) -> None:
        await bus.wait_trouble()  # the connection is given up, for only a new one brings the rest

    async def kill_and_empty(self) -> None:
        await self.broker.kill_and_empty()

    async def restart(self) -> None:
        await self.broker.restart()
