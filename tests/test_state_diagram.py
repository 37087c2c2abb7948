"""The state diagram in ``bridge/ARCHITECTURE.md`` is drawn from the table that the program runs."""

from pathlib import Path

import pytest

from bridge.domain.rounds import Game
from bridge.table.phases import TRANSITIONS

ARCHITECTURE = Path(__file__).parent.parent / "bridge" / "ARCHITECTURE.md"


def diagram(game: Game) -> str:
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> wagers_open"]
    for phase, row in TRANSITIONS[game].items():
        lines += [f"    {phase} --> {after}: {trigger}" for trigger, after in row.items()]
    return "\n".join([*lines, "```"])


@pytest.mark.parametrize("game", list(Game))
def test_the_diagram_shows_the_transitions_that_there_are(game: Game) -> None:
    assert diagram(game) in ARCHITECTURE.read_text(), f"put this into {ARCHITECTURE.name}:\n{diagram(game)}"
