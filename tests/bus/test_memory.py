import asyncio
from contextlib import AbstractAsyncContextManager

import pytest

from bridge.bus.mailbox import Limits, Mailbox
from bridge.bus.memory import Fault, MemoryBroker, MemoryBus
from bridge.clock import SystemClock
from bridge.contracts.envelopes import Envelope
from tests.bus.bus_tests import EVENTS, BusTests, receiving, sequences
from tests.contracts.samples import event


class MemoryHarness:
    """Buses of one broker in memory; like a table's, they connect again by themselves."""

    def __init__(self) -> None:
        self.broker = MemoryBroker()
        self._buses: list[MemoryBus] = []

    def bus(
        self,
        client_id: str,
        subscriptions: tuple[str, ...] = (),
        *,
        will: Envelope | None = None,
        birth: Envelope | None = None,
        limits: Limits | None = None,
    ) -> AbstractAsyncContextManager[Mailbox]:
        bus = MemoryBus(
            self.broker,
            client_id=client_id,
            subscriptions=subscriptions,
            will=will,
            birth=birth,
            clock=SystemClock(),
            limits=limits or Limits(),
        )
        self._buses.append(bus)
        return bus

    async def inject(self, topic: str, payload: bytes, *, retained: bool = False) -> None:
        self.broker.inject(topic, payload, retained=retained)

    def cut(self, bus: Mailbox) -> None:
        assert isinstance(bus, MemoryBus)
        self.broker.disconnect(bus.client_id)
        asyncio.get_running_loop().call_soon(self.broker.connect, bus)

    async def wait_turned_away(self, bus: Mailbox) -> None:
        assert bus.counters.inbox_overflows, "the broker in memory has nothing under way any more"

    async def kill_and_empty(self) -> None:
        self.broker.kill()

    async def restart(self) -> None:
        self.broker.start(*self._buses)


@pytest.fixture(name="harness")
async def _harness() -> MemoryHarness:
    return MemoryHarness()


class TestBusInMemory(BusTests):
    pass


@pytest.mark.parametrize(
    ("fault", "expected"),
    [(Fault.LOSE, [2, 3]), (Fault.DUPLICATE, [1, 1, 2, 3]), (Fault.SWAP, [2, 1, 3])],
)
async def test_faults_happen_on_request(harness: MemoryHarness, fault: Fault, expected: list[int]) -> None:
    async with harness.bus("reader", EVENTS) as reader, harness.bus("writer") as writer:
        harness.broker.fault(fault)
        for number in (1, 2, 3):
            writer.publish(event(number))
        async with receiving(reader) as deliveries:
            assert await sequences(deliveries, 3) == expected


async def test_a_broker_that_hangs_fills_the_window_and_no_more(harness: MemoryHarness) -> None:
    async with harness.bus("reader", EVENTS) as reader, harness.bus("writer") as writer:
        harness.broker.confirming = False
        for number in range(1, 31):
            writer.publish(event(number))
        async with receiving(reader) as deliveries:
            assert await sequences(deliveries, 20) == list(range(1, 21))
        harness.broker.confirming = True
        harness.cut(writer)
        await writer.wait_settled()
        async with receiving(reader) as deliveries:
            assert (await sequences(deliveries, 30))[-10:] == list(range(21, 31))
