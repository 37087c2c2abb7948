import pytest

from bridge.domain.cards import Card
from bridge.domain.shoe import DealTarget
from bridge.domain.wagers import BettingPosition, WagerKind
from simulators.baccarat_scenario import BaccaratRound, BaccaratScenario, Draw
from simulators.scenario import ScenarioError

ONE, THREE = BettingPosition(1), BettingPosition(3)
PLAYER, BANKER = DealTarget.PLAYER, DealTarget.BANKER
OFFERED = (WagerKind.PLAYER, WagerKind.BANKER)


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(card) for card in text.split())


def a_round(player: str, banker: str, *, wrong_hand: bool = False) -> BaccaratRound:
    return BaccaratRound(
        wagers=((ONE, WagerKind.PLAYER),),
        late=((THREE, WagerKind.TIE),),
        amounts={},
        player=cards(player),
        banker=cards(banker),
        wrong_hand=wrong_hand,
    )


def drawn(round_: BaccaratRound) -> list[tuple[str, DealTarget, int]]:
    return [(str(draw.card), draw.target, draw.place) for draw in round_.draws()]


def test_627a_8_cards_leave_the_shoe_in_turn_and_third_cards_after_that() -> None:
    assert drawn(a_round("2s 3d 4h", "Kh Qc Ks")) == [
        ("2s", PLAYER, 1),
        ("Kh", BANKER, 1),
        ("3d", PLAYER, 2),
        ("Qc", BANKER, 2),
        ("4h", PLAYER, 3),
        ("Ks", BANKER, 3),
    ]


def test_a_banker_may_draw_alone() -> None:
    assert drawn(a_round("Ks 6d", "Kh 3c Kd"))[4:] == [("Kd", BANKER, 3)]


def test_a_card_for_the_wrong_hand_ends_the_deal() -> None:
    assert a_round("2s 3d 4h", "Kh Qc Ks", wrong_hand=True).draws()[4:] == (
        Draw(card=Card.parse("4h"), target=BANKER, place=3),
    )
    assert a_round("Ks 6d", "Kh 3c Kd", wrong_hand=True).draws()[4:] == (
        Draw(card=Card.parse("Kd"), target=PLAYER, place=3),
    )


def test_a_misdeal_may_end_before_the_hands_are_dealt() -> None:
    assert [place for _, _, place in drawn(a_round("2s 3d", "Kh"))] == [1, 1, 2]


def test_a_table_with_every_position_and_wager_is_accepted() -> None:
    scenario = BaccaratScenario(title="t", rounds=(a_round("9s Kd", "5c 3d"),))
    scenario.check_layout((ONE, THREE), (*OFFERED, WagerKind.TIE))


@pytest.mark.parametrize(
    ("layout", "offered", "message"),
    [
        ((ONE,), (*OFFERED, WagerKind.TIE), "t: the layout has positions 1, not 3"),
        ((ONE, THREE), OFFERED, "t: the table offers banker, player, not tie"),
    ],
)
def test_what_a_table_does_not_have_is_refused(
    layout: tuple[BettingPosition, ...], offered: tuple[WagerKind, ...], message: str
) -> None:
    with pytest.raises(ScenarioError, match=message):
        BaccaratScenario(title="t", rounds=(a_round("9s Kd", "5c 3d"),)).check_layout(layout, offered)
