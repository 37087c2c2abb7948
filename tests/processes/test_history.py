"""Past rounds at a real table: told by a dashboard that heard them, and by the next one that has its history."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from simulators.baccarat_people import BaccaratPeople
from simulators.baccarat_scenario_file import load_baccarat_scenario
from simulators.scenario_keys import SCENARIOS
from tests.brokers import RunningBroker, running_mosquitto
from tests.dashboard.looking import dashboard_process
from tests.dashboard.people import SECRETS, form_key, table_with_people
from tests.patience import PATIENCE_S
from tests.processes.table import DEMONSTRATION, FLOORPERSON, running_table, scenario

BACCARAT = DEMONSTRATION.with_name("minibaccarat.toml")


@asynccontextmanager
async def dashboard(
    folder: Path, broker: RunningBroker, table: Path, *, public: bool = True
) -> AsyncIterator[httpx.AsyncClient]:
    """Run a dashboard with a history, the same each time, and yield a browser."""
    options = ("--history", str(folder / "history.sqlite"), "--history-days", "7")
    async with (
        dashboard_process(folder, broker, table, options=options, public=public) as url,
        httpx.AsyncClient(base_url=url, timeout=PATIENCE_S) as browser,
    ):
        yield browser


async def sign_in(browser: httpx.AsyncClient, who: str) -> None:
    page = await browser.get("/sign-in")
    form = {"form_key": form_key(page.text, "/sign-in"), "name": who, "secret": SECRETS[who], "next": "/"}
    origin = str(browser.base_url).rstrip("/")
    assert (await browser.post("/sign-in", data=form, headers={"Origin": origin})).status_code == 303


async def page_with(browser: httpx.AsyncClient, path: str, condition: Callable[[str], bool]) -> str:
    """Return a page as soon as it says something: a message may still be on its way."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition(text := (await browser.get(path)).text):  # noqa: ASYNC110 - another process knows
            await asyncio.sleep(0.05)
    return text


def told(page: str) -> list[str]:
    """Return what stands on the page of a round, without what changes from one moment to the next."""
    sections = re.findall(r"<section.*?</section>", page, re.DOTALL)
    return [re.sub(r"<[^>]+>|\s+", " ", section) for section in sections]


async def test_R69_a_crown_treasure_is_told_card_by_card_also_by_a_dashboard_that_was_started_after_it(
    tmp_path: Path,
) -> None:
    file = table_with_people(tmp_path)
    async with running_mosquitto() as broker, running_table(tmp_path, broker, file=file, start=()) as table:
        async with dashboard(tmp_path, broker, file, public=False) as browser:
            await sign_in(browser, "floor-1")
            await table.worker.start()
            await table.daemon.start()
            await table.until_ready()
            await table.play(*scenario("crown_treasure"))

            found = await page_with(
                browser,
                "/tables/bj-demo/rounds?ended=row:crown_treasure&position=4",
                lambda text: "Crown Treasure" in text.partition("<tbody")[2],
            )
            (address,) = re.findall(r'href="(/tables/bj-demo/rounds/\d+)"', found)
            page = await page_with(browser, address, lambda text: "Key pressed: round complete" in text)

        async with dashboard(tmp_path, broker, file, public=False) as browser:
            await sign_in(browser, "audit-1")
            again = (await browser.get(address)).text

    cards = ["Queen of spades", "Queen of diamonds", "King of spades", "King of diamonds"]
    assert [page.index(f'<span class="spoken" aria-hidden="true">{card}') for card in cards] == sorted(
        page.index(f'<span class="spoken" aria-hidden="true">{card}') for card in cards
    )
    for words in ("won: Crown Treasure", "meter reset", "Device answers", "Card drawn: card face down"):
        assert words in page
    assert "not heard" not in page
    assert told(again) == told(page)


async def test_the_sign_knows_the_shoe_in_play_also_after_a_restart_of_the_dashboard(tmp_path: Path) -> None:
    (script, *_) = load_baccarat_scenario(SCENARIOS / "minibaccarat" / "no_dragon_7.toml").rounds
    async with running_mosquitto() as broker, running_table(tmp_path, broker, file=BACCARAT) as table:
        people = BaccaratPeople(
            table.simulated, table.display, floorperson=FLOORPERSON, pace=0, patience_s=PATIENCE_S
        )
        sign = f"/tables/{table.config.setup.table}/sign"

        def two_results(text: str) -> bool:
            return len(re.findall(r'<g data-column="\d+" data-row="\d+"', bead_plate(text))) == 2

        async with dashboard(tmp_path, broker, BACCARAT) as browser:
            await table.until_ready()
            await people.play(script)
            await people.play(script)
            before = bead_plate(await page_with(browser, sign, two_results))
        async with dashboard(tmp_path, broker, BACCARAT) as browser:
            after = bead_plate(await page_with(browser, sign, two_results))

    assert after == before


def bead_plate(sign: str) -> str:
    return sign.partition('id="bead-plate"')[2].partition("</svg>")[0]
