import inspect

import pytest

from bridge.domain.errors import BridgeError
from bridge.stores.journal import Journal, JournalError
from bridge.stores.sqlite_journal import SqliteJournal


@pytest.mark.parametrize("name", ["append", "read", "close", "__aenter__", "__aexit__"])
def test_the_journal_in_a_file_is_called_as_the_contract_says(name: str) -> None:
    assert inspect.signature(getattr(SqliteJournal, name)) == inspect.signature(getattr(Journal, name))


def test_the_contract_is_satisfied_for_the_type_checker() -> None:
    journal: type[Journal] = SqliteJournal
    assert journal is SqliteJournal


def test_a_journal_error_is_for_a_person() -> None:
    assert issubclass(JournalError, BridgeError)
