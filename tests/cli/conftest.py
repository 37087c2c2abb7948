import shutil
from pathlib import Path

import pytest

from bridge.demo.own_table import own_table
from tests.cli.program import BLACKJACK, TABLES
from tests.reports.fixtures import baccarat, blackjack, blackjack_storage

__all__ = ["baccarat", "blackjack", "blackjack_storage", "own"]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table whose people have credentials."""
    return own_table(BLACKJACK, tmp_path_factory.mktemp("own"), host="127.0.0.1", port=1883)


@pytest.fixture(name="table_file")
def _table_file(tmp_path: Path) -> Path:
    """A copy of the demonstration's table, to be spoilt."""
    for file in TABLES.glob("blackjack*.toml"):
        shutil.copy(file, tmp_path)
    return tmp_path / BLACKJACK.name
