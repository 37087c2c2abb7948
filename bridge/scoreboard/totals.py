"""What the scored rounds of a shoe add up to."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bridge.domain.settlements import EzResult, Winner
from bridge.scoreboard.big_road import BigRoad, WinningHand
from bridge.scoreboard.rounds import Mark, ScoredRound


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeTotals:
    """Numbers of rounds, and of hands where it says so."""

    rounds: int
    banker: int
    player: int
    tie_hands: int
    banker_pairs: int
    player_pairs: int
    unknown_pairs: int
    """Hands of which it cannot be said; they are in no other total of pairs."""
    banker_naturals: int
    player_naturals: int
    unknown_naturals: int
    """Hands of which it cannot be said; they are in no other total of naturals."""
    dragon_7: int
    panda_8: int
    longest_banker_run: int
    """Wins one after the other; a tie hand does not end a run."""
    longest_player_run: int

    @property
    def longest_run(self) -> int:
        """The longest run of either hand."""
        return max(self.longest_banker_run, self.longest_player_run)


def shoe_totals(rounds: Sequence[ScoredRound], road: BigRoad) -> ShoeTotals:
    """Return the totals of the scored rounds of a shoe; ``road`` is their big road."""
    winners = Counter(scored.winner for scored in rounds)
    ez = Counter(scored.ez for scored in rounds)
    banker_pairs = Counter(scored.banker_pair for scored in rounds)
    player_pairs = Counter(scored.player_pair for scored in rounds)
    banker_naturals = Counter(scored.banker_natural for scored in rounds)
    player_naturals = Counter(scored.player_natural for scored in rounds)
    return ShoeTotals(
        rounds=len(rounds),
        banker=winners[Winner.BANKER],
        player=winners[Winner.PLAYER],
        tie_hands=winners[Winner.TIE_HAND],
        banker_pairs=banker_pairs[Mark.YES],
        player_pairs=player_pairs[Mark.YES],
        unknown_pairs=banker_pairs[Mark.UNKNOWN] + player_pairs[Mark.UNKNOWN],
        banker_naturals=banker_naturals[Mark.YES],
        player_naturals=player_naturals[Mark.YES],
        unknown_naturals=banker_naturals[Mark.UNKNOWN] + player_naturals[Mark.UNKNOWN],
        dragon_7=ez[EzResult.DRAGON_7],
        panda_8=ez[EzResult.PANDA_8],
        longest_banker_run=_longest_run(road, Winner.BANKER),
        longest_player_run=_longest_run(road, Winner.PLAYER),
    )


def _longest_run(road: BigRoad, winner: WinningHand) -> int:
    return max((bead.logical.row + 1 for bead in road.beads if bead.winner is winner), default=0)
