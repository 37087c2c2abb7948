"""Documents of other programs' contracts, retained on their topics and said again when they ask for it."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass

import aiomqtt

from bridge.bus.connection import AT_LEAST_ONCE, new_client
from bridge.bus.mqtt_settings import MqttSettings

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How somebody asks for everything to be said again."""

    topic: str
    payload: str


async def keep_published(
    settings: MqttSettings, *, client_id: str, documents: Mapping[str, str], asking: Asking
) -> None:
    """Keep documents on their topics until cancelled, over any number of connections; empty ones take them away.

    Raise ``BusError`` for TLS files that cannot be used.
    """
    while True:
        try:
            async with new_client(settings, client_id=client_id, clean_session=True) as client:
                await client.subscribe(asking.topic, AT_LEAST_ONCE)
                _heed_cancelling()
                await _publish(client, documents)
                async for message in client.messages:
                    if message.payload == asking.payload.encode():
                        await _publish(client, documents)
        except aiomqtt.MqttError as error:
            _LOG.info(
                "No broker at %s:%d for %s: %s. It is tried again", settings.host, settings.port, client_id, error
            )
        await asyncio.sleep(settings.reconnect_max_s)


async def _publish(client: aiomqtt.Client, documents: Mapping[str, str]) -> None:
    for topic, text in documents.items():
        await client.publish(topic, text.encode(), AT_LEAST_ONCE, retain=True)
        _heed_cancelling()


def _heed_cancelling() -> None:
    """Raise what ``asyncio.wait_for``, which the client uses, swallows before Python 3.12.

    A cancellation that comes together with the broker's answer is lost there, and this task would never end.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
