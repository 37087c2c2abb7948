"""Shoes written as letters, and roads drawn as letters, so that a person checks them with a pencil."""

from collections.abc import Callable, Iterable, Sequence
from textwrap import dedent
from typing import TypeVar

from hypothesis import strategies as st

from bridge.domain.identity import RoundNumber
from bridge.domain.settlements import EzResult, Winner
from bridge.scoreboard.derived_roads import Colour
from bridge.scoreboard.grid import ROWS, Bead, Cell
from bridge.scoreboard.rounds import Mark, ScoredRound

WINNERS = {"B": Winner.BANKER, "P": Winner.PLAYER, "T": Winner.TIE_HAND}
LETTERS = {winner: letter for letter, winner in WINNERS.items()}
COLOUR_LETTERS = {Colour.RED: "r", Colour.BLUE: "b"}
_POINT_COUNTS = {Winner.BANKER: (4, 7), Winner.PLAYER: (6, 5), Winner.TIE_HAND: (6, 6)}

LONG_SHOE = """
    TT BB P BBB PPP BBBBBTTBBBB PPPPPPP B PT B P
    BB PP BBBTB P BBBBB PPTPPPP BB PPP T B PPPP BBT
"""
"""Seventy rounds: tie hands first, a dragon of nine, one of seven that meets its tail, chops, and twos."""

_BeadT = TypeVar("_BeadT", bound=Bead)
letters = st.lists(st.sampled_from("BPBPT"), max_size=90).map("".join)
"""Shoes of no kind."""
dragons = st.lists(st.tuples(st.sampled_from("BPT"), st.integers(1, 14)), max_size=12).map(
    lambda runs: "".join(letter * length for letter, length in runs)
)
"""Shoes of long runs, which hardly ever come by chance."""
shoes = st.one_of(letters, dragons)


def a_round(
    letter: str = "B",
    number: int = 1,
    *,
    player_pair: Mark = Mark.NO,
    banker_pair: Mark = Mark.NO,
    player_natural: Mark = Mark.NO,
    banker_natural: Mark = Mark.NO,
    ez: EzResult = EzResult.NONE,
) -> ScoredRound:
    winner = WINNERS[letter]
    player, banker = _POINT_COUNTS[winner]
    return ScoredRound(
        number=RoundNumber(number),
        winner=winner,
        player=player,
        banker=banker,
        player_natural=player_natural,
        banker_natural=banker_natural,
        player_pair=player_pair,
        banker_pair=banker_pair,
        ez=ez,
    )


def a_shoe(text: str) -> tuple[ScoredRound, ...]:
    """Return the rounds of a shoe by their winners, numbered from 1; spaces are for the eye."""
    return tuple(a_round(letter, number) for number, letter in enumerate("".join(text.split()), start=1))


def picture(beads: Iterable[_BeadT], letter: Callable[[_BeadT], str]) -> str:
    """Draw beads in their squares, a point for a free one; two in one square are a fault."""
    return squares((bead.drawn, letter(bead)) for bead in beads)


def squares(drawn: Iterable[tuple[Cell, str]]) -> str:
    taken: dict[Cell, str] = {}
    for cell, letter in drawn:
        assert cell not in taken
        assert 0 <= cell.row < ROWS
        taken[cell] = letter
    width = max((cell.column + 1 for cell in taken), default=0)
    return "\n".join("".join(taken.get(Cell(column, row), ".") for column in range(width)) for row in range(ROWS))


def drawn_by_hand(text: str) -> str:
    return dedent(text).strip()


def runs_of(symbols: Sequence[str]) -> list[int]:
    """Return how long each run of equal letters is."""
    lengths: list[int] = []
    for place, symbol in enumerate(symbols):
        if place and symbols[place - 1] == symbol:
            lengths[-1] += 1
        else:
            lengths.append(1)
    return lengths
