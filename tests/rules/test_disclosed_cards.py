from bridge.domain.cards import Card, UnseenCard
from bridge.domain.rounds import House
from bridge.rules.disclosed_cards import as_seen, hand_as_seen
from tests.rules.baccarat_rounds import Coup
from tests.rules.rounds import dealt, faces


def test_t48_a_card_face_down_is_hidden_from_every_rule_whoever_knows_it() -> None:
    up, down = dealt(faces("Kh 9c"), hidden=(1,))
    assert as_seen(up) == Card.parse("Kh")
    assert as_seen(down) is UnseenCard.HIDDEN


def test_a_hand_is_seen_in_the_order_it_came() -> None:
    round_ = Coup(player="2c ??", banker="Kh 9c", wagers={}, hidden=[House.BANKER]).round()
    assert hand_as_seen(round_, House.PLAYER) == (Card.parse("2c"), UnseenCard.UNREAD)
    assert hand_as_seen(round_, House.BANKER) == (UnseenCard.HIDDEN, UnseenCard.HIDDEN)
    assert hand_as_seen(round_, House.DEALER) == ()
