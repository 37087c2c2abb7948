import httpx

from bridge.config import load_table
from tests.dashboard.looking import served
from tests.processes.table import DEMONSTRATION


async def test_the_floor_leads_to_every_table() -> None:
    async with served(load_table(DEMONSTRATION)) as dashboard, httpx.AsyncClient(base_url=dashboard.url) as client:
        assert 'href="/tables/bj-demo"' in (await client.get("/")).text
