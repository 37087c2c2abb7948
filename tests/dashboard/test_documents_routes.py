"""Who gets which document in a browser, as which file, and what whoever gets none is told."""

import asyncio
import csv
import re
import shutil
from dataclasses import replace
from html import unescape
from io import StringIO
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.async_api import Browser, expect

from bridge.config import TableConfig, load_table
from bridge.contracts.report_documents import HandPayDocument, read_document
from bridge.dashboard.documents import Archive
from bridge.dashboard.press import NotMadeError, Order, Press, PressBusyError, Printed, print_document
from bridge.domain.identity import RoundNumber
from bridge.rulebook import load_submission
from tests.dashboard.looking import PUBLIC, SIZES, opened
from tests.dashboard.people import ROLE, SECRETS, Desk, desk, with_people
from tests.processes.table import DEMONSTRATION
from tests.reports.days import DAY, NEXT_DAY, PlayedDays
from tests.reports.sheets import sheets

HERE = "/tables/bj-demo/documents"


class InThisProcess(Press):
    """Makes documents where a test can look; the real one is met in the browser's test."""

    async def print(self, order: Order) -> Printed:
        return print_document(order)


def in_this_process() -> Press:
    return InThisProcess(asyncio.Event())


class Refusing(Press):
    def __init__(self, error: Exception) -> None:
        super().__init__(asyncio.Event())
        self._error = error

    async def print(self, _: Order) -> Printed:
        raise self._error


@pytest.fixture
def archive(blackjack_storage: Path) -> Archive:
    return Archive(storage=blackjack_storage)


@pytest.fixture
def won_in(blackjack: PlayedDays) -> RoundNumber:
    return blackjack.numbers()[1]


def text(page: str) -> str:
    """Return what a page says in its middle, its white space made single."""
    content = page[page.index("<main") : page.index("</main>")]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", content)).split())


async def asked(at: Desk, address: str = "") -> tuple[int, str]:
    answer = await at.browser.get(f"{HERE}{address}")
    return answer.status_code, text(answer.text)


async def test_everything_there_is_can_be_taken_by_whoever_may_see_it(
    tmp_path: Path, archive: Archive, won_in: RoundNumber
) -> None:
    async with desk(with_people(tmp_path), archive=archive, press=in_this_process()) as at:
        await at.sign_in("audit-1")
        page = (await at.browser.get(HERE)).text
        offered = re.findall(r'formaction="([^"]+)" aria-label="([^"]+)"', page)
        named = {}
        for address, _ in offered:
            answer = await at.browser.get(address)
            assert answer.status_code == 200, text(answer.text)
            named[address.removeprefix(HERE)] = answer.headers["Content-Disposition"]

    assert f'href="{HERE}"' in page
    assert (f"{HERE}/days/{NEXT_DAY}.pdf", f"Report of gaming day {NEXT_DAY} as PDF") in offered
    assert "not over" in page
    assert len(offered) == 2 * 3 + 3 * 2 + 2
    assert named[f"/days/{DAY}.csv"] == f'attachment; filename="DR-bj-demo-{DAY}.csv"'
    assert named[f"/awards/{won_in}-4.json"] == f'attachment; filename="HP-bj-demo-{won_in}-4.json"'
    assert named["/meters.pdf"].startswith('attachment; filename="MS-bj-demo-')


async def test_a_document_is_of_the_paper_and_the_zone_that_were_chosen_last(
    tmp_path: Path, archive: Archive, won_in: RoundNumber
) -> None:
    slip = f"/awards/{won_in}-4"
    async with desk(with_people(tmp_path), archive=archive, press=in_this_process()) as at:
        await at.sign_in("floor-1")
        first = await at.browser.get(f"{HERE}{slip}.pdf", params={"paper": "a4", "zone": "America/New_York"})
        again = await at.browser.get(f"{HERE}{slip}.pdf")
        line = await at.browser.get(f"{HERE}{slip}.json")
        rows = await at.browser.get(f"{HERE}/days/{DAY}.csv")
        page = (await at.browser.get(HERE)).text

    assert [answer.headers["Content-Type"] for answer in (first, line, rows)] == [
        *("application/pdf", "application/json", "text/csv; charset=utf-8"),
    ]
    assert "07:00:00 -0500" in sheets(first.content)[0]
    assert b"595.2" in first.content
    assert again.content == first.content
    document = read_document(line.content.strip())
    assert isinstance(document, HandPayDocument)
    assert document.slip.amount == 5_000_225
    assert {row["at"][-6:] for row in csv.DictReader(StringIO(rows.text, newline="")) if row["at"]} == {"-05:00"}
    assert '<option value="a4" selected>' in page
    assert "<option selected>America/New_York</option>" in page
    assert "07:00:00 -0500" in page


