import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from bridge.config import TableConfig, load_table
from bridge.contracts.envelopes import TableEnvelope
from bridge.dashboard.table_screen import screen
from bridge.domain.identity import Sequence
from bridge.domain.table_view import Phase
from bridge.domain.wagers import BettingPosition
from tests.dashboard.looking import SIZES, Served, served
from tests.dashboard.moments import baccarat_at, tell, two_crown_treasures
from tests.patience import PATIENCE_S
from tests.processes.table import DEMONSTRATION
from tests.transports.ports import eventually

OVERLAPPING = """() => {
    const boxes = [...document.querySelectorAll(".felt text, .felt .face")]
        .filter((one) => !(one.tagName === "text" && one.closest(".face")))
        .map((one) => [one, one.getBoundingClientRect()]);
    const found = [];
    for (const [i, [one, a]] of boxes.entries()) {
        for (const [other, b] of boxes.slice(i + 1)) {
            const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (across > 1 && down > Math.min(a.height, b.height) / 3)
                found.push([one.textContent, other.textContent]);
        }
    }
    return found;
}"""
OUTSIDE = """() => [...document.querySelectorAll(".felt g[id^='at-'] text")].filter((one) => {
    const place = one.closest("g:has(> .place)").querySelector(".place").getBoundingClientRect();
    const box = one.getBoundingClientRect();
    return box.left < place.left - 1 || box.right > place.right + 1 || box.bottom > place.bottom + 1;
}).map((one) => one.textContent)"""


def with_positions(config: TableConfig, count: int) -> TableConfig:
    """Return a table as wide as that; what its devices serve is the same."""
    order = tuple(BettingPosition(number) for number in range(1, count + 1))
    return replace(config, setup=replace(config.setup, deal_order=order))


async def look(page: Page, dashboard: Served, config: TableConfig) -> None:
    await page.goto(f"{dashboard.url}/tables/{config.setup.table}")
    await page.locator(".phase").wait_for()


async def test_a_table_nobody_vouches_for_shows_why_and_nothing_else() -> None:
    async with served(load_table(DEMONSTRATION)) as dashboard, httpx.AsyncClient(base_url=dashboard.url) as client:
        page = (await client.get("/tables/bj-demo")).text

        assert "has not been heard of" in page
        assert 'class="phase"' not in page
        assert re.search(r'<g id="at-1"></g>', page)


async def test_no_part_of_the_page_keeps_an_old_value_when_the_table_becomes_unavailable() -> None:
    config, said = load_table(DEMONSTRATION), (await two_crown_treasures()).said
    async with served(config) as dashboard:
        (table,) = dashboard.tables
        tell(table, said)
        regions = screen(dashboard.dashboard.pages, table).regions
        before = regions()
        table.lose()
        after = regions()

    assert set(after) == set(before)
    assert {name for name, html in after.items() if html} == {"stale"}
    assert before["stale"] == ""


async def test_a_page_that_is_opened_in_mid_round_holds_all_of_it_before_any_script_has_run() -> None:
    config, said = load_table(DEMONSTRATION), (await two_crown_treasures()).said
    async with served(config) as dashboard, httpx.AsyncClient(base_url=dashboard.url) as client:
        tell(dashboard.tables[0], said)
        page = (await client.get("/tables/bj-demo")).text

    for words in (
        "Held: an award is being documented",
        "Locked",
        "Verify the winning hand of the award, and keep its cards on the table",
        "Hold cards, Crown Treasure",
        "Return the chip: it does not count in this round.",
        "25,001.50",
        'aria-label="King of clubs"',
        "Crown Treasure: lit",
        "Envy Bonus 5,000.00",
    ):
        assert words in page


async def test_who_hears_the_page_is_told_phase_and_next_step_politely_and_what_went_wrong_at_once(
    browser: Browser,
) -> None:
    config, said = load_table(DEMONSTRATION), (await two_crown_treasures()).said
    async with served(config) as dashboard, await browser.new_page() as page:
        tell(dashboard.tables[0], said)
        await look(page, dashboard, config)

        polite = page.get_by_role("status")
        assert "Held: an award is being documented. Next: Dealer: Verify" in (await polite.inner_text())
        assert "not accepted. Return the chip" in await page.locator("#alarm").inner_text()
        assert await page.locator("#alarm").get_attribute("role") == "alert"
        row = page.get_by_role("row", name=re.compile("^Position 4"))
        assert await row.get_by_role("img", name="Queen of clubs").count() == 1
        assert await page.locator(".felt").get_attribute("aria-hidden") == "true"


async def test_everything_on_the_page_can_be_reached_with_the_keyboard_and_is_seen_to_have_the_focus(
    browser: Browser,
) -> None:
    config, said = load_table(DEMONSTRATION), (await two_crown_treasures()).said
    async with served(config) as dashboard, await browser.new_page() as page:
        tell(dashboard.tables[0], said)
        await look(page, dashboard, config)
        reached = []
        for _ in range(7):
            await page.keyboard.press("Tab")
            reached.append(await page.evaluate("document.activeElement.id || document.activeElement.textContent"))
            outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline == "solid"

        assert reached[:4] == ["Skip to the content", "Floor", "Table bj-demo", "Sign"]
        assert {"steps", "irregularities", "devices"} <= set(reached)


