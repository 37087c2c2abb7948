from collections.abc import AsyncIterator

import pytest

from tests.brokers import running_mosquitto
from tests.bus.bus_tests import BusTests
from tests.bus.mqtt_harness import MqttHarness


class TestBusOverMosquitto(BusTests):
    @pytest.fixture(name="harness")
    async def _harness(self) -> AsyncIterator[MqttHarness]:
        async with running_mosquitto() as broker:
            yield MqttHarness(broker)
