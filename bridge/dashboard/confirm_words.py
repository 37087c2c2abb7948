"""The words of everything that a person confirms."""

from collections.abc import Mapping

from bridge.dashboard.signin_words import ROLES
from bridge.domain.awards import PayoutAct
from bridge.domain.cards import Rank, Suit
from bridge.domain.confirmations import (
    AmountDeclared,
    CardIdentified,
    CoinsReturned,
    Confirmation,
    ControllerEnabled,
    CountResolved,
    MeterAdjusted,
    OwnerDeclared,
    PayoutSignedOff,
    ResultOverridden,
    RoundVoided,
    VigorishCollected,
)
from bridge.domain.controller import DisabledReason
from bridge.domain.meters import AdjustmentReason, Pool
from bridge.domain.money import format_cents
from bridge.domain.names import WAGERS
from bridge.domain.people import PersonRole
from bridge.domain.settlements import Result
from bridge.domain.wagers import BettingPosition, WagerKind

HEADING = "Your confirmations"
ASKED = "The table asks for this now"
AT_ANY_TIME = "What you may do besides"
NOTHING = "Nothing on the table asks for your word now."
NOT_NOW = "Nothing can be confirmed until the table is heard of again."
NOTHING_EVER = "You may look at everything here, and confirm nothing."
NOT_HERE = "You are none of the people of this table."
STALE = "This is not asked for any more."
SENDING = "Sending…"
NETWORK = "It is not known whether the table took it. Look at the table before you repeat it."
CHOOSE = "Choose"
DOLLARS = "in dollars, such as 12.50"

TAKEN = "Taken by the table: {what}."
REFUSED = "{what}: the table refused it, because {why}."
UNKNOWN = "{what}: not known whether it was taken. Look at the table before you repeat it. ({why})"
NOT_SENT = "{what}: not sent, and so not taken. ({why})"
ROUND_CHANGED = (
    "Another round is on since this form was shown. Nothing was sent; look at the table and decide anew."
)
UNAVAILABLE = "Nothing was sent, because the table cannot be reached. {why}"
MAY_NOT = "Only {who} may confirm this. You are signed in as {person}, {role}. Nothing was sent."
NO_SUCH_FORM = "There is no such confirmation. Nothing was sent; open the page anew."
PLEASE = "Nothing was sent yet. Please look at what is marked."

SIGNS = {"taken": "✓", "refused": "✗", "not_sent": "✗", "unknown": "?"}
"""Beside the words of an answer, by its verdict."""

REASON = "Why"
REASON_STAYS = "It stays in the record."
POSITION = "Position"
AT_POSITION = "Position {position}"
WAGER = "Wager"
AMOUNT = "Amount"
WORTH = "What it is worth"
RANK = "Rank"
SUIT = "Suit"
CARD_OF_ROUND = "Card {order} of the round"
RESULT = "How it ended"
PAID = "Paid"
STAKE = "Returned of the wager"
OWNER = "Who plays it"
FOUND = "What was found, and what was done about it"
CHANGED = "What was changed, and on whose word"
METER = "Meter"
POOL = "Pool"
FOR_WHAT = "For what"
METER_AMOUNT = "Change"
METER_DOLLARS = "in dollars, such as -20.5075; below zero lowers it"
HAPPENED = "What happened, and where it is documented"
COUNTERPART = "Transfer to or from"
COUNTERPART_HELP = "the other progressive, for a transfer"
SETTLES = "Held contribution"
SETTLES_HELP = "its key, where this is done with one"

MISSING = "Fill this in."
NOT_AN_AMOUNT = "Write an amount in dollars, such as 12.50."
NOT_A_METER_AMOUNT = "Write an amount in dollars with at most four decimals, such as -20.5075."
NOT_OFFERED = "Choose one of those that are offered."
NOT_A_NAME = "Write a name of at most 64 characters."

COUNT, COUNT_DONE = "The count differs: settle it", "Difference settled"
CARD, CARD_DONE = "Name the card", "Name it"
AMOUNT_TITLE, AMOUNT_DONE = "Say how much a wager is", "Declare the amount"
OVERRIDE, OVERRIDE_DONE = "Override how a wager ended", "Override the result"
OWNER_TITLE, OWNER_DONE = "Say who plays a position", "Declare the player"
COINS, COINS_DONE = "Coins that are no wager: {owed}", "Coins returned"
VIGORISH, VIGORISH_DONE = "Marked vigorish: {owed}", "Vigorish collected"
VOID, VOID_DONE = "Void the round", "Void the round"
ENABLE, ENABLE_DONE = "Enable the controller: {reason}", "Enable the controller"
PARAMETERS, PARAMETERS_DONE = "Accept what is filed and configured now", "Accept the parameters"
REJECT, REJECT_DONE = "Reject the claim", "Reject the claim"
ADJUST, ADJUST_DONE = "Change a meter", "Change the meter"

