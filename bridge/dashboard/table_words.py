"""The words of the table view."""

from collections.abc import Mapping
from typing import Final

from bridge.domain.awards import AwardStatus
from bridge.domain.cards import Rank
from bridge.domain.controller import DisabledReason
from bridge.domain.devices import DeviceState
from bridge.domain.indicators import Lamp
from bridge.domain.names import LAMPS as LAMP_NAMES
from bridge.domain.rounds import House
from bridge.domain.table_view import IrregularityKind, WagerAreaStatus
from bridge.domain.wagers import WagerKind
from bridge.words import AREAS as AREA_NAMES

POSITION = "Position"
POSITIONS = "Positions"
DEALER = "Dealer"
WAGERS = "Wagers"
CARDS = "Cards"
LAMPS_HEADING = "Lamps"
OWED = "Owed"
HOUSE = "The house"
POINT_COUNT = "Point Count"
FURTHER_CARDS = "Further cards"
CARDS_OF_NO_HAND = "Of no hand"
NO_CARDS = "no cards"
ANNOUNCE = "Announce"
ENVY_BONUS = "Envy Bonus"
VIGORISH = "vigorish"
OWES = "owes vigorish"
PAID = "paid"
LOCKED = "Locked"
OPEN = "Open"
CLOSED_BY = "Nothing new is accepted because of"
DISABLED = "The progressive controller is disabled"
NOW = "To do now"
NOTHING_HEARD = "has said nothing yet"
NOTHING_TO_DO = "Nothing is asked of anybody."
NEXT = "Next"
STEPS = "The dealer's steps"
NO_STEPS = "Nothing is settled yet."
IRREGULARITIES = "Irregularities"
NO_IRREGULARITIES = "None in this round."
WANTS_ANSWER = "wants an answer"
RECORDED = "recorded"
DEVICES = "Devices"
METER = "Meter"
METERS = "Meters"
SEED = "Seed"
WON_AT = "Won at position"
FROZEN = "frozen"
AT_TABLE = "table"
SHOE = "Shoe"
SHOE_AND_VIGORISH = "Shoe and vigorish"
CUT_CARD = "The cut card was reached."
NO_VIGORISH = "No vigorish is owed."
NO_SHOE = "No shoe reports."
FELT_OF = "The felt as the dealer sees it"

TURNS: Mapping[str, str] = {"now": "Now, in this order", "later": "Later", "done": "Done"}
"""By the value of ``Turn``."""

AREAS: Mapping[WagerAreaStatus, str] = {
    **AREA_NAMES,
    WagerAreaStatus.AWAITING: "open",
    WagerAreaStatus.NONE: "none",
}

LAID_OUT: Final = (
    WagerKind.ROYAL_MATCH_PROGRESSIVE,
    WagerKind.ROYAL_MATCH_21,
    WagerKind.BLACKJACK,
    WagerKind.TIE,
    WagerKind.BANKER,
    WagerKind.PLAYER,
    WagerKind.DRAGON_7,
    WagerKind.PANDA_8,
    WagerKind.GOLDEN_TALONS_PLAYER,
    WagerKind.GOLDEN_TALONS_BANKER,
    WagerKind.MAJESTIC_MATCH_PLAYER,
    WagerKind.MAJESTIC_MATCH_BANKER,
)
"""In which order the areas of a position are shown."""

SHORT_WAGERS: Mapping[WagerKind, str] = {
    WagerKind.ROYAL_MATCH_PROGRESSIVE: "Royal Match",
    WagerKind.ROYAL_MATCH_21: "RM 21",
    WagerKind.GOLDEN_TALONS_PLAYER: "Talons P",
    WagerKind.GOLDEN_TALONS_BANKER: "Talons B",
    WagerKind.MAJESTIC_MATCH_PLAYER: "Match P",
    WagerKind.MAJESTIC_MATCH_BANKER: "Match B",
}
"""Names that fit a wagering area."""

LAMPS: Mapping[Lamp, str] = {**LAMP_NAMES, Lamp.WINNER: "Winner"}

SHORT_LAMPS: Mapping[Lamp, str] = {
    Lamp.WAGER_ACCEPTED: "acc.",
    Lamp.STRAIGHT_FLUSH: "SF",
    Lamp.ROYAL_MATCH: "RM",
    Lamp.CROWN_TREASURE: "CT",
    Lamp.ENVY_BONUS: "EB",
    Lamp.WINNER: "winner",
}

LAMP_LOOKS: Mapping[str, str] = {
    "lit": "lit",
    "dark": "dark",
    "unknown": "not known",
    "not_lit": "dark, should be lit",
    "not_dark": "lit, should be dark",
}
"""By the value of ``LampLook``."""

RANK_SIGNS: Mapping[Rank, str] = {Rank.TEN: "10"}
"""Ranks that are not drawn as they are written."""

