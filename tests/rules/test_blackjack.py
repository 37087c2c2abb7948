from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from bridge.domain.cards import Card, UnseenCard
from bridge.domain.rounds import Hand, House
from bridge.domain.wagers import BettingPosition
from bridge.rules.blackjack import UndealtCard, hole_card, initial_cards, initial_deal, up_card
from bridge.rules.disclosed_cards import hand_as_seen
from tests.rules.rounds import Deal, dealt, disclosed, exposed, faces, positions


def test_633a_7_one_card_to_each_position_then_the_dealer_and_again() -> None:
    dealer = House.DEALER
    assert initial_deal(positions(1, 3, 5), hole_card_read=True) == (1, 3, 5, dealer, 1, 3, 5, dealer)


def test_a_reader_that_sees_cards_as_shown_does_not_see_the_hole_card() -> None:
    assert initial_deal(positions(2, 1), hole_card_read=False) == (2, 1, House.DEALER, 2, 1)


@pytest.mark.parametrize("hole_card_read", [True, False])
def test_without_a_position_dealt_in_nothing_is_dealt(*, hole_card_read: bool) -> None:
    assert initial_deal((), hole_card_read=hole_card_read) == ()


@given(st.lists(st.integers(1, 20), min_size=1, max_size=9, unique=True), st.booleans())
def test_t41_t42_order_is_data_and_everybody_gets_two(numbers: list[int], hole_card_read: bool) -> None:
    dealt_to = positions(*numbers)
    order = initial_deal(dealt_to, hole_card_read=hole_card_read)
    assert order[: len(dealt_to)] == dealt_to
    assert all(order.count(position) == 2 for position in dealt_to)
    assert order.count(House.DEALER) == (2 if hole_card_read else 1)


def test_t5_the_up_card_is_the_dealers_first_card() -> None:
    round_ = Deal(hands={1: "2c 3c"}, dealer="4d Kh").round()
    assert up_card(round_) == Card.parse("4d")


def test_t48_the_hole_card_is_hidden_until_it_is_exposed_even_where_the_round_knows_it() -> None:
    round_ = Deal(hands={1: "2c 3c"}, dealer="4d Kh").round()
    assert hole_card(round_) is UnseenCard.HIDDEN
    assert hole_card(disclosed(round_)) is UnseenCard.HIDDEN
    assert hole_card(exposed(round_)) == Card.parse("Kh")


def test_t48_a_hole_card_that_is_exposed_and_not_yet_seen_stays_hidden() -> None:
    round_ = Deal(hands={1: "2c 3c"}, dealer="4d Kh").round()
    assert hole_card(replace(round_, hole_card_exposed=True)) is UnseenCard.HIDDEN


def test_the_dealers_cards_are_undealt_before_they_come() -> None:
    nothing = Deal(hands={1: "2c 3c"}, dealer="").round()
    assert up_card(nothing) is UndealtCard.UNDEALT
    assert hole_card(Deal(hands={1: "2c 3c"}, dealer="4d", exposed=True).round()) is UndealtCard.UNDEALT


def test_t11_only_the_first_two_cards_are_initial() -> None:
    round_ = Deal(hands={1: "Kc 3c Qc", 2: "Kd"}, dealer="4d").round()
    cards = initial_cards(round_)
    assert cards.of(BettingPosition(1)) == faces("Kc 3c")
    assert cards.of(BettingPosition(2)) == faces("Kd")
    assert cards.of(BettingPosition(3)) == ()
    assert (cards.up_card, cards.hole_card) == (up_card(round_), hole_card(round_))


def test_a_players_card_that_lies_face_down_is_hidden() -> None:
    round_ = Deal(hands={1: "Kc 3c"}, dealer="4d").round()
    face_down = replace(round_.hands[0], cards=dealt(faces("Kc 3c"), hidden=(0,)))
    round_ = replace(round_, hands=(face_down, *round_.hands[1:]))
    assert initial_cards(round_).of(BettingPosition(1)) == (UnseenCard.HIDDEN, Card.parse("3c"))


def test_of_two_hands_of_one_position_the_first_counts_as_everywhere() -> None:
    round_ = Deal(hands={1: "Kc 3c"}, dealer="4d").round()
    twice = replace(round_, hands=(*round_.hands, Hand(holder=BettingPosition(1), cards=dealt(faces("2c 2d")))))
    assert initial_cards(twice).of(BettingPosition(1)) == hand_as_seen(twice, BettingPosition(1))
