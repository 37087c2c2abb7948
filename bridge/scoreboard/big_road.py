"""The big road: a column for each run of wins of one hand. Tie hands are counted on the bead before them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from bridge.domain.settlements import Winner
from bridge.scoreboard.dragon_tail import places
from bridge.scoreboard.grid import Bead, Cell
from bridge.scoreboard.rounds import ScoredRound

WinningHand = Literal[Winner.PLAYER, Winner.BANKER]


@dataclass(frozen=True, slots=True, kw_only=True)
class BigRoadBead(Bead):
    """One round that a hand won, and the tie hands after it; the first has those before it as well."""

    scored: ScoredRound
    winner: WinningHand
    ties: int
    logical: Cell
    """Which run of the shoe, and which win of that run; the derived roads go by this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BigRoad:
    """The road, and what waits for its first bead."""

    beads: tuple[BigRoadBead, ...]
    waiting_ties: int
    """Tie hands while there is no bead yet: shown in the first square, and counted on the first bead then."""
    run_lengths: tuple[int, ...]
    """How many wins each run of the shoe has, the last one until now."""


def big_road(rounds: Iterable[ScoredRound]) -> BigRoad:
    """Return the big road of the scored rounds of a shoe."""
    won: list[tuple[ScoredRound, WinningHand]] = []
    ties: list[int] = []
    waiting = 0
    for scored in rounds:
        if scored.winner is not Winner.TIE_HAND:
            won.append((scored, scored.winner))
            ties.append(waiting)
            waiting = 0
        elif ties:
            ties[-1] += 1
        else:
            waiting += 1
    where = tuple(places(winner for _, winner in won))
    return BigRoad(
        beads=tuple(
            BigRoadBead(scored=scored, winner=winner, ties=tied, logical=place.logical, drawn=place.drawn)
            for (scored, winner), tied, place in zip(won, ties, where, strict=True)
        ),
        waiting_ties=waiting,
        run_lengths=tuple(Counter(place.logical.column for place in where).values()),
    )
