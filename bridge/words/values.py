"""What the values of a table are called, for whoever watches it: on a terminal or in a browser."""

from collections.abc import Mapping

from bridge.domain.cards import Card, FaceOrUnseen, Rank, Suit, UnseenCard
from bridge.domain.money import Cents, format_cents
from bridge.domain.names import outcome_name
from bridge.domain.people import PersonRole
from bridge.domain.settlements import (
    Announcement,
    DealerStep,
    EzResult,
    FinalResult,
    InitialPointCounts,
    MeterShare,
    StepAction,
    Winner,
)
from bridge.domain.table_view import Phase, Task, WagerAreaStatus
from bridge.domain.wagers import UnknownAmount, WagerAmount
from bridge.rules.floorperson import OVERRIDDEN

PHASES: Mapping[Phase, str] = {
    Phase.WAGERS_OPEN: "Wagers are open",
    Phase.NO_MORE_BETS: "No more bets",
    Phase.COUNT_DIFFERS: "Held: the count differs",
    Phase.DEALING: "Dealing",
    Phase.MANUAL: "Manual: a card has to be named",
    Phase.SIDE_WAGERS: "Side wagers are settled",
    Phase.PLAY: "Play",
    Phase.HOLE_REVEAL_REQUIRED: "The hole card has to be shown",
    Phase.HOLE_CARD_EXPOSED: "Deferred wagers are settled",
    Phase.AWARD_HELD: "Held: an award is being documented",
    Phase.THIRD_CARDS: "Third cards",
    Phase.RESULT: "Result",
    Phase.VOIDED: "Voided",
}

AREAS: Mapping[WagerAreaStatus, str] = {
    WagerAreaStatus.AWAITING: "",
    WagerAreaStatus.PLACED: "placed",
    WagerAreaStatus.NOT_RECOGNISED: "refused",
    WagerAreaStatus.ACCEPTED: "accepted",
    WagerAreaStatus.NONE: "-",
    WagerAreaStatus.CLOSED: "closed",
}

WHO: Mapping[Task, str] = {
    Task.RESOLVE_COUNT: "Floorperson",
    Task.IDENTIFY_CARD: "Supervisor",
    Task.VALIDATE_PAYOUT: "Floorperson",
    Task.PAY_AWARD: "Floorperson",
    Task.RESET_METER: "Holder of the reset key",
    Task.RESOLVE_HANDS: "Floorperson",
    Task.RETURN_COINS: "Floorperson",
    Task.REPAIR_DEVICE: "Technician",
    Task.ENABLE_CONTROLLER: "Floorperson",
    Task.ACCEPT_PARAMETERS: "Parameter holder",
}
"""Who does it, where that is not the dealer."""

TASK_TEXTS: Mapping[Task, str] = {
    Task.PLACE_WAGERS: "Take wagers, announce “no more bets”, press the lock-out",
    Task.COUNT_CHIPS: "Collect the progressive wagers, count the chips, press a count key",
    Task.RESOLVE_COUNT: "settle the difference between chips and accepted wagers",
    Task.DEAL: "Deal",
    Task.IDENTIFY_CARD: "name the card that could not be read",
    Task.SETTLE_SIDE_WAGERS: "Settle the side wagers",
    Task.CONTINUE_HAND: "Continue the hand",
    Task.EXPOSE_HOLE_CARD: "Expose the hole card and press its key, before the Blackjack wagers are settled",
    Task.SETTLE_DEFERRED_WAGERS: "Settle the deferred wagers",
    Task.VERIFY_HAND: "Verify the winning hand of the award, and keep its cards on the table",
    Task.VERIFY_LAMP: "Verify that the win lamp of the award is lit",
    Task.VALIDATE_PAYOUT: "validate the payout",
    Task.DOCUMENT_AWARD: "Keep the cards on the table until the award is documented",
    Task.PAY_AWARD: "pay the award, and not from the table inventory",
    Task.RESET_METER: "reset the meter",
    Task.COMPLETE_ROUND: "Clear the layout and press “round complete”",
    Task.AWAIT_SETTLEMENT: "Wait for the rules worker",
    Task.DEAL_THIRD_CARD: "Deal the third card that is due",
    Task.TURN_HANDS: "Turn the hand and press its key",
    Task.COLLECT_AND_PAY: "Announce the result, collect every losing wager, then pay",
    Task.RESOLVE_HANDS: "the hands are not as the rules have it, void the round",
    Task.RETURN_WAGERS: "Return the wagers",
    Task.RETURN_COINS: "give back coins that are no wager, and confirm it",
    Task.COLLECT_VIGORISH: "Collect the marked vigorish before the shoe is changed",
    Task.CHANGE_SHOE: "The cut card was reached: change the shoe and press its key",
    Task.REPAIR_DEVICE: "a device does not answer",
    Task.ENABLE_CONTROLLER: "find out what disabled the controller, and enable it",
    Task.ACCEPT_PARAMETERS: "accept what is filed and configured now",
}