ACTS: Mapping[PayoutAct, tuple[str, str]] = {
    PayoutAct.HAND_VERIFIED: ("Verify the winning hand", "Hand verified"),
    PayoutAct.LAMP_VERIFIED: ("See that the win lamp is lit", "Lamp verified"),
    PayoutAct.VALIDATED: ("Validate the payout", "Validate"),
    PayoutAct.REJECTED: (REJECT, REJECT_DONE),
    PayoutAct.DOCUMENTED: ("Complete the documents of the award", "Documents complete"),
    PayoutAct.PAID: ("Pay the award, not from the table inventory", "Paid"),
    PayoutAct.RESET: ("Reset the meter", "Reset the meter"),
}
"""For each act what has to be done, and the button that says that it was."""

RESULTS: Mapping[Result, str] = {Result.WIN: "Won", Result.LOSE: "Lost", Result.PUSH: "Returned"}
RANKS: Mapping[Rank, str] = {
    Rank.ACE: "Ace",
    **{Rank(number): number for number in "23456789"},
    Rank.TEN: "10",
    Rank.JACK: "Jack",
    Rank.QUEEN: "Queen",
    Rank.KING: "King",
}
SUITS: Mapping[Suit, str] = {
    Suit.CLUBS: "♣ Clubs",
    Suit.DIAMONDS: "♦ Diamonds",
    Suit.HEARTS: "♥ Hearts",
    Suit.SPADES: "♠ Spades",
}
POOLS: Mapping[Pool, str] = {Pool.DISPLAY: "Display", Pool.OVERFLOW: "Overflow", Pool.RESERVE: "Reserve"}
ADJUSTMENTS: Mapping[AdjustmentReason, str] = {
    AdjustmentReason.CORRECTION: "Correction of a malfunction",
    AdjustmentReason.LIMIT_CORRECTION: "Down to the limit",
    AdjustmentReason.TRANSFER: "Transfer",
    AdjustmentReason.GAMING_ENDED: "Gaming has ended",
}
DISABLED: Mapping[DisabledReason, str] = {
    DisabledReason.RAM_FAILURE: "memory failure",
    DisabledReason.STORAGE_FAILURE: "storage failure",
    DisabledReason.POWER_FAILURE: "power failure",
    DisabledReason.SELF_CHECK_ERROR: "self-check error",
    DisabledReason.WRONG_CONFIGURATION: "changed configuration",
    DisabledReason.LOST_JACKPOT_CONFIGURATION: "lost jackpot configuration",
    DisabledReason.LOST_LINK: "lost link",
}


def described(said: Confirmation) -> str:
    """Return what somebody says, in a few words."""
    match said:
        case PayoutSignedOff():
            return _at(ACTS[said.act][1], said.position)
        case CountResolved():
            return COUNT_DONE
        case CardIdentified():
            return f"{CARD_OF_ROUND.format(order=said.order)} is {RANKS[said.card.rank]} {SUITS[said.card.suit]}"
        case AmountDeclared():
            return f"{_wager(said.position, said.wager)} is {format_cents(said.amount)}"
        case ResultOverridden():
            return f"{_wager(said.position, said.wager)}: {RESULTS[said.result].lower()}"
        case OwnerDeclared():
            return _at(f"{said.owner} plays", said.position)
        case VigorishCollected():
            return _at(VIGORISH_DONE, said.position)
        case CoinsReturned():
            return _at(f"{COINS_DONE}: {format_cents(said.amount)}", said.position)
        case RoundVoided():
            return VOID_DONE
        case ControllerEnabled(reason=DisabledReason.WRONG_CONFIGURATION):
            return PARAMETERS_DONE
        case ControllerEnabled():
            return f"{ENABLE_DONE}, {DISABLED[said.reason]}"
        case MeterAdjusted():
            return f"{ADJUSTMENTS[said.reason]}, {said.progressive}, {said.amount}"


def either(roles: frozenset[PersonRole]) -> str:
    """Return who may do something, as in "a dealer or a floorperson"."""
    return " or ".join(f"a {ROLES[role]}" for role in sorted(roles))


def _at(what: str, position: BettingPosition) -> str:
    return f"{what}, {AT_POSITION.format(position=position).lower()}"


def _wager(position: BettingPosition, kind: WagerKind) -> str:
    return f"{AT_POSITION.format(position=position)}, {WAGERS[kind]}"
