import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect
from starlette.requests import Request

from bridge.contracts.topics import TopicError
from bridge.dashboard import confirming
from bridge.dashboard.access import read_form
from bridge.dashboard.confirm_forms import FormKind
from bridge.dashboard.followed import SILENT_US
from bridge.dashboard.sessions import IDLE_S
from bridge.dashboard.speaking import RoundChangedError
from bridge.domain.confirmations import Confirmation, CountResolved, RoundVoided
from bridge.domain.people import PersonRole
from bridge.people.confirm import Answered, NobodyAnsweredError
from bridge.table.sign_off import may_confirm
from tests.dashboard.clocks import SteppedClock
from tests.dashboard.looking import PUBLIC, SIZES
from tests.dashboard.people import ROLE, SECRETS, Desk, Listening, desk, tell, with_people
from tests.dashboard.saying import SAID
from tests.dashboard.test_confirm_panel import counted_wrongly
from tests.patience import PATIENCE_S
from tests.transports.ports import eventually


@asynccontextmanager
async def at_desk(
    folder: Path, who: str = "floor-1", *, table: Listening | None = None, clock: SteppedClock | None = None
) -> AsyncIterator[Desk]:
    """Sit down at a table whose count differs."""
    async with desk(with_people(folder), table=table, clock=clock) as at:
        tell(at.followed, counted_wrongly().play.state)
        await at.sign_in(who)
        yield at


