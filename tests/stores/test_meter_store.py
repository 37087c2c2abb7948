import inspect

import pytest

from bridge.domain.errors import BridgeError
from bridge.stores.meter_store import MeterStore, MeterStoreError
from bridge.stores.sqlite_meters import SqliteMeterStore


@pytest.mark.parametrize("name", ["post", "readings", "postings", "close", "__aenter__", "__aexit__"])
def test_the_meters_in_a_file_is_called_as_the_contract_says(name: str) -> None:
    assert inspect.signature(getattr(SqliteMeterStore, name)) == inspect.signature(getattr(MeterStore, name))


def test_the_contract_is_satisfied_for_the_type_checker() -> None:
    store: type[MeterStore] = SqliteMeterStore
    assert store is SqliteMeterStore


def test_a_meter_store_error_is_for_a_person() -> None:
    assert issubclass(MeterStoreError, BridgeError)
