"""The pages about past rounds: who may see them, what they say, and how they look to whoever uses them."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from bridge.config import load_table
from bridge.contracts.envelopes import Envelope, EventEnvelope
from bridge.dashboard import history_words as say, signin_words
from bridge.stores.heard_store import HeardStore
from tests.dashboard.looking import SIZES, Served, served
from tests.dashboard.moments import tell
from tests.dashboard.past import baccarat, blackjack, first_round, signed_in
from tests.dashboard.people import desk, with_people
from tests.patience import PATIENCE_S
from tests.processes.table import DEMONSTRATION

ROUNDS = "/tables/bj-demo/rounds"


@asynccontextmanager
async def looked_at(
    said: list[Envelope], table: str = "blackjack"
) -> AsyncIterator[tuple[Served, httpx.AsyncClient]]:
    """Serve a table that has said this, to an auditor."""
    config = load_table(DEMONSTRATION.with_name(f"{table}.toml"))
    async with served(config) as dashboard:
        tell(dashboard.tables[0], said)
        cookies = signed_in(dashboard.dashboard.access, config.setup.table)
        async with httpx.AsyncClient(base_url=dashboard.url, cookies=cookies, timeout=PATIENCE_S) as client:
            yield dashboard, client


def numbers(html: str) -> list[int]:
    return [int(number) for number in re.findall(r'rowheader"><a href="/tables/[\w-]+/rounds/(\d+)"', html)]


async def test_rounds_are_for_a_floorperson_and_an_auditor_of_the_table_and_everybody_else_is_told_so(
    tmp_path: Path,
) -> None:
    async with desk(with_people(tmp_path)) as at:
        tell(at.followed, await blackjack())
        answers = {}
        for who in ("floor-1", "audit-1", "dealer-1", "reset-1"):
            at.browser.cookies.clear()
            await at.sign_in(who)
            answers[who] = [await at.browser.get(path) for path in (ROUNDS, f"{ROUNDS}/7533002")]

    assert {who: [one.status_code for one in found] for who, found in answers.items()} == {
        "floor-1": [200, 200],
        "audit-1": [200, 200],
        "dealer-1": [403, 403],
        "reset-1": [403, 403],
    }
    for refused in answers["dealer-1"]:
        assert "and you are signed in as dealer-1, dealer. Sign out, and let one of them sign in." in refused.text
        assert "7533002" not in refused.text
        assert f'href="{ROUNDS}"' not in refused.text
    assert f'href="{ROUNDS}" aria-current="page"' in answers["floor-1"][0].text


async def test_where_everybody_may_watch_rounds_are_still_for_those_who_sign_in(tmp_path: Path) -> None:
    async with served(with_people(tmp_path)) as dashboard, httpx.AsyncClient(base_url=dashboard.url) as client:
        page = await client.get("/tables/bj-demo")
        led_away = await client.get(ROUNDS)

    assert page.status_code == 200
    assert f'href="{ROUNDS}"' in page.text, "it leads to where he is told to sign in"
    assert (led_away.status_code, led_away.headers["Location"]) == (303, f"/sign-in?next={ROUNDS}")


async def test_where_nobody_can_sign_in_no_link_leads_to_rounds() -> None:
    async with served(load_table(DEMONSTRATION)) as dashboard, httpx.AsyncClient(base_url=dashboard.url) as client:
        assert f'href="{ROUNDS}"' not in (await client.get("/tables/bj-demo")).text
        assert signin_words.RECORDS_OF_NOBODY in (await client.get(ROUNDS)).text


async def test_rounds_are_listed_newest_first_and_found_by_what_happened_in_them() -> None:
    said = await blackjack()
    async with looked_at(said) as (_, client):
        everything = numbers((await client.get(ROUNDS)).text)
        crown = await client.get(ROUNDS, params={"ended": "row:crown_treasure", "position": "4"})
        rejected = await client.get(ROUNDS, params={"ended": "rejected"})
        nothing = await client.get(ROUNDS, params={"ended": "voided"})
        number = await client.get(ROUNDS, params={"number": str(everything[-1])})

    assert everything == sorted(everything, reverse=True)
    assert everything[-1] == first_round(said)
    assert numbers(crown.text) == [first_round(said) + 1]
    assert "4: Royal Match progressive, Crown Treasure" in crown.text
    assert '<option value="row:crown_treasure" selected>' in crown.text
    assert len(numbers(rejected.text)) == 1
    assert say.NOTHING_FOUND in nothing.text
    assert numbers(number.text) == [everything[-1]]


async def test_what_cannot_be_looked_for_is_said_at_its_field_and_the_form_keeps_all_of_it() -> None:
    given = {"number": "<b>7", "from": "soon", "position": "99", "ended": "won"}
    async with looked_at(await blackjack()) as (_, client):
        answer = await client.get(ROUNDS, params=given)

    assert answer.status_code == 422
    assert say.PLEASE in answer.text
    for kept in (
        'value="&lt;b&gt;7"',
        'value="soon"',
        '<option value="99" selected>',
        '<option value="won" selected>',
    ):
        assert kept in answer.text
    for field, fault in (("number", say.NOT_A_NUMBER), ("from", say.NOT_A_TIME), ("position", say.NOT_OFFERED)):
        assert f'id="{field}-fault">{fault}' in answer.text
    assert numbers(answer.text) == []


async def test_a_table_of_which_nothing_was_heard_says_so_and_that_memory_forgets() -> None:
    async with looked_at([]) as (_, client):
        text = (await client.get(ROUNDS)).text

    assert say.NOTHING_KEPT in text
    assert "start it with --history FILE" in text


async def test_a_round_of_which_nothing_was_heard_is_not_found_and_says_where_it_is() -> None:
    async with looked_at(await blackjack()) as (_, client):
        for address in ("7", "9" * 12, "7533002?journal=9", "7533002?journal=x"):
            answer = await client.get(f"{ROUNDS}/{address}")

            assert answer.status_code == 404
            assert "the journal of the table has all of them" in answer.text
        assert (await client.get("/tables/bj-9/rounds")).status_code == 404
        for no_number in ("x", "0", "9" * 13, "9" * 5_000):
            assert (await client.get(f"{ROUNDS}/{no_number}")).status_code == 404


async def test_R69_the_page_of_a_crown_treasure_tells_it_card_by_card_with_everything_that_happened() -> None:
    said = await blackjack()
    number = first_round(said) + 1
    async with looked_at(said) as (_, client):
        page = (await client.get(f"{ROUNDS}/{number}")).text
        assert (await client.get(f"{ROUNDS}/{number}?events=9")).text.count("rowheader") == page.count("rowheader")
        assert (await client.get(f"{ROUNDS}/{number}?events=x")).status_code == 200

    for words in (
        "Queen of spades",
        "King of diamonds",
        "won: Crown Treasure",
        "50,00",
        "documents of the award complete",
        "Lock-out pressed: no more bets",
        "Card drawn: card face down",
        "Settled as of record",
        f"Older: round {number - 1}",
        f"Newer: round {number + 1}",
    ):
        assert words in page
    assert "was not heard" not in page
    assert "were not heard" not in page


@pytest.mark.parametrize("number", ["9" * 5_000, "0" * 5_000, "1x", "-1", "%D9%A1", "%C2%B2", "1%00"])
async def test_an_address_of_no_round_has_no_page_whatever_stands_in_it(number: str) -> None:
    async with looked_at(await blackjack()) as (_, client):
        assert (await client.get(f"{ROUNDS}/{number}")).status_code == 404


async def test_the_page_of_a_round_of_baccarat_tells_announcement_and_vigorish_where_there_is_one() -> None:
    said = await baccarat()
    async with looked_at(said, "minibaccarat_ez") as (dashboard, client):
        table = dashboard.tables[0].id
        page = (await client.get(f"/tables/{table}/rounds/{first_round(said)}")).text
        banker = await client.get(f"/tables/{table}/rounds", params={"ended": "banker"})

    assert "Dragon 7" in page
    assert "Point Count 7" in page
    assert numbers(banker.text) == [first_round(said)]


async def test_a_history_that_cannot_be_written_or_read_is_said_and_the_rest_goes_on() -> None:
    async with looked_at(await blackjack()) as (dashboard, client):
        (store,) = {records._store for records in dashboard.dashboard.history._records.values()}
        await client.get(ROUNDS)
        store.trouble = "database or disk is full; free some space on that disk"
        full = (await client.get(ROUNDS)).text
        round_ = (await client.get(f"{ROUNDS}/{numbers(full)[0]}")).text
        await spoil(store)
        unreadable = [await client.get(path) for path in (ROUNDS, f"{ROUNDS}/{numbers(full)[0]}")]
        table = await client.get("/tables/bj-demo")

    for page in (full, round_):
        assert "is not kept: database or disk is full; free some space on that disk. It waits for room" in page
    assert [one.status_code for one in unreadable] == [503, 503]
    assert "The history cannot be read: the history in memory cannot be read: no such table" in unreadable[0].text
    assert table.status_code == 200


async def spoil(store: HeardStore) -> None:
    assert store._thread is not None
    await store._thread.run(lambda: store._connected().executescript("DROP TABLE wagers; DROP TABLE messages"))


async def test_both_pages_fit_every_screen_are_used_without_a_mouse_and_print(browser: Browser) -> None:
    said = await blackjack()
    number = first_round(said) + 1
    lost = [one.sequence for one in said if isinstance(one, EventEnvelope) and one.round_number == number][3:5]
    heard = [one for one in said if not (isinstance(one, EventEnvelope) and one.sequence in lost)]
    async with looked_at(heard) as (dashboard, client), await browser.new_context() as context:
        await context.add_cookies(
            [{"name": name, "value": value, "url": dashboard.url} for name, value in client.cookies.items()]
        )
        page = await context.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        for width, height in SIZES.values():
            await page.set_viewport_size({"width": width, "height": height})
            for path in (ROUNDS, f"{ROUNDS}/{number}", f"{ROUNDS}?number=x&from=y&position=99"):
                await page.goto(dashboard.url + path)
                assert await page.evaluate("document.documentElement.scrollWidth") <= width, path

        await page.goto(f"{dashboard.url}/tables/bj-demo")
        await page.get_by_role("link", name="Rounds").focus()
        await page.keyboard.press("Enter")
        await look_for(page, number)
        await page.get_by_role("rowheader", name=str(number)).get_by_role("link").focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("heading", level=1)).to_have_text(f"Round {number}")
        events = page.get_by_role("table", name=say.EVENTS)
        assert await events.get_by_role("columnheader").all_inner_texts() == [
            say.RECORD,
            say.TIME,
            say.HAPPENED,
            say.WHO,
        ]
        await expect(events.get_by_text(f"Records {lost[0]} to {lost[1]} were not heard.")).to_be_visible()
        cards = page.get_by_role("table", name=say.CARDS)
        assert await cards.get_by_role("img", name="King of diamonds").count() == 1
        # What a reader hears on a phone, where a row is a row all the same.
        await page.set_viewport_size({"width": 390, "height": 844})
        assert await events.get_by_role("row").count() > 30
        assert await cards.get_by_role("rowheader").count() == 4

        await page.emulate_media(media="print")
        await expect(page.locator(".top")).to_be_hidden()
        await expect(cards).to_be_visible()
        assert len(await page.pdf()) > 10_000


async def look_for(page: Page, number: int) -> None:
    """Unfold the form of a phone, once its page has folded it, and fill it in, with the keyboard alone."""
    await expect(page.get_by_label("Round", exact=True)).to_be_hidden()
    await page.get_by_text("Search these rounds").press("Enter")
    await expect(page.get_by_label("Round", exact=True)).to_be_visible()
    await page.get_by_label("Round", exact=True).focus()
    await page.keyboard.type(str(number))
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("table")).to_contain_text("Crown Treasure")
    await expect(page.get_by_label("Round", exact=True)).to_have_value(str(number))


async def test_on_a_phone_the_search_is_folded_until_somebody_searches_and_marks_what_is_wrong(
    browser: Browser,
) -> None:
    phone: ViewportSize = {"width": 390, "height": 844}
    async with (
        looked_at(await blackjack()) as (dashboard, client),
        await browser.new_context(viewport=phone) as context,
    ):
        await context.add_cookies(
            [{"name": name, "value": value, "url": dashboard.url} for name, value in client.cookies.items()]
        )
        page = await context.new_page()
        await page.goto(f"{dashboard.url}{ROUNDS}")
        number = page.get_by_label("Round", exact=True)
        await expect(number).to_be_hidden()
        await page.get_by_text("Search these rounds").press("Enter")
        await expect(number).to_be_visible()

        await page.goto(f"{dashboard.url}{ROUNDS}?number=seven&from=2026-1")
        await expect(number).to_be_visible()
        await page.set_viewport_size({"width": 1600, "height": 900})
        boxes = [await page.get_by_label(label).bounding_box() for label in ("Opened from", "Opened until")]
        first, second = (box for box in boxes if box is not None)
        assert first["x"] + first["width"] <= second["x"], "a field does not reach into the next"
        await page.goto(f"{dashboard.url}{ROUNDS}")
        await expect(number).to_be_visible()
