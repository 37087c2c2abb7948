"""A card passes the reader: burned, too early, too late, or dealt as its game has it."""

from dataclasses import replace

from bridge.domain.cards import FaceOrUnseen, UnseenCard
from bridge.domain.events import CardDrawn, CardUnread
from bridge.domain.identity import Timestamp
from bridge.domain.rounds import DealtCard, Game
from bridge.domain.shoe import DealTarget
from bridge.domain.table_view import IrregularityKind, Phase
from bridge.table.acceptance import lock_out
from bridge.table.baccarat_dealing import BURNED, burn_stated, deal_baccarat
from bridge.table.blackjack_dealing import deal_blackjack
from bridge.table.hands import burn, leave_unassigned
from bridge.table.phases import Trigger
from bridge.table.state import TableState, cards_of, follow, record

_BEFORE_COUNT = (Phase.NO_MORE_BETS, Phase.COUNT_DIFFERS)
_BEFORE_SETTLEMENT = (Phase.MANUAL, Phase.SIDE_WAGERS, Phase.HOLE_CARD_EXPOSED)


def take_card(state: TableState, event: CardDrawn | CardUnread) -> TableState:
    """Fold in a card that passed the reader, readable or not."""
    face: FaceOrUnseen = event.card if isinstance(event, CardDrawn) else UnseenCard.UNREAD
    order = len(cards_of(state.round)) + 1
    card = DealtCard(order=order, card=face, device=event.device, at=event.at, disclosed=True)
    if event.target in BURNED:
        return burn_stated(state, card, event.target)
    if state.burn_expected:
        return burn(state, replace(card, disclosed=False))
    if face is UnseenCard.UNREAD:
        detail = f"card {order} of the round could not be read"
        state = record(state, IrregularityKind.CARD_UNREAD, event.at, detail)
    state = _lock_at_first_card(state, event.at)
    if state.phase in _BEFORE_COUNT:
        detail = "a card was dealt before the chips were counted"
        state = follow(record(state, IrregularityKind.CARD_BEFORE_COUNT, event.at, detail), Trigger.CARD_DEALT)
    if state.phase in _BEFORE_SETTLEMENT:
        detail = f"card {order} came while wagers were still to be settled"
        state = record(state, IrregularityKind.CARD_BEFORE_SETTLEMENT, event.at, detail)
    return _deal(state, card, event.target)


def _deal(state: TableState, card: DealtCard, target: DealTarget) -> TableState:
    if state.round.voided:
        return leave_unassigned(state, card)
    match state.round.game:
        case Game.BLACKJACK:
            return deal_blackjack(state, card)
        case Game.BACCARAT | Game.MINIBACCARAT:
            return deal_baccarat(state, card, target)


def _lock_at_first_card(state: TableState, at: Timestamp) -> TableState:
    """Lock at once when a card is dealt and nobody has locked; keep what was accepted, and record it (T47)."""
    if state.phase is not Phase.WAGERS_OPEN:
        return state
    state = record(state, IrregularityKind.CARD_BEFORE_LOCK_OUT, at, "the first card came before the lock-out")
    return lock_out(state, at)
