import signal
from pathlib import Path

import pytest

from bridge.config import load_table
from bridge.demo import stage as module
from bridge.demo.stage import ProcessEndedError, log_of, stage
from tests.processes.table import DEMONSTRATION
from tests.processes.watch import processes_about
from tests.transports.ports import eventually


async def until_logged(directory: Path, name: str, words: str) -> None:
    """Wait until a process of the stage has said something; its log is a file, which tells nobody."""
    await eventually(lambda: words in log_of(directory, name).read_text())


async def test_it_sets_up_a_table_of_processes_and_ports_and_takes_all_of_it_down(tmp_path: Path) -> None:
    async with stage(load_table(DEMONSTRATION), DEMONSTRATION, tmp_path) as table:
        assert set(table.processes) == {"daemon", "rules-worker"}
        assert len(processes_about(tmp_path)) == 2
        assert {path.name for path in (tmp_path / "ports").iterdir()} == {"rs485", "reader"}
        for name in table.processes:
            await until_logged(tmp_path, name, f"Connected to the broker at 127.0.0.1:{table.settings.port}")

    assert processes_about(tmp_path) == []
    assert list((tmp_path / "ports").iterdir()) == []
    assert [process.returncode for process in table.processes.values()] == [0, 0]


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
