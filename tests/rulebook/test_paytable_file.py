from fractions import Fraction
from pathlib import Path

import pytest

from bridge.documents.faults import DocumentError
from bridge.domain.odds import Odds
from bridge.domain.wagers import WagerKind
from bridge.rulebook import installed_paytables, load_fixed_paytables, load_paytables
from bridge.rules.catalogue import CATALOGUE, FixedOddsWager
from bridge.rules.royal_match import PAID_OUTCOMES
from tests.documents.catalogue import Broken, catalogue

FOLDER = Path(__file__).parent
PAYTABLES = (FOLDER / "paytables.toml").read_text()


def test_633b_18_i_and_k_the_installed_paytable_has_the_printed_figures() -> None:
    installed = load_paytables(installed_paytables()[WagerKind.ROYAL_MATCH_PROGRESSIVE])
    assert set(installed) == {"A"}
    letter = installed["A"]
    assert letter.paytable.name == "A"
    assert letter.paytable.section == "58 Pa. Code § 633b.18(i)"
    assert letter.paytable.odds == {
        "crown_treasure": Odds.of_meter(Fraction(1)),
        "royal_match": Odds.for_one(60),
        "straight_flush": Odds.for_one(10),
    }
    assert letter.seed_times_minimum_wager == 10_000
    assert letter.increment_rate == Fraction(15, 100)
    assert letter.envy_pays == 500


def test_the_installed_paytable_pays_exactly_the_outcomes_of_its_wager() -> None:
    for letter in load_paytables(installed_paytables()[WagerKind.ROYAL_MATCH_PROGRESSIVE]).values():
        assert letter.paytable.odds.keys() == PAID_OUTCOMES


@pytest.mark.parametrize("wager", FixedOddsWager)
def test_every_wager_of_fixed_odds_has_its_installed_paytables(wager: FixedOddsWager) -> None:
    letters = load_fixed_paytables(installed_paytables()[wager])
    assert [paytable.name for paytable in letters.values()] == list(letters)
    for paytable in letters.values():
        assert "§" in paytable.section
        terms, rows = CATALOGUE[wager], paytable.odds.keys()
        assert terms.outcomes <= rows <= terms.outcomes | terms.optional


def test_every_installed_file_is_of_a_wager_that_is_filed() -> None:
    assert set(installed_paytables()) == {WagerKind.ROYAL_MATCH_PROGRESSIVE, *FixedOddsWager}


def test_t39_the_five_paytables_of_golden_talons_are_read_with_their_pushes() -> None:
    letters = load_fixed_paytables(installed_paytables()[FixedOddsWager.GOLDEN_TALONS])
    assert [str(letters[letter].odds["natural_tie"]) for letter in "ABCDE"] == [
        "push", "2 to 1", "push", "push", "push",
    ]  # fmt: skip


FIXED = """
wager = "majestic_match"

[paytables.A]
section = "58 Pa. Code § 631c.7(d)"

[paytables.A.odds]
royal_match = { pays = "25 to 1", section = "58 Pa. Code § 631c.7(d)" }
suited_match = { pays = "2.5 to 1", section = "58 Pa. Code § 631c.7(d)" }
""".lstrip()


@catalogue(FOLDER / "broken_fixed_paytables.toml")
def test_a_broken_paytable_of_fixed_odds_is_told_all_its_faults(tmp_path: Path, broken: Broken) -> None:
    file = tmp_path / "paytables.toml"
    file.write_text(*broken.applied_to(FIXED))
    with pytest.raises(DocumentError) as error:
        load_fixed_paytables(file)
    assert [str(fault).removeprefix(f"{tmp_path}/") for fault in error.value.faults] == broken.faults


@catalogue(FOLDER / "broken_paytables.toml")
def test_a_broken_paytable_is_told_all_its_faults(tmp_path: Path, broken: Broken) -> None:
    file = tmp_path / "paytables.toml"
    file.write_text(*broken.applied_to(PAYTABLES))
    with pytest.raises(DocumentError) as error:
        load_paytables(file)
    assert [str(fault).removeprefix(f"{tmp_path}/") for fault in error.value.faults] == broken.faults
