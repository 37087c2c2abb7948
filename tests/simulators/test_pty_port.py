from pathlib import Path

import pytest

from simulators.port import PathTakenError, hosted
from simulators.pty_port import PtyPort
from tests.simulators.calling import Echo, called


async def test_a_pseudo_terminal_does_not_replace_a_file(tmp_path: Path) -> None:
    (tmp_path / "line").write_text("mine", encoding="utf-8")
    with pytest.raises(PathTakenError, match="is no simulated port"):
        async with hosted(PtyPort(Echo(), tmp_path / "line")):
            pass
    assert (tmp_path / "line").read_text(encoding="utf-8") == "mine"


async def test_a_link_left_by_a_killed_simulator_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "line").symlink_to("/dev/pts/99999")
    async with hosted(PtyPort(Echo(), tmp_path / "line")) as port, called(port) as caller:
        caller.write(b".")
        assert await caller.read(1) == b"."


async def test_who_loses_his_path_to_another_simulator_leaves_it_to_that(tmp_path: Path) -> None:
    first, second = (PtyPort(Echo(), tmp_path / "line") for _ in range(2))
    async with hosted(first):
        async with hosted(second):
            first.unplug()
            assert (tmp_path / "line").exists()
        assert not (tmp_path / "line").is_symlink()
