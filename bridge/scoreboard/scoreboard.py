"""Everything that a baccarat table shows of the shoe in play."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Self

from bridge.domain.settlements import Winner
from bridge.scoreboard.bead_plate import BeadPlateBead, bead_plate
from bridge.scoreboard.big_road import BigRoad, big_road
from bridge.scoreboard.derived_roads import DerivedRoads, Prediction, derived_roads, prediction
from bridge.scoreboard.grid import window
from bridge.scoreboard.rounds import ScoreboardError, ScoredRound
from bridge.scoreboard.totals import ShoeTotals, shoe_totals


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoreboard:
    """The roads of one shoe and their totals."""

    bead_plate: tuple[BeadPlateBead, ...]
    big_road: BigRoad
    derived: DerivedRoads
    if_banker: Prediction
    """What the derived roads would get if the Banker's Hand won the next round."""
    if_player: Prediction
    totals: ShoeTotals

    def window(self, columns: int) -> Self:
        """Return it with the newest columns of every road, counted anew from 0; totals are of the whole shoe.

        Raise ``ScoreboardError`` unless there is at least one column.
        """
        return replace(
            self,
            bead_plate=window(self.bead_plate, columns),
            big_road=replace(self.big_road, beads=window(self.big_road.beads, columns)),
            derived=DerivedRoads(
                big_eye_boy=window(self.derived.big_eye_boy, columns),
                small_road=window(self.derived.small_road, columns),
                cockroach_road=window(self.derived.cockroach_road, columns),
            ),
        )


def scoreboard(rounds: Sequence[ScoredRound]) -> Scoreboard:
    """Return the scoreboard of the scored rounds of one shoe, in their order; a new shoe begins with none.

    Raise ``ScoreboardError`` for a round that is not later than the one before it.
    """
    for before, after in pairwise(rounds):
        if after.number <= before.number:
            raise ScoreboardError(
                f"round {after.number} comes after round {before.number}; give each round once, in order"
            )
    road = big_road(rounds)
    return Scoreboard(
        bead_plate=bead_plate(rounds),
        big_road=road,
        derived=derived_roads(road),
        if_banker=prediction(road, Winner.BANKER),
        if_player=prediction(road, Winner.PLAYER),
        totals=shoe_totals(rounds, road),
    )
