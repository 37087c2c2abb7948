import signal
from pathlib import Path

import httpx
import pytest

from bridge.config import load_table
from bridge.dashboard.serve import Where, listening
from bridge.demo import stage as module
from bridge.demo.stage import ProcessEndedError, log_of, stage
from tests.patience import PATIENCE_S
from tests.processes.table import DEMONSTRATION
from tests.processes.watch import processes_about
from tests.transports.ports import eventually


async def until_logged(directory: Path, name: str, words: str) -> None:
    """Wait until a process of the stage has said something; its log is a file, which tells nobody."""
    await eventually(lambda: words in log_of(directory, name).read_text())


async def test_it_sets_up_a_table_of_processes_and_ports_and_takes_all_of_it_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_STOP_S", PATIENCE_S)
    async with stage(load_table(DEMONSTRATION), DEMONSTRATION, tmp_path) as table:
        assert set(table.processes) == {"daemon", "rules-worker"}
        assert table.dashboard is None
        assert {path.name for path in (tmp_path / "ports").iterdir()} == {"rs485", "reader"}
        for name in table.processes:
            await until_logged(tmp_path, name, f"Connected to the broker at 127.0.0.1:{table.settings.port}")
        # Only now: a process has no command line yet in the moment in which it becomes what it runs.
        assert len(processes_about(tmp_path)) == 2

    assert processes_about(tmp_path) == []
    assert list((tmp_path / "ports").iterdir()) == []
    assert [process.returncode for process in table.processes.values()] == [0, 0]


async def test_with_a_port_it_has_a_dashboard_that_shows_the_table(tmp_path: Path) -> None:
    async with stage(load_table(DEMONSTRATION), DEMONSTRATION, tmp_path, dashboard_port=0) as table:
        assert len(processes_about(tmp_path)) == 3
        assert table.dashboard is not None
        async with httpx.AsyncClient() as client:
            page = (await client.get(table.dashboard)).text
            documents = await client.get(f"{table.dashboard}/documents")
        assert "Table bj-demo" in page
        assert documents.headers["Location"] == "/sign-in?next=/tables/bj-demo/documents"

    assert processes_about(tmp_path) == []


async def test_a_dashboard_whose_port_is_taken_is_told_with_its_last_words(tmp_path: Path) -> None:
    with listening(Where(host="127.0.0.1", port=0)) as taken:
        port = taken.getsockname()[1]

        with pytest.raises(ProcessEndedError, match=r"the dashboard ended by itself.*\n.*stop what uses the port"):
            async with stage(load_table(DEMONSTRATION), DEMONSTRATION, tmp_path, dashboard_port=port):
                pass

    assert processes_about(tmp_path) == []


async def test_a_process_that_ends_by_itself_is_told_with_its_last_words(tmp_path: Path) -> None:
    async with stage(load_table(DEMONSTRATION), DEMONSTRATION, tmp_path) as table:
        await until_logged(tmp_path, "rules-worker", "Connected")
        table.processes["rules-worker"].send_signal(signal.SIGKILL)

        with pytest.raises(
            ProcessEndedError, match=r"the rules-worker ended by itself.*\n.*Connected to the broker"
        ):
            await table.until_a_process_ends()


async def test_a_process_that_does_not_stop_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_STOP_S", 0.1)
    async with stage(load_table(DEMONSTRATION), DEMONSTRATION, tmp_path) as table:
        await until_logged(tmp_path, "daemon", "Connected")
        table.processes["daemon"].send_signal(signal.SIGSTOP)

    assert table.processes["daemon"].returncode == -signal.SIGKILL
    assert processes_about(tmp_path) == []
