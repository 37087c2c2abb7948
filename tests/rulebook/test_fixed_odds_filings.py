from dataclasses import replace
from fractions import Fraction
from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

from bridge.documents.faults import DocumentError
from bridge.domain.rounds import Game
from bridge.domain.wagers import UnknownAmount, WagerKind
from bridge.rulebook import installed_paytables, load_submission
from bridge.rules.golden_talons import TalonsOnDragon7
from bridge.rules.rounding import Direction, Rounding
from bridge.rules.submission import (
    BaccaratFiling,
    Moment,
    NotFiled,
    NoVigorish,
    RulesSubmission,
    SettleOrder,
    VigorishFiling,
    VigorishTaken,
    WagerFiling,
)
from tests.documents.catalogue import Broken, catalogue

FOLDER = Path(__file__).parent
RULES = FOLDER / "baccarat.rules.toml"
BLACKJACK = FOLDER / "table.rules.toml"
TABLES = Path(__file__).parents[2] / "simulators" / "tables"
DEAL_ORDER = [1, 3, 5]
ROYAL_MATCH_21 = """
[wagers.royal_match_21]
approval_reference = "LAYOUT-1"
paytable = "C"
settle_order = [5, 3, 1]
"""


def written(tmp_path: Path, text: str) -> RulesSubmission:
    file = tmp_path / "baccarat.rules.toml"
    file.write_text(text)
    return load_submission(file, deal_order=DEAL_ORDER)


def filed(submission: RulesSubmission, kind: WagerKind) -> WagerFiling:
    filing = submission.filing(kind)
    assert isinstance(filing, WagerFiling)
    return filing


