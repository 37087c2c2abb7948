import asyncio
import logging
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from bridge.dashboard.access import own_address
from bridge.dashboard.serve import Where
from bridge.dashboard.sessions import IDLE_S
from tests.dashboard.clocks import SteppedClock
from tests.dashboard.looking import PUBLIC
from tests.dashboard.people import desk, form_key, with_people

WATCHED = ("/", "/tables/bj-demo", "/tables/bj-demo/rounds", "/tables/bj-demo/confirmations", "/asyncapi.json")


@pytest.mark.parametrize("path", WATCHED)
async def test_whoever_is_not_signed_in_is_sent_to_sign_in_and_comes_back(tmp_path: Path, path: str) -> None:
    async with desk(with_people(tmp_path)) as at:
        answer = await at.browser.get(path)

    assert (answer.status_code, answer.headers["Location"]) == (303, f"/sign-in?next={path}")


async def test_the_sign_is_for_players_and_styles_are_for_everybody(tmp_path: Path) -> None:
    async with desk(with_people(tmp_path)) as at:
        assert (await at.browser.get("/page/dashboard.css")).status_code == 200
        sign = await at.browser.get("/tables/bj-demo/sign")

        assert "sign-in" not in sign.headers.get("Location", "")


async def test_where_watching_is_open_nobody_signs_in_to_look(tmp_path: Path) -> None:
    async with desk(with_people(tmp_path), rules=PUBLIC) as at:
        answer = await at.browser.get("/tables/bj-demo")

        assert answer.status_code == 200
        assert "confirmations" not in answer.text.replace("confirmations.js", "")
        assert 'href="/sign-in?next=/tables/bj-demo"' in answer.text


async def test_a_page_names_who_is_signed_in_and_for_how_long(tmp_path: Path) -> None:
    async with desk(with_people(tmp_path)) as at:
        await at.sign_in("floor-1")
        page = (await at.browser.get("/")).text

    assert "<strong>floor-1</strong>" in page
    assert "floorperson" in page
    assert "signed off in 10 min" in page


