"""The dashboard, measured: from a lamp's report on MQTT to the pixel in a real browser, and with many who look.

A table at an award, seven positions wide, says again and again that one lamp has changed. A browser notes when the
frame that shows it has been painted; then others, who only read what is streamed, note when they have it. The
publisher, the dashboard and whoever looks are processes of one machine, so one clock tells all of it.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import aiomqtt
from playwright.async_api import Page

from bridge.contracts.codec import encode
from bridge.contracts.envelopes import Envelope, TableEnvelope
from bridge.contracts.topics import topic_of
from bridge.domain.table_view import LampReport
from simulators.running import running
from tests.benchmarks.brokers import Broker
from tests.benchmarks.figures import Series
from tests.benchmarks.processes import cpu_ns, process, resident_bytes
from tests.brokers import free_port
from tests.browser import chromium
from tests.dashboard.looking import SIZES
from tests.dashboard.moments import two_crown_treasures
from tests.demo.moments import Moment
from tests.patience import PATIENCE_S
from tests.processes.table import DEMONSTRATION

VIEWERS: Final = 200
_POSITION: Final = 4
_TABLE: Final = "/tables/bj-demo"
_SAY_ALL_AGAIN: Final = 50
"""Samples after which everybody of the table speaks again, as they do every ten seconds."""
_NOTE_PAINT: Final = """() => {
    window.painted = [];
    const channel = new MessageChannel();
    channel.port1.onmessage = () => window.painted.push(performance.timeOrigin + performance.now());
    new MutationObserver(() => requestAnimationFrame(() => channel.port2.postMessage(0)))
        .observe(document.getElementById("at-4"), { childList: true });
}"""
"""What is posted in the callback of a frame is heard once that frame is done."""


@dataclass(slots=True)
class DashboardFigures:
    """What was measured of one dashboard."""

    lamp_to_pixel: Series = field(default_factory=Series)
    lamp_to_viewer: Series = field(default_factory=Series)
    """To each of many."""
    resident: list[int] = field(default_factory=list)
    cpu_percent: int = 0
    """Of one core, while a lamp changes often and many look."""
    changes_per_s: int = 0


class Voice:
    """Whoever speaks for the table."""

    def __init__(self, client: aiomqtt.Client, moment: Moment) -> None:
        self._client = client
        self._moment = moment
        self._spoken = 0
        view = moment.display.view
        assert view is not None
        self._view = view

    async def say_all(self) -> None:
        """Say all that is known of the table."""
        for envelope in self._moment.said:
            await self._publish(envelope)

    async def change_lamp(self) -> int:
        """Say that a lamp has changed; return when, in wall nanoseconds."""
        self._spoken += 1
        if self._spoken % _SAY_ALL_AGAIN == 0:
            await self.say_all()
            await asyncio.sleep(0.2)
        lit = (LampReport.OFF, LampReport.ON)[self._spoken % 2]
        lamps = tuple(
            replace(lamp, reported=lit) if lamp.indicator.position == _POSITION else lamp
            for lamp in self._view.lamps
        )
        said = self._moment.author.stamp(
            TableEnvelope,
            table=self._moment.config.setup.table,
            sequence=self._moment.play.state.sequence,
            view=replace(self._view, lamps=lamps),
        )
        began_ns = time.time_ns()
        await self._publish(said)
        return began_ns

    async def _publish(self, envelope: Envelope) -> None:
        await self._client.publish(topic_of(envelope), encode(envelope), qos=0)


async def measure_dashboard(broker: Broker, directory: Path, *, samples: int, pause_s: float) -> DashboardFigures:
    """Start a dashboard, look at it, and return what was measured."""
    figures, port = DashboardFigures(), free_port()
    options = (str(DEMONSTRATION), "--broker", f"{broker.host}:{broker.port}", "--port", str(port), "--public")
    async with AsyncExitStack() as stack:
        dashboard = await stack.enter_async_context(
            process("bridge", "dashboard", *options, log=directory / "dashboard.log", says="serving")
        )
        client = await stack.enter_async_context(aiomqtt.Client(broker.host, broker.port))
        voice = Voice(client, await two_crown_treasures())
        await voice.say_all()
        async with _browser(f"http://127.0.0.1:{port}{_TABLE}") as page:
            for _ in range(samples):
                figures.lamp_to_pixel.add(await _until_painted(page, await voice.change_lamp()))
                await asyncio.sleep(pause_s)
        figures.resident.append(resident_bytes(dashboard))
        viewers = [Viewer() for _ in range(VIEWERS)]
        for viewer in viewers:
            await stack.enter_async_context(running(viewer.look(port), name="viewer"))
        await asyncio.gather(*(viewer.until_changed() for viewer in viewers))
        began_ns, cpu_before = time.monotonic_ns(), cpu_ns(dashboard)
        for _ in range(samples):
            for viewer in viewers:
                viewer.forget()
            said_ns = await voice.change_lamp()
            async with asyncio.timeout(PATIENCE_S):
                seen_ns = await asyncio.gather(*(viewer.until_changed() for viewer in viewers))
            for at_ns in seen_ns:
                figures.lamp_to_viewer.add(at_ns - said_ns)
            await asyncio.sleep(pause_s)
        took_ns = time.monotonic_ns() - began_ns
        figures.cpu_percent = (cpu_ns(dashboard) - cpu_before) * 100 // took_ns
        figures.changes_per_s = samples * 1_000_000_000 // took_ns
        figures.resident.append(resident_bytes(dashboard))
    return figures


class Viewer:
    """Somebody who reads what a page is streamed, and notes when the position has changed."""

    def __init__(self) -> None:
        self._changed = asyncio.Event()
        self._at_ns = 0

    def forget(self) -> None:
        """Wait for the next change from now on."""
        self._changed.clear()

    async def until_changed(self) -> int:
        """Return when the position had changed, in wall nanoseconds."""
        await self._changed.wait()
        return self._at_ns

    async def look(self, port: int) -> None:
        """Read the stream until cancelled."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
        writer.write(f"GET {_TABLE}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        try:
            while line := await reader.readline():
                if f'"at-{_POSITION}"'.encode() in line:
                    self._at_ns = time.time_ns()
                    self._changed.set()
        finally:
            writer.close()


@asynccontextmanager
async def _browser(address: str) -> AsyncIterator[Page]:
    width, height = SIZES["screen"]
    async with chromium() as browser:
        page = await browser.new_page(viewport={"width": width, "height": height})
        await page.goto(address)
        await page.locator("#at-4 text").first.wait_for()
        await page.evaluate(_NOTE_PAINT)
        yield page


async def _until_painted(page: Page, said_ns: int) -> int:
    """Return how long after it was said the change had been painted."""
    await page.wait_for_function("() => window.painted.length > 0", timeout=PATIENCE_S * 1000)
    painted_ms: float = await page.evaluate("() => window.painted.splice(0)[0]")
    return int(painted_ms * 1_000_000) - said_ns
