from pathlib import Path

import pytest

from bridge.dashboard.serve import CannotServeError, Where, address_of, listening
from tests.brokers import running_mosquitto
from tests.dashboard.looking import dashboard_process, opened
from tests.processes.table import running_table, scenario


async def test_a_page_shows_the_round_that_is_on_and_then_the_next(tmp_path: Path) -> None:
    async with running_mosquitto() as broker, running_table(tmp_path, broker) as table:
        await table.until_ready()
        assert table.display.round is not None
        number = table.display.round.number
        async with dashboard_process(tmp_path, broker) as url, opened(f"{url}/tables/bj-demo") as page:
            await page.get_by_text(f"Round {number}").wait_for()

            await table.play(*scenario("lost"))

            await page.get_by_text(f"Round {number + 1}").wait_for()


def test_a_port_that_is_taken_is_said_with_what_to_do() -> None:
    with listening(Where(host="127.0.0.1", port=0)) as taken:
        port = taken.getsockname()[1]

        with pytest.raises(CannotServeError, match="give another with --port"):
            listening(Where(host="127.0.0.1", port=port))


def test_an_address_of_ipv6_is_written_as_a_browser_takes_it() -> None:
    with listening(Where(host="::1", port=0)) as listener:
        assert address_of(listener).startswith("http://[::1]:")
