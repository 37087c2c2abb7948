"""The bare chain, measured: the least that any chain of these parts takes from card to lamp."""

import asyncio
import time
from contextlib import AsyncExitStack
from pathlib import Path

from bridge.domain.cards import Card
from simulators.hid_pos import LineModeReader
from simulators.modbus_io import ModbusLine
from simulators.port import hosted
from simulators.pty_port import PtyPort
from tests.benchmarks.bare_process import READY
from tests.benchmarks.brokers import Broker
from tests.benchmarks.figures import Series
from tests.benchmarks.processes import process
from tests.benchmarks.tap import Tap

_CARD = Card.parse("Kh")
_PATIENCE_S = 10


async def measure_bare_chain(
    broker: Broker, directory: Path, *, samples: int, warm_up: int, pause_s: float
) -> Series:
    """Return from card to lamp, in nanoseconds; before each card the chain has been at rest for a while."""
    reader = LineModeReader({_CARD: "2130"})
    lit = asyncio.Event()
    lamp = Tap(ModbusLine([]), notify=lit.set)
    address = (broker.host, str(broker.port))
    async with AsyncExitStack() as stack:
        cards = await stack.enter_async_context(hosted(PtyPort(reader, directory / "ports" / "reader")))
        lamps = await stack.enter_async_context(hosted(PtyPort(lamp, directory / "ports" / "lamp")))
        module, log = "tests.benchmarks.bare_process", directory / "bare.log"
        await stack.enter_async_context(process(module, "rules", *address, log=log, says=READY))
        places = (cards.url, lamps.url, str(directory / "bare.sqlite"))
        await stack.enter_async_context(process(module, "table", *address, *places, log=log, says=READY))
        taken: list[int] = []
        for _ in range(warm_up + samples):
            await asyncio.sleep(pause_s)
            lamp.forget()
            lit.clear()
            shown_ns = time.monotonic_ns()
            reader.show(_CARD)
            async with asyncio.timeout(_PATIENCE_S):
                await lit.wait()
            taken.append(lamp.first_heard_ns() - shown_ns)
    return Series(taken[warm_up:])
