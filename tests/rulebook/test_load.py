from hashlib import sha256
from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

from bridge.documents.faults import DocumentError
from bridge.domain.rounds import Game
from bridge.domain.wagers import WagerKind
from bridge.rulebook import load_submission
from bridge.rulebook.paytable_file import installed_paytables
from bridge.rules.submission import (
    AceAdjacency,
    ControllerFiling,
    EnvyCounts,
    EnvyTrigger,
    OutsideWindow,
)
from tests.documents.catalogue import Broken, catalogue

FOLDER = Path(__file__).parent
RULES = FOLDER / "table.rules.toml"
DEMONSTRATION = Path(__file__).parents[2] / "simulators" / "tables" / "blackjack.rules.toml"
DEAL_ORDER = [1, 3, 5]


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "table.rules.toml"
    file.write_text(text)
    return file


def test_a_submission_is_what_the_document_files() -> None:
    submission = load_submission(RULES, deal_order=DEAL_ORDER)
    assert submission.game is Game.BLACKJACK
    assert (submission.effective_from, submission.effective_until) == ("2024-03-23", "2027-03-08")
    assert submission.outside_window is OutsideWindow.REFUSE
    filing = submission.royal_match_progressive
    assert filing is not None
    assert filing.approval_reference == "LAYOUT-1"
    assert filing.paytable.name == "A"
    assert filing.wager == 500
    assert filing.settle_order == (5, 3, 1)
    assert filing.ace_adjacency is AceAdjacency.LOW
    assert filing.envy_trigger is EnvyTrigger.HOLDS
    assert filing.envy_counts is EnvyCounts.PERSONS
    assert filing.envy_pays == 500
    assert filing.validated_outcomes == {"crown_treasure", "royal_match"}


def test_the_digest_covers_the_document_and_the_paytables_it_names(tmp_path: Path) -> None:
    text, shipped = RULES.read_text(), installed_paytables()[WagerKind.ROYAL_MATCH_PROGRESSIVE].read_text()
    file, paytables = tmp_path / "rules.toml", tmp_path / "paytables.toml"

    def digest(document: str, tables: str) -> str:
        file.write_text(document)
        paytables.write_text(tables)
        filed: dict[str, Traversable] = {WagerKind.ROYAL_MATCH_PROGRESSIVE: paytables}
        return load_submission(file, deal_order=DEAL_ORDER, paytables=filed).digest

    as_filed = digest(text, shipped)
    assert as_filed == sha256((text + shipped).encode()).hexdigest()
    assert digest(text + "\n", shipped) != as_filed
    assert digest(text, shipped.replace("10 for 1", "11 for 1")) != as_filed


def test_r3_a_wager_that_is_not_named_is_off(tmp_path: Path) -> None:
    text = RULES.read_text()
    file = written(tmp_path, text[: text.index("[royal")])
    submission = load_submission(file, deal_order=DEAL_ORDER)
    assert submission.royal_match_progressive is None
    assert not submission.files(WagerKind.ROYAL_MATCH_PROGRESSIVE)
    assert submission.files(WagerKind.BLACKJACK)


def test_the_settle_order_is_not_checked_against_a_layout_that_is_not_known() -> None:
    assert load_submission(RULES, deal_order=None).digest


def test_461a_4_what_is_filed_of_the_controller_is_taken_and_may_be_left_out(tmp_path: Path) -> None:
    assert load_submission(RULES, deal_order=DEAL_ORDER).controller == ControllerFiling(
        link_lost_after_s=30, approved_software=None
    )
    text = RULES.read_text() + f'\n[controller]\nlink_lost_after_s = 5\napproved_software = "{"ab" * 32}"\n'
    assert load_submission(written(tmp_path, text), deal_order=DEAL_ORDER).controller == ControllerFiling(
        link_lost_after_s=5, approved_software="ab" * 32
    )


def test_the_demonstration_files_a_sound_submission() -> None:
    assert load_submission(DEMONSTRATION, deal_order=[1, 2, 3, 4, 5, 6, 7]).royal_match_progressive is not None


@catalogue(FOLDER / "broken.toml")
def test_a_broken_submission_is_told_all_its_faults(tmp_path: Path, broken: Broken) -> None:
    file = written(tmp_path, *broken.applied_to(RULES.read_text()))
    with pytest.raises(DocumentError) as error:
        load_submission(file, deal_order=DEAL_ORDER)
    assert [str(fault).removeprefix(f"{tmp_path}/") for fault in error.value.faults] == broken.faults
