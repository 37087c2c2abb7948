from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser, Page

from bridge.config import TableConfig, load_table
from bridge.dashboard.sign_screen import game_name, scored_now
from bridge.domain.controller import Disabled, DisabledReason
from bridge.domain.identity import Timestamp
from bridge.domain.money import Cents
from bridge.scoreboard.grid import Cell
from tests.brokers import running_mosquitto
from tests.contracts.samples import AWARD
from tests.dashboard.looking import SIZES, dashboard_process, opened, served
from tests.dashboard.telling import Voice
from tests.processes.table import DEMONSTRATION, running_table, scenario
from tests.scoreboard.pictures import drawn_by_hand, squares

TABLES = DEMONSTRATION.parent
SIGN = "/tables/bj-demo/sign"
SHOWN_DIGITS = """() => [...document.querySelectorAll(".odometer .digit")].map((digit) => {
  const top = digit.getBoundingClientRect().top;
  return [...digit.querySelectorAll(".reel > span")]
    .filter((one) => Math.abs(one.getBoundingClientRect().top - top) < 1)[0]?.textContent ?? "";
}).join("")"""
ROLLING = "() => document.getAnimations().length"


def table(name: str) -> TableConfig:
    return load_table(TABLES / f"{name}.toml")


async def picture_on(page: Page, road: str) -> str:
    """Return the road as the page draws it, in letters; what is drawn is read back from where it is drawn."""
    drawn = await page.locator(f"#{road} g").evaluate_all(
        """(marks) => marks.map((mark) => {
          const texts = [...mark.querySelectorAll("text:not(.tag)")].map((text) => text.textContent);
          const box = mark.querySelector("circle:not(.pair), path").getBBox();
          const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
          return [Math.floor(x / 100), Math.floor(y / 100), texts[0] ?? "/"];
        })"""
    )
    return squares((Cell(column, row), letter) for column, row, letter in drawn)


async def test_the_meter_rolls_to_its_new_amount_and_is_said_in_one_text(browser: Browser) -> None:
    async with served(load_table(DEMONSTRATION)) as dashboard:
        voice = Voice(dashboard.tables[0])
        voice.here()
        voice.meter(5_000_375)
        async with opened(browser, dashboard.url + SIGN) as page:
            assert await page.evaluate(SHOWN_DIGITS) == "5000375"
            assert await page.get_by_text("50,003.75 dollars").count() == 1
            assert await page.evaluate(ROLLING) == 0

            voice.meter(5_000_450)

            await page.wait_for_function(f"() => ({ROLLING})() > 0")
            await page.wait_for_function(f"() => ({ROLLING})() === 0 && ({SHOWN_DIGITS})() === '5000450'")


async def test_the_meter_does_not_roll_for_whoever_wants_no_motion(browser: Browser) -> None:
    async with served(load_table(DEMONSTRATION)) as dashboard:
        voice = Voice(dashboard.tables[0])
        voice.here()
        voice.meter(5_000_375)
        async with opened(browser, dashboard.url + SIGN) as page:
            await page.emulate_media(reduced_motion="reduce")
            await page.evaluate("""() => {
              window.rolled = 0;
              const animate = Element.prototype.animate;
              Element.prototype.animate = function (...how) {
                window.rolled += 1;
                return animate.apply(this, how);
              };
            }""")
            voice.meter(5_000_450)
            await page.wait_for_function(f"() => ({SHOWN_DIGITS})() === '5000450'")

            assert await page.evaluate("window.rolled") == 0


async def test_T52_while_an_award_is_pending_the_banner_says_amount_and_position(browser: Browser) -> None:
    async with served(load_table(DEMONSTRATION)) as dashboard:
        voice = Voice(dashboard.tables[0])
        voice.here()
        voice.meter(5_000_375)
        async with opened(browser, dashboard.url + SIGN) as page:
            assert await page.locator(".won").count() == 0
            award = replace(AWARD, table=voice.table.id, among=1, amount=Cents(5_000_375))
            voice.meter(5_000_000, pending=(award,))

            banner = page.get_by_role("status").filter(has_text="Won")
            await banner.wait_for()
            assert "$50,003.75" in await banner.inner_text()
            assert "Position 3" in await banner.inner_text()

            voice.meter(5_000_000)
            await banner.wait_for(state="detached")


