import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from itertools import count
from typing import cast

from bridge.dashboard.live import LiveScreen
from tests.dashboard.test_followed import Follow, following


def screen(shown: dict[str, str], follow: Follow) -> LiveScreen:
    return LiveScreen(lambda: dict(shown), [follow.table])


async def taken(messages: AsyncIterator[str]) -> dict[str, str]:
    return cast("dict[str, str]", json.loads(await anext(messages)))


async def test_who_comes_is_told_everything_and_then_what_has_changed() -> None:
    shown = {"meter": "1", "head": "open"}
    async with (
        following() as follow,
        aclosing(screen(shown, follow).messages()) as viewer,
    ):
        assert await taken(viewer) == {"meter": "1", "head": "open"}

        shown["meter"] = "2"
        follow.say_state()

        assert await taken(viewer) == {"meter": "2"}


async def test_who_has_nothing_new_is_told_so_often_that_a_silent_page_is_noticed() -> None:
    async with (
        following() as follow,
        aclosing(screen({"a": "1"}, follow).messages()) as viewer,
    ):
        await taken(viewer)

        assert await taken(viewer) == {}


async def test_what_passes_by_itself_is_seen_without_any_news() -> None:
    seconds = count()
    passing = LiveScreen(lambda: {"since": str(next(seconds))}, [])
    async with aclosing(passing.messages()) as viewer:
        first = await taken(viewer)

        assert await taken(viewer) != first


async def test_a_slow_viewer_gets_the_newest_state_and_not_what_was_between() -> None:
    shown = {"meter": "1"}
    async with following() as follow:
        same = screen(shown, follow)
        async with aclosing(same.messages()) as quick, aclosing(same.messages()) as slow:
            assert await taken(quick) == await taken(slow)
            for value in ("2", "3", "4"):
                shown["meter"] = value
                follow.say_state()
                assert await taken(quick) == {"meter": value}

            assert await taken(slow) == {"meter": "4"}


async def test_many_viewers_cost_one_rendering() -> None:
    renderings = count(1)
    last = 0

    def render() -> dict[str, str]:
        nonlocal last
        last = next(renderings)
        return {"a": "1"}

    async with following() as follow:
        counted = LiveScreen(render, [follow.table])
        viewers = [counted.messages() for _ in range(200)]
        await asyncio.gather(*(anext(viewer) for viewer in viewers))
        beats_before = last
        follow.say_state()
        await asyncio.gather(*(anext(viewer) for viewer in viewers))
        for viewer in viewers:
            await viewer.aclose()

    assert beats_before <= 2
    assert last - beats_before <= 2
    assert counted.viewers == 0
