import errno
import os
import sqlite3
from pathlib import Path

import pytest

from bridge.stores import sqlite_file
from bridge.stores.file_errors import DamagedFileError, damage_told, is_busy, is_of_storage, remedy
from bridge.stores.migrate import JOURNAL


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.EACCES, "read and write access"),
        (errno.EROFS, "mount that disk writable"),
        (errno.ENOSPC, "free some space"),
        (errno.ENOTDIR, "is a file"),
        (errno.EIO, "check the disk"),
    ],
)
def test_every_refusal_of_the_system_has_its_advice(number: int, advice: str) -> None:
    assert advice in remedy(OSError(number, os.strerror(number)))


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("SQLITE_FULL", "free some space"),
        ("SQLITE_IOERR_WRITE", "free some space"),
        ("SQLITE_IOERR_FSYNC", "check the disk"),
        ("SQLITE_READONLY_DIRECTORY", "read and write access"),
        ("SQLITE_CANTOPEN", "read and write access"),
        ("SQLITE_BUSY_SNAPSHOT", "another process holds it"),
        ("SQLITE_CONSTRAINT_CHECK", "report this"),
    ],
)
def test_every_refusal_of_sqlite_has_its_advice(name: str, advice: str) -> None:
    error = sqlite3.OperationalError("no")
    error.sqlite_errorname = name
    assert advice in remedy(error)
    assert is_busy(error) == name.startswith("SQLITE_BUSY")
    with pytest.raises(sqlite3.OperationalError), damage_told():
        raise error


def test_an_error_of_the_module_itself_has_advice_too() -> None:
    assert "check the disk" in remedy(sqlite3.ProgrammingError("closed"))


def test_what_sqlite_finds_wrong_with_the_content_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    path.write_bytes(b"no database at all" * 300)
    with pytest.raises(DamagedFileError, match="SQLite says: file is not a database"), damage_told():
        sqlite3.connect(path).execute("SELECT 1 FROM sqlite_schema")


def test_what_sqlite_cannot_say_of_a_damaged_schema_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    sqlite_file.create(path, JOURNAL)
    whole, broken = b"CREATE TRIGGER records_are_never_changed", b"CREATE TRI\xd5GER records_are_never_changed"
    path.write_bytes(path.read_bytes().replace(whole, broken))
    with pytest.raises(DamagedFileError, match="SQLite says: malformed database schema"), damage_told():
        sqlite_file.connect(path, wait_s=0)


def test_an_error_of_the_system_is_no_damage() -> None:
    with pytest.raises(PermissionError), damage_told():
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


@pytest.mark.parametrize(
    ("error", "is_one"),
    [
        (OSError(errno.EIO, "input/output error"), True),
        (MemoryError(), True),
        (sqlite3.OperationalError("database or disk is full"), True),
        (sqlite3.DatabaseError("disk image is malformed"), True),
        (sqlite3.IntegrityError("CHECK constraint failed"), False),
        (sqlite3.DataError("string or blob too big"), False),
        (OverflowError("Python int too large to convert to SQLite INTEGER"), False),
    ],
)
def test_an_error_is_of_the_storage_or_of_what_was_to_be_stored(error: Exception, *, is_one: bool) -> None:
    assert is_of_storage(error) is is_one
