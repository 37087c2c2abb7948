"""A screen as everybody sees it who looks at it: rendered once for all, sent to each as far as it has changed."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from typing import Final

from bridge.dashboard.followed import FollowedTable

Regions = Mapping[str, str]
"""The parts of a screen that change, as HTML, by the ``id`` of the element that they fill."""

BEAT_S: Final = 1.0
"""A screen is looked at anew so often, because time passes; who has nothing new is told that much."""
_PAUSE_S: Final = 0.02
"""The least time between two renderings: what happens within it is seen at its end."""


class LiveScreen:
    """One screen, made of what some tables say. Who is slow misses what was between, and delays nobody."""

    def __init__(self, render: Callable[[], Regions], tables: Sequence[FollowedTable]) -> None:
        self._render = render
        self._tables = tables
        self._viewers = 0
        self._listening = contextlib.ExitStack()
        self._news = asyncio.Event()
        self._rendered_for: tuple[asyncio.Event, int] | None = None
        self._changed_in: dict[str, int] = {}
        """For each region the version in which it changed last."""
        self._regions: Regions = {}
        self._version = 0
        self._messages: dict[int, str] = {}
        """What whoever has seen a version lacks of the present one."""

    @property
    def viewers(self) -> int:
        """Return how many look at it."""
        return self._viewers

    async def messages(self) -> AsyncGenerator[str, None]:
        """Yield what is new, for ever: an object of the regions that changed, all of them at first; or of none."""
        seen = 0
        with self._viewing():
            while True:
                news = self._news
                self._refresh(news)
                message, seen = self._message(seen), self._version
                yield message
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(BEAT_S):
                        await news.wait()
                        await asyncio.sleep(_PAUSE_S)

    def _refresh(self, news: asyncio.Event) -> None:
        """Render, unless that was done since the last news and within this beat."""
        beat = int(asyncio.get_running_loop().time() / BEAT_S)
        if self._rendered_for == (news, beat):
            return
        regions = self._render()
        changed = [region for region, html in regions.items() if self._regions.get(region) != html]
        self._rendered_for = (news, beat)
        if changed or not self._version:
            self._version += 1
            self._regions = regions
            self._changed_in |= dict.fromkeys(changed, self._version)
            self._messages.clear()

    def _message(self, seen: int) -> str:
        if seen not in self._messages:
            changed = {name: html for name, html in self._regions.items() if self._changed_in[name] > seen}
            self._messages[seen] = json.dumps(changed)
        return self._messages[seen]

    @contextlib.contextmanager
    def _viewing(self) -> Iterator[None]:
        """Listen to the tables while anybody looks."""
        self._viewers += 1
        if self._viewers == 1:
            self._rendered_for = None
            for table in self._tables:
                self._listening.enter_context(table.listening(self._tell))
        try:
            yield
        finally:
            self._viewers -= 1
            if not self._viewers:
                self._listening.close()

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()
