"""Everything that can be observed at a table, in past participles. Counterpart: ``commands``.

An event is a fact as its source saw it. That a card belongs to the dealer, or that an emptied sensor is
the dealer collecting, is a meaning, and ``table.evolve`` gives it.
"""

from dataclasses import dataclass
from typing import Literal

from bridge.domain.awards import AwaitedAct
from bridge.domain.cards import Card, UnseenCard
from bridge.domain.confirmations import Confirmation
from bridge.domain.controller import DisabledReason
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.identity import DeviceId, PersonId, RoundNumber, Sequence, Timestamp
from bridge.domain.indicators import Indicator, LampState
from bridge.domain.money import Cents
from bridge.domain.people import PersonRole
from bridge.domain.settlements import DecidedWager
from bridge.domain.setup import TableSetup
from bridge.domain.shoe import DealTarget
from bridge.domain.shoe_events import ShoeEvent
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerAmount, WagerKind

_NOTHING = Cents(0)

# --- from the devices -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceReady:
    """A device answers, as itself. What its inputs show follows as ``WagerAreaObserved``."""

    at: Timestamp
    device: DeviceId
    kind: Literal["device_ready"] = "device_ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceLost:
    """A device stopped answering, or its port went away."""

    at: Timestamp
    device: DeviceId
    reason: str
    kind: Literal["device_lost"] = "device_lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDrawn:
    """A card passed the reader, or was shown to it. Undisclosed when published: ``UnseenCard.HIDDEN``."""

    at: Timestamp
    device: DeviceId
    card: Card | UnseenCard
    target: DealTarget = DealTarget.UNSTATED
    place: int = 0
    """Which card of its target it is, from 1; 0 where the device does not say."""
    kind: Literal["card_drawn"] = "card_drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardUnread:
    """The reader saw a card it could not read; ``raw`` is what it said instead (T51)."""

    at: Timestamp
    device: DeviceId
    raw: str
    target: DealTarget = DealTarget.UNSTATED
    """As far as it was heard: of a report that could not be believed, this is no more certain than the card."""
    place: int = 0
    kind: Literal["card_unread"] = "card_unread"


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerPlaced:
    """A chip was laid into a wagering area, which was empty or not, or a coin was taken."""

    at: Timestamp
    device: DeviceId
    position: BettingPosition
    wager: WagerKind
    amount: WagerAmount = UnknownAmount.UNKNOWN
    """What all of it is worth that lies there now; of a coin, what that coin is worth."""
    unknown_chips: tuple[str, ...] = ()
    """Chips among it that are in no register: then nobody knows the amount."""
    taken: Cents = _NOTHING
    """What the device has taken and keeps, as an acceptor does a coin: nothing lies there to be removed."""
    kind: Literal["wager_placed"] = "wager_placed"


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerRemoved:
    """A wagering area was covered and is empty."""

    at: Timestamp
    device: DeviceId
    position: BettingPosition
    wager: WagerKind
    kind: Literal["wager_removed"] = "wager_removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerAreaObserved:
    """What a sensor shows when its device is found or comes back, or when some of what lay there was taken up.

    A level: nobody was seen laying a chip (T45, T46).
    """

    at: Timestamp
    device: DeviceId
    position: BettingPosition
    wager: WagerKind
    covered: bool
    amount: WagerAmount = UnknownAmount.UNKNOWN
    unknown_chips: tuple[str, ...] = ()
    kind: Literal["wager_area_observed"] = "wager_area_observed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipTrayRead:
    """What lies in the chip tray: at first, and whenever a chip has come or gone. A reading, and nothing more."""

    at: Timestamp
    device: DeviceId
    value: Cents
    """Of the chips that are in the register."""
    chips: int
    """How many lie there, the unknown ones included."""
    unknown_chips: tuple[str, ...] = ()
    kind: Literal["chip_tray_read"] = "chip_tray_read"


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerReportLost:
    """A wagering device has taken something that cannot be told: whose it is, or that it was taken at all."""

    at: Timestamp
    device: DeviceId
    reason: str
    kind: Literal["wager_report_lost"] = "wager_report_lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class LockOutPressed:
    """The dealer pressed the lock-out button (§ 633b.18(d)(2))."""

    at: Timestamp
    device: DeviceId
    kind: Literal["lock_out_pressed"] = "lock_out_pressed"


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerKeyPressed:
    """The dealer pressed one of the other keys."""

    at: Timestamp
    device: DeviceId
    key: DealerKey
    kind: Literal["dealer_key_pressed"] = "dealer_key_pressed"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeySwitchTurned:
    """A key switch was turned. What it says follows as ``PersonConfirmed``, signed with the key's name."""

    at: Timestamp
    device: DeviceId
    key: PersonId
    kind: Literal["key_switch_turned"] = "key_switch_turned"