async def test_a_change_at_one_position_is_sent_as_that_position_alone() -> None:
    config, moment = load_table(DEMONSTRATION), await two_crown_treasures()
    async with served(config) as dashboard, httpx.AsyncClient(base_url=dashboard.url) as client:
        (table,) = dashboard.tables
        tell(table, moment.said)
        async with client.stream("GET", "/tables/bj-demo/stream") as stream:
            messages = _messages(stream)
            assert "at-1" in json.loads(await anext(messages))
            view = table.known.view
            assert view is not None
            dark = [replace(lamp, reported=type(lamp.reported).OFF) for lamp in view.lamps]
            changed = tuple(
                dark[place] if lamp.indicator.position == 4 else lamp for place, lamp in enumerate(view.lamps)
            )
            said = moment.author.stamp(
                TableEnvelope, table=table.id, sequence=Sequence(99), view=replace(view, lamps=changed)
            )
            table.hear(said, retained=False)
            changes: dict[str, str] = {}
            while not changes:
                changes = json.loads(await anext(messages))

        assert set(changes) == {"at-4", "row-4"}


async def _messages(stream: httpx.Response) -> AsyncIterator[str]:
    async for line in stream.aiter_lines():
        if line.startswith("data: "):
            yield line.removeprefix("data: ")


@pytest.mark.parametrize("size", SIZES)
async def test_no_text_covers_another_and_nothing_is_wider_than_the_screen(
    tmp_path: Path, browser: Browser, size: str
) -> None:
    blackjack = (load_table(DEMONSTRATION), (await two_crown_treasures()).said)
    baccarat = await baccarat_at(tmp_path, "minibaccarat_ez", "dragon_7", Phase.RESULT)
    width, height = SIZES[size]
    async with await browser.new_page(viewport={"width": width, "height": height}) as page:
        for config, said in (blackjack, baccarat):
            async with served(config) as dashboard:
                tell(dashboard.tables[0], said)
                await look(page, dashboard, config)

                assert await page.evaluate(OVERLAPPING) == []
                assert await page.evaluate(OUTSIDE) == []
                assert await page.evaluate("document.documentElement.scrollWidth") <= width
                assert await page.locator(".felt").is_visible() is (size != "phone")


@pytest.mark.parametrize("count", [1, 5, 9, 14])
async def test_a_table_of_any_width_is_drawn_without_overlaps(
    tmp_path: Path, browser: Browser, count: int
) -> None:
    config, said = await baccarat_at(tmp_path, "baccarat", "royal_match", Phase.RESULT)
    wide = with_positions(config, count)
    full_size: ViewportSize = {"width": 1920, "height": 1080}
    async with served(wide) as dashboard, await browser.new_page(viewport=full_size) as page:
        tell(dashboard.tables[0], said)
        await look(page, dashboard, wide)

        assert await page.locator(".felt .place").count() == count
        assert await page.evaluate(OVERLAPPING) == []
        assert await page.evaluate(OUTSIDE) == []


async def test_a_browser_that_was_asleep_shows_no_old_value_and_then_the_present_one(browser: Browser) -> None:
    config, moment = load_table(DEMONSTRATION), await two_crown_treasures()
    async with served(config) as dashboard, await browser.new_page() as page:
        (table,) = dashboard.tables
        tell(table, moment.said)
        await page.clock.install()
        await look(page, dashboard, config)
        streams = dashboard.dashboard._live
        await eventually(lambda: sum(live.viewers for live in streams.values()) == 1)

        dashboard.dashboard.closing.set()
        await eventually(lambda: sum(live.viewers for live in streams.values()) == 0)
        await page.clock.fast_forward(3_600_000)
        await expect(page.locator("#lost")).to_be_visible()
        await expect(page.locator(".phase")).to_be_hidden()

        view = table.known.view
        assert view is not None
        dealing = replace(view, phase=Phase.DEALING)
        said = moment.author.stamp(TableEnvelope, table=table.id, sequence=Sequence(99), view=dealing)
        dashboard.dashboard.closing.clear()
        tell(table, [said])

        await expect(page.locator(".phase")).to_have_text("Dealing", timeout=PATIENCE_S * 1000)
        await expect(page.locator("#lost")).to_be_hidden()


async def test_a_page_that_was_frozen_in_the_background_shows_what_is_so_when_it_is_back(browser: Browser) -> None:
    config, moment = load_table(DEMONSTRATION), await two_crown_treasures()
    async with served(config) as dashboard, await browser.new_page() as page:
        (table,) = dashboard.tables
        tell(table, moment.said)
        await look(page, dashboard, config)
        session = await page.context.new_cdp_session(page)
        await session.send("Page.setWebLifecycleState", {"state": "frozen"})
        view = table.known.view
        assert view is not None
        dealing = replace(view, phase=Phase.DEALING)
        tell(table, [moment.author.stamp(TableEnvelope, table=table.id, sequence=Sequence(99), view=dealing)])

        await session.send("Page.setWebLifecycleState", {"state": "active"})

        await expect(page.locator(".phase")).to_have_text("Dealing", timeout=PATIENCE_S * 1000)
