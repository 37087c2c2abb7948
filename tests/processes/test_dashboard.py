"""The table view in a real browser, of a table of real parts."""

from pathlib import Path

from playwright.async_api import Browser, Page, expect

from bridge.domain.dealer_keys import DealerKey
from bridge.domain.setup import DealerKeyInput
from bridge.domain.table_view import Phase, Task
from simulators.at_table import tasks_of
from tests.brokers import running_mosquitto
from tests.dashboard.looking import dashboard_process
from tests.patience import PATIENCE_S
from tests.processes.table import running_table, scenario

FOUR = "#row-4"


async def shows(page: Page, where: str, *words: str) -> None:
    """Wait until a part of the page says all this."""
    for one in words:
        await expect(page.locator(where)).to_contain_text(one, timeout=PATIENCE_S * 1000)


async def cards_in(page: Page, where: str) -> list[str | None]:
    return [await card.get_attribute("aria-label") for card in await page.locator(f"{where} [role=img]").all()]


async def test_a_round_to_the_crown_treasure_is_seen_as_it_is_played_and_never_as_it_was(
    tmp_path: Path, browser: Browser
) -> None:
    script = scenario("crown_treasure")[0]
    async with (
        running_mosquitto() as broker,
        running_table(tmp_path, broker) as table,
        dashboard_process(tmp_path, broker) as url,
        await browser.new_page(viewport={"width": 1920, "height": 1080}) as page,
    ):
        people, address = table.people, f"{url}/tables/bj-demo"
        await page.goto(address)
        await table.until_ready()

        opened = await people._see_open(script.positions())
        await shows(page, "#head", "Wagers are open", "Open")
        await shows(page, "#meters", "50,000.00")
        await shows(page, "#now", "Take wagers, announce “no more bets”, press the lock-out")

        accepted = await people._wager(script)
        await shows(page, FOUR, "Royal Match progressive: placed", "Accepted: lit")

        await people._lock_out(script, accepted)
        await shows(page, "#head", "No more bets", "Locked")
        await shows(page, FOUR, "Royal Match progressive: accepted 5.00")
        await shows(page, "#now", "count the chips")
        await people._collect_and_count(script, accepted)

        await people._deal(script)
        await shows(page, FOUR, "Royal Match, deferred")
        assert await cards_in(page, FOUR) == ["Queen of spades", "King of spades"]
        assert await cards_in(page, "#row-house") == ["Queen of diamonds", "card face down"]
        await shows(page, "#steps", "Leave for the hole card")
        assert "King of diamonds" not in await page.content()

        unscripted = await (await browser.new_context(java_script_enabled=False)).new_page()
        await unscripted.goto(address)
        await shows(unscripted, FOUR, "Royal Match, deferred")
        assert await cards_in(unscripted, "#row-house") == ["Queen of diamonds", "card face down"]

        await table.daemon.kill()
        await shows(page, "#stale", "The daemon of this table is not running")
        assert await page.locator(FOUR).text_content() == ""
        assert await page.locator("#at-4 *").count() == 0
        await expect(page.locator(".known")).to_be_hidden()

        await table.daemon.start()
        await shows(page, FOUR, "Royal Match, deferred")
        await expect(page.locator(".known")).to_be_visible()
        assert await cards_in(page, FOUR) == ["Queen of spades", "King of spades"]
        await table.until_ready()

        exposed = DealerKeyInput(key=DealerKey.HOLE_CARD_EXPOSED)
        await people._press(
            exposed,
            "the hole card to be exposed",
            lambda: table.display.until(lambda view: view.phase is Phase.AWARD_HELD),
        )
        await shows(page, "#head", "Held: an award is being documented")
        await shows(page, FOUR, "Crown Treasure, the meter", "50,000.75", "Crown Treasure: lit")
        await shows(page, "#at-4", "Crown Treasure", "50,000.75")
        await shows(page, "#meters", "frozen 50,000.75", "Won at position 4")
        await shows(page, "#steps", "Hold cards, Crown Treasure")
        assert await cards_in(page, "#row-house") == ["Queen of diamonds", "King of diamonds"]

        await people._attend(script, "leave to complete", lambda view: Task.COMPLETE_ROUND in tasks_of(view))
        await people._complete(script, opened)
        await shows(page, "#head", "Wagers are open", f"Round {opened.round_number + 1}")
        await shows(page, "#meters", "50,000.00")
        assert await cards_in(page, FOUR) == []
