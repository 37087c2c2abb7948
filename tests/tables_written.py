"""Tables for tests: the demonstration's documents with other devices in them, loaded like any table."""

from collections.abc import Sequence
from pathlib import Path

from bridge.config import TableConfig, load_table
from tests.simulators.little_bridge import DEMONSTRATION

Edit = tuple[str, str]
"""What stands in the document, once, and what is to stand there instead."""


def written(folder: Path, *edits: Edit, more: str = "", others: Sequence[Edit] = ()) -> TableConfig:
    """Write the demonstration's table with some edits and ``more`` at its end; ``others`` are files beside it."""
    text = DEMONSTRATION.read_text()
    for before, after in edits:
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    rules = "blackjack.rules.toml"
    (folder / rules).write_text((DEMONSTRATION.parent / rules).read_text())
    for name, content in others:
        (folder / name).write_text(content)
    file = folder / "table.toml"
    file.write_text(f"{text}\n{more}")
    return load_table(file)
