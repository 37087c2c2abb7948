"""Days at whole tables, each played once, through daemon and rules worker into journal and meters."""

import asyncio

import pytest

from tests.reports.days import PlayedDays, baccarat_days, blackjack_days


@pytest.fixture(scope="session")
def blackjack(tmp_path_factory: pytest.TempPathFactory) -> PlayedDays:
    return asyncio.run(blackjack_days(tmp_path_factory.mktemp("blackjack")))


@pytest.fixture(scope="session")
def baccarat(tmp_path_factory: pytest.TempPathFactory) -> PlayedDays:
    return asyncio.run(baccarat_days(tmp_path_factory.mktemp("baccarat")))
