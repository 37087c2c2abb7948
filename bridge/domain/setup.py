"""What a table is made of: positions, wagers offered, and which device serves what.

Made once by the configuration, constant while a round is open.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from bridge.domain.dealer_keys import DealerKey
from bridge.domain.identity import DeviceId, PersonId, ProgressiveId, TableId
from bridge.domain.indicators import Indicator
from bridge.domain.money import Cents
from bridge.domain.people import KeyPrivilege, PersonRole
from bridge.domain.rounds import Game
from bridge.domain.wagers import BettingPosition, WagerAmount, WagerKind


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerSensor:
    """An input that is active while the wagering area of a position is covered, or an antenna under it."""

    position: BettingPosition
    wager: WagerKind
    kind: Literal["wager_sensor"] = "wager_sensor"


@dataclass(frozen=True, slots=True, kw_only=True)
class CoinSlot:
    """An input that pulses for each coin of a wager that its acceptor has taken, and does not give back."""

    position: BettingPosition
    wager: WagerKind
    amount: Cents
    """What the coin is worth."""
    kind: Literal["coin_slot"] = "coin_slot"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipTray:
    """An antenna under the chip tray."""

    kind: Literal["chip_tray"] = "chip_tray"


@dataclass(frozen=True, slots=True, kw_only=True)
class LockOutButton:
    """An input that is active while the lock-out button is held down."""

    kind: Literal["lock_out_button"] = "lock_out_button"


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerKeyInput:
    """An input that is active while a dealer key is held down."""

    key: DealerKey
    kind: Literal["dealer_key"] = "dealer_key"


@dataclass(frozen=True, slots=True, kw_only=True)
class HoleCardReaderInput:
    """An input that is active while the hole-card reader of § 633a.1 is in use."""

    kind: Literal["hole_card_reader"] = "hole_card_reader"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeySwitchInput:
    """An input that is active while a key is turned; what is done with it is signed with the key's name."""

    privilege: KeyPrivilege
    key: PersonId
    kind: Literal["key_switch"] = "key_switch"


InputRole = (
    WagerSensor | CoinSlot | ChipTray | LockOutButton | DealerKeyInput | HoleCardReaderInput | KeySwitchInput
)


@dataclass(frozen=True, slots=True, kw_only=True)
class IndicatorOutput:
    """An output that lights one or more lamps of a position; several lamps on one output light together."""

    indicators: tuple[Indicator, ...]
    kind: Literal["lamp"] = "lamp"


@dataclass(frozen=True, slots=True, kw_only=True)
class LockOutput:
    """An output that engages the hardware lock-out."""

    kind: Literal["lock"] = "lock"


OutputRole = IndicatorOutput | LockOutput


class Dealing(StrEnum):
    """How the first four cards of baccarat are dealt (§ 627a.8)."""

    FACE_UP = "face_up"
    FACE_DOWN = "face_down"
    """Undisclosed until the dealer's keys say that a hand was turned."""


class CardReading(StrEnum):
    """When a card reader sees the cards; filed, because the hole card's secrecy depends on it."""

    AS_DRAWN = "as_drawn"
    """Every card as it leaves the shoe, the hole card included: undisclosed until the dealer says so (T48)."""
    AS_SHOWN = "as_shown"
    """Every card when it lies face up: the hole card comes when it is turned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceWiring:
    """What the channels of one device mean. Channels count from 1, as they are printed on the hardware."""

    device: DeviceId
    inputs: tuple[tuple[int, InputRole], ...] = ()
    outputs: tuple[tuple[int, OutputRole], ...] = ()
    card_readings: tuple[CardReading, ...] = ()
    """One entry if the device reads cards, none otherwise."""
    meter_signs: tuple[ProgressiveId, ...] = ()
    """One entry if the device is a sign: the progressive whose meter it shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedWager:
    """A wager the table offers, as its rules submission files it."""

    kind: WagerKind
    amount: WagerAmount
    """The one fixed amount (T21), or unknown where the sensor cannot tell."""
    requires: tuple[WagerKind, ...] = ()
    """Wagers of which the position must have one (§ 633b.18(e), R22)."""
    acknowledged: bool = False
    """Whether a wagering device acknowledges it, the lock-out holds it, and its chips are counted (R20 to R25)."""
    progressive: bool = False
    """Whether it feeds a meter and may win it: not recognised while the controller is disabled."""
    settled_before_further_cards: bool = False
    """Whether it is settled after the initial deal, before any further card (R7, R27); others at the result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveWindow:
    """The gaming days on which the rules submission is in force (R49); ISO dates compare as text."""

    first_day: str
    last_day: str
    refuse_outside: bool
    """Whether side wagers are refused outside it; otherwise they are accepted, with an irregularity."""

    def holds(self, day: str) -> bool:
        """Return whether a gaming day lies inside, both ends included."""
        return self.first_day <= day <= self.last_day


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSetup:
    """Everything the table's state machine must know beforehand."""

    table: TableId
    game: Game
    deal_order: tuple[BettingPosition, ...]
    offered: tuple[OfferedWager, ...]
    wiring: tuple[DeviceWiring, ...]
    submission_digest: str
    window: EffectiveWindow
    dealing: Dealing = Dealing.FACE_UP
    people: tuple[tuple[PersonId, PersonRole], ...] = ()
    chip_register_digest: str = ""
    """SHA-256 of the register that chips were looked up in, in hexadecimal; empty where there is none."""

    def __hash__(self) -> int:
        """Return a hash that costs nothing, because what follows from a setup alone is looked up by it."""
        return hash((self.table, self.submission_digest))

    @property
    def meter_signs(self) -> frozenset[ProgressiveId]:
        """The progressives whose meters are shown on a sign of the table."""
        return frozenset(progressive for wiring in self.wiring for progressive in wiring.meter_signs)

    @property
    def has_progressive(self) -> bool:
        """Whether the table offers a wager that feeds a meter."""
        return any(offered.progressive for offered in self.offered)

    def offer(self, kind: WagerKind) -> OfferedWager:
        """Return the offered wager of a kind; raise ``KeyError`` if the table does not offer it."""
        for offered in self.offered:
            if offered.kind is kind:
                return offered
        raise KeyError(kind)
