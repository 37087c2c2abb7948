"""What a shoe that knows the game reports, in past participles. Part of ``events.TableEvent``."""

from dataclasses import dataclass
from typing import Literal

from bridge.domain.cards import Card, UnseenCard
from bridge.domain.identity import DeviceId, Timestamp
from bridge.domain.shoe import DealTarget, ShoeFault, ShoeMode, ShoeResult, UnseenResult


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDrawnOutOfGame:
    """A card left the shoe while it was locked, in error or being set up. Published as ``UnseenCard.HIDDEN``."""

    at: Timestamp
    device: DeviceId
    card: Card | UnseenCard
    mode: ShoeMode
    kind: Literal["card_drawn_out_of_game"] = "card_drawn_out_of_game"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRetransmitted:
    """The shoe stated a card a second time, after an overdraw was cancelled. Published as ``UnseenCard.HIDDEN``.

    The two public sources differ on what it means, the first card of the next round or a hand dealt anew, so
    it alters no hand by itself.
    """

    at: Timestamp
    device: DeviceId
    card: Card | UnseenCard
    target: DealTarget
    place: int
    kind: Literal["card_retransmitted"] = "card_retransmitted"


@dataclass(frozen=True, slots=True, kw_only=True)
class CutCardReached:
    """The cut card was drawn: the round is finished, and then one more at most, as the rules have it."""

    at: Timestamp
    device: DeviceId
    kind: Literal["cut_card_reached"] = "cut_card_reached"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeResultReported:
    """How the round ended, as the shoe reckons it: to be compared with ours, never to correct it.

    Published as ``UnseenResult.HIDDEN`` and without pairs while a card that it tells of lies face down.
    """

    at: Timestamp
    device: DeviceId
    result: ShoeResult | UnseenResult
    player_pair: bool
    banker_pair: bool
    kind: Literal["shoe_result_reported"] = "shoe_result_reported"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeFaultReported:
    """The shoe reported an error. In error mode a drawn card is no part of the game."""

    at: Timestamp
    device: DeviceId
    fault: ShoeFault
    code: int
    error_mode: bool
    kind: Literal["shoe_fault_reported"] = "shoe_fault_reported"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeFaultCleared:
    """An error of the shoe was cancelled, at the shoe or by a command."""

    at: Timestamp
    device: DeviceId
    fault: ShoeFault
    code: int
    kind: Literal["shoe_fault_cleared"] = "shoe_fault_cleared"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeLockReported:
    """The key of the shoe was turned; a lock by command need not be reported."""

    at: Timestamp
    device: DeviceId
    locked: bool
    kind: Literal["shoe_lock_reported"] = "shoe_lock_reported"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeStarted:
    """The shoe came up: after power, a reset, or a change of the shoe. In a round it makes the hand partial."""

    at: Timestamp
    device: DeviceId
    kind: Literal["shoe_started"] = "shoe_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeStoodBy:
    """The shoe waits for the next round. Not a reliable boundary between rounds."""

    at: Timestamp
    device: DeviceId
    kind: Literal["shoe_stood_by"] = "shoe_stood_by"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoePresetChanged:
    """Somebody changed a setting of the shoe; what it means is in the maker's documents only."""

    at: Timestamp
    device: DeviceId
    preset: str
    value: str
    kind: Literal["shoe_preset_changed"] = "shoe_preset_changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeReportLost:
    """The shoe said something that did not arrive, or not so that it may be believed: perhaps a card (T51)."""

    at: Timestamp
    device: DeviceId
    reason: str
    kind: Literal["shoe_report_lost"] = "shoe_report_lost"


ShoeEvent = (
    CardDrawnOutOfGame
    | CardRetransmitted
    | CutCardReached
    | ShoeResultReported
    | ShoeFaultReported
    | ShoeFaultCleared
    | ShoeLockReported
    | ShoeStarted
    | ShoeStoodBy
    | ShoePresetChanged
    | ShoeReportLost
)
