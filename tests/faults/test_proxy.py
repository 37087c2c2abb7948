import asyncio
from collections import Counter

import aiomqtt
import pytest

from tests.brokers import running_mosquitto
from tests.faults.proxy import Chances, FaultyProxy, Mishap, Packets, faulty_proxy
from tests.patience import PATIENCE_S

TOPIC, LAST = "faults", "last"


async def heard_through(proxy: FaultyProxy, messages: int) -> list[str]:
    """Publish so many messages through the proxy, and return what arrives at the other side of the broker."""
    broker = proxy._broker
    async with (
        asyncio.timeout(PATIENCE_S),
        aiomqtt.Client(broker.host, broker.port) as listener,
        aiomqtt.Client(proxy.host, proxy.port) as speaker,
    ):
        await listener.subscribe(f"{TOPIC}/#", qos=1)
        for number in range(messages):
            await speaker.publish(f"{TOPIC}/{number}", qos=1)
        async with aiomqtt.Client(broker.host, broker.port) as honest:
            await speaker.publish(f"{TOPIC}/drained", qos=0)
            arrived: list[str] = []
            async for message in listener.messages:
                word = message.topic.value.removeprefix(f"{TOPIC}/")
                if word == "drained":
                    await honest.publish(f"{TOPIC}/{LAST}", qos=1)
                elif word == LAST:
                    break
                else:
                    arrived.append(word)
    return arrived


@pytest.mark.parametrize(
    ("chances", "expected"),
    [
        (Chances(), ["0", "1", "2"]),
        (Chances(lost=1), []),
        (Chances(doubled=1), ["0", "0", "1", "1", "2", "2"]),
    ],
)
async def test_every_message_comes_to_the_harm_that_was_asked_for(chances: Chances, expected: list[str]) -> None:
    async with running_mosquitto() as broker, faulty_proxy(broker, chances) as proxy:
        assert await heard_through(proxy, 3) == expected
        assert proxy.counts == Counter(
            {Mishap.LOST: 3} if chances.lost else {Mishap.DOUBLED: 3} if chances.doubled else {}
        )


async def test_half_of_what_is_said_is_overtaken_and_nothing_of_it_is_missing() -> None:
    async with (
        running_mosquitto() as broker,
        faulty_proxy(broker, Chances(overtaken=0.5), seed=3) as proxy,
        asyncio.timeout(PATIENCE_S),
        aiomqtt.Client(broker.host, broker.port) as listener,
    ):
        await listener.subscribe(f"{TOPIC}/#", qos=1)
        async with aiomqtt.Client(proxy.host, proxy.port) as speaker, asyncio.TaskGroup() as saying:
            for number in range(20):
                saying.create_task(speaker.publish(f"{TOPIC}/{number}", qos=1))
        arrived = [(await anext(aiter(listener.messages))).topic.value for _ in range(20)]
    assert sorted(arrived) == sorted(f"{TOPIC}/{number}" for number in range(20))
    assert arrived != [f"{TOPIC}/{number}" for number in range(20)]
    assert proxy.counts[Mishap.OVERTAKEN] > 0


def test_packets_are_found_in_whatever_pieces_they_arrive() -> None:
    long = bytes((0x32, 0x80, 0x01)) + bytes(128)
    stream = bytes((0x40, 2, 0, 7)) + long + bytes((0xC0, 0))
    packets = Packets()
    found = [packet for byte in stream for packet in packets.feed(bytes((byte,)))]
    assert found == [bytes((0x40, 2, 0, 7)), long, bytes((0xC0, 0))]
