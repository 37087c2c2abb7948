from pathlib import Path

from bridge.reports.wanted import sources_of
from tests.reports.days import PlayedDays


def test_a_journal_elsewhere_takes_the_place_of_the_one_in_the_storage(
    blackjack: PlayedDays, tmp_path: Path
) -> None:
    table, filed = blackjack.config.setup.table, blackjack.config.submission
    elsewhere = sources_of(table, tmp_path, filed, journal=blackjack.journal)

    assert sources_of(table, tmp_path, filed).journal == tmp_path / "bj-demo.journal"
    assert (elsewhere.journal, elsewhere.meters) == (blackjack.journal, tmp_path / "bj-demo.meters")