TASKS: Mapping[Task, str] = {
    task: f"{WHO[task]}: {text}" if task in WHO else text for task, text in TASK_TEXTS.items()
}

ROLES: Mapping[PersonRole, str] = {
    PersonRole.DEALER: "dealer",
    PersonRole.FLOORPERSON: "floorperson",
    PersonRole.RESET_HOLDER: "holder of the reset",
    PersonRole.PARAMETER_HOLDER: "holder of the parameters",
    PersonRole.AUDITOR: "auditor",
    PersonRole.NONE: "nothing at this table",
}
"""What a person is at a table."""

SUIT_SIGNS: Mapping[Suit, str] = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
RED_SUITS = (Suit.DIAMONDS, Suit.HEARTS)

_RANKS: Mapping[Rank, str] = {
    Rank.ACE: "Ace", Rank.TWO: "Two", Rank.THREE: "Three", Rank.FOUR: "Four", Rank.FIVE: "Five", Rank.SIX: "Six",
    Rank.SEVEN: "Seven", Rank.EIGHT: "Eight", Rank.NINE: "Nine", Rank.TEN: "Ten", Rank.JACK: "Jack",
    Rank.QUEEN: "Queen", Rank.KING: "King",
}  # fmt: skip
_UNSEEN: Mapping[UnseenCard, str] = {UnseenCard.HIDDEN: "card face down", UnseenCard.UNREAD: "card not read"}

_ACTIONS: Mapping[StepAction, str] = {
    StepAction.COLLECT: "collect",
    StepAction.PAY: "pay",
    StepAction.DEFER: "leave for the hole card",
    StepAction.HOLD_FOR_AWARD: "hold cards",
    StepAction.PAY_ENVY_BONUS: "pay Envy Bonus",
    StepAction.MARK_VIGORISH: "mark vigorish of",
    StepAction.COLLECT_VIGORISH: "collect vigorish of",
    StepAction.RETURN_PUSH: "return",
    StepAction.CALL_SUPERVISOR: "call a supervisor",
}

_WINNERS: Mapping[Winner, str] = {
    Winner.PLAYER: "Player wins",
    Winner.BANKER: "Banker wins",
    Winner.TIE_HAND: "tie hand",
}
_EZ: Mapping[EzResult, str] = {EzResult.NONE: "", EzResult.DRAGON_7: ", Dragon 7", EzResult.PANDA_8: ", Panda 8"}


def announcement(said: Announcement) -> str:
    """Return what the dealer of a baccarat game announces (§ 627a.11(a))."""
    counts = f"Player {said.player}, Banker {said.banker}"
    match said:
        case InitialPointCounts():
            return counts
        case FinalResult():
            return f"{counts}: {_WINNERS[said.winner]}{_EZ[said.ez]}"


def card_name(card: FaceOrUnseen) -> str:
    """Return a card as it is spoken: ``King of hearts``."""
    match card:
        case Card():
            return f"{_RANKS[card.rank]} of {card.suit.name.lower()}"
        case UnseenCard():
            return _UNSEEN[card]


def cents(amount: WagerAmount) -> str:
    """Return an amount; a word where it is not known."""
    return "?" if isinstance(amount, UnknownAmount) else format_cents(amount)


def step(of: DealerStep) -> str:
    """Return one of the dealer's steps as a sentence without its position."""
    action = _ACTIONS[of.action]
    match of.action:
        case StepAction.PAY:
            return f"{action} {_amount(of.amount)}, {outcome_name(of.outcome)}"
        case StepAction.PAY_ENVY_BONUS | StepAction.MARK_VIGORISH | StepAction.COLLECT_VIGORISH:
            return f"{action} {_amount(of.amount)}"
        case StepAction.HOLD_FOR_AWARD | StepAction.CALL_SUPERVISOR:
            return f"{action}, {outcome_name(of.outcome)}"
        case StepAction.COLLECT | StepAction.RETURN_PUSH if of.outcome == OVERRIDDEN:
            return f"{action}, {OVERRIDDEN}"
        case StepAction.COLLECT | StepAction.DEFER | StepAction.RETURN_PUSH:
            return action


def _amount(amount: object) -> str:
    match amount:
        case MeterShare(among=1):
            return "the meter"
        case MeterShare(among=among):
            return f"one of {among} equal shares of the meter"
        case UnknownAmount():
            return "an amount that is not known"
        case int():
            return format_cents(Cents(amount))
        case _:
            return str(amount)