async def test_only_what_a_person_does_makes_a_sign_in_last(tmp_path: Path) -> None:
    clock = SteppedClock()
    async with desk(with_people(tmp_path), clock=clock) as at:
        await at.sign_in("floor-1")
        page = await at.browser.get("/")
        for path in ("/page/dashboard.js", "/tables/bj-demo/confirmations", "/stay"):
            clock.now_us += (IDLE_S // 4) * 1_000_000
            assert (await at.browser.get(path)).status_code == 200
        assert (await at.browser.get("/stay")).text == str(IDLE_S // 4)
        left = await at.send("/stay", {"form_key": form_key(page.text)})
        assert left.text == str(IDLE_S)
        clock.now_us += IDLE_S * 1_000_000

        assert (await at.browser.get("/")).status_code == 303
        assert (await at.send("/stay", {"form_key": form_key(page.text)})).status_code == 401


async def test_a_stream_ends_with_a_word_when_its_viewer_is_signed_off(tmp_path: Path) -> None:
    clock = SteppedClock()
    async with desk(with_people(tmp_path), clock=clock) as at:
        assert (await at.browser.get("/tables/bj-demo/stream")).text == "event: signed-off\ndata:\n\n"
        await at.sign_in("floor-1")
        async with at.browser.stream("GET", "/tables/bj-demo/stream") as stream:
            lines = stream.aiter_lines()
            assert (await anext(lines)).startswith("data: {")
            clock.now_us += IDLE_S * 1_000_000
            async with asyncio.timeout(60):
                rest = [line async for line in lines]

        assert rest[-3:] == ["event: signed-off", "data:", ""]


ELSEWHERE: list[dict[str, str]] = [
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "https://127.0.0.1"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {},
]


@pytest.mark.parametrize("path", ["/sign-in", "/sign-out", "/stay", "/tables/bj-demo/confirm"])
async def test_a_form_from_elsewhere_is_refused_whatever_it_carries(tmp_path: Path, path: str) -> None:
    async with desk(with_people(tmp_path)) as at:
        await at.sign_in("floor-1")
        page = await at.browser.get("/tables/bj-demo")
        form = {"form_key": form_key(page.text), "kind": "void", "reason": "x", "token": "t", "round": "1"}
        for headers in ELSEWHERE:
            answer = await at.browser.post(path, data=form, headers=headers)

            assert answer.status_code == 403, headers
            assert "does not come from this dashboard" in answer.text
        assert at.table.heard == []
        assert (await at.browser.get("/")).status_code == 200


@pytest.mark.parametrize("path", ["/sign-out", "/stay", "/tables/bj-demo/confirm"])
async def test_a_form_without_the_key_of_its_session_is_refused(tmp_path: Path, path: str) -> None:
    async with desk(with_people(tmp_path)) as at:
        await at.sign_in("floor-1")
        for key in ("", "guess"):
            assert (await at.send(path, {"form_key": key, "kind": "void"})).status_code == 403
        assert (await at.browser.get("/")).status_code == 200


@pytest.mark.parametrize("twice", ["kind=void", "form_key=guess", "reason=", "x=1&x=1"])
async def test_a_form_that_says_a_thing_twice_is_none_of_ours(tmp_path: Path, twice: str) -> None:
    async with desk(with_people(tmp_path)) as at:
        await at.sign_in("floor-1")
        page = await at.browser.get("/")
        form = {"form_key": form_key(page.text), "kind": "count", "token": "t", "round": "1", "reason": "x"}
        headers = {"Origin": at.served.url, "Content-Type": "application/x-www-form-urlencoded"}
        body = f"{urlencode(form)}&{twice}"
        answer = await at.browser.post("/tables/bj-demo/confirm", content=body, headers=headers)

        assert (answer.status_code, at.table.heard) == (400, [])


async def test_a_browser_that_only_says_that_a_form_is_from_here_is_believed(tmp_path: Path) -> None:
    async with desk(with_people(tmp_path)) as at:
        await at.sign_in("floor-1")
        page = await at.browser.get("/")
        headers = {"Sec-Fetch-Site": "same-origin"}
        answer = await at.browser.post("/stay", data={"form_key": form_key(page.text)}, headers=headers)

        assert answer.status_code == 200


async def test_a_form_larger_than_any_of_ours_or_no_form_at_all_is_refused(tmp_path: Path) -> None:
    async with desk(with_people(tmp_path)) as at:
        await at.sign_in("floor-1")

        assert (await at.send("/stay", {"form_key": "x" * 20_000})).status_code == 413
        answer = await at.browser.post("/stay", content=b"\xff\xfe", headers={"Origin": at.served.url})
        assert answer.status_code == 400


async def test_whoever_hangs_up_in_the_middle_of_a_form_leaves_no_trouble(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with desk(with_people(tmp_path)) as at:
        address = urlsplit(at.served.url)
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        head = f"POST /sign-in HTTP/1.1\r\nHost: {address.netloc}\r\nOrigin: {at.served.url}\r\n"
        writer.write(f"{head}Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n".encode())
        # The server asks for the rest as soon as somebody waits for it.
        assert (await reader.readline()).startswith(b"HTTP/1.1 100 ")
        writer.write(b"form_key=")
        writer.close()
        await writer.wait_closed()
        assert (await at.browser.get("/sign-in")).status_code == 200

    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("address", ["/", "/tables/bj-demo", "/tables/bj-1/rounds?position=3&from=2026-11-29"])
def test_an_address_of_ours_is_come_back_to(address: str) -> None:
    assert own_address(address) == address


@pytest.mark.parametrize(
    "address",
    [
        "",
        "http://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "/a//b",
        "/a\r\nX: y",
        "evil",
    ],
)
def test_an_address_that_may_be_anothers_is_not_gone_to(address: str) -> None:
    assert own_address(address) == "/"


async def test_a_proxy_ends_tls_only_where_the_dashboard_was_told_of_it(tmp_path: Path) -> None:
    forwarded = {"X-Forwarded-Proto": "https"}
    behind = Where(host="127.0.0.1", port=0, proxy="127.0.0.1")
    async with desk(with_people(tmp_path), where=behind) as at:
        assert "this connection is not encrypted" in (await at.browser.get("/sign-in")).text
        page = await at.browser.get("/sign-in", headers=forwarded)
        assert 'name="secret"' in page.text
        assert "; Secure" in page.headers["Set-Cookie"]
        assert page.headers["Set-Cookie"].startswith("__Host-table-bridge-visitor=")
        form = {"form_key": form_key(page.text, "/sign-in"), "name": "floor-1", "secret": "a guess", "next": "/"}
        # A browser of today sends such a cookie over https only, and so does this one.
        cookie = page.headers["Set-Cookie"].partition(";")[0]
        origin = at.served.url.replace("http:", "https:")
        answer = await at.browser.post(
            "/sign-in", data=form, headers={**forwarded, "Cookie": cookie, "Origin": origin}
        )
        assert answer.status_code == 401
    async with desk(with_people(tmp_path)) as at:
        page = await at.browser.get("/sign-in", headers=forwarded)
        assert "Secure" not in page.headers["Set-Cookie"]
