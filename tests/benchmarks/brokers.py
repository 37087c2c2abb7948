"""The brokers under which the chains are measured, each a process of its own."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.processes import process
from tests.brokers import free_port, running_mosquitto


@dataclass(frozen=True, slots=True, kw_only=True)
class Broker:
    """Where a broker listens."""

    host: str
    port: int


BrokerRun = Callable[[Path], AbstractAsyncContextManager[Broker]]


@asynccontextmanager
async def mosquitto(_directory: Path) -> AsyncIterator[Broker]:
    """Run Mosquitto with ``set_tcp_nodelay``."""
    async with running_mosquitto() as running:
        yield Broker(host=running.host, port=running.port)


@asynccontextmanager
async def embedded(directory: Path) -> AsyncIterator[Broker]:
    """Run the embedded broker, outside of the process that measures."""
    port = free_port()
    async with process("bridge", "broker", "--port", str(port), log=directory / "broker.log", says="listening"):
        yield Broker(host="127.0.0.1", port=port)
