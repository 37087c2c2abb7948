import httpx
import pytest
from playwright.async_api import Browser, Page, expect

from bridge.config import load_table
from bridge.domain.controller import Disabled, DisabledReason
from bridge.domain.identity import Timestamp
from tests.dashboard.looking import SIZES, opened, served
from tests.dashboard.telling import Voice
from tests.dashboard.test_floor_cards import tables
from tests.processes.table import DEMONSTRATION

LINK = Disabled(reason=DisabledReason.LOST_LINK, since=Timestamp(1), detail=".")


async def shown(page: Page) -> list[str]:
    """Return the tables that are shown, in their order."""
    return await page.locator(".floor-cell:not([hidden]) h2 a").all_inner_texts()


async def test_the_floor_leads_to_every_table() -> None:
    async with served(load_table(DEMONSTRATION)) as dashboard, httpx.AsyncClient(base_url=dashboard.url) as client:
        assert 'href="/tables/bj-demo"' in (await client.get("/")).text


async def test_a_table_that_is_in_trouble_comes_to_the_front_by_itself(browser: Browser) -> None:
    async with served(*tables(3)) as dashboard, opened(browser, dashboard.url) as page:
        voices = [Voice(table) for table in dashboard.tables]
        for voice in voices:
            voice.here()
        await page.get_by_text("Alarms: 0.").wait_for()
        assert await shown(page) == ["bj-1", "bj-2", "bj-3"]
        await page.locator("#to-bj-3").focus()

        voices[2].disabled(LINK)

        await page.get_by_text("Alarms: 1.").wait_for()
        assert await shown(page) == ["bj-3", "bj-1", "bj-2"]
        assert await page.evaluate("document.activeElement.id") == "to-bj-3"
        assert await page.locator("#floor-attention").get_by_text("Controller disabled").count() == 1


async def test_tables_are_filtered_and_sorted_by_keyboard(browser: Browser) -> None:
    async with served(*tables(12)) as dashboard, opened(browser, dashboard.url) as page:
        for number, table in enumerate(dashboard.tables, start=1):
            voice = Voice(table)
            voice.here()
            voice.meter(5_000_000 + number)
            voice.say_table(locked=number % 2 == 0)
        await page.get_by_text("Alarms: 0.").wait_for()

        await page.keyboard.press("/")
        await page.keyboard.type("bj-1")
        assert await shown(page) == ["bj-1", "bj-10", "bj-11", "bj-12"]
        await page.keyboard.press("Tab")
        await page.keyboard.type("open")
        assert await shown(page) == ["bj-1", "bj-11"]
        assert await page.locator("#floor-count").inner_text() == "Shown: 2 of 12"
        await page.keyboard.press("Tab")
        await page.keyboard.type("meter")
        assert await shown(page) == ["bj-11", "bj-1"]

        await page.keyboard.press("/")
        await page.locator("#floor-filter").press("Escape")
        assert len(await shown(page)) == 6


async def test_where_there_is_one_table_there_is_nothing_to_filter(browser: Browser) -> None:
    async with served(*tables(1)) as dashboard, opened(browser, dashboard.url) as page:
        await expect(page.get_by_role("search")).to_be_hidden()
        await page.keyboard.press("/")
        assert await shown(page) == ["bj-1"]


async def test_T54_a_table_whose_daemon_has_gone_is_unavailable_on_the_floor(browser: Browser) -> None:
    async with served(*tables(1)) as dashboard, opened(browser, dashboard.url) as page:
        voice = Voice(dashboard.tables[0])
        voice.here()
        await page.locator(".card").get_by_text("Wagers are open").wait_for()

        voice.say_health("daemon", online=False)

        await page.locator(".card").get_by_text("Unavailable", exact=True).wait_for()
        assert await page.locator(".card").get_by_text("Wagers are open").count() == 0


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("count", [1, 40])
async def test_one_table_and_forty_fit_every_display(size: str, count: int, browser: Browser) -> None:
    async with served(*tables(count)) as dashboard, opened(browser, dashboard.url, size) as page:
        for table in dashboard.tables:
            voice = Voice(table)
            voice.here()
            voice.meter(123_456_789)
            voice.disabled(LINK)
        await page.get_by_text(f"Alarms: {count}.").wait_for()

        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert len(await shown(page)) == count
