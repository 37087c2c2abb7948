"""A round and its events as the public may see them. Nothing is published that did not pass here (T48)."""

from dataclasses import replace

from bridge.domain.cards import UnseenCard
from bridge.domain.events import CardDrawn, CardUnread, TableEvent
from bridge.domain.rounds import DealtCard, Hand, Round
from bridge.domain.shoe import UnseenResult
from bridge.domain.shoe_events import CardDrawnOutOfGame, CardRetransmitted, ShoeResultReported
from bridge.table.state import TableState, cards_of


def disclose_round(round_: Round) -> Round:
    """Return the round with every undisclosed card ``HIDDEN``, unread ones included."""
    return replace(
        round_,
        hands=tuple(Hand(holder=hand.holder, cards=_disclose(hand.cards)) for hand in round_.hands),
        unassigned=_disclose(round_.unassigned),
        burned=_disclose(round_.burned),
    )


def disclose_event(event: TableEvent, after: TableState) -> TableEvent:
    """Return an event as the public may see it; ``after`` is the state that already holds it."""
    if isinstance(event, CardDrawnOutOfGame | CardRetransmitted):
        # Not on the layout: what is to become of it, and whether anybody may see it, is not settled yet.
        return replace(event, card=UnseenCard.HIDDEN)
    if isinstance(event, ShoeResultReported) and lies_face_down(after.round):
        return replace(event, result=UnseenResult.HIDDEN, player_pair=False, banker_pair=False)
    if not isinstance(event, CardDrawn | CardUnread) or cards_of(after.round)[-1].disclosed:
        return event
    return CardDrawn(
        at=event.at, device=event.device, card=UnseenCard.HIDDEN, target=event.target, place=event.place
    )


def lies_face_down(round_: Round) -> bool:
    """Return whether a hand has a card that not everybody may know."""
    return any(not card.disclosed for hand in round_.hands for card in hand.cards)


def _disclose(cards: tuple[DealtCard, ...]) -> tuple[DealtCard, ...]:
    return tuple(card if card.disclosed else replace(card, card=UnseenCard.HIDDEN) for card in cards)
