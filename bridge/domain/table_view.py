"""A table as everybody around it may see it: the phase of the round, lamps, what is wrong, what to do."""

from dataclasses import dataclass
from enum import StrEnum

from bridge.domain.controller import Disabled
from bridge.domain.identity import DeviceId, RoundNumber, TableId, Timestamp
from bridge.domain.indicators import Indicator, LampState
from bridge.domain.money import Cents
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerAmount, WagerKind


class Phase(StrEnum):
    """Where a round of play stands. ``table.phases`` says how one follows another."""

    WAGERS_OPEN = "wagers_open"
    NO_MORE_BETS = "no_more_bets"
    """Locked; the dealer collects and counts the progressive wagers (§ 633b.18(f))."""
    COUNT_DIFFERS = "count_differs"
    """Held for a floorperson: chips and accepted wagers are not as many (R24)."""
    DEALING = "dealing"
    MANUAL = "manual"
    """A card that matters could not be read; a supervisor names it (T51)."""
    SIDE_WAGERS = "side_wagers"
    """Optional wagers are settled, before any further card (§ 633b.18(g))."""
    PLAY = "play"
    HOLE_REVEAL_REQUIRED = "hole_reveal_required"
    """The hand is over, a deferred wager is not: the hole card has to be shown (T10)."""
    HOLE_CARD_EXPOSED = "hole_card_exposed"
    """Deferred wagers are settled, before the Blackjack wagers (§ 633b.18(g)(4))."""
    AWARD_HELD = "award_held"
    """A percentage award is being verified, validated and documented; its cards stay (§ 633b.18(h)(4))."""
    THIRD_CARDS = "third_cards"
    """Baccarat: hands that are due a third card get it (§ 627a.10)."""
    RESULT = "result"
    """Baccarat: the result is announced, wagers are collected and paid (§ 627a.11)."""
    VOIDED = "voided"
    """A floorperson voided the round; wagers are returned."""


class WagerAreaStatus(StrEnum):
    """What a wagering area means at this moment; not the same as whether a chip is there."""

    AWAITING = "awaiting"
    PLACED = "placed"
    """Recognised: the wagering device acknowledges it."""
    NOT_RECOGNISED = "not_recognised"
    """A chip is there and does not count: too late, left over (T45), or without the wager it requires (R22)."""
    ACCEPTED = "accepted"
    """Latched at lock-out; stays so when the chip is collected (R25)."""
    NONE = "none"
    """Locked without a wager."""
    CLOSED = "closed"
    """Its sensor does not answer; nothing new is recognised (T46)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerArea:
    """One wagering area of one position."""

    position: BettingPosition
    wager: WagerKind
    status: WagerAreaStatus
    amount: WagerAmount = UnknownAmount.UNKNOWN
    """What lies there, or was taken; unknown where the sensor cannot tell, or a chip is in no register."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayView:
    """What was read last in a chip tray."""

    device: DeviceId
    value: Cents
    """Of the chips that are in the register."""
    chips: int
    unknown_chips: tuple[str, ...] = ()


class LampReport(StrEnum):
    """What is known of a lamp's real state (T49)."""

    OFF = "off"
    ON = "on"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class LampView:
    """What a lamp should show, and what its device says it shows."""

    indicator: Indicator
    wanted: LampState
    reported: LampReport


