"""Documents from a dashboard that is a process of its own, as it is started on a table's machine."""

from pathlib import Path

import httpx
import pytest

from tests.brokers import running_mosquitto
from tests.dashboard.looking import dashboard_process
from tests.dashboard.people import SECRETS, form_key, table_with_people
from tests.patience import PATIENCE_S
from tests.reports.days import DAY, PlayedDays, stored
from tests.reports.fixtures import blackjack
from tests.reports.sheets import sheets
from tests.transports.ports import eventually

__all__ = ["blackjack"]

HERE = "/tables/bj-demo/documents"


def makers(mark: str) -> list[int]:
    """Return the processes that make documents and have this mark in their environment."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            words, environment = (process / "cmdline").read_bytes(), (process / "environ").read_bytes()
        except OSError:
            continue
        if b"anyio.to_process" in words and mark.encode() in environment:
            found.append(int(process.name))
    return found


async def test_a_report_is_handed_out_and_whoever_made_it_ends_with_the_dashboard(
    tmp_path: Path, blackjack: PlayedDays, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage, table = stored(blackjack, tmp_path / "var"), table_with_people(tmp_path)
    monkeypatch.setenv("MARK", str(tmp_path))
    options = ("--storage", str(storage))
    async with (
        running_mosquitto() as broker,
        dashboard_process(tmp_path, broker, table, options=options, public=False) as url,
        httpx.AsyncClient(base_url=url, timeout=PATIENCE_S) as browser,
    ):
        page = await browser.get("/sign-in")
        form = {"form_key": form_key(page.text, "/sign-in"), "name": "audit-1", "secret": SECRETS["audit-1"]}
        await browser.post("/sign-in", data=form, headers={"Origin": url})
        report = await browser.get(f"{HERE}/days/{DAY}.pdf")

        assert report.headers["Content-Disposition"] == f'attachment; filename="DR-bj-demo-{DAY}.pdf"'
        assert f"Gaming day {DAY}" in sheets(report.content)[0]
        assert len(makers(str(tmp_path))) == 1

    await eventually(lambda: makers(str(tmp_path)) == [])
