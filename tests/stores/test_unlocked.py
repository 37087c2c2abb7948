import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bridge.stores import unlocked
from bridge.stores.file_errors import DamagedFileError, FileRefusedError
from bridge.stores.unlocked import ChangingFileError, open_unlocked


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE t (x)")
        connection.execute("INSERT INTO t VALUES (1)")
    return path


def names(path: Path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir())


def rows(path: Path) -> list[int]:
    with open_unlocked(path) as opened:
        return [x for (x,) in opened.connection.execute("SELECT x FROM t ORDER BY rowid")]


_OWNER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA locking_mode = EXCLUSIVE")
connection.execute("PRAGMA wal_autocheckpoint = 0")
number = 1
while sys.stdin.readline():
    for _ in range(30):
        number += 1
        connection.execute("INSERT INTO t VALUES (?)", (number,))
    if number % 4 == 3:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    print(number, flush=True)
"""


@pytest.fixture
def owner(path: Path) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-c", _OWNER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def write_on(owner: "subprocess.Popen[str]") -> int:
    assert owner.stdin is not None
    assert owner.stdout is not None
    owner.stdin.write("\n")
    owner.stdin.flush()
    return int(owner.stdout.readline())


def test_what_its_owner_has_committed_is_read_while_nobody_else_may_open_it(
    path: Path, owner: "subprocess.Popen[str]"
) -> None:
    for _ in range(6):
        written = write_on(owner)
        before = {file: file.read_bytes() for file in path.parent.iterdir()}
        assert rows(path) == list(range(1, written + 1))
        assert {file: file.read_bytes() for file in path.parent.iterdir()} == before
    with closing(sqlite3.connect(path, timeout=0)) as other, pytest.raises(sqlite3.OperationalError):
        other.execute("SELECT x FROM t")


def test_a_file_is_read_again_when_its_log_begins_anew_meanwhile(
    path: Path, owner: "subprocess.Popen[str]", monkeypatch: pytest.MonkeyPatch
) -> None:
    write_on(owner)
    times = iter(range(2))
    read_bytes = Path.read_bytes

    def read_and_be_overtaken(self: Path) -> bytes:
        content = read_bytes(self)
        if self == path and next(times, None) is not None:
            while read_bytes(log)[:32] == begun:
                write_on(owner)
        return content

    log = Path(f"{path}-wal")
    begun = read_bytes(log)[:32]
    monkeypatch.setattr(Path, "read_bytes", read_and_be_overtaken)
    found = rows(path)
    assert found == list(range(1, len(found) + 1))
    assert len(found) > 31


def test_a_file_that_never_stands_still_is_given_up(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(f"{path}-wal").write_bytes(b"x" * 40)
    looks = iter(range(99))
    monkeypatch.setattr(unlocked, "_begin_of", lambda _log: b"%d" % next(looks))
    with pytest.raises(ChangingFileError, match="when the table is quiet"), open_unlocked(path):
        pytest.fail("opened")


def test_a_file_without_a_log_is_read_in_its_place(path: Path) -> None:
    assert names(path) == ["a.sqlite"]
    path.parent.chmod(0o500)
    path.chmod(0o400)
    assert rows(path) == [1]
    path.parent.chmod(0o700)
    assert names(path) == ["a.sqlite"]


def test_one_that_its_owner_takes_up_meanwhile_has_to_be_read_again(path: Path) -> None:
    with pytest.raises(ChangingFileError, match="read it again"), open_unlocked(path), path.open("ab") as file:
        file.write(bytes(4096))


def test_a_log_that_went_away_while_it_was_read_is_not_missed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Path(f"{path}-wal")
    log.write_bytes(b"")
    exists = Path.exists

    def exists_once(self: Path) -> bool:
        found = exists(self)
        if self == log and found:
            log.unlink()
        return found

    monkeypatch.setattr(Path, "exists", exists_once)
    assert rows(path) == [1]


def test_a_file_that_cannot_be_read_is_told_with_what_to_do(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(path, f"{path}-wal")

    def refuse(_self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(FileRefusedError, match="Permission denied; give"), open_unlocked(path):
        pytest.fail("opened")


@pytest.mark.parametrize("with_log", [True, False])
def test_an_empty_file_is_damage(path: Path, *, with_log: bool) -> None:
    path.write_bytes(b"")
    if with_log:
        Path(f"{path}-wal").write_bytes(b"")
    with pytest.raises(DamagedFileError, match="empty or cut short"), open_unlocked(path):
        pytest.fail("opened")
