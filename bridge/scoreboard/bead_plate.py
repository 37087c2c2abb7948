"""The bead plate: every scored round, six to a column, as the trays of beads were filled."""

from collections.abc import Iterable
from dataclasses import dataclass

from bridge.scoreboard.grid import ROWS, Bead, Cell
from bridge.scoreboard.rounds import ScoredRound


@dataclass(frozen=True, slots=True, kw_only=True)
class BeadPlateBead(Bead):
    """One round: its winner, and whatever a table marks beside it."""

    scored: ScoredRound


def bead_plate(rounds: Iterable[ScoredRound]) -> tuple[BeadPlateBead, ...]:
    """Return a bead for each round, in their order."""
    return tuple(
        BeadPlateBead(scored=scored, drawn=Cell(*divmod(place, ROWS))) for place, scored in enumerate(rounds)
    )
