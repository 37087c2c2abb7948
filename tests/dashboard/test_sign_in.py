import logging
from pathlib import Path

import pytest

from bridge.dashboard.sessions import IDLE_S
from bridge.people.attempts import WRONG_MAX
from tests.dashboard.clocks import SteppedClock
from tests.dashboard.looking import PUBLIC
from tests.dashboard.people import SECRETS, desk, form_key, with_people

COOKIE = "table-bridge"


async def test_the_right_secret_signs_in_and_leads_back(tmp_path: Path) -> None:
    async with desk(with_people(tmp_path)) as at:
        answer = await at.sign_in("floor-1", next_="/tables/bj-demo")

        assert (answer.status_code, answer.headers["Location"]) == (303, "/tables/bj-demo")
        assert (await at.browser.get("/tables/bj-demo")).status_code == 200


async def test_the_cookie_is_for_this_site_and_no_script_and_ends_with_the_browser(tmp_path: Path) -> None:
    async with desk(with_people(tmp_path)) as at:
        cookie = (await at.sign_in("floor-1")).headers["Set-Cookie"]

    assert cookie.startswith("table-bridge=")
    assert {part.strip().lower() for part in cookie.split(";")[1:]} == {"httponly", "path=/", "samesite=strict"}


async def test_nobody_is_led_away_after_signing_in(tmp_path: Path) -> None:
    async with desk(with_people(tmp_path)) as at:
        assert (await at.sign_in("floor-1", next_="//evil.example/")).headers["Location"] == "/"
        page = await at.browser.get("/sign-in", params={"next": "https://evil.example"})
        assert "evil" not in page.text


async def test_a_wrong_secret_and_a_stranger_get_the_same_page(tmp_path: Path) -> None:
    async with desk(with_people(tmp_path)) as at:
        wrong = await at.sign_in("floor-1", "a guess")
        stranger = await at.sign_in("floor-9", "a guess")

    assert (wrong.status_code, stranger.status_code) == (401, 401)
    assert wrong.text == stranger.text.replace("floor-9", "floor-1")
    assert 'aria-invalid="true" aria-describedby="fault"' in wrong.text
    assert "The name and the secret do not belong together." in wrong.text


async def test_too_many_wrong_secrets_are_told_with_when_to_come_again(tmp_path: Path) -> None:
    async with desk(with_people(tmp_path)) as at:
        for _ in range(WRONG_MAX):
            assert (await at.sign_in("floor-1", "a guess")).status_code == 401
        answer = await at.sign_in("floor-1")

        assert answer.status_code == 429
        assert "Too many wrong secrets for floor-1; try again in" in answer.text
        assert (await at.browser.get("/")).status_code == 303


async def test_no_secret_stands_in_a_page_an_address_or_a_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with desk(with_people(tmp_path)) as at:
        wrong = await at.sign_in("my secret in the wrong field", "a guess at it")
        assert "a guess at it" not in wrong.text
        answer = await at.sign_in("floor-1", next_="/tables/bj-demo")
        page = await at.browser.get("/tables/bj-demo")
        key = at.browser.cookies[COOKIE]

    ours = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("bridge"))
    assert "floor-1 signed in from 127.0.0.1" in ours
    for secret in (SECRETS["floor-1"], "a guess at it", "my secret in the wrong field", key):
        assert secret not in ours
        assert secret not in page.text
        assert secret not in answer.headers["Location"]


async def test_a_key_that_was_there_before_signing_in_opens_nothing_after_it(tmp_path: Path) -> None:
    async with desk(with_people(tmp_path)) as at:
        at.browser.cookies.set(COOKIE, "chosen by somebody else", domain="127.0.0.1")
        await at.sign_in("floor-1")
        first = at.browser.cookies[COOKIE]
        assert first != "chosen by somebody else"

        await at.sign_in("dealer-1")
        second = at.browser.cookies[COOKIE]

        assert second != first
        at.browser.cookies.set(COOKIE, first, domain="127.0.0.1", path="/")
        assert (await at.browser.get("/")).status_code == 303


async def test_nobody_is_signed_in_by_the_form_of_another_browser(tmp_path: Path) -> None:
    async with desk(with_people(tmp_path)) as at, desk(with_people(tmp_path)) as other:
        page = await other.browser.get("/sign-in")
        await at.browser.get("/sign-in")
        form = {
            "form_key": form_key(page.text, "/sign-in"),
            "name": "floor-1",
            "secret": SECRETS["floor-1"],
            "next": "/",
        }
        assert (await at.send("/sign-in", form)).status_code == 403

        at.browser.cookies.clear()
        for key in ("", form["form_key"]):
            assert (await at.send("/sign-in", {**form, "form_key": key})).status_code == 403


async def test_whoever_signs_out_is_out_also_for_whoever_has_copied_the_cookie(tmp_path: Path) -> None:
    async with desk(with_people(tmp_path)) as at:
        await at.sign_in("floor-1")
        key = at.browser.cookies[COOKIE]
        page = await at.browser.get("/")
        answer = await at.send("/sign-out", {"form_key": form_key(page.text)})

        assert (answer.status_code, answer.headers["Location"]) == (303, "/sign-in")
        at.browser.cookies.set(COOKIE, key, domain="127.0.0.1", path="/")
        assert (await at.browser.get("/")).status_code == 303


async def test_signing_out_twice_is_no_error(tmp_path: Path) -> None:
    async with desk(with_people(tmp_path), rules=PUBLIC) as at:
        assert (await at.send("/sign-out", {})).headers["Location"] == "/"


async def test_the_page_says_after_what_time_it_signs_off(tmp_path: Path) -> None:
    async with desk(with_people(tmp_path)) as at:
        assert "does nothing for 10 minutes is signed off" in (await at.browser.get("/sign-in")).text


async def test_who_has_done_nothing_for_long_signs_in_anew(tmp_path: Path) -> None:
    clock = SteppedClock()
    async with desk(with_people(tmp_path), clock=clock) as at:
        await at.sign_in("floor-1")
        clock.now_us += IDLE_S * 1_000_000

        assert (await at.browser.get("/tables/bj-demo")).headers["Location"] == "/sign-in?next=/tables/bj-demo"


async def test_where_wrong_secrets_cannot_be_counted_nobody_signs_in(tmp_path: Path) -> None:
    config = with_people(tmp_path)
    (config.storage / "bj-demo.attempts").mkdir(parents=True)
    async with desk(config) as at:
        assert (await at.sign_in("floor-1")).status_code == 503
