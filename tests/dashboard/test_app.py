from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
from playwright.async_api import Browser, ViewportSize, expect

from bridge.config import load_table
from bridge.dashboard.documents import Archive
from tests.dashboard.looking import SIZES, served
from tests.dashboard.moments import tell, two_crown_treasures
from tests.dashboard.people import desk, with_people
from tests.patience import PATIENCE_S
from tests.processes.table import DEMONSTRATION

TABLE = "/tables/bj-demo"
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
TOUCHED = 44
"""Pixels that a finger needs."""


async def test_no_page_may_be_kept_or_fetch_anything_from_elsewhere() -> None:
    async with served(load_table(DEMONSTRATION)) as dashboard, httpx.AsyncClient(base_url=dashboard.url) as client:
        for path in ("/", "/tables/bj-demo", "/page/dashboard.js"):
            answer = await client.get(path)

            assert answer.status_code == 200
            assert answer.headers["Cache-Control"] == "no-store"
            assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")


async def test_a_table_that_is_not_followed_has_no_page() -> None:
    async with served(load_table(DEMONSTRATION)) as dashboard, httpx.AsyncClient(base_url=dashboard.url) as client:
        assert (await client.get("/tables/bj-2")).status_code == 404
        assert (await client.get("/tables/bj-2/stream")).status_code == 404


async def test_a_page_holds_the_state_before_any_script_has_run() -> None:
    async with served(load_table(DEMONSTRATION)) as dashboard, httpx.AsyncClient(base_url=dashboard.url) as client:
        assert "Unavailable" in (await client.get("/tables/bj-demo")).text


async def test_a_page_that_hears_nothing_yet_is_connecting_and_unavailable_after_a_while(browser: Browser) -> None:
    config, said = load_table(DEMONSTRATION), (await two_crown_treasures()).said
    async with served(config) as dashboard, await browser.new_page() as page:
        tell(dashboard.tables[0], said)
        await page.clock.install(time=NOON)
        await page.clock.pause_at(NOON + timedelta(seconds=1))
        await page.route("**/stream", lambda _: None)
        await page.goto(f"{dashboard.url}{TABLE}")
        phase, lost, connecting = page.locator(".phase"), page.locator("#lost"), page.locator("#connecting")
        await expect(phase).to_be_visible()
        await expect(lost).to_be_hidden()
        there = await page.locator("#head").bounding_box()

        await page.clock.run_for(1_500)
        await expect(connecting).to_be_visible()
        await expect(phase).to_be_visible()
        await expect(lost).to_be_hidden()

        await page.clock.run_for(4_000)
        await expect(lost).to_be_visible()
        await expect(connecting).to_be_hidden()
        await expect(phase).to_be_hidden()
        assert await page.locator("#head").bounding_box() == there, "nothing has moved"


async def test_a_page_that_is_answered_by_something_else_than_a_stream_is_unavailable_at_once(
    browser: Browser,
) -> None:
    config, said = load_table(DEMONSTRATION), (await two_crown_treasures()).said
    async with served(config) as dashboard, await browser.new_page() as page:
        tell(dashboard.tables[0], said)
        await page.route("**/stream", lambda route: route.fulfill(status=503))
        await page.goto(f"{dashboard.url}{TABLE}")

        await expect(page.locator("#lost")).to_be_visible(timeout=PATIENCE_S * 1000)
        await page.unroute("**/stream")
        await expect(page.locator("#lost")).to_be_hidden(timeout=PATIENCE_S * 1000)
        await expect(page.locator(".phase")).to_be_visible()


async def test_on_a_phone_every_page_is_one_row_away_and_whoever_is_signed_in_behind_a_button(
    tmp_path: Path, browser: Browser
) -> None:
    width, height = SIZES["phone"]
    phone: ViewportSize = {"width": width, "height": height}
    async with (
        desk(with_people(tmp_path), archive=Archive(storage=tmp_path)) as at,
        await browser.new_context(viewport=phone) as context,
    ):
        await at.sign_in("floor-1")
        await context.add_cookies(
            [{"name": name, "value": value, "url": at.served.url} for name, value in at.browser.cookies.items()]
        )
        page = await context.new_page()
        await page.goto(f"{at.served.url}{TABLE}/documents")
        links = await page.get_by_role("navigation").get_by_role("link").all()

        words = [await link.text_content() for link in links]
        assert words == ["Floor", "Table bj-demo", "Sign", "Rounds", "Documents"]
        boxes = [box for link in links if (box := await link.bounding_box()) is not None]
        assert len({box["y"] for box in boxes}) == 1
        assert all(box["height"] >= TOUCHED for box in boxes)
        account = page.get_by_role("button", name="Signed in as floor-1")
        beside = await account.bounding_box()
        assert beside is not None
        assert boxes[-1]["x"] + boxes[-1]["width"] <= beside["x"]

        await account.focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("signed off in")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.get_by_text("signed off in")).to_be_hidden()
        await page.keyboard.press("Enter")
        await page.get_by_role("button", name="Sign out").click()
        await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