@dataclass(frozen=True, slots=True, kw_only=True)
class HoleCardReaderUsed:
    """The dealer used the card reader device of § 633a.1, which looks at the hole card (R27, T12)."""

    at: Timestamp
    device: DeviceId
    kind: Literal["hole_card_reader_used"] = "hole_card_reader_used"


@dataclass(frozen=True, slots=True, kw_only=True)
class IndicatorReported:
    """A lamp's real state, read back from its device (§ 633b.18(h)(2), T49)."""

    at: Timestamp
    device: DeviceId
    indicator: Indicator
    state: LampState
    kind: Literal["indicator_reported"] = "indicator_reported"


@dataclass(frozen=True, slots=True, kw_only=True)
class IndicatorFailed:
    """A lamp was commanded and does not read back as commanded (T49)."""

    at: Timestamp
    device: DeviceId
    indicator: Indicator
    commanded: LampState
    kind: Literal["indicator_failed"] = "indicator_failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class LockReported:
    """The hardware lock-out output, read back from its device."""

    at: Timestamp
    device: DeviceId
    engaged: bool
    kind: Literal["lock_reported"] = "lock_reported"


@dataclass(frozen=True, slots=True, kw_only=True)
class LockFailed:
    """The hardware lock-out was commanded and does not read back as commanded."""

    at: Timestamp
    device: DeviceId
    commanded: bool
    kind: Literal["lock_failed"] = "lock_failed"


# --- from the network -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSettled:
    """The rules worker published a settlement of the current round; what the table must know of it."""

    at: Timestamp
    round_number: RoundNumber
    answers: Sequence
    """The journal record after which the settled round was published; an older answer never undoes a newer."""
    side_wagers_settled: bool
    """Everything due after the initial deal is decided (§ 633b.18(g))."""
    deferred: tuple[BettingPosition, ...]
    undecided: tuple[BettingPosition, ...]
    awaiting: tuple[AwaitedAct, ...]
    decided: tuple[DecidedWager, ...]
    """Wagers at fixed odds that have their outcome, which a floorperson may override (T50)."""
    complete: bool
    """Every wager is decided and posted, and the payout of each is over: the round may close."""
    vigorish_marked: tuple[tuple[BettingPosition, WagerAmount], ...] = ()
    """What positions owe and pay later (§ 627a.11(b)); unknown where the amount of the wager is."""
    kind: Literal["round_settled"] = "round_settled"


@dataclass(frozen=True, slots=True, kw_only=True)
class IndicatorRequested:
    """The rules worker asks for a win lamp."""

    at: Timestamp
    round_number: RoundNumber
    indicator: Indicator
    state: LampState
    kind: Literal["indicator_requested"] = "indicator_requested"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonConfirmed:
    """A person confirmed something; ``by`` is the login that the broker vouches for (T50)."""

    at: Timestamp
    by: PersonId
    role: PersonRole
    confirmation: Confirmation
    kind: Literal["person_confirmed"] = "person_confirmed"


# --- from the bridge itself -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeStarted:
    """The daemon came up. Every device is unknown until it answers, so acceptance is closed (T46, T53).

    The setup is part of the event, so that a journal is read back under the setup it was written under.
    """

    at: Timestamp
    version: str
    setup: TableSetup
    software: str = ""
    """SHA-256 over every file of the software, in hexadecimal; empty where it is not installed."""
    boot_id: str = ""
    """What tells one start of the machine from the next; empty where the machine does not say."""
    kind: Literal["bridge_started"] = "bridge_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeStopped:
    """The daemon was told to stop, and did. A start that follows no stop follows a failure."""

    at: Timestamp
    kind: Literal["bridge_stopped"] = "bridge_stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerDisabled:
    """Something was found for which no progressive wager may be recognised; a person has to clear it."""

    at: Timestamp
    reason: DisabledReason
    detail: str
    kind: Literal["controller_disabled"] = "controller_disabled"


@dataclass(frozen=True, slots=True, kw_only=True)
class GamingDayBegan:
    """The calendar moved on, or was looked at for the first time since a start (R49)."""

    at: Timestamp
    day: str
    """ISO date, ``2026-11-29``."""
    kind: Literal["gaming_day_began"] = "gaming_day_began"


TableEvent = (
    DeviceReady
    | DeviceLost
    | CardDrawn
    | CardUnread
    | WagerPlaced
    | WagerRemoved
    | WagerAreaObserved
    | ChipTrayRead
    | WagerReportLost
    | LockOutPressed
    | DealerKeyPressed
    | KeySwitchTurned
    | HoleCardReaderUsed
    | IndicatorReported
    | IndicatorFailed
    | LockReported
    | LockFailed
    | ShoeEvent
    | RoundSettled
    | IndicatorRequested
    | PersonConfirmed
    | BridgeStarted
    | BridgeStopped
    | ControllerDisabled
    | GamingDayBegan
)
