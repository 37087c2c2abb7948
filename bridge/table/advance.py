"""The phase that the facts of a round ask for, whichever event made them true."""

from bridge.domain.rounds import Game
from bridge.domain.table_view import Phase
from bridge.table.baccarat_dealing import hands_are_complete
from bridge.table.hands import unread_that_matters
from bridge.table.payouts import cards_held
from bridge.table.phases import Trigger
from bridge.table.state import TableState, early_wagers, follow


def advance(state: TableState) -> TableState:
    """Return the state in the phase in which nothing is due any more."""
    while (trigger := _due(state)) is not None:
        state = follow(state, trigger)
    return state


def _due(state: TableState) -> Trigger | None:
    match state.round.game:
        case Game.BLACKJACK:
            return _due_in_blackjack(state)
        case Game.BACCARAT | Game.MINIBACCARAT:
            return _due_in_baccarat(state)


def _due_in_blackjack(state: TableState) -> Trigger | None:
    settled, exposed = state.settled, state.round.hole_card_exposed
    deferred_due = exposed and bool(settled.deferred)
    match state.phase:
        case Phase.MANUAL if not unread_that_matters(state):
            return Trigger.DEFERRED_WAGERS_DUE if settled.side_wagers_settled else Trigger.SIDE_WAGERS_DUE
        case Phase.SIDE_WAGERS if settled.side_wagers_settled:
            return Trigger.SIDE_WAGERS_SETTLED
        case Phase.PLAY | Phase.HOLE_REVEAL_REQUIRED if deferred_due:
            return Trigger.CARD_TO_IDENTIFY if unread_that_matters(state) else Trigger.DEFERRED_WAGERS_DUE
        case Phase.PLAY if cards_held(state):
            return Trigger.AWARD_WON
        case Phase.HOLE_CARD_EXPOSED if not settled.deferred and not settled.undecided:
            return Trigger.AWARD_WON if cards_held(state) else Trigger.DEFERRED_WAGERS_SETTLED
        case Phase.AWARD_HELD if not cards_held(state):
            return Trigger.AWARD_DOCUMENTED
        case _:
            return None


def _due_in_baccarat(state: TableState) -> Trigger | None:
    settled = state.settled.side_wagers_settled or not early_wagers(state)
    match state.phase:
        case Phase.MANUAL if not unread_that_matters(state):
            return Trigger.HANDS_DUE if settled else Trigger.SIDE_WAGERS_DUE
        case Phase.SIDE_WAGERS if settled:
            return Trigger.SIDE_WAGERS_SETTLED
        case Phase.THIRD_CARDS if hands_are_complete(state):
            return Trigger.HANDS_COMPLETE
        case _:
            return None