class IrregularityKind(StrEnum):
    """What should not have happened, and did (§ 633a.14). It is recorded, never undone by itself."""

    LATE_WAGER = "late_wager"
    """Placed after lock-out: dark, not counted (R21, T43)."""
    WAGER_WITHOUT_REQUIRED_WAGER = "wager_without_required_wager"
    """At lock-out, a side wager without the wager it requires (R22)."""
    WAGER_WHILE_DISABLED = "wager_while_disabled"
    """At lock-out, a progressive wager while the controller is disabled: not accepted."""
    WAGER_SEEN_BEFORE_SENSOR_LOST = "wager_seen_before_sensor_lost"
    """Accepted as last seen; the count check is its witness (T46)."""
    COUNT_DIFFERED = "count_differed"
    CARD_BEFORE_LOCK_OUT = "card_before_lock_out"
    """The table locked itself at the first card (T47)."""
    CARD_BEFORE_COUNT = "card_before_count"
    CARD_BEFORE_SETTLEMENT = "card_before_settlement"
    """A further card while side wagers were being settled (T12)."""
    HOLE_CARD_READER_BEFORE_SETTLEMENT = "hole_card_reader_before_settlement"
    """The reader of § 633a.1 was used while side wagers were being settled (R27, T12)."""
    CARD_UNREAD = "card_unread"
    CARD_UNEXPECTED = "card_unexpected"
    """A card that no hand was due."""
    LAMP_FAILED = "lamp_failed"
    LOCK_FAILED = "lock_failed"
    """The hardware lock-out does not do what it is told; nothing later than the lock is accepted all the same."""
    DEVICE_LOST = "device_lost"
    KEY_OUT_OF_TURN = "key_out_of_turn"
    CONFIRMATION_REFUSED = "confirmation_refused"
    CARD_NOT_DUE = "card_not_due"
    """Baccarat: the shoe says that a hand got a card which another was due, or none (§ 627a.10)."""
    CARD_MISSING = "card_missing"
    """Baccarat: the dealer declared the hands complete, and a card was due (R63)."""
    CARD_OUT_OF_GAME = "card_out_of_game"
    """The shoe gave a card while it was locked, in error or being set up."""
    CARD_RETRANSMITTED = "card_retransmitted"
    """The shoe stated a card again; no hand is changed by that."""
    SHOE_RESULT_DIFFERS = "shoe_result_differs"
    """The shoe reckons another result than the rules do; ours is not corrected."""
    SHOE_FAULT = "shoe_fault"
    SHOE_RESTARTED = "shoe_restarted"
    """In mid-round: cards may have passed unread."""
    SHOE_REPORT_LOST = "shoe_report_lost"
    VIGORISH_OPEN = "vigorish_open"
    """A new shoe was begun with marked vigorish outstanding; it is refused."""
    CHIP_UNKNOWN = "chip_unknown"
    """A chip that is in no register lies in a wagering area or in the tray: its amount is unknown."""
    WAGER_AMOUNT_DIFFERS = "wager_amount_differs"
    """At lock-out, not the one amount that is filed, or not known to be it: not accepted (T21)."""
    COIN_NOT_A_WAGER = "coin_not_a_wager"
    """An acceptor took a coin that is no wager: it is owed to the position until it is returned."""
    WAGER_REPORT_LOST = "wager_report_lost"
    """A wagering device took something that cannot be told; whoever misses a coin is to be believed or not."""
    RULES_NOT_IN_FORCE = "rules_not_in_force"
    """Played on a gaming day outside the effective dates of the rules submission (R49)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Irregularity:
    """One irregularity of the current round; ``detail`` is for people."""

    kind: IrregularityKind
    at: Timestamp
    detail: str


class Task(StrEnum):
    """What somebody at the table has to do next."""

    PLACE_WAGERS = "place_wagers"
    """Players wager; the dealer announces "no more bets" and presses the lock-out button."""
    COUNT_CHIPS = "count_chips"
    RESOLVE_COUNT = "resolve_count"
    DEAL = "deal"
    IDENTIFY_CARD = "identify_card"
    SETTLE_SIDE_WAGERS = "settle_side_wagers"
    CONTINUE_HAND = "continue_hand"
    EXPOSE_HOLE_CARD = "expose_hole_card"
    SETTLE_DEFERRED_WAGERS = "settle_deferred_wagers"
    VERIFY_HAND = "verify_hand"
    """The dealer confirms the winning hand of an award (§ 633b.18(h)(1))."""
    VERIFY_LAMP = "verify_lamp"
    """See that its win lamp is lit (§ 633b.18(h)(2))."""
    VALIDATE_PAYOUT = "validate_payout"
    DOCUMENT_AWARD = "document_award"
    PAY_AWARD = "pay_award"
    """Not from the table inventory (§ 633b.18(h)(4), R39)."""
    RESET_METER = "reset_meter"
    """With the reset key (§ 605a.7(a)(5))."""
    DEAL_THIRD_CARD = "deal_third_card"
    TURN_HANDS = "turn_hands"
    """Baccarat dealt face down: turn a hand and press its key."""
    COLLECT_AND_PAY = "collect_and_pay"
    """Announce the result, collect every losing wager, then pay (§ 627a.11)."""
    RESOLVE_HANDS = "resolve_hands"
    """The hands are not as the rules have it; a floorperson voids the round."""
    RETURN_WAGERS = "return_wagers"
    RETURN_COINS = "return_coins"
    """An acceptor took coins at these positions that are no wager; a floorperson gives them back."""
    COLLECT_VIGORISH = "collect_vigorish"
    """Marked vigorish is outstanding at these positions, and the shoe ends."""
    CHANGE_SHOE = "change_shoe"
    """The cut card was reached."""
    COMPLETE_ROUND = "complete_round"
    AWAIT_SETTLEMENT = "await_settlement"
    """The rules worker has not answered for this state of the round."""
    REPAIR_DEVICE = "repair_device"
    ENABLE_CONTROLLER = "enable_controller"
    """A floorperson finds out what disabled the controller, and clears it."""
    ACCEPT_PARAMETERS = "accept_parameters"
    """A parameter holder accepts what is filed and configured now (§ 605a.7(a)(6))."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextTask:
    """One task, and where, if it is at certain positions."""

    task: Task
    positions: tuple[BettingPosition, ...] = ()
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """The table around its round."""

    table: TableId
    round_number: RoundNumber
    phase: Phase
    locked: bool
    """What the table wants of the hardware lock-out; True whenever no new progressive wager is recognised."""
    acceptance_closed_by: tuple[str, ...]
    """Why nothing new is recognised: devices that do not answer (T46), or lapsed rules (R49).

    A disabled controller is among them, and closes the progressive wagers alone.
    """
    areas: tuple[WagerArea, ...]
    lamps: tuple[LampView, ...]
    irregularities: tuple[Irregularity, ...]
    tasks: tuple[NextTask, ...]
    lost_devices: tuple[DeviceId, ...]
    disabled: tuple[Disabled, ...] = ()
    """Why the controller is disabled; it stays so until a person clears it."""
    vigorish_owed: tuple[tuple[BettingPosition, WagerAmount], ...] = ()
    """Marked in rounds that are over, and not paid, by position (§ 627a.11(b)); unknown where an amount was."""
    shoe_number: int = 0
    """Which shoe is in play, counted from the first of the journal; 0 where nobody says."""
    cut_card_reached: bool = False
    coins_owed: tuple[tuple[BettingPosition, Cents], ...] = ()
    """Coins that acceptors took and that are no wager, by position, until they are returned."""
    trays: tuple[TrayView, ...] = ()
    """Chip trays that are read, by device."""
