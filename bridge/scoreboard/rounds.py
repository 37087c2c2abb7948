"""What the scoreboard keeps of a round. What an unread card leaves unknown stays unknown (T51)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bridge.domain.cards import Card, FaceOrUnseen
from bridge.domain.errors import BridgeError
from bridge.domain.identity import RoundNumber
from bridge.domain.rounds import House, Round
from bridge.domain.settlements import EzResult, FinalResult, Settlement, Winner
from bridge.rules.baccarat import INITIAL_CARDS, NATURALS, point_count
from bridge.rules.disclosed_cards import hand_as_seen


class ScoreboardError(BridgeError):
    """Something that cannot be put on a scoreboard."""


class Mark(StrEnum):
    """Whether a hand was a pair, or a natural."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    """A card that decides it cannot be named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredRound:
    """A round that has a result."""

    number: RoundNumber
    winner: Winner
    player: int
    """Final Point Count of the Player's Hand."""
    banker: int
    """Final Point Count of the Banker's Hand."""
    player_natural: Mark
    banker_natural: Mark
    player_pair: Mark
    """Whether its first two cards are of one rank; king and queen are not (T3)."""
    banker_pair: Mark
    ez: EzResult


def scored_round(round_: Round, result: FinalResult) -> ScoredRound:
    """Return what is kept of a round and its announced result; raise ``ScoreboardError`` if it was voided."""
    if round_.voided:
        raise ScoreboardError(f"round {round_.number} was voided and is not scored; leave it out")
    player, banker = hand_as_seen(round_, House.PLAYER), hand_as_seen(round_, House.BANKER)
    return ScoredRound(
        number=round_.number,
        winner=result.winner,
        player=result.player,
        banker=result.banker,
        player_natural=_natural(player, result.player),
        banker_natural=_natural(banker, result.banker),
        player_pair=_pair(player),
        banker_pair=_pair(banker),
        ez=result.ez,
    )


def scored_rounds(settled: Iterable[tuple[Round, Settlement]]) -> tuple[ScoredRound, ...]:
    """Return the rounds that are scored, in their order: those with a result that were not voided.

    Raise ``ScoreboardError`` for a round with the settlement of another.
    """
    scored: list[ScoredRound] = []
    for round_, settlement in settled:
        if settlement.round_number != round_.number:
            raise ScoreboardError(
                f"round {round_.number} came with the settlement of round {settlement.round_number}; give its own"
            )
        if not round_.voided:
            results = [said for said in settlement.announcements if isinstance(said, FinalResult)]
            scored += [scored_round(round_, result) for result in results]
    return tuple(scored)


def _pair(cards: Sequence[FaceOrUnseen]) -> Mark:
    match cards[:INITIAL_CARDS]:
        case [Card() as first, Card() as second]:
            return Mark.YES if first.rank is second.rank else Mark.NO
        case _:
            return Mark.UNKNOWN


def _natural(cards: Sequence[FaceOrUnseen], final: int) -> Mark:
    match cards[:INITIAL_CARDS]:
        case [Card() as first, Card() as second]:
            return Mark.YES if point_count((first, second)) in NATURALS else Mark.NO
        case _ if final not in NATURALS or len(cards) > INITIAL_CARDS:
            return Mark.NO
        case _:
            return Mark.UNKNOWN