async def test_what_is_confirmed_is_said_in_the_name_of_whoever_is_signed_in(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as at:
        answer = await at.confirm("void", reason="misdeal")

        number = at.followed.known.round.number  # type: ignore[union-attr]
        assert at.table.heard == [("floor-1", RoundVoided(round_number=number, reason="misdeal"))]
    assert answer.status_code == 200
    assert "Taken by the table: Void the round." in answer.text
    assert 'id="confirmations"' in answer.text


@pytest.mark.parametrize("who", ROLE)
async def test_605a_7_a_5_each_role_confirms_what_is_its_own_and_nothing_else(tmp_path: Path, who: str) -> None:
    role = PersonRole(ROLE[who])
    async with at_desk(tmp_path, who) as at:
        setup = at.followed.config.setup
        for place, (kind, form, said) in enumerate(SAID):
            at.table.heard.clear()
            answer = await at.confirm(kind, **form, token=f"t{place}")
            if role in may_confirm(setup, said):
                assert answer.status_code == 200, said
                assert [by for by, _ in at.table.heard] == [who]
            else:
                assert answer.status_code == 403, said
                assert f"You are signed in as {who}" in answer.text
                assert at.table.heard == []


async def test_somebody_of_another_table_confirms_nothing_here(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as at:
        session = next(iter(at.served.dashboard.access.sessions._sessions.values()))
        session.roles.clear()  # type: ignore[attr-defined]
        answer = await at.confirm("void", reason="misdeal")

    assert answer.status_code == 403
    assert "nothing at this table" in answer.text
    assert at.table.heard == []


async def test_whoever_is_signed_off_while_his_form_is_coming_confirms_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_desk(tmp_path) as at:
        sessions = at.served.dashboard.access.sessions

        async def read_slowly(request: Request) -> Mapping[str, str]:
            form = await read_form(request)
            sessions.end(next(iter(sessions._sessions.values())))
            return form

        monkeypatch.setattr(confirming, "read_form", read_slowly)
        answer = await at.confirm("void", reason="misdeal")

        assert (answer.status_code, at.table.heard) == (401, [])


async def test_whoever_is_not_signed_in_confirms_nothing_even_where_watching_is_open(tmp_path: Path) -> None:
    form = {"kind": "void", "token": "t", "round": "1", "reason": "x", "form_key": "k"}
    for rules in ({}, {"rules": PUBLIC}):
        async with desk(with_people(tmp_path), **rules) as at:  # type: ignore[arg-type]
            answer = await at.send("/tables/bj-demo/confirm", form)

            assert answer.status_code == 401
            assert "You are signed off" in answer.text
            assert at.table.heard == []


async def test_a_form_sent_twice_is_said_once_and_answered_twice(tmp_path: Path) -> None:
    taken = asyncio.Event()
    async with at_desk(tmp_path, table=Listening(before=taken.wait)) as at:
        first = asyncio.ensure_future(at.confirm("void", reason="misdeal"))
        second = asyncio.ensure_future(at.confirm("void", reason="misdeal"))
        await eventually(lambda: bool(at.table.heard))
        taken.set()
        answers = [(await first).text, (await second).text, (await at.confirm("void", reason="misdeal")).text]

    assert len(at.table.heard) == 1
    assert all("Taken by the table: Void the round." in answer for answer in answers)


async def test_two_words_of_one_person_are_said_one_after_the_other(tmp_path: Path) -> None:
    going_on = asyncio.Event()
    async with at_desk(tmp_path, table=Listening(before=going_on.wait)) as at:
        both = [asyncio.ensure_future(at.confirm("void", reason="x", token=token)) for token in ("a", "b")]
        await eventually(lambda: len(at.served.dashboard.desk._sent) == 2 and bool(at.table.heard))
        assert len(at.table.heard) == 1
        going_on.set()
        await asyncio.gather(*both)

    assert len(at.table.heard) == 2


async def refused(at: Desk, status: int, words: str, **said: str) -> httpx.Response:
    answer = await at.confirm(**{"kind": "void", "reason": "misdeal", **said})
    assert answer.status_code == status
    assert words in answer.text.replace("&#39;", "'")
    return answer


async def test_a_form_of_another_round_is_not_sent(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as at:
        await refused(at, 409, "Another round is on since this form was shown", round="2")
        assert at.table.heard == []
        # What is about no round is sent in any.
        assert (await at.confirm("enable", disabled="lost_link", why="a cable", round="2")).status_code == 200


async def test_a_round_that_changes_on_the_way_is_told_like_one_that_changed_before(tmp_path: Path) -> None:
    async with at_desk(tmp_path, table=Listening(RoundChangedError("round 8 is on"))) as at:
        await refused(at, 409, "Nothing was sent")


async def test_T54_nothing_is_sent_to_a_table_that_nobody_vouches_for(tmp_path: Path) -> None:
    clock = SteppedClock()
    async with at_desk(tmp_path, clock=clock) as at:
        clock.now_us += SILENT_US + 1
        answer = await refused(at, 503, "Nothing was sent, because the table cannot be reached")
        assert "<form id=" not in answer.text
    assert at.table.heard == []


async def test_a_refusal_of_the_table_is_told_in_its_words(tmp_path: Path) -> None:
    said = "round_voided by floor-1 refused: nothing on the table asks for it"
    async with at_desk(tmp_path, table=Listening(Answered(accepted=False, words=said))) as at:
        await refused(at, 409, "Void the round: the table refused it, because nothing on the table asks for it.")


async def test_an_answer_that_is_lost_is_not_told_as_a_refusal(tmp_path: Path) -> None:
    lost = NobodyAnsweredError("no answer from table bj-demo", said=True)
    async with at_desk(tmp_path, table=Listening(lost)) as at:
        await refused(at, 504, "not known whether it was taken. Look at the table before you repeat it.")


@pytest.mark.parametrize("trouble", [NobodyAnsweredError("no broker", said=False), TopicError("too long")])
async def test_what_did_not_leave_the_dashboard_is_told_so(tmp_path: Path, trouble: Exception) -> None:
    async with at_desk(tmp_path, table=Listening(trouble)) as at:
        await refused(at, 503, "Void the round: not sent, and so not taken.")


async def test_what_is_not_filled_in_is_marked_at_its_field_and_what_is_is_kept(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as at:
        answer = await refused(at, 422, "Nothing was sent yet", reason=" ", form="void")
        assert (
            'name="reason" rows="2" maxlength="500" aria-describedby="void-reason-help void-reason-fault"'
            in answer.text
        )
        owner = await at.confirm("owner", position="3", form="owner")
        assert '<option value="3" selected>Position 3</option>' in owner.text
    assert at.table.heard == []


@pytest.mark.parametrize("form", [{"kind": "shuffle"}, {"token": ""}, {"round": "x"}, {"round": "9" * 13}])
async def test_what_is_no_form_of_ours_is_not_sent(tmp_path: Path, form: dict[str, str]) -> None:
    async with at_desk(tmp_path) as at:
        await refused(at, 400, "There is no such confirmation", **form)
    assert at.table.heard == []


async def test_what_a_person_writes_is_text_and_never_markup(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as at:
        answer = await at.confirm("owner", owner="<script>alert(1)</script>", form="owner")

    assert "<script>alert" not in answer.text
    assert "&lt;script&gt;alert" in answer.text


async def test_a_script_gets_the_panel_alone(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as at:
        panel = await at.browser.get("/tables/bj-demo/confirmations")
        assert panel.text.lstrip().startswith("<h2")
        assert 'id="count"' in panel.text
        assert (await at.browser.get("/tables/bj-demo/confirm")).headers["Location"] == "/tables/bj-demo"
    async with desk(with_people(tmp_path), rules=PUBLIC) as at:
        assert (await at.browser.get("/tables/bj-demo/confirmations")).status_code == 401


def test_every_kind_of_form_is_tried_in_every_role() -> None:
    assert {kind for kind, _, _ in SAID} == set(FormKind)
    assert set(ROLE.values()) == set(PersonRole) - {PersonRole.NONE}
    assert all(isinstance(said, Confirmation) for _, _, said in SAID)


@asynccontextmanager
async def in_a_browser(
    browser: Browser, at: Desk, who: str = "floor-1", *, script: bool = True, size: str = "phone"
) -> AsyncIterator[Page]:
    """Sign in in a real browser, and come to the view of the table."""
    width, height = SIZES[size]
    viewport: ViewportSize = {"width": width, "height": height}
    async with await browser.new_context(viewport=viewport, java_script_enabled=script) as context:
        page = await context.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        await page.goto(f"{at.served.url}/tables/bj-demo")
        await page.get_by_label("Name").fill(who)
        await page.get_by_label("Secret").fill(SECRETS[who])
        await page.keyboard.press("Enter")
        await page.get_by_role("heading", name="Your confirmations").wait_for()
        yield page


async def test_without_a_script_everything_can_be_confirmed_all_the_same(tmp_path: Path, browser: Browser) -> None:
    async with desk(with_people(tmp_path)) as at:
        tell(at.followed, counted_wrongly().play.state)
        async with in_a_browser(browser, at, script=False, size="tablet") as page:
            why = page.get_by_role("form", name="The count differs: settle it").get_by_label("Why")
            await page.get_by_role("button", name="Difference settled").click()
            await expect(why).to_be_focused()
            await why.fill("recounted")
            await page.get_by_role("button", name="Difference settled").click()
            await expect(page.get_by_text("Taken by the table: Difference settled.")).to_be_focused()
            await page.reload()
            await page.get_by_text("Taken by the table: Difference settled.").wait_for()
            await page.get_by_role("button", name="Sign out").click()
            await page.get_by_role("heading", name="Sign in").wait_for()

    assert [said.kind for _, said in at.table.heard] == ["count_resolved"]


async def test_by_keyboard_alone_a_fault_is_found_at_its_field_and_the_answer_has_the_focus(
    tmp_path: Path, browser: Browser
) -> None:
    async with desk(with_people(tmp_path)) as at:
        tell(at.followed, counted_wrongly().play.state)
        async with in_a_browser(browser, at) as page:
            button = page.get_by_role("button", name="Difference settled")
            await button.focus()
            await page.keyboard.press("Enter")
            why = page.get_by_role("form", name="The count differs: settle it").get_by_label("Why")
            await expect(why).to_be_focused()
            await expect(why).to_have_accessible_description("It stays in the record. Fill this in.")
            await page.keyboard.type("recounted")
            await page.keyboard.press("Tab")
            await page.keyboard.press("Enter")
            answer = page.locator("#confirmations").get_by_role("status")
            await expect(answer).to_be_focused()
            await expect(page.locator("#confirmations").get_by_role("status")).to_have_text(
                "✓ Taken by the table: Difference settled."
            )

    assert [by for by, _ in at.table.heard] == ["floor-1"]


async def test_nothing_that_is_being_written_is_taken_away_and_what_is_not_asked_for_any_more_says_so(
    tmp_path: Path, browser: Browser
) -> None:
    moment = counted_wrongly()
    async with desk(with_people(tmp_path)) as at:
        tell(at.followed, moment.play.state)
        async with in_a_browser(browser, at) as page:
            await page.locator("summary", has_text="Void the round").click()
            void, count = page.locator("form#void"), page.locator("form#count")
            await count.get_by_label("Why").fill("a wager fell")
            await void.get_by_label("Why").fill("a mis")

            number = moment.play.state.round.number
            moment.play.confirm(CountResolved(round_number=number, reason="recounted"))
            tell(at.followed, moment.play.state)

            await count.get_by_text("This is not asked for any more.").wait_for()
            await expect(count.get_by_label("Why")).to_have_value("a wager fell")
            await expect(count.get_by_role("button")).to_be_disabled()
            await page.keyboard.type("deal")
            await expect(void.get_by_label("Why")).to_have_value("a misdeal")
            await void.get_by_role("button").click()
            await page.get_by_text("Taken by the table: Void the round.").wait_for()

    assert at.table.heard == [("floor-1", RoundVoided(round_number=number, reason="a misdeal"))]


async def test_a_page_whose_person_is_signed_off_leads_to_signing_in_and_back(
    tmp_path: Path, browser: Browser
) -> None:
    clock = SteppedClock()
    async with desk(with_people(tmp_path), clock=clock) as at:
        tell(at.followed, counted_wrongly().play.state)
        async with in_a_browser(browser, at, size="tablet") as page:
            await page.get_by_text("signed off in").wait_for()
            clock.now_us += IDLE_S * 1_000_000

            await page.wait_for_url("**/sign-in?next=*")
            tell(at.followed, counted_wrongly().play.state)
            await page.get_by_label("Name").fill("dealer-1")
            await page.get_by_label("Secret").fill(SECRETS["dealer-1"])
            await page.keyboard.press("Enter")
            await page.wait_for_url("**/tables/bj-demo")
            await page.get_by_text("Nothing on the table asks for your word now.").wait_for()


async def test_a_dashboard_that_goes_away_meanwhile_leaves_nobody_sure(tmp_path: Path, browser: Browser) -> None:
    async with desk(with_people(tmp_path)) as at:
        tell(at.followed, counted_wrongly().play.state)
        async with in_a_browser(browser, at) as page:
            await page.route("**/confirm", lambda route: route.abort())
            await page.locator("form#count").get_by_label("Why").fill("recounted")
            await page.get_by_role("button", name="Difference settled").click()
            await page.get_by_text("It is not known whether the table took it.").wait_for()
            await expect(page.locator("form#count").get_by_label("Why")).to_have_value("recounted")


async def test_what_is_asked_for_is_in_sight_and_covers_nothing_where_there_is_room(
    tmp_path: Path, browser: Browser
) -> None:
    async with desk(with_people(tmp_path)) as at:
        tell(at.followed, counted_wrongly().play.state)
        async with in_a_browser(browser, at, size="screen") as page:
            asked = await page.locator("#confirmations").bounding_box()
            assert asked is not None
            assert asked["y"] < SIZES["screen"][1] / 2
            for other in ("now", "irregularities", "steps", "devices"):
                box = await page.locator(f"#{other}").bounding_box()
                assert box is not None
                across = min(asked["x"] + asked["width"], box["x"] + box["width"]) - max(asked["x"], box["x"])
                down = min(asked["y"] + asked["height"], box["y"] + box["height"]) - max(asked["y"], box["y"])
                assert across <= 0 or down <= 0, other
