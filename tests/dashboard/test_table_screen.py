import httpx

from bridge.config import load_table
from tests.dashboard.looking import served
from tests.processes.table import DEMONSTRATION


async def test_a_table_nobody_vouches_for_shows_why_and_nothing_else() -> None:
    async with served(load_table(DEMONSTRATION)) as dashboard, httpx.AsyncClient(base_url=dashboard.url) as client:
        assert "has not been heard of" in (await client.get("/tables/bj-demo")).text
