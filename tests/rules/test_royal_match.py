from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given, strategies as st

from bridge.domain.cards import Card, Rank, Suit, UnseenCard
from bridge.rules.blackjack import UndealtCard
from bridge.rules.royal_match import (
    PAID_OUTCOMES,
    Evaluation,
    OpenHand,
    RoyalMatchOutcome,
    SomeCard,
    Verdict,
    crown_treasure,
    evaluate,
    evaluate_two_cards,
    royal_match,
)
from bridge.rules.submission import AceAdjacency
from tests.rules.cases import Case, cases
from tests.rules.rounds import faces

CROWN, ROYAL, STRAIGHT, NONE = RoyalMatchOutcome
LOW, HIGH, BOTH = AceAdjacency
DECK = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
IN_SEQUENCE = {LOW: "A23456789TJQK", HIGH: "23456789TJQKA", BOTH: "A23456789TJQKA"}


def card(text: str) -> Card:
    return Card.parse(text)


def two(text: str, ace: AceAdjacency = BOTH) -> RoyalMatchOutcome:
    first, second = map(Card.parse, text.split())
    return evaluate_two_cards(first, second, ace)


def against(player: str, up: SomeCard, hole: SomeCard = UnseenCard.HIDDEN) -> Evaluation:
    return evaluate(faces(player), up, hole, BOTH)


def now(outcome: RoyalMatchOutcome | OpenHand) -> Evaluation:
    return Evaluation(found=outcome, deferred=False)


def later(outcome: RoyalMatchOutcome | OpenHand) -> Evaluation:
    return Evaluation(found=outcome, deferred=True)


# --- two cards ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", cases("royal_progressive_hands"), ids=str)
def test_633b_18_b_m_case(case: Case) -> None:
    found = two(" ".join(case.given["cards"]), case.filing.ace_adjacency)
    assert {"no_match": "none"}.get(found, found) == case.expected["kind"]


@pytest.mark.parametrize("ace", AceAdjacency)
def test_633b_18_m_every_hand_against_a_predicate_written_otherwise(ace: AceAdjacency) -> None:
    for first, second in product(DECK, DECK):
        suited = str(first)[1] == str(second)[1]
        ranks = str(first)[0] + str(second)[0]
        if suited and ranks in {"KQ", "QK"}:
            expected = ROYAL
        elif suited and (ranks in IN_SEQUENCE[ace] or ranks[::-1] in IN_SEQUENCE[ace]):
            expected = STRAIGHT
        else:
            expected = NONE
        assert evaluate_two_cards(first, second, ace) is expected, (first, second)


@pytest.mark.parametrize(
    ("cards", "low", "high", "both"),
    [("Ac 2c", STRAIGHT, NONE, STRAIGHT), ("Ac Kc", NONE, STRAIGHT, STRAIGHT), ("Ac Qc", NONE, NONE, NONE)],
)
def test_t1_v7_the_neighbours_of_an_ace_are_filed(
    cards: str, low: RoyalMatchOutcome, high: RoyalMatchOutcome, both: RoyalMatchOutcome
) -> None:
    assert (two(cards, LOW), two(cards, HIGH), two(cards, BOTH)) == (low, high, both)


@pytest.mark.parametrize("cards", ["7h 7h", "Ks Ks", "Jd Kd", "Ks Qh"])
def test_t2_t3_v6_equal_ranks_and_ten_values_are_not_consecutive(cards: str) -> None:
    assert two(cards) is NONE


@pytest.mark.parametrize("cards", ["Th Jh", "Jh Qh", "9c Tc", "2s 3s"])
def test_t3_ten_jack_queen_king_are_four_ranks(cards: str) -> None:
    assert two(cards) is STRAIGHT


@given(st.sampled_from(DECK), st.sampled_from(DECK), st.sampled_from(AceAdjacency))
def test_t4_the_order_of_arrival_does_not_matter(one: Card, other: Card, ace: AceAdjacency) -> None:
    assert evaluate_two_cards(one, other, ace) is evaluate_two_cards(other, one, ace)


