"""A real browser, and a dashboard to look at with it: as a process at a real table, or of one moment in memory."""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser, Page

from bridge.bus.memory import MemoryBroker, MemoryBus
from bridge.clock import Clock, SystemClock
from bridge.config import TableConfig
from bridge.dashboard.app import Dashboard
from bridge.dashboard.documents import Archive
from bridge.dashboard.followed import FollowedTable
from bridge.dashboard.press import Press
from bridge.dashboard.records import recording
from bridge.dashboard.serve import Rules, Where, access_to, address_of, listening, serve
from bridge.dashboard.speaking import Speak, speak
from bridge.known_table import subscriptions
from bridge.stores.heard_store import HeardStore
from simulators.running import running
from tests.brokers import RunningBroker
from tests.patience import PATIENCE_S
from tests.processes.forked import fork, reader
from tests.processes.table import DEMONSTRATION

SIZES = {"screen": (1920, 1080), "tablet": (1024, 768), "phone": (390, 844)}
"""Width and height, in pixels, of what people look at it with."""
LOOPBACK = Where(host="127.0.0.1", port=0)
PUBLIC = Rules(public=True)


@asynccontextmanager
async def opened(browser: Browser, url: str, size: str = "screen") -> AsyncIterator[Page]:
    """Yield a page that waits as long as every test does, and fails on an error of a script."""
    width, height = SIZES[size]
    async with await browser.new_page(viewport={"width": width, "height": height}) as page:
        page.set_default_timeout(PATIENCE_S * 1000)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        await page.goto(url)
        yield page
        assert errors == []


@asynccontextmanager
async def dashboard_process(
    directory: Path, broker: RunningBroker, *files: Path, options: Sequence[str] = (), public: bool = True
) -> AsyncIterator[str]:
    """Run a dashboard of tables as a process of its own; yield its address."""
    words = ["dashboard", *(str(file) for file in files or (DEMONSTRATION,)), "--port", "0", *options]
    words += ["--public"] if public else []
    reading, writing = os.pipe()
    said, transport = await reader(reading)
    with (directory / "dashboard.log").open("ab") as log:
        process = await fork("bridge", *words, "--broker", f"{broker.host}:{broker.port}", out=writing, errors=log)
    os.close(writing)
    try:
        async with asyncio.timeout(PATIENCE_S):
            line = (await said.readline()).decode()
        assert line.startswith("serving at "), (directory / "dashboard.log").read_text()
        yield line.split()[-1].rstrip("/")
    finally:
        process.terminate()
        assert await process.wait() == 0, (directory / "dashboard.log").read_text()
        transport.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A dashboard in this process, whose tables a test may tell anything."""

    url: str
    dashboard: Dashboard
    tables: tuple[FollowedTable, ...]


@asynccontextmanager
async def served(
    *configs: TableConfig,
    clock: Clock | None = None,
    rules: Rules = PUBLIC,
    where: Where = LOOPBACK,
    speak: Speak = speak,
    history: Path | None = None,
    archive: Archive | None = None,
    press: Press | None = None,
) -> AsyncIterator[Served]:
    """Serve tables that are connected to a broker in memory, on which nobody speaks."""
    clock = clock or SystemClock()
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(HeardStore.open(history, clock=clock))
        tables, records = [], []
        for config in configs:
            bus = MemoryBus(
                MemoryBroker(),
                client_id="dashboard",
                subscriptions=subscriptions(config.setup.table),
                will=None,
                birth=None,
                clock=clock,
            )
            await stack.enter_async_context(bus)
            tables.append(FollowedTable(config, bus, clock))
            records.append(await stack.enter_async_context(recording(tables[-1], store)))
            await stack.enter_async_context(tables[-1].following())
        listener = stack.enter_context(listening(where))
        access = access_to(configs, where, rules, listener, clock)
        dashboard = Dashboard(tables, access, speak, records=records, archive=archive, press=press)
        await stack.enter_async_context(running(serve(dashboard, listener, where), name="dashboard"))
        scheme = "http" if where.certificate is None else "https"
        yield Served(url=address_of(listener, scheme).rstrip("/"), dashboard=dashboard, tables=tuple(tables))
