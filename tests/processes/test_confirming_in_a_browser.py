"""A Crown Treasure whose people confirm in browsers, at a broker that knows every one of them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiomqtt
from playwright.async_api import Browser, Page, expect

from bridge.clock import SystemClock
from bridge.contracts.author import Author
from bridge.contracts.codec import encode
from bridge.contracts.envelopes import ConfirmationEnvelope, EventEnvelope
from bridge.contracts.topics import topic_of
from bridge.domain.awards import PayoutAct
from bridge.domain.confirmations import PayoutSignedOff, RoundVoided
from bridge.domain.events import PersonConfirmed
from bridge.domain.identity import PersonId, RoundNumber, TableId
from bridge.domain.table_view import LampReport, TableView, Task
from tests.brokers import TABLE_LOGIN, Mosquitto, running_mosquitto
from tests.dashboard.looking import SIZES, dashboard_process
from tests.dashboard.people import SECRETS, table_with_people
from tests.patience import PATIENCE_S
from tests.processes.table import RunningTable, running_table, scenario

LOGIN = 'username = "{}"\npassword_file = "broker.password"\npeople_log_in = true\n'
MS = 1000


def table_at_a_broker_with_logins(folder: Path) -> Path:
    name, password = TABLE_LOGIN
    (folder / "broker.password").write_text(password)
    return table_with_people(folder, broker=LOGIN.format(name))


@asynccontextmanager
async def signed_in(browser: Browser, url: str, who: str) -> AsyncIterator[Page]:
    """Yield the view of the table, for somebody who has come to it by signing in."""
    width, height = SIZES["tablet"]
    page = await browser.new_page(viewport={"width": width, "height": height})
    page.set_default_timeout(PATIENCE_S * MS)
    await page.goto(f"{url}/tables/bj-demo")
    await page.get_by_label("Name").fill(who)
    await page.get_by_label("Secret").fill(SECRETS[who])
    await page.get_by_role("button", name="Sign in").click()
    await page.get_by_role("heading", name="Your confirmations").wait_for()
    yield page
    await page.close()


async def press(page: Page, button: str, answer: str) -> None:
    """Press the one button of this name, and read the answer, on which the focus is then."""
    await page.get_by_role("button", name=button, exact=True).click()
    told = page.locator("#answer", has_text=answer)
    await told.wait_for()
    await expect(told).to_be_focused()


async def forge(broker: Mosquitto, number: RoundNumber) -> None:
    """Void the round in the floorperson's name, over the dealer's login."""
    clock = SystemClock()
    said = Author("a-forger", clock).stamp(
        ConfirmationEnvelope,
        table=TableId("bj-demo"),
        person=PersonId("floor-1"),
        confirmation=RoundVoided(round_number=number, reason="forged"),
        valid_until=clock.wall() + 60_000_000,
    )
    async with aiomqtt.Client(
        broker.host, broker.port, username="dealer-1", password=SECRETS["dealer-1"], timeout=PATIENCE_S
    ) as forger:
        await forger.publish(topic_of(said), encode(said), qos=1)


async def sent_all_the_same(page: Page, number: RoundNumber) -> str:
    """Send a validation that the page does not offer; return status and words of the answer."""
    script = """async (round) => {
        const form = new URLSearchParams({
            form_key: document.querySelector("[name=form_key]").value,
            kind: "payout", act: "validated", position: "4", round: String(round), token: "made up",
        });
        const answer = await fetch("/tables/bj-demo/confirm", { method: "POST", body: form });
        return `${answer.status} ${await answer.text()}`;
    }"""
    return str(await page.evaluate(script, number))


def confirmed(table: RunningTable) -> list[tuple[str, str]]:
    """Return who has confirmed what, in its order."""
    events = [one.event for one in table.all_heard(EventEnvelope) if isinstance(one.event, PersonConfirmed)]
    return [
        (event.by, event.confirmation.act if isinstance(event.confirmation, PayoutSignedOff) else "another")
        for event in events
    ]


def lamps_are_lit(view: TableView) -> bool:
    return any(task.task is Task.VERIFY_HAND for task in view.tasks) and any(
        lamp.reported is LampReport.ON and lamp.indicator.lamp == "crown_treasure" for lamp in view.lamps
    )


async def test_633b_18_h_an_award_is_confirmed_in_browsers_by_whoever_may_and_by_nobody_else(
    tmp_path: Path, browser: Browser
) -> None:
    script, *_ = scenario("crown_treasure")
    file = table_at_a_broker_with_logins(tmp_path)
    async with (
        running_mosquitto(SECRETS) as broker,
        running_table(tmp_path, broker, file=file) as table,
        dashboard_process(tmp_path, broker, file, public=False) as url,
        signed_in(browser, url, "dealer-1") as dealer,
        signed_in(browser, url, "floor-1") as floor,
        signed_in(browser, url, "reset-1") as reset,
    ):
        await table.until_ready()
        await table.people.wager(script)
        await table.people.lock_out(script)
        await table.people.deal(script)
        await table.people.expose_hole_card(script)
        opened = await table.until_seen(lamps_are_lit, "the award, and its lamp")

        await forge(broker, opened.round_number)
        refused = await sent_all_the_same(dealer, opened.round_number)
        assert refused.startswith("403 ")
        assert "Only a floorperson may confirm this. You are signed in as dealer-1, dealer." in refused
        await press(dealer, "Hand verified", "Taken by the table: Hand verified, position 4.")
        for button in ("Lamp verified", "Validate", "Documents complete"):
            await press(floor, button, f"Taken by the table: {button}, position 4.")
        await floor.get_by_role("button", name="Paid", exact=True).dblclick()
        await floor.locator("#answer", has_text="Taken by the table: Paid, position 4.").wait_for()
        await press(reset, "Reset the meter", "Taken by the table: Reset the meter, position 4.")
        await table.people.finish_dealt(script)

        await table.until_seen(lambda view: view.round_number > opened.round_number, "the next round")
        await floor.get_by_text(f"Round {opened.round_number + 1}").wait_for()
    assert confirmed(table) == [
        ("dealer-1", PayoutAct.HAND_VERIFIED),
        ("floor-1", PayoutAct.LAMP_VERIFIED),
        ("floor-1", PayoutAct.VALIDATED),
        ("floor-1", PayoutAct.DOCUMENTED),
        ("floor-1", PayoutAct.PAID),
        ("reset-1", PayoutAct.RESET),
    ]
