"""Random rounds of play with enough in them to lose: every third one is a scripted one that wins."""

import random
from collections.abc import Iterator, Sequence

from bridge.domain.wagers import BettingPosition
from simulators.scenario import ScriptedRound
from simulators.shoe import random_rounds
from tests.processes.table import scenario

_WINNING = (
    "crown_treasure",
    "two_crown_treasures",
    "straight_flush",
    "royal_match_deferred",
    "royal_match_at_once",
)
_WINNING_CHANCE = 1 / 3


def rounds_worth_losing(seed: int, deal_order: Sequence[BettingPosition]) -> Iterator[ScriptedRound]:
    """Yield rounds without end; the same seed gives the same rounds."""
    chance = random.Random(seed)  # noqa: S311 - rounds have to be repeatable, not secret
    winning = [script for name in _WINNING for script in scenario(name)]
    for script in random_rounds(seed, deal_order):
        yield chance.choice(winning) if chance.random() < _WINNING_CHANCE else script
