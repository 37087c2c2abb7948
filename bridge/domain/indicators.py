"""The lamps of a betting position (§ 633b.18(d)(1) and (h)(2); of baccarat, none that a section asks for)."""

from dataclasses import dataclass
from enum import StrEnum

from bridge.domain.wagers import BettingPosition


class Lamp(StrEnum):
    """What a lamp says when it is lit. Acceptance is the table's own word, the others follow a settlement."""

    WAGER_ACCEPTED = "wager_accepted"
    STRAIGHT_FLUSH = "straight_flush"
    ROYAL_MATCH = "royal_match"
    CROWN_TREASURE = "crown_treasure"
    ENVY_BONUS = "envy_bonus"
    WINNER = "winner"
    """Baccarat: a wager of the position has won, so the dealer visits it (§ 627a.11(b))."""


class LampState(StrEnum):
    """Lit or not."""

    OFF = "off"
    ON = "on"


@dataclass(frozen=True, slots=True, order=True)
class Indicator:
    """One lamp of one position."""

    position: BettingPosition
    lamp: Lamp