@pytest.mark.parametrize("suit", "cdhs")
def test_t6_a_suited_king_and_queen_is_a_royal_match_and_no_straight_flush(suit: str) -> None:
    assert two(f"Q{suit} K{suit}") is ROYAL


def test_633b_18_i_the_paytable_has_three_rows() -> None:
    assert {"crown_treasure", "royal_match", "straight_flush"} == PAID_OUTCOMES


# --- against the dealer ------------------------------------------------------------------------------


def test_633b_18_g_1_no_match_is_lost_whatever_the_dealer_shows() -> None:
    assert against("7h 7h", card("Kd")) == now(NONE)


def test_633b_18_g_2_v5_a_straight_flush_is_paid_at_once() -> None:
    assert against("Jh Qh", card("Kh")) == now(STRAIGHT)


@pytest.mark.parametrize("up", [rank for rank in Rank if rank not in {Rank.KING, Rank.QUEEN}])
def test_633b_18_g_3_v1_a_royal_match_is_paid_at_once_unless_king_or_queen_is_up(up: Rank) -> None:
    assert against("Ks Qs", Card(up, Suit.DIAMONDS), card("Kd")) == now(ROYAL)


@pytest.mark.parametrize("up", ["Kh", "Qd", "Ks"])
@pytest.mark.parametrize("hole", [UnseenCard.HIDDEN, UndealtCard.UNDEALT])
def test_633b_18_g_4_a_royal_match_waits_for_the_hole_card(up: str, hole: SomeCard) -> None:
    assert against("Qs Ks", card(up), hole) == later(OpenHand.AWAITS_HOLE_CARD)


def test_t7_t8_v2_a_crown_treasure_takes_the_place_of_the_royal_match_in_any_suits() -> None:
    assert against("Qs Ks", card("Qd"), card("Kd")) == later(CROWN)
    assert against("Qs Ks", card("Ks"), card("Qs")) == later(CROWN)


@pytest.mark.parametrize(("up", "hole"), [("Qd", "Kc"), ("Kh", "Ah"), ("Kh", "Kh"), ("Qd", "Jd")])
def test_t9_v3_v4_a_deferred_royal_match_against_none_is_a_royal_match(up: str, hole: str) -> None:
    assert against("Ks Qs", card(up), card(hole)) == later(ROYAL)


@pytest.mark.parametrize("player", ["?? Qs", "Qs ??", "?? ??", "Ks", "", "2s ??"])
def test_t51_a_hand_that_is_not_read_is_not_guessed(player: str) -> None:
    assert against(player, card("9d")) == now(OpenHand.INITIAL_CARDS_NOT_READ)


def test_t51_an_unread_up_card_leaves_only_a_royal_match_open() -> None:
    assert against("Ks Qs", UnseenCard.UNREAD) == now(OpenHand.UP_CARD_NOT_READ)
    assert against("Ks Qs", UndealtCard.UNDEALT) == now(OpenHand.UP_CARD_NOT_READ)
    assert against("Js Qs", UnseenCard.UNREAD) == now(STRAIGHT)
    assert against("Js 2s", UnseenCard.UNREAD) == now(NONE)


def test_t51_an_unread_hole_card_leaves_a_deferred_royal_match_open() -> None:
    assert against("Ks Qs", card("Kd"), UnseenCard.UNREAD) == later(OpenHand.HOLE_CARD_NOT_READ)


# --- as far as the cards are known -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "verdict"),
    [
        ("Ks Qs", Verdict.YES),
        ("Qs Ks", Verdict.YES),
        ("Ks Qh", Verdict.NO),
        ("Ks Ks", Verdict.NO),
        ("Ks ??", Verdict.OPEN),
        ("?? ??", Verdict.OPEN),
        ("Qs", Verdict.OPEN),
        ("?? Js", Verdict.NO),
        ("2s", Verdict.NO),
    ],
)
def test_t51_one_other_rank_rules_a_royal_match_out(cards: str, verdict: Verdict) -> None:
    assert royal_match(faces(cards)) is verdict


