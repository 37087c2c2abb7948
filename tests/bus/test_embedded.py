from collections.abc import AsyncIterator

import pytest

from tests.brokers import running_embedded
from tests.bus.bus_tests import BusTests
from tests.bus.mqtt_harness import MqttHarness


class TestBusOverTheEmbeddedBroker(BusTests):
    @pytest.fixture(name="harness")
    async def _harness(self) -> AsyncIterator[MqttHarness]:
        async with running_embedded() as broker:
            yield MqttHarness(broker)
