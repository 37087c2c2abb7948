"""What people call a wager and an outcome, wherever one is shown or printed."""

from collections.abc import Mapping

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


def outcome_name(outcome: str) -> str:
    """Return an outcome as people call it; one without a name of its own in its plain words."""
    return OUTCOMES.get(outcome, outcome.replace("_", " "))
