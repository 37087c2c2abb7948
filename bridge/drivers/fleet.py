"""All the lines of a table: one queue of what they observe, one place to give them commands."""

import asyncio
import random
from collections.abc import Sequence
from typing import assert_never

from bridge.clock import Clock
from bridge.domain.commands import DeviceCommand, SetIndicator, SetLock, SetMeterSign
from bridge.drivers.backoff import RetryPolicy
from bridge.drivers.device_life import Observation
from bridge.drivers.driver import LineDriver, OpenPort
from bridge.drivers.indicators import LampOutputs
from bridge.drivers.line import Line
from bridge.drivers.lock_out import lock_orders
from bridge.drivers.meter_sign import sign_orders
from bridge.transports import open_transport
from bridge.wire.messages import Order

OBSERVATIONS_MAX = 10_000
"""Observations that wait for the table; the lines wait when there are so many, and lose nothing."""


class Fleet:
    """The drivers of one table.

    ``observations`` holds events in the order in which their line saw them, and the statuses of devices.
    """

    def __init__(
        self,
        lines: Sequence[Line],
        clock: Clock,
        *,
        open_port: OpenPort = open_transport,
        policy: RetryPolicy | None = None,
        seed: int | None = None,
    ) -> None:
        """Take the lines; raises ``BridgeError`` if the devices of one cannot share it."""
        self.observations: asyncio.Queue[Observation] = asyncio.Queue(OBSERVATIONS_MAX)
        rng = random.Random(seed)  # noqa: S311 - spreads retries, guards nothing
        self._lines = tuple(
            (
                line,
                LineDriver(
                    line,
                    clock=clock,
                    observations=self.observations,
                    open_port=open_port,
                    policy=policy,
                    rng=rng,
                ),
                LampOutputs(line.devices),
            )
            for line in lines
        )

    async def run(self) -> None:
        """Keep all lines alive until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            for line, driver, _ in self._lines:
                tasks.create_task(driver.run(), name=f"line {line.name}")

    def look_at_buttons_anew(self) -> None:
        """Let lock-out buttons that are held down lock the round that has just opened."""
        for _, driver, _ in self._lines:
            driver.look_at_buttons_anew()

    def perform(self, command: DeviceCommand) -> bool:
        """Order the outputs and signs that serve a command, at once; return whether there is any.

        A lock goes to every lock output, a meter to every sign of it. What was commanded holds until it is
        commanded otherwise: a device that comes back is given it again.
        """
        served = False
        for line, driver, lamps in self._lines:
            orders: tuple[Order, ...]
            match command:
                case SetLock():
                    orders = lock_orders(command, line.devices)
                case SetIndicator():
                    orders = lamps.orders(command)
                case SetMeterSign():
                    orders = sign_orders(command, line.devices)
                case _:
                    assert_never(command)
            if orders:
                driver.order(orders)
                served = True
        return served
