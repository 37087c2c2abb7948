"""Days at whole tables, each played once, through daemon and rules worker into journal and meters."""

import asyncio
from pathlib import Path

import pytest

from tests.reports.days import PlayedDays, baccarat_days, blackjack_days, stored


@pytest.fixture(scope="session")
def blackjack(tmp_path_factory: pytest.TempPathFactory) -> PlayedDays:
    return asyncio.run(blackjack_days(tmp_path_factory.mktemp("blackjack")))


@pytest.fixture
def blackjack_storage(blackjack: PlayedDays, tmp_path: Path) -> Path:
    """A folder of its own with the files of that table."""
    return stored(blackjack, tmp_path / "var")


@pytest.fixture(scope="session")
def baccarat(tmp_path_factory: pytest.TempPathFactory) -> PlayedDays:
    return asyncio.run(baccarat_days(tmp_path_factory.mktemp("baccarat")))
