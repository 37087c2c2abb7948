"""What people call a wager, its end and a lamp, wherever one is shown or printed."""

import re
from collections.abc import Mapping

from bridge.domain.indicators import Lamp
from bridge.domain.settlements import Result
from bridge.domain.wagers import WagerKind

WAGERS: Mapping[WagerKind, str] = {
    WagerKind.BLACKJACK: "Blackjack",
    WagerKind.ROYAL_MATCH_PROGRESSIVE: "Royal Match progressive",
    WagerKind.ROYAL_MATCH_21: "Royal Match 21",
    WagerKind.PLAYER: "Player",
    WagerKind.BANKER: "Banker",
    WagerKind.TIE: "Tie",
    WagerKind.DRAGON_7: "Dragon 7",
    WagerKind.PANDA_8: "Panda 8",
    WagerKind.GOLDEN_TALONS_PLAYER: "Golden Talons, Player",
    WagerKind.GOLDEN_TALONS_BANKER: "Golden Talons, Banker",
    WagerKind.MAJESTIC_MATCH_PLAYER: "Majestic Match, Player",
    WagerKind.MAJESTIC_MATCH_BANKER: "Majestic Match, Banker",
}

OUTCOMES: Mapping[str, str] = {
    "crown_treasure": "Crown Treasure",
    "royal_match": "Royal Match",
    "straight_flush": "Straight flush",
    "no_match": "No match",
}

LAMPS: Mapping[Lamp, str] = {
    Lamp.WAGER_ACCEPTED: "Accepted",
    Lamp.STRAIGHT_FLUSH: "Straight flush",
    Lamp.ROYAL_MATCH: "Royal Match",
    Lamp.CROWN_TREASURE: "Crown Treasure",
    Lamp.ENVY_BONUS: "Envy Bonus",
    Lamp.WINNER: "winner",
}

RESULTS: Mapping[Result, str] = {Result.WIN: "won", Result.LOSE: "lost", Result.PUSH: "returned"}

_NAME = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b|\bblackjack\b")
_NAMES: Mapping[str, str] = {
    **{lamp.value: f"lamp “{text}”" for lamp, text in LAMPS.items()},
    **OUTCOMES,
    **{wager.value: text for wager, text in WAGERS.items()},
}


def outcome_name(outcome: str) -> str:
    """Return an outcome as people call it; one without a name of its own in its plain words."""
    return OUTCOMES.get(outcome, outcome.replace("_", " "))


def plain(text: str) -> str:
    """Return a sentence of the table with its names as people say them."""
    return _NAME.sub(lambda found: _NAMES.get(found[0], found[0].replace("_", " ")), text)
