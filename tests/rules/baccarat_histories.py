"""Rounds of baccarat as they grow, state by state, for properties that hold along every prefix."""

from dataclasses import dataclass, replace

from hypothesis import strategies as st

from bridge.domain.cards import Card, FaceOrUnseen, UnseenCard
from bridge.domain.rounds import DealtCard, Game, Hand, House, Round
from bridge.domain.wagers import Wager, WagerKind
from bridge.house_advantage.shoes import DECK
from bridge.rules.baccarat import NotTold, next_card
from bridge.rules.catalogue import FixedOddsWager
from bridge.rules.golden_talons import TalonsOnDragon7
from bridge.rules.rounding import Direction, Rounding
from bridge.rules.submission import RulesSubmission, SettleOrder, VigorishFiling, VigorishTaken
from tests.rules.baccarat_rounds import BACCARAT_WAGERS, FIVE_PERCENT, Coup, a_baccarat_submission, filings
from tests.rules.rounds import AT, READER, UNREAD, wager_of

POSITIONS = (1, 2, 5)
KINDS = [kind for kind in WagerKind if kind not in {"blackjack", "royal_match_progressive", "royal_match_21"}]
FACES: st.SearchStrategy[Card] = st.sampled_from(DECK)
READ_OR_NOT: st.SearchStrategy[FaceOrUnseen] = st.one_of(FACES, FACES, FACES, st.just(UNREAD))
ROUNDINGS = st.builds(Rounding, to_cents=st.sampled_from([1, 25]), direction=st.sampled_from(Direction))


@dataclass(frozen=True, kw_only=True)
class BaccaratHistory:
    """The states of one round from lock-out on, and what it is played under."""

    submission: RulesSubmission
    states: tuple[Round, ...]


@st.composite
def submissions(draw: st.DrawFn) -> RulesSubmission:
    """Draw a table that files every wager of its kind, in one of the ways it may."""
    rounding = draw(ROUNDINGS)
    order = draw(st.sampled_from(SettleOrder))
    letters = {FixedOddsWager.GOLDEN_TALONS: draw(st.sampled_from("ABCDE")),
               FixedOddsWager.TIE: draw(st.sampled_from("AB"))}  # fmt: skip
    vigorish = VigorishFiling(
        rate=FIVE_PERCENT.rate, rounding=draw(ROUNDINGS), taken=draw(st.sampled_from(VigorishTaken))
    )
    wagers = [
        filing
        for wager in BACCARAT_WAGERS
        for filing in filings(
            wager,
            letters.get(wager, "A"),
            rounding=rounding,
            settle_order=order if wager is FixedOddsWager.MAJESTIC_MATCH else SettleOrder.HIGHEST_POSITION_FIRST,
        )
    ]
    return a_baccarat_submission(
        ez=draw(st.booleans()),
        vigorish=vigorish,
        on_dragon_7=draw(st.sampled_from([TalonsOnDragon7.WINS, TalonsOnDragon7.LOSES])),
        wagers=wagers,
        game=draw(st.sampled_from([Game.BACCARAT, Game.MINIBACCARAT])),
    )


@st.composite
def accepted_wagers(draw: st.DrawFn) -> tuple[Wager, ...]:
    places = draw(st.sets(st.tuples(st.sampled_from(POSITIONS), st.sampled_from(KINDS)), max_size=12))
    return tuple(wager_of(position, draw(st.integers(1, 5000)), kind) for position, kind in sorted(places))


@st.composite
def baccarat_histories(draw: st.DrawFn) -> BaccaratHistory:
    """Draw a round and play it by the rules, face up or face down, with cards that are not read, maybe voided."""
    submission = draw(submissions())
    opened = Coup(wagers={}, game=submission.game).round()
    state = replace(opened, accepted=draw(accepted_wagers()), hands=())
    states = [replace(state, locked=False, accepted=()), state]
    face_down = draw(st.booleans())
    voided_at = draw(st.sampled_from([99, 99, 1, 4, 5]))
    order = 0
    while order < voided_at:
        match next_card(state):
            case House() as holder:
                order += 1
                disclosed = not (face_down and order <= 4)
                card = DealtCard(order=order, card=draw(READ_OR_NOT), device=READER, at=AT, disclosed=disclosed)
                state = _with(state, holder, card)
            case NotTold.AWAITS_DISCLOSURE:
                state = _turned(state)
            case NotTold.CARDS_NOT_READ:
                state = _named(state, draw(FACES))
            case _:
                break
        state = replace(state, initial_deal_complete=order >= 4)
        states.append(state)
    if order >= voided_at:
        states.append(replace(state, voided=True))
    return BaccaratHistory(submission=submission, states=tuple(states))


def _with(state: Round, holder: House, card: DealtCard) -> Round:
    kept = tuple(hand for hand in state.hands if hand.holder != holder)
    return replace(state, hands=(*kept, Hand(holder=holder, cards=(*state.hand_of(holder).cards, card))))


def _turned(state: Round) -> Round:
    hands = tuple(
        replace(hand, cards=tuple(replace(card, disclosed=True) for card in hand.cards)) for hand in state.hands
    )
    return replace(state, hands=hands)


def _named(state: Round, face: Card) -> Round:
    """Return the round after a supervisor named one card that could not be read."""
    unread = [card.order for hand in state.hands for card in hand.cards if card.card is UnseenCard.UNREAD]
    hands = tuple(
        replace(
            hand,
            cards=tuple(replace(card, card=face) if card.order == unread[0] else card for card in hand.cards),
        )
        for hand in state.hands
    )
    return replace(state, hands=hands)
