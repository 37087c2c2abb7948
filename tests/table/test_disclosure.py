import re
from dataclasses import replace

import pytest

from bridge.domain.cards import Card, UnseenCard
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import CardDrawn, CardUnread
from bridge.domain.rounds import House
from bridge.domain.setup import Dealing
from bridge.domain.shoe import DealTarget, ShoeMode, ShoeResult, UnseenResult
from bridge.domain.shoe_events import CardDrawnOutOfGame, CardRetransmitted, ShoeResultReported
from bridge.table.disclosure import disclose_event, disclose_round
from bridge.table.view import view
from tests.table.baccarat import Baccarat
from tests.table.tables import READER, Play


def test_T48_the_hole_card_is_hidden_in_the_round_until_it_is_exposed() -> None:
    play = Play().dealt(1, cards="Ks Qd Qs 7c").settled(deferred=[1])
    dealer = disclose_round(play.state.round).hand_of(House.DEALER)
    assert [card.card for card in dealer.cards][1] is UnseenCard.HIDDEN

    play.key(DealerKey.HOLE_CARD_EXPOSED)
    assert disclose_round(play.state.round) == play.state.round


def test_T48_the_hole_card_is_hidden_in_its_event() -> None:
    play = Play().dealt(1, cards="Ks Qd Qs 7c")
    drawn = play.events[-1]
    assert isinstance(drawn, CardDrawn)

    public = disclose_event(drawn, play.state)
    assert public == CardDrawn(at=drawn.at, device=drawn.device, card=UnseenCard.HIDDEN)
    assert not re.search(r"CLUBS|SEVEN", repr(public))


def test_T48_an_unreadable_hole_card_does_not_tell_what_the_reader_saw_of_it() -> None:
    play = Play().dealt(1, cards="Ks Qd Qs ??")
    assert isinstance(play.events[-1], CardUnread)

    assert disclose_event(play.events[-1], play.state).kind == "card_drawn"
    assert disclose_round(play.state.round).hand_of(House.DEALER).cards[1].card is UnseenCard.HIDDEN


def test_a_card_that_lies_open_is_published_as_it_is() -> None:
    play = Play().dealt(1, cards="Ks")

    assert disclose_event(play.events[-1], play.state) is play.events[-1]


def test_T51_burn_cards_and_other_events() -> None:
    play = Play().key(DealerKey.BURN_CARD)
    assert disclose_event(play.events[-1], play.state) is play.events[-1]

    play.cards("Kc")
    assert disclose_event(play.events[-1], play.state) != play.events[-1]
    assert disclose_round(play.state.round).burned[0].card is UnseenCard.HIDDEN


OUT_OF_GAME = CardDrawnOutOfGame(at=Play().tick(), device=READER, card=Card.parse("Kc"), mode=ShoeMode.ERROR)
AGAIN = CardRetransmitted(
    at=Play().tick(), device=READER, card=Card.parse("Kc"), target=DealTarget.PLAYER, place=1
)


@pytest.mark.parametrize("event", [OUT_OF_GAME, AGAIN], ids=lambda event: event.kind)
def test_T48_a_card_that_is_in_no_hand_is_never_published(event: CardDrawnOutOfGame | CardRetransmitted) -> None:
    assert disclose_event(event, Play().state) == replace(event, card=UnseenCard.HIDDEN)


def test_T48_for_whom_a_hidden_card_was_drawn_is_no_secret() -> None:
    play = Play().dealt(1, cards="Ks Qd Qs 7c")
    assert isinstance(play.events[-1], CardDrawn)
    drawn = replace(play.events[-1], target=DealTarget.BANKER, place=2)

    assert disclose_event(drawn, play.state) == replace(drawn, card=UnseenCard.HIDDEN)


def test_T48_a_shoe_tells_nobody_who_won_while_cards_lie_face_down() -> None:
    play = Baccarat(Dealing.FACE_DOWN).opened().shoe("9s 5c 9d 5d")
    said = ShoeResultReported(
        at=play.tick(), device=READER, result=ShoeResult.PLAYER, player_pair=True, banker_pair=True
    )
    play.happen(said)
    told = replace(said, result=UnseenResult.HIDDEN, player_pair=False, banker_pair=False)
    assert disclose_event(said, play.state) == told
    assert "reports player" not in repr(view(play.state))

    play.key(DealerKey.PLAYER_HAND_TURNED)
    assert disclose_event(said, play.state) == told
    play.key(DealerKey.BANKER_HAND_TURNED)
    assert disclose_event(said, play.state) is said