async def test_a_choice_that_makes_no_sense_any_more_is_none(tmp_path: Path, archive: Archive) -> None:
    async with desk(with_people(tmp_path), archive=archive, press=in_this_process()) as at:
        await at.sign_in("floor-1")
        pages = []
        for kept in ("a5|UTC", "a4|Mars/Olympus", "a4", "|", "a4|EST5EDT"):
            at.browser.cookies.set("table-bridge-documents", kept)
            pages.append((await at.browser.get(HERE)).text)

    assert all('<option value="letter" selected>' in page for page in pages[:4])
    assert all("<option selected>UTC</option>" in page for page in pages[:4])
    assert "<option selected>EST5EDT</option>" in pages[4]


@pytest.mark.parametrize("who", ROLE)
async def test_documents_are_for_floorpersons_and_auditors(tmp_path: Path, archive: Archive, who: str) -> None:
    may = ROLE[who] in {"floorperson", "auditor"}
    async with desk(with_people(tmp_path), archive=archive, press=in_this_process()) as at:
        await at.sign_in(who)
        page = await asked(at)
        day = await at.browser.get(f"{HERE}/days/{DAY}.json")
        floor = (await at.browser.get("/tables/bj-demo")).text

    assert (page[0], day.status_code) == ((200, 200) if may else (403, 403))
    assert may or "are for its floorpersons and auditors, and you are signed in as" in page[1]
    assert (f'href="{HERE}"' in floor) is may


async def test_whoever_is_not_signed_in_comes_back_after_it(tmp_path: Path, archive: Archive) -> None:
    async with desk(with_people(tmp_path), archive=archive, rules=PUBLIC, press=in_this_process()) as at:
        answer = await at.browser.get(HERE)
        document = await at.browser.get(f"{HERE}/days/{DAY}.pdf", params={"paper": "a4"})
        table = (await at.browser.get("/tables/bj-demo")).text
        entered = await at.sign_in("floor-1", next_=unquote(document.headers["Location"].partition("next=")[2]))

    assert (answer.status_code, answer.headers["Location"]) == (303, f"/sign-in?next={HERE}")
    assert document.status_code == 303
    assert HERE not in table
    assert entered.headers["Location"] == f"{HERE}/days/{DAY}.pdf?paper=a4"


async def test_where_nobody_can_sign_in_that_is_said(tmp_path: Path, archive: Archive) -> None:
    config = replace(load_table(DEMONSTRATION), storage=tmp_path)
    async with desk(config, archive=archive, rules=PUBLIC) as at:
        status, told = await asked(at)

    assert status == 403
    assert "give people credentials with table-bridge people set-credential" in told


@pytest.mark.parametrize(
    ("address", "status", "told"),
    [
        ("/days/2026-12-24.pdf", 404, "gaming days 2026-11-29 to 2026-11-30, not 2026-12-24"),
        ("/days/<b>.pdf", 404, "not <b>; write a day as 2026-11-29"),
        ("/days/2026-11-29.xls", 400, "There is no such document"),
        ("/meters.csv", 404, "ask for it as PDF or JSON"),
        ("/awards/7-1.pdf", 404, "not round 7"),
        ("/awards/seven.pdf", 404, "not round 0"),
        (f"/awards/{'9' * 5000}-1.pdf", 404, "not round 0"),
        ("/meters.pdf?paper=a5", 400, "There is no such paper"),
        ("/meters.pdf?zone=../../etc/passwd", 400, "is no time zone of this machine; write one such as"),
    ],
)
async def test_what_there_is_not_is_refused_with_what_to_do(
    tmp_path: Path, archive: Archive, address: str, status: int, told: str
) -> None:
    async with desk(with_people(tmp_path), archive=archive, press=in_this_process()) as at:
        await at.sign_in("floor-1")
        answered = await asked(at, address)

    assert answered[0] == status
    assert told in answered[1]
    assert "Back to the documents" in answered[1]


async def test_a_table_that_there_is_not_has_no_documents(tmp_path: Path, archive: Archive) -> None:
    async with desk(with_people(tmp_path), archive=archive) as at:
        await at.sign_in("floor-1")
        for address in ("/tables/bj-9/documents", "/tables/bj-9/documents/meters.pdf", f"{HERE}/weeks/1.pdf"):
            assert (await at.browser.get(address)).status_code == 404


@pytest.mark.parametrize(
    "error", [NotMadeError("the disk is gone; look"), PressBusyError("the disk is gone; look")]
)
async def test_what_cannot_be_made_now_is_told(tmp_path: Path, archive: Archive, error: Exception) -> None:
    async with desk(with_people(tmp_path), archive=archive, press=Refusing(error)) as at:
        await at.sign_in("floor-1")
        status, told = await asked(at, "/meters.pdf")

    assert status == 503
    assert "The disk is gone; look." in told


async def test_without_a_storage_it_is_said_where_documents_are_made(tmp_path: Path) -> None:
    async with desk(with_people(tmp_path)) as at:
        await at.sign_in("floor-1")
        page, table = (await at.browser.get(HERE)).text, (await at.browser.get("/tables/bj-demo")).text
        status, told = await asked(at, "/meters.pdf")

    assert "started without --storage DIR" in text(page)
    assert "table-bridge day-report TABLE.toml --day YYYY-MM-DD" in text(page)
    assert "formaction" not in page
    assert HERE not in table
    assert status == 404
    assert "--storage" in told