async def test_T54_a_meter_nobody_vouches_for_is_unavailable_and_its_amount_is_nowhere(browser: Browser) -> None:
    async with served(load_table(DEMONSTRATION)) as dashboard:
        voice = Voice(dashboard.tables[0])
        voice.here()
        voice.meter(5_000_375)
        async with opened(browser, dashboard.url + SIGN) as page:
            await page.get_by_text("50,003.75 dollars").wait_for(state="attached")

            voice.say_health("rules-worker", online=False)

            await page.get_by_text("The amount of the meter is not available.").wait_for()
            assert "50,003" not in await page.content()


async def test_a_disabled_controller_is_shown_with_its_reason() -> None:
    async with served(load_table(DEMONSTRATION)) as dashboard:
        voice = Voice(dashboard.tables[0])
        voice.here()
        voice.disabled(Disabled(reason=DisabledReason.POWER_FAILURE, since=Timestamp(1), detail="."))
        async with httpx.AsyncClient(base_url=dashboard.url) as client:
            text = (await client.get(SIGN)).text

    assert "Controller disabled" in text
    assert "power failure" in text


async def test_a_shoe_of_minibaccarat_is_drawn_as_by_hand(browser: Browser) -> None:
    """Runs of the big road: BB PPP B P BBBBBBB; the last of the seven wins turns right beside the sixth."""
    async with served(table("minibaccarat_ez")) as dashboard:
        voice = Voice(dashboard.tables[0])
        voice.here()
        voice.say_table(shoe_number=2)
        voice.play("BpTPNbDPBBBBBBB"[:10])
        async with opened(browser, f"{dashboard.url}/tables/ez-demo/sign") as page:
            voice.play("BBBBB", first=11)
            await page.locator("#bead-plate g").nth(14).wait_for()

            assert await picture_on(page, "bead-plate") == drawn_by_hand("""
                BBB
                BPB
                TBB
                PB.
                PB.
                PB.
            """)
            assert await picture_on(page, "big-road") == drawn_by_hand("""
                BPBPB.
                BP..B.
                .P..B.
                ....B.
                ....B.
                ....BB
            """)
            # Second run, beside two wins: r, b. The third begins: three is not two, b. The fourth: one is not
            # three, b. The fifth: one is one, r. Beside one win: b, and then nothing is beside it: r five times.
            assert await picture_on(page, "big-eye-boy") == drawn_by_hand("""
                rbrbr
                .b..r
                .b..r
                ....r
                ....r
                .....
            """)
            # The fourth run begins: one is not two, b; the fifth: one is not three, b. Beside one win: b, then r.
            assert await picture_on(page, "small-road") == drawn_by_hand("""
                br
                br
                br
                .r
                .r
                ..
            """)
            # The fifth run begins: one is not two, b. Beside three wins: r, r, b, then r.
            assert await picture_on(page, "cockroach-road") == drawn_by_hand("""
                brbr
                .r.r
                ...r
                ....
                ....
                ....
            """)
            assert await page.locator("[data-mark=natural]").count() == 1
            assert await page.locator("[data-mark=banker-pair]").count() == 1
            assert await page.locator("[data-mark=player-pair]").count() == 1
            assert await page.locator("[data-mark=ez]").text_content() == "D7"


async def test_T54_no_road_is_shown_of_a_table_nobody_vouches_for() -> None:
    async with served(table("minibaccarat")) as dashboard, httpx.AsyncClient(base_url=dashboard.url) as client:
        voice = Voice(dashboard.tables[0])
        voice.here()
        voice.play("BP")
        assert "Big road" in (await client.get(f"/tables/{voice.table.id}/sign")).text
        voice.say_health("daemon", online=False)

        assert "Big road" not in (await client.get(f"/tables/{voice.table.id}/sign")).text


