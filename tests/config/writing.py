"""Tables written for a test, and what is said of them."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from bridge.config import load_table
from bridge.documents.faults import DocumentError
from tests.documents.catalogue import Broken

FOLDER = Path(__file__).parent
TABLE = (FOLDER / "table.toml").read_text()
RULES = (FOLDER / "table.rules.toml").read_text()
BLACKJACK = (TABLE, RULES)
BACCARAT = ((FOLDER / "baccarat.toml").read_text(), (FOLDER / "baccarat.rules.toml").read_text())


def write_table(folder: Path, edits: Sequence[Sequence[str]] = (), texts: tuple[str, str] = BLACKJACK) -> Path:
    """Write a table of this folder and its rules submission with some edits; return the table's path."""
    table, rules = Broken(edits=edits, faults=[]).applied_to(*texts)
    (folder / "table.rules.toml").write_text(rules)
    file = folder / "table.toml"
    file.write_text(table)
    return file


def faults_of(folder: Path, edits: Sequence[Sequence[str]], texts: tuple[str, str] = BLACKJACK) -> list[str]:
    """Return what loading the edited table says, without the folder."""
    file = write_table(folder, edits, texts)
    with pytest.raises(DocumentError) as error:
        load_table(file)
    return [str(fault).replace(f"{folder}/", "") for fault in error.value.faults]