HANDS: Mapping[House, str] = {
    House.DEALER: "Dealer",
    House.PLAYER: "Player's Hand",
    House.BANKER: "Banker's Hand",
}

DISABLED_REASONS: Mapping[DisabledReason, str] = {
    reason: reason.replace("_", " ").capitalize() for reason in DisabledReason
}

DEVICE_STATES: Mapping[DeviceState, str] = {
    DeviceState.ABSENT: "absent",
    DeviceState.OPENING: "being opened",
    DeviceState.PROBING: "has not answered yet",
    DeviceState.READY: "ready",
    DeviceState.DEGRADED: "noisy",
    DeviceState.BLOCKED: "blocked",
    DeviceState.SILENT: "does not answer",
}

AWARDS: Mapping[AwardStatus, str] = {
    AwardStatus.HIT: "hit, to be verified",
    AwardStatus.HAND_VERIFIED: "hand verified",
    AwardStatus.LAMP_VERIFIED: "hand and lamp verified",
    AwardStatus.VALIDATED: "validated",
    AwardStatus.DOCUMENTED: "documented, to be paid",
    AwardStatus.PAID: "paid, meter to be reset",
    AwardStatus.RESET: "paid, meter reset",
    AwardStatus.REJECTED: "rejected",
}

ADVICE: Mapping[IrregularityKind, str] = {
    IrregularityKind.LATE_WAGER: "Return the chip: it does not count in this round.",
    IrregularityKind.WAGER_WITHOUT_REQUIRED_WAGER: "Return the chip: the wager it requires is missing.",
    IrregularityKind.WAGER_WHILE_DISABLED: "Return the chip: no progressive wager counts while disabled.",
    IrregularityKind.WAGER_SEEN_BEFORE_SENSOR_LOST: "Look whether the chip lies there; the count tells.",
    IrregularityKind.COUNT_DIFFERED: "Floorperson: count again with the dealer and confirm what is accepted.",
    IrregularityKind.CARD_BEFORE_LOCK_OUT: "The table has locked itself. Press the lock-out before it.",
    IrregularityKind.CARD_BEFORE_COUNT: "Count the chips before the first card.",
    IrregularityKind.CARD_BEFORE_SETTLEMENT: "Settle the side wagers before any further card.",
    IrregularityKind.HOLE_CARD_READER_BEFORE_SETTLEMENT: "Settle the side wagers before looking at the hole card.",
    IrregularityKind.CARD_UNREAD: "Supervisor: look at the card and name it.",
    IrregularityKind.CARD_UNEXPECTED: "Floorperson: look whose card it is; void the round if that cannot be said.",
    IrregularityKind.LAMP_FAILED: "Technician: the lamp is not as it should be; go by this page, not by the lamp.",
    IrregularityKind.LOCK_FAILED: "Technician: the hardware lock-out fails. Late wagers are refused all the same.",
    IrregularityKind.DEVICE_LOST: "Technician: see the device below for what to do.",
    IrregularityKind.KEY_OUT_OF_TURN: "The key changed nothing. Look at what is to do now.",
    IrregularityKind.CONFIRMATION_REFUSED: "It changed nothing. Confirm again when it is due.",
    IrregularityKind.CARD_NOT_DUE: "Floorperson: the hands are not as the rules have it; void the round.",
    IrregularityKind.CARD_MISSING: "Floorperson: a card that is due was not dealt; void the round.",
    IrregularityKind.CARD_OUT_OF_GAME: "Look whether the card was dealt to a hand.",
    IrregularityKind.CARD_RETRANSMITTED: "No hand was changed by it.",
    IrregularityKind.SHOE_RESULT_DIFFERS: "Floorperson: compare the cards with this page; it goes by the rules.",
    IrregularityKind.SHOE_FAULT: "Put the shoe right as its display says.",
    IrregularityKind.SHOE_RESTARTED: "Compare the cards with this page: some may have passed unread.",
    IrregularityKind.SHOE_REPORT_LOST: "Compare the cards with this page: something the shoe said was lost.",
    IrregularityKind.CHIP_UNKNOWN: "Look at the chip and state its amount; register it if it is ours.",
    IrregularityKind.WAGER_AMOUNT_DIFFERS: "Give the chips back: the wager was not accepted.",
    IrregularityKind.COIN_NOT_A_WAGER: "Give the coin back, and confirm that it was returned.",
    IrregularityKind.WAGER_REPORT_LOST: "Ask whether a player misses a coin, and count what the acceptor holds.",
    IrregularityKind.VIGORISH_OPEN: "Collect the marked vigorish, then press the key of the new shoe again.",
    IrregularityKind.RULES_NOT_IN_FORCE: "Floorperson: the rules submission is not in force on this gaming day.",
}
"""What to do about what should not have happened."""


def at_positions(where: str) -> str:
    """Return where something is to be done, of numbers such as ``4, 1``."""
    return f"{POSITIONS if ',' in where else POSITION} {where}"