async def test_a_result_is_on_the_scoreboard_as_soon_as_it_is_announced_and_only_once() -> None:
    async with served(table("minibaccarat")) as dashboard:
        voice = Voice(dashboard.tables[0])
        voice.here()
        voice.play("BP")
        one = scored_now(voice.table, voice.table.shoe)
        voice.play("T", first=3)
        other = scored_now(voice.table, voice.table.shoe)

    assert [len(scored) for scored in (one, other)] == [2, 3]


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("blackjack", "Blackjack"),
        ("baccarat", "Baccarat"),
        ("minibaccarat", "Minibaccarat"),
        ("minibaccarat_ez", "EZ Baccarat"),
    ],
)
async def test_a_sign_names_the_game_and_shows_a_meter_only_where_one_is_filed(name: str, game: str) -> None:
    async with served(table(name)) as dashboard, httpx.AsyncClient(base_url=dashboard.url) as client:
        followed = dashboard.tables[0]
        text = (await client.get(f"/tables/{followed.id}/sign")).text

    assert game_name(followed) == game
    assert ("meter-facts" in text) is (name == "blackjack")
    assert ("scoreboard" in text) is (name != "blackjack")


@pytest.mark.parametrize("size", SIZES)
async def test_nothing_runs_off_a_sign(size: str, browser: Browser) -> None:
    async with served(load_table(DEMONSTRATION), table("minibaccarat_ez")) as dashboard:
        for followed in dashboard.tables:
            voice = Voice(followed)
            voice.here()
        Voice(dashboard.tables[0]).meter(123_456_789)
        voice.play("BPBPBBPPBBTT" * 6)
        async with opened(browser, dashboard.url + SIGN, size) as page:
            for followed in dashboard.tables:
                await page.goto(f"{dashboard.url}/tables/{followed.id}/sign")

                assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_a_sign_above_a_table_shows_all_of_itself_because_nobody_can_scroll_it(browser: Browser) -> None:
    async with served(load_table(DEMONSTRATION), table("minibaccarat_ez")) as dashboard:
        for followed in dashboard.tables:
            Voice(followed).here()
        Voice(dashboard.tables[0]).meter(123_456_789)
        Voice(dashboard.tables[1]).play("BPBPBBPPBBTT" * 6)
        async with opened(browser, dashboard.url + SIGN) as page:
            for followed in dashboard.tables:
                await page.goto(f"{dashboard.url}/tables/{followed.id}/sign")

                assert await page.evaluate("document.documentElement.scrollHeight <= innerHeight")
                assert await page.locator("nav").count() == 0


async def test_the_sign_of_a_real_table_ticks_and_shows_nothing_old_without_its_broker(
    tmp_path: Path, browser: Browser
) -> None:
    async with running_mosquitto() as broker, running_table(tmp_path, broker) as table:
        await table.until_ready()
        async with dashboard_process(tmp_path, broker) as url, opened(browser, url + SIGN) as page:
            await page.get_by_text("50,000.00 dollars").wait_for(state="attached")

            await table.play(*scenario("lost"))

            await page.get_by_text("50,001.50 dollars").wait_for(state="attached")

            await broker.kill()
            await page.locator(".meter-unavailable").wait_for()
            assert await page.locator(".odometer").count() == 0


async def test_a_scoreboard_that_nobody_vouches_for_says_so_across_the_sign(browser: Browser) -> None:
    config = load_table(DEMONSTRATION.with_name("minibaccarat_ez.toml"))
    async with (
        served(config) as dashboard,
        opened(browser, f"{dashboard.url}/tables/{config.setup.table}/sign") as page,
    ):
        box = await page.get_by_text("The scoreboard is not available.").bounding_box()

        assert box is not None
        assert box["width"] > SIZES["screen"][0] * 0.9
        assert await page.locator("main").get_by_text("Unavailable", exact=True).count() == 1
