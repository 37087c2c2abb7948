import httpx

from bridge.config import load_table
from tests.dashboard.looking import served
from tests.processes.table import DEMONSTRATION


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