def faults_of(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(DocumentError) as error:
        written(tmp_path, text)
    return [str(fault).removeprefix(f"{tmp_path}/") for fault in error.value.faults]


def test_how_the_game_is_played_is_what_the_document_files() -> None:
    submission = load_submission(RULES, deal_order=DEAL_ORDER)
    assert submission.game is Game.MINIBACCARAT
    assert submission.baccarat == BaccaratFiling(
        vigorish=VigorishFiling(
            rate=Fraction(5, 100),
            rounding=Rounding(to_cents=25, direction=Direction.UP),
            taken=VigorishTaken.MARKED,
        ),
        on_dragon_7=TalonsOnDragon7.NOT_ANNOUNCED,
    )


def test_t28_vigorish_is_four_or_five_percent(tmp_path: Path) -> None:
    four = written(tmp_path, RULES.read_text().replace('"5%"', '"4%"')).baccarat
    assert isinstance(four, BaccaratFiling)
    assert isinstance(four.vigorish, VigorishFiling)
    assert four.vigorish.rate == Fraction(4, 100)
    for other in ("3%", "6%", "4.5%"):
        (fault,) = faults_of(tmp_path, RULES.read_text().replace('"5%"', f'"{other}"'))
        assert '"5%" or "4%"' in fault


@pytest.mark.parametrize("game", ["baccarat", "minibaccarat"])
def test_each_game_of_baccarat_files_how_it_is_played(tmp_path: Path, game: str) -> None:
    text = RULES.read_text().replace('"minibaccarat"', f'"{game}"').replace("[baccarat]", "[wagers.tie]")
    text = text.partition("ez = false")[0].replace("[wagers.tie]", "")
    assert any("a table of how the game is played" in fault for fault in faults_of(tmp_path, text))


def test_a_paytable_that_is_not_installed_is_told_where_no_vigorish_is_filed_too(tmp_path: Path) -> None:
    lines = [line for line in RULES.read_text().splitlines() if not line.startswith("vigorish")]
    head, _, tail = "\n".join(lines).partition("[wagers.banker]")
    faults = faults_of(tmp_path, head + "[wagers.banker]" + tail.replace('"A"', '"Z"', 1))
    assert any("the letter of an installed paytable" in fault for fault in faults)


def test_r3_exactly_the_wagers_that_are_named_are_on() -> None:
    submission = load_submission(RULES, deal_order=DEAL_ORDER)
    assert [filing.kind for filing in submission.wagers] == [
        "player", "banker", "tie", "golden_talons_player", "golden_talons_banker",
        "majestic_match_player", "majestic_match_banker",
    ]  # fmt: skip
    assert not submission.files(WagerKind.DRAGON_7)
    assert {filing.approval_reference for filing in submission.wagers} == {"LAYOUT-2"}


def test_r57_a_wager_is_filed_with_exactly_one_paytable_for_both_hands() -> None:
    submission = load_submission(RULES, deal_order=DEAL_ORDER)
    talons = [filed(submission, kind) for kind in WagerKind if kind.startswith("golden_talons")]
    assert [filing.paytable.name for filing in talons] == ["C", "C"]
    assert filed(submission, WagerKind.TIE).paytable.name == "B"


def test_t37_t38_what_a_wager_rests_on_and_when_it_is_settled() -> None:
    submission = load_submission(RULES, deal_order=DEAL_ORDER)
    talons = filed(submission, WagerKind.GOLDEN_TALONS_BANKER)
    assert talons.requires == (WagerKind.PLAYER, WagerKind.BANKER)
    assert (talons.moment, talons.settle_order) == (Moment.AFTER_RESULT, SettleOrder.HIGHEST_POSITION_FIRST)
    majestic = filed(submission, WagerKind.MAJESTIC_MATCH_PLAYER)
    assert (majestic.requires, majestic.moment) == ((), Moment.AFTER_FOUR_CARDS)
    assert majestic.settle_order is SettleOrder.LOWEST_POSITION_FIRST


def test_a_wager_has_its_one_amount_or_players_choose() -> None:
    submission = load_submission(RULES, deal_order=DEAL_ORDER)
    assert filed(submission, WagerKind.GOLDEN_TALONS_PLAYER).amount == 500
    assert filed(submission, WagerKind.BANKER).amount is UnknownAmount.UNKNOWN
    assert {filing.rounding for filing in submission.wagers} == {Rounding(to_cents=25, direction=Direction.DOWN)}


def test_t37_whether_a_tie_wager_admits_golden_talons_is_filed(tmp_path: Path) -> None:
    submission = written(tmp_path, RULES.read_text().replace("suffices = false", "suffices = true"))
    assert WagerKind.TIE in filed(submission, WagerKind.GOLDEN_TALONS_PLAYER).requires


def test_t35_an_ez_table_files_what_a_dragon_7_is_to_golden_talons() -> None:
    submission = load_submission(TABLES / "minibaccarat_ez.rules.toml", deal_order=[1, 2, 3])
    assert submission.baccarat == BaccaratFiling(vigorish=NoVigorish.EZ_BACCARAT, on_dragon_7=TalonsOnDragon7.WINS)
    assert submission.files(WagerKind.PANDA_8)


def test_the_demonstration_files_a_sound_game_of_minibaccarat() -> None:
    submission = load_submission(TABLES / "minibaccarat.rules.toml", deal_order=[1, 2, 3])
    assert isinstance(submission.baccarat, BaccaratFiling)
    assert not submission.baccarat.ez


def test_an_ez_table_without_golden_talons_has_nothing_to_file_about_dragon_7(tmp_path: Path) -> None:
    text = RULES.read_text().replace("ez = false", "ez = true")
    text = "\n".join(line for line in text.splitlines() if not line.startswith("vigorish"))
    head, _, tail = text.partition("[wagers.golden_talons]")
    submission = written(tmp_path, head + tail[tail.index("[wagers.majestic") :])
    assert isinstance(submission.baccarat, BaccaratFiling)
    assert submission.baccarat.ez


def test_t28_a_paytable_that_pays_a_six_less_needs_no_vigorish(tmp_path: Path) -> None:
    banker = tmp_path / "banker.toml"
    shipped = installed_paytables()["banker"].read_text()
    banker.write_text(shipped + 'banker_won_with_6 = { pays = "1 to 2", section = "a test" }\n')
    rules = tmp_path / "baccarat.rules.toml"
    lines = [line for line in RULES.read_text().splitlines() if not line.startswith("vigorish")]
    rules.write_text("\n".join(lines))
    files: dict[str, Traversable] = {**installed_paytables(), "banker": banker}
    submission = load_submission(rules, deal_order=DEAL_ORDER, paytables=files)
    assert isinstance(submission.baccarat, BaccaratFiling)
    assert submission.baccarat.vigorish is NoVigorish.PAYTABLE


def test_the_digest_covers_every_paytable_that_is_named(tmp_path: Path) -> None:
    tie = tmp_path / "tie.toml"
    tie.write_text(installed_paytables()["tie"].read_text() + "# changed\n")
    files: dict[str, Traversable] = {**installed_paytables(), "tie": tie}
    changed = load_submission(RULES, deal_order=DEAL_ORDER, paytables=files)
    assert changed.digest != load_submission(RULES, deal_order=DEAL_ORDER).digest
    assert replace(changed, digest="") == replace(load_submission(RULES, deal_order=None), digest="")


def test_633a_6_e_4_r16_royal_match_21_is_filed_beside_the_progressive(tmp_path: Path) -> None:
    rounding = 'payment_rounding = { to_cents = 50, direction = "up" }\n'
    submission = written(tmp_path, rounding + BLACKJACK.read_text() + ROYAL_MATCH_21)
    assert submission.royal_match_progressive is not None
    assert submission.baccarat is NotFiled.NOT_FILED
    filing = filed(submission, WagerKind.ROYAL_MATCH_21)
    assert (filing.settle_order, filing.requires) == ((5, 3, 1), (WagerKind.BLACKJACK,))
    assert filing.paytable.name == "C"
    without_layout = load_submission(tmp_path / "baccarat.rules.toml", deal_order=None)
    assert filed(without_layout, WagerKind.ROYAL_MATCH_21) == filing


def test_t41_royal_match_21_is_settled_in_the_reverse_of_the_deal_order(tmp_path: Path) -> None:
    rounding = 'payment_rounding = { to_cents = 50, direction = "up" }\n'
    wrong = ROYAL_MATCH_21.replace("[5, 3, 1]", "[1, 3, 5]")
    (fault,) = faults_of(tmp_path, rounding + BLACKJACK.read_text() + wrong)
    assert "wagers.royal_match_21.settle_order: got [1, 3, 5], expected [5, 3, 1], the reverse" in fault


@catalogue(FOLDER / "broken_baccarat.toml")
def test_a_broken_submission_is_told_all_its_faults(tmp_path: Path, broken: Broken) -> None:
    assert faults_of(tmp_path, *broken.applied_to(RULES.read_text())) == broken.faults
