from pathlib import Path

from bridge.domain.identity import TableId
from bridge.stores.table_files import TableFiles


def test_every_file_of_a_table_is_named_after_it_in_its_directory() -> None:
    files = TableFiles(table=TableId("bj-1"), storage=Path("/var/lib/bridge"))

    assert [
        file.name for file in (files.journal, files.journal_key, files.meters, files.latch, files.attempts)
    ] == [
        "bj-1.journal",
        "bj-1.journal-key",
        "bj-1.meters",
        "bj-1.latch",
        "bj-1.attempts",
    ]
    assert files.journal.parent == Path("/var/lib/bridge")