@pytest.mark.parametrize(
    ("player", "dealer", "verdict"),
    [
        ("Ks Qs", "Kd Qd", Verdict.YES),
        ("Ks Qs", "Kd ??", Verdict.OPEN),
        ("Ks ??", "Kd Qd", Verdict.OPEN),
        ("Ks ??", "9d ??", Verdict.NO),
        ("2s ??", "Kd ??", Verdict.NO),
    ],
)
def test_t51_a_crown_treasure_is_ruled_out_by_either_hand(player: str, dealer: str, verdict: Verdict) -> None:
    assert crown_treasure(faces(player), *faces(dealer)) is verdict


UNKNOWN = st.sampled_from([*DECK, UnseenCard.UNREAD, UnseenCard.HIDDEN])
LIKELY = st.sampled_from([*map(Card.parse, ["Ks", "Qs", "Kd", "Qd", "As"]), UnseenCard.UNREAD])
HAND = st.tuples(UNKNOWN | LIKELY, UNKNOWN | LIKELY)


@given(HAND, HAND)
def test_t51_the_verdict_and_the_evaluation_agree(
    player: tuple[SomeCard, SomeCard], dealer: tuple[SomeCard, SomeCard]
) -> None:
    seen = tuple(face for face in player if not isinstance(face, UndealtCard))
    found = evaluate(seen, *dealer, BOTH).found
    verdict = crown_treasure(player, *dealer)
    if found is CROWN:
        assert verdict is Verdict.YES
    elif isinstance(found, RoyalMatchOutcome):
        assert verdict is Verdict.NO
    else:
        assert verdict is not Verdict.YES


# --- six decks ---------------------------------------------------------------------------------------


def hands_of(decks: int, without: tuple[Card, ...] = ()) -> Iterator[tuple[Card, Card, int]]:
    """Yield every two-card hand with the number of ways to draw it."""
    left = {face: decks - without.count(face) for face in DECK}
    for first, second in combinations_with_replacement(DECK, 2):
        same = first == second
        ways = left[first] * (left[first] - 1) // 2 if same else left[first] * left[second]
        yield first, second, ways


def probability(
    decks: int, outcome: RoyalMatchOutcome, ace: AceAdjacency, without: tuple[Card, ...] = ()
) -> Fraction:
    cards = 52 * decks - len(without)
    ways = sum(
        ways
        for first, second, ways in hands_of(decks, without)
        if evaluate_two_cards(first, second, ace) is outcome
    )
    return Fraction(ways, cards * (cards - 1) // 2)


def test_six_decks_give_the_calculated_frequencies() -> None:
    royal = probability(6, ROYAL, BOTH)
    assert f"{float(1 / royal):.1f}" == "336.9"
    assert f"{float(100 * probability(6, STRAIGHT, BOTH)):.3f}" == "3.562"
    assert f"{float(100 * probability(6, STRAIGHT, LOW)):.3f}" == "3.265"
    assert probability(6, STRAIGHT, HIGH) == probability(6, STRAIGHT, LOW)
    dealer_royal = probability(6, ROYAL, BOTH, without=(card("Ks"), card("Qs")))
    assert f"{float(1 / (royal * dealer_royal)):.0f}" == "121328"


def test_six_decks_give_the_calculated_frequency_of_deferral() -> None:
    left = 6 * 52 - 2
    kings_and_queens = sum(6 - 1 if face.suit is Suit.SPADES else 6 for face in DECK if face.rank in "KQ")
    deferred = Fraction(
        sum(6 - (face in {card("Ks"), card("Qs")}) for face in DECK if against("Ks Qs", face).deferred),
        left,
    )
    assert deferred == Fraction(kings_and_queens, left)
    assert f"{float(100 * deferred):.2f}" == "14.84"
    dealer_royal = probability(6, ROYAL, BOTH, without=(card("Ks"), card("Qs")))
    assert f"{float(100 * dealer_royal / deferred):.3f}" == "1.871"
