from fractions import Fraction
from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

from bridge.documents.faults import DocumentError
from bridge.domain.meters import NoLimit
from bridge.domain.money import Cents
from bridge.domain.wagers import WagerKind
from bridge.rulebook import load_submission
from bridge.rules.submission import Progressive, RoyalMatchProgressiveFiling
from tests.documents.catalogue import Broken, catalogue

FOLDER = Path(__file__).parent
RULES = (FOLDER / "table.rules.toml").read_text()
OF_A_TEST = RULES.replace('"A"', '"Z"')
LEFT_OPEN = RULES.replace('"A"', '"Y"')
"""Under a paytable that prints neither seed nor rate."""
METER = """
[royal_match_progressive.meter]
base_cents = 3_000_000
reset_cents = 2_000_000
increment_rate = "10%"
hidden_rate = "1%"
limit_cents = 4_000_000
unreasonable_above_cents = 50
"""


def load(folder: Path, text: str) -> RoyalMatchProgressiveFiling:
    file = folder / "table.rules.toml"
    file.write_text(text)
    file_of = {'"A"': None, '"Z"': "paytables.toml", '"Y"': "open_paytables.toml"}
    name = next(name for letter, name in file_of.items() if f"paytable = {letter}" in text)
    paytables: dict[str, Traversable] = {WagerKind.ROYAL_MATCH_PROGRESSIVE: FOLDER / (name or "")}
    filing = load_submission(
        file, deal_order=[1, 3, 5], paytables=paytables if name else None
    ).royal_match_progressive
    assert filing is not None
    return filing


def faults(folder: Path, text: str) -> list[str]:
    with pytest.raises(DocumentError) as error:
        load(folder, text)
    return [str(fault).removeprefix(f"{folder}/") for fault in error.value.faults]


def test_633b_18_i_t20_the_seed_is_ten_thousand_times_the_minimum_wager_at_the_start_and_after_a_win(
    tmp_path: Path,
) -> None:
    filing = load(tmp_path, RULES)
    assert filing.progressive.id == "royal-match"
    assert filing.progressive == Progressive(
        id=filing.progressive.id,
        base_amount=Cents(5_000_000),
        reset_amount=Cents(5_000_000),
        increment_rate=Fraction(15, 100),
        hidden_rate=Fraction(0),
        limit=NoLimit.NO_LIMIT,
        unreasonable_above=NoLimit.NO_LIMIT,
    )


def test_1_39a_a_a_table_files_what_its_paytable_does_not_print(tmp_path: Path) -> None:
    filing = load(tmp_path, LEFT_OPEN + METER)
    assert filing.progressive == Progressive(
        id=filing.progressive.id,
        base_amount=Cents(3_000_000),
        reset_amount=Cents(2_000_000),
        increment_rate=Fraction(10, 100),
        hidden_rate=Fraction(1, 100),
        limit=Cents(4_000_000),
        unreasonable_above=Cents(50),
    )


def test_633b_18_i_a_table_may_repeat_what_its_paytable_prints(tmp_path: Path) -> None:
    same = METER.replace("3_000_000", "5_000_000").replace("2_000_000", "5_000_000").replace("10%", "15%")
    filing = load(tmp_path, RULES + same.replace("= 4_000_000", "= 5_000_000").replace("= 50\n", "= 75\n"))
    assert filing.progressive.limit == 5_000_000
    assert filing.progressive.base_amount == filing.progressive.reset_amount == 5_000_000


def test_t14_a_wager_of_which_a_meter_cannot_hold_the_rate_is_refused(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, OF_A_TEST.replace("= 500", "= 333"))
    assert fault == (
        "table.rules.toml:9: royal_match_progressive.wager_cents: got 333, expected a wager of which a meter can"
        " hold 3/20% exactly; 999/2000 cents cannot be held in hundredths of a cent;"
        " file a rate that leaves no finer part"
    )


def test_t27_a_wager_that_the_odds_do_not_pay_in_whole_cents_is_refused(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, OF_A_TEST)
    assert fault == (
        "table.rules.toml:9: royal_match_progressive.wager_cents: got 500, expected a wager that 7/3 to 1 pays"
        " in whole cents; 7/3 to 1 on 5.00 is 3500/3 cents; file a wager that the odds pay in whole cents"
    )


def test_a_wager_that_all_figures_fit_is_taken(tmp_path: Path) -> None:
    filing = load(tmp_path, OF_A_TEST.replace("= 500", "= 600"))
    assert filing.progressive.base_amount == filing.progressive.reset_amount == 60_000
    assert filing.progressive.increment_rate == Fraction(15, 10_000)
    assert filing.envy_pays == 20


@catalogue(FOLDER / "broken_meters.toml")
def test_a_broken_meter_is_told_all_its_faults(tmp_path: Path, broken: Broken) -> None:
    assert faults(tmp_path, *broken.applied_to(LEFT_OPEN + METER)) == broken.faults