async def test_where_the_files_are_not_it_is_said_where_documents_are_made(tmp_path: Path) -> None:
    async with desk(with_people(tmp_path), archive=Archive(storage=tmp_path), press=in_this_process()) as at:
        await at.sign_in("floor-1")
        page = (await at.browser.get(HERE)).text
        status, told = await asked(at, f"/days/{DAY}.pdf")

    assert f"There is no journal of this table in {tmp_path}." in text(page)
    assert "table-bridge hand-pay TABLE.toml --round ROUND --position POSITION" in text(page)
    assert "formaction" not in page
    assert status == 503
    assert "there is no journal" in told.lower()


async def test_damage_is_told_in_its_place_and_the_rest_can_be_taken(tmp_path: Path, archive: Archive) -> None:
    (archive.storage / "bj-demo.journal").write_bytes(b"\xff" * 4096)
    async with desk(with_people(tmp_path), archive=archive, press=in_this_process()) as at:
        await at.sign_in("floor-1")
        page = (await at.browser.get(HERE)).text
        status, told = await asked(at, f"/days/{DAY}.pdf")
        sheet = await at.browser.get(f"{HERE}/meters.pdf")

    assert "The journal" in text(page)
    assert "is damaged" in text(page)
    assert "/days/" not in page
    assert "/awards/" in page
    assert (status, sheet.status_code) == (503, 200)
    assert "is damaged" in told


async def test_r49_former_rules_are_asked_for_as_the_command_asks(
    tmp_path: Path, archive: Archive, blackjack: PlayedDays
) -> None:
    later = replace(with_people(tmp_path), submission=replace(blackjack.config.submission, digest="ab" * 32))
    async with desk(later, archive=archive, press=in_this_process()) as at:
        await at.sign_in("floor-1")
        status, told = await asked(at, f"/days/{DAY}.pdf")
    former = load_submission(DEMONSTRATION.with_name("blackjack.rules.toml"), deal_order=None)
    async with desk(later, archive=replace(archive, former=(former,)), press=in_this_process()) as at:
        await at.sign_in("floor-1")
        answer = await at.browser.get(f"{HERE}/days/{DAY}.pdf")

    assert status == 503
    assert f"digest {blackjack.config.submission.digest}" in told
    assert "give the document of that time with --submission FILE" in told
    assert (answer.status_code, answer.content[:5]) == (200, b"%PDF-")


async def test_a_table_without_meters_has_days_and_nothing_to_read(
    tmp_path: Path, archive: Archive, blackjack_storage: Path
) -> None:
    for name in ("bj-demo.journal", "bj-demo.journal.finished"):
        shutil.move(blackjack_storage / name, blackjack_storage / name.replace("bj", "mb"))
    config = people_at(load_table(DEMONSTRATION.with_name("minibaccarat.toml")), with_people(tmp_path))
    async with desk(config, archive=archive) as at:
        await at.sign_in("floor-1")
        page = (await at.browser.get("/tables/mb-demo/documents")).text

    assert f"/tables/mb-demo/documents/days/{DAY}.pdf" in page
    assert "Awards" not in page
    assert "meters.pdf" not in page


def people_at(config: TableConfig, others: TableConfig) -> TableConfig:
    """Return a table at which the people of another one work."""
    setup = replace(config.setup, people=others.setup.people)
    return replace(config, setup=setup, credentials=others.credentials, storage=others.storage)


async def test_in_a_browser_a_report_is_chosen_and_comes_down_as_a_pdf(
    tmp_path: Path, archive: Archive, browser: Browser
) -> None:
    signed_in_only = desk(with_people(tmp_path), archive=archive)
    async with signed_in_only as at, opened(browser, f"{at.served.url}{HERE}") as page:
        await page.get_by_label("Name").fill("floor-1")
        await page.get_by_label("Secret").fill(SECRETS["floor-1"])
        await page.get_by_role("button", name="Sign in").click()
        await page.get_by_label("Paper").select_option("A4")
        await page.get_by_label("Time zone").select_option("America/New_York")
        async with page.expect_download() as coming:
            await page.get_by_role("button", name=f"Report of gaming day {DAY} as PDF").click()
        download = await coming.value
        content = await asyncio.to_thread(Path(await download.path()).read_bytes)

        assert download.suggested_filename == f"DR-bj-demo-{DAY}.pdf"
        assert content.startswith(b"%PDF-")
        assert f"Gaming day {DAY}" in sheets(content)[0]
        assert "-0500" in sheets(content)[0]
        for width, height in SIZES.values():
            await page.set_viewport_size({"width": width, "height": height})
            assert await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        await page.goto(f"{at.served.url}{HERE}/days/2026-12-24.pdf")
        await page.get_by_role("link", name="Back to the documents").click()
        await expect(page.get_by_role("heading", name="Documents of table bj-demo")).to_be_visible()
