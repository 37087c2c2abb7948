"""One Chromium for all tests that look at a page: to start it costs more than most of them do.

A test that asks for ``browser`` runs in the event loop in which that browser lives (``tests/conftest.py`` sees to
that), and what it opened is closed after it, so that no test finds a cookie or a page of another.
"""

import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from tests.patience import PATIENCE_S

expect.set_options(timeout=PATIENCE_S * 1000)


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Yield Debian's Chromium, without a window."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        try:
            yield browser
        finally:
            await browser.close()


class SharedChromium:
    """A Chromium that is started when somebody first wants it, and anew after it crashed."""

    def __init__(self, stack: AsyncExitStack) -> None:
        self._stack = stack
        self._browser: Browser | None = None

    async def running(self) -> Browser:
        """Return it, running."""
        if self._browser is None or not self._browser.is_connected():
            self._browser = await self._stack.enter_async_context(chromium())
        return self._browser


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_chromium() -> AsyncIterator[SharedChromium]:
    """The Chromium of this process."""
    async with AsyncExitStack() as stack:
        yield SharedChromium(stack)


@pytest_asyncio.fixture(loop_scope="session")
async def browser(shared_chromium: SharedChromium) -> AsyncIterator[Browser]:
    """A real browser that knows nothing of other tests."""
    running = await shared_chromium.running()
    yield running
    for context in list(running.contexts):
        await context.close()
