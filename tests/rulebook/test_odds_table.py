from pathlib import Path

from bridge.documents.inspection import ABSENT, Inspection
from bridge.documents.read_toml import read_toml
from bridge.domain.odds import Odds
from bridge.rulebook.odds_table import read_figure, read_odds
from bridge.rulebook.odds_text import FIXED_ODDS_FORM, parse_fixed_odds

OUTCOMES = frozenset({"won", "tie"})


def inspected(folder: Path, rows: str) -> Inspection:
    file = folder / "odds.toml"
    file.write_text(f"[odds]\n{rows}\n")
    return Inspection(read_toml(file))


def odds(inspection: Inspection, optional: frozenset[str] = frozenset()) -> dict[str, Odds]:
    return read_odds(
        inspection, ("odds",), OUTCOMES, optional=optional, parse=parse_fixed_odds, form=FIXED_ODDS_FORM
    )


def faults(inspection: Inspection) -> list[str]:
    return [str(fault).rpartition("odds.toml:")[2] for fault in inspection.faults]


def test_every_row_is_read_with_its_odds(tmp_path: Path) -> None:
    table = inspected(tmp_path, 'won = { pays = "2 to 1" }\ntie = { pays = "push" }')
    assert odds(table) == {"won": Odds.to_one(2), "tie": Odds.push()}
    assert table.faults == ()


def test_a_row_that_is_unknown_or_left_out_is_a_fault(tmp_path: Path) -> None:
    table = inspected(tmp_path, 'wonn = { pays = "2 to 1" }\ntie = { pays = "push" }\nwon_with_6 = {}')
    assert odds(table) == {"tie": Odds.push()}
    assert faults(table) == [
        "2: odds.wonn: got an unknown outcome, expected one of tie, won; did you mean 'won'?",
        "4: odds.won_with_6: got an unknown outcome, expected one of tie, won; take it out",
    ]


def test_a_row_that_is_left_out_is_told_where_the_rest_is_sound(tmp_path: Path) -> None:
    table = inspected(tmp_path, 'tie = { pays = "push" }')
    assert odds(table) == {"tie": Odds.push()}
    assert faults(table) == [f"1: odds.won: got nothing, expected what won pays, as {FIXED_ODDS_FORM}"]


def test_a_row_that_the_wager_leaves_free_may_be_there(tmp_path: Path) -> None:
    rows = 'won = { pays = "1 to 1" }\ntie = { pays = "push" }\nwon_with_6 = { pays = "1 to 2" }'
    table = inspected(tmp_path, rows)
    assert odds(table, frozenset({"won_with_6"}))["won_with_6"] == Odds.to_one(1, 2)
    assert table.faults == ()


def test_a_text_that_is_no_figure_is_a_fault_with_advice(tmp_path: Path) -> None:
    table = inspected(tmp_path, 'won = { pays = "2" }')
    assert read_figure(table, ("odds", "won", "pays"), parse_fixed_odds, FIXED_ODDS_FORM) is ABSENT
    assert read_figure(table, ("odds", "tie", "pays"), parse_fixed_odds, FIXED_ODDS_FORM) is ABSENT
    (fault,) = faults(table)
    assert fault.startswith("2: odds.won.pays: got '2', expected \"60 for 1\"")
