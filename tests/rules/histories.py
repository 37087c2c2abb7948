"""Rounds as they grow, state by state, for properties that hold along every prefix."""

from dataclasses import dataclass, replace

from hypothesis import strategies as st

from bridge.domain.cards import Card, FaceOrUnseen
from bridge.domain.identity import PersonId
from bridge.domain.rounds import DealtCard, Hand, HandHolder, House, Ownership, Round
from bridge.domain.wagers import UnknownAmount, WagerKind
from bridge.rules.blackjack import initial_deal
from bridge.rules.submission import AceAdjacency, EnvyCounts, EnvyTrigger, RulesSubmission
from tests.rules.rounds import AT, READER, UNREAD, Deal, a_filing, a_submission, positions, wager_of

POSITIONS = (1, 2, 3, 5)
LIKELY = [Card.parse(text) for text in ("Ks", "Qs", "Ks", "Qs", "Kd", "Qd", "As", "9c")]
FACES: st.SearchStrategy[FaceOrUnseen] = st.sampled_from(LIKELY)
READ_OR_NOT: st.SearchStrategy[FaceOrUnseen] = st.sampled_from([*LIKELY, UNREAD])


@dataclass(frozen=True, kw_only=True)
class History:
    """The states of one round from the opening of wagers on, and what it is played under."""

    submission: RulesSubmission
    states: tuple[Round, ...]


def _deal(round_: Round, holder: HandHolder, card: DealtCard) -> Round:
    """Return the round with one more card in a hand."""
    kept = tuple(hand for hand in round_.hands if hand.holder != holder)
    hand = Hand(holder=holder, cards=(*round_.hand_of(holder).cards, card))
    return replace(round_, hands=(*kept, hand))


def _map_cards(round_: Round, order: int, **changes: object) -> Round:
    """Return the round with one of its dealt cards changed."""
    hands = tuple(
        replace(
            hand,
            cards=tuple(
                replace(card, **changes) if card.order == order else card  # type: ignore[arg-type]
                for card in hand.cards
            ),
        )
        for hand in round_.hands
    )
    return replace(round_, hands=hands)


@st.composite
def histories(draw: st.DrawFn) -> History:
    """Draw a round and play it to its end: every card named, the hole card turned, every owner declared."""
    filing = a_filing(
        settle_order=(5, 3, 2, 1),
        ace=draw(st.sampled_from(AceAdjacency)),
        trigger=draw(st.sampled_from(EnvyTrigger)),
        counts=draw(st.sampled_from(EnvyCounts)),
        validated=draw(st.sampled_from([(), ("royal_match",), ("royal_match", "straight_flush")])),
    )
    opened = replace(Deal(hands={}, dealer="").round(), hands=(), locked=False, initial_deal_complete=False)
    wagered = draw(st.sets(st.sampled_from(POSITIONS)))
    accepted = [wager_of(position, UnknownAmount.UNKNOWN, WagerKind.BLACKJACK) for position in POSITIONS]
    accepted += [wager_of(position, 500) for position in POSITIONS if position in wagered]
    state = replace(opened, locked=True, accepted=tuple(accepted))
    states = [opened, state]

    hole_card_read = draw(st.booleans())
    seen = initial_deal(positions(*POSITIONS), hole_card_read=hole_card_read)
    for order, holder in enumerate(seen, start=1):
        hole = holder is House.DEALER and bool(state.hand_of(holder).cards)
        card = DealtCard(order=order, card=draw(READ_OR_NOT), device=READER, at=AT, disclosed=not hole)
        state = _deal(state, holder, card)
        states.append(state)
    state = replace(state, initial_deal_complete=True)
    states.append(state)

    tasks: list[str | int | tuple[str, int]] = ["expose", *POSITIONS]
    tasks += [("name", order) for order in range(1, len(seen) + 2)]
    for task in draw(st.permutations(tasks)):
        match task:
            case str() if hole_card_read:
                state = replace(_map_cards(state, len(seen), disclosed=True), hole_card_exposed=True)
            case str():
                state = replace(state, hole_card_exposed=True)
                states.append(state)
                shown = DealtCard(
                    order=len(seen) + 1, card=draw(READ_OR_NOT), device=READER, at=AT, disclosed=True
                )
                state = _deal(state, House.DEALER, shown)
            case (_, order):
                state = _name(state, order, draw(FACES))
            case position:
                owner = PersonId(draw(st.sampled_from("ab")))
                declared = Ownership(position=positions(position)[0], owner=owner)
                state = replace(state, owners=(*state.owners, declared))
        states.append(state)
    for order in range(1, len(seen) + 2):
        state = _name(state, order, draw(FACES))
        states.append(state)
    return History(submission=a_submission(filing), states=tuple(states))


def _name(state: Round, order: int, face: FaceOrUnseen) -> Round:
    """Return the round after a supervisor named a card, if it is one that could not be read."""
    unread = any(card.order == order and card.card is UNREAD for hand in state.hands for card in hand.cards)
    return _map_cards(state, order, card=face) if unread else state
