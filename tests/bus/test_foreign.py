import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import aiomqtt

from bridge.bus.foreign import Asking, keep_published
from simulators.running import running
from tests.brokers import RunningBroker, publish_raw, running_mosquitto, settings_for
from tests.patience import PATIENCE_S

ASKING = Asking(topic="theirs/status", payload="online")
DOCUMENTS = {"theirs/one": '{"is": "one"}', "theirs/two": '{"is": "two"}'}


@asynccontextmanager
async def heard(broker: RunningBroker) -> AsyncIterator[aiomqtt.Client]:
    async with aiomqtt.Client(broker.host, broker.port, timeout=PATIENCE_S) as client:
        await client.subscribe("theirs/+", 1)
        yield client


def publishing(broker: RunningBroker, documents: Mapping[str, str]) -> AbstractAsyncContextManager[None]:
    keeping = keep_published(settings_for(broker), client_id="announcer", documents=documents, asking=ASKING)
    return running(keeping, name="announcer")


async def next_of(client: aiomqtt.Client, count: int) -> dict[str, str]:
    """Return the next messages by their topics, what was asked with not counted."""
    said: dict[str, str] = {}
    async with asyncio.timeout(PATIENCE_S):
        async for message in client.messages:
            if str(message.topic) != ASKING.topic:
                said[str(message.topic)] = bytes(message.payload).decode()
            if len(said) == count:
                break
    return said


async def test_documents_are_there_for_whoever_comes_later() -> None:
    async with running_mosquitto() as broker, publishing(broker, DOCUMENTS):
        async with heard(broker) as early:
            assert await next_of(early, 2) == DOCUMENTS
        async with heard(broker) as late:
            assert await next_of(late, 2) == DOCUMENTS


async def test_they_are_said_again_to_whoever_says_that_it_has_come_up_and_to_nobody_else() -> None:
    async with running_mosquitto() as broker, publishing(broker, DOCUMENTS), heard(broker) as client:
        await next_of(client, 2)
        await publish_raw(broker, "theirs/status", b"offline")
        await publish_raw(broker, "theirs/three", b"3")
        assert await next_of(client, 1) == {"theirs/three": "3"}

        await publish_raw(broker, "theirs/status", b"online")

        assert await next_of(client, 2) == DOCUMENTS


async def test_T54_a_broker_that_has_forgotten_everything_is_told_again() -> None:
    async with running_mosquitto() as broker, publishing(broker, DOCUMENTS):
        async with heard(broker) as client:
            await next_of(client, 2)
        await broker.kill_and_empty()
        await broker.restart()

        async with heard(broker) as client:
            assert await next_of(client, 2) == DOCUMENTS


async def test_empty_documents_take_away_what_was_there() -> None:
    async with running_mosquitto() as broker:
        async with publishing(broker, DOCUMENTS), heard(broker) as client:
            await next_of(client, 2)
        taken_away = dict.fromkeys(DOCUMENTS, "")
        async with heard(broker) as client:
            assert await next_of(client, 2) == DOCUMENTS
            async with publishing(broker, taken_away):
                assert await next_of(client, 2) == taken_away
        await publish_raw(broker, "theirs/three", b"3", retained=True)

        async with heard(broker) as client:
            assert await next_of(client, 1) == {"theirs/three": "3"}
