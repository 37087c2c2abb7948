import pytest

from bridge.domain.cards import Card
from bridge.domain.confirmations import RoundVoided
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.money import Cents
from bridge.domain.setup import Dealing
from bridge.domain.shoe import DealTarget, ShoeFault, ShoeMode, ShoeResult
from bridge.domain.shoe_events import (
    CardDrawnOutOfGame,
    CardRetransmitted,
    CutCardReached,
    ShoeEvent,
    ShoeFaultCleared,
    ShoeFaultReported,
    ShoeLockReported,
    ShoePresetChanged,
    ShoeReportLost,
    ShoeResultReported,
    ShoeStarted,
    ShoeStoodBy,
)
from bridge.domain.table_view import IrregularityKind, Task
from bridge.table.view import view
from tests.table.baccarat import BANKER, Baccarat
from tests.table.tables import READER, position

PLAYER_WINS = "9s 5c Kd 3d"


def says(play: Baccarat, result: ShoeResult) -> Baccarat:
    play.happen(
        ShoeResultReported(at=play.tick(), device=READER, result=result, player_pair=False, banker_pair=False)
    )
    return play


def test_the_shoes_own_result_is_compared_with_ours() -> None:
    for cards, result in (
        (PLAYER_WINS, ShoeResult.PLAYER),
        ("5s 9c Kd Kh", ShoeResult.BANKER),
        ("9s 9c Kd Kh", ShoeResult.TIE),
    ):
        assert says(Baccarat().opened().shoe(cards), result).irregular == []


@pytest.mark.parametrize("result", [ShoeResult.BANKER, ShoeResult.TIE, ShoeResult.FORCED_END])
def test_a_difference_is_an_irregularity_and_never_a_correction(result: ShoeResult) -> None:
    play = Baccarat().opened().shoe(PLAYER_WINS)
    before = play.state.round
    says(play, result)

    assert play.irregular == [IrregularityKind.SHOE_RESULT_DIFFERS]
    assert play.state.round == before


def test_a_result_before_the_hands_are_complete_is_an_irregularity() -> None:
    assert says(Baccarat().opened().shoe("2h Kc"), ShoeResult.PLAYER).irregular == [
        IrregularityKind.SHOE_RESULT_DIFFERS
    ]


@pytest.mark.parametrize(
    ("cards", "result", "expected"),
    [
        (PLAYER_WINS, ShoeResult.PLAYER, []),
        (PLAYER_WINS, ShoeResult.BANKER, [IrregularityKind.SHOE_RESULT_DIFFERS]),
        ("2h Kc 3h Qc", ShoeResult.TIE, [IrregularityKind.SHOE_RESULT_DIFFERS]),
    ],
    ids=["same", "another", "although the Player is due a card"],
)
def test_T48_a_result_told_while_hands_lie_face_down_is_compared_when_both_are_turned(
    cards: str, result: ShoeResult, expected: list[IrregularityKind]
) -> None:
    play = says(Baccarat(Dealing.FACE_DOWN).opened().shoe(cards), result)
    assert play.irregular == []
    assert play.key(DealerKey.PLAYER_HAND_TURNED).irregular == []
    assert play.key(DealerKey.BANKER_HAND_TURNED).irregular == expected


def test_T48_a_result_before_all_cards_are_dealt_face_down_is_an_irregularity_that_names_none() -> None:
    play = says(Baccarat(Dealing.FACE_DOWN).opened().shoe("2h Kc"), ShoeResult.PLAYER)
    assert play.irregular == [IrregularityKind.SHOE_RESULT_DIFFERS]
    assert "player" not in play.state.irregularities[0].detail


def test_a_result_that_was_never_told_does_not_reach_the_next_round() -> None:
    play = says(Baccarat(Dealing.FACE_DOWN).opened().shoe(PLAYER_WINS), ShoeResult.BANKER)
    play.confirm(RoundVoided(round_number=play.state.round.number, reason="misdeal"))
    play.settled(complete=True)
    play.key(DealerKey.ROUND_COMPLETE)
    assert play.state.round.number == 2
    assert play.state.shoe.untold_result is None


def test_a_voided_round_has_no_result_to_compare() -> None:
    play = Baccarat().opened().shoe("2h Kc")
    play.confirm(RoundVoided(round_number=play.state.round.number, reason="misdeal"))
    assert says(play, ShoeResult.FORCED_END).irregular == []


def report(play: Baccarat, kind: IrregularityKind) -> ShoeEvent:
    at, card = play.tick(), Card.parse("Kh")
    reports: dict[IrregularityKind, ShoeEvent] = {
        IrregularityKind.SHOE_FAULT: ShoeFaultReported(
            at=at, device=READER, fault=ShoeFault.CANNOT_READ, code=1, error_mode=True
        ),
        IrregularityKind.CARD_OUT_OF_GAME: CardDrawnOutOfGame(
            at=at, device=READER, card=card, mode=ShoeMode.ERROR
        ),
        IrregularityKind.CARD_RETRANSMITTED: CardRetransmitted(
            at=at, device=READER, card=card, target=DealTarget.PLAYER, place=1
        ),
        IrregularityKind.SHOE_REPORT_LOST: ShoeReportLost(at=at, device=READER, reason="three copies differ"),
        IrregularityKind.SHOE_RESTARTED: ShoeStarted(at=at, device=READER),
    }
    return reports[kind]


@pytest.mark.parametrize(
    "kind",
    [
        IrregularityKind.SHOE_FAULT,
        IrregularityKind.CARD_OUT_OF_GAME,
        IrregularityKind.CARD_RETRANSMITTED,
        IrregularityKind.SHOE_REPORT_LOST,
        IrregularityKind.SHOE_RESTARTED,
    ],
)
def test_what_a_shoe_says_is_recorded_and_changes_no_hand(kind: IrregularityKind) -> None:
    play = Baccarat().opened().shoe("2h Kc")
    before = play.state.round
    play.happen(report(play, kind))

    assert play.irregular == [kind]
    assert play.state.round == before
    assert "Kh" not in play.state.irregularities[0].detail


def test_what_is_no_trouble_is_not_recorded() -> None:
    play = Baccarat()
    at = play.tick()
    for event in (
        ShoeStarted(at=at, device=READER),
        ShoeStoodBy(at=at, device=READER),
        ShoeFaultCleared(at=at, device=READER, fault=ShoeFault.OVERDRAW, code=2),
        ShoeLockReported(at=at, device=READER, locked=True),
        ShoePresetChanged(at=at, device=READER, preset="0001", value="0002"),
    ):
        play.happen(event)

    assert play.irregular == []


def played_to_the_cut_card() -> Baccarat:
    play = Baccarat().opened(BANKER).shoe("5s 9c Kd Kh")
    play.happen(CutCardReached(at=play.tick(), device=READER))
    play.settled(complete=True, vigorish_marked=((position(1), Cents(50)),))
    play.key(DealerKey.ROUND_COMPLETE)
    return play


def test_627a_11_b_marked_vigorish_is_owed_by_position_until_it_is_collected() -> None:
    play = played_to_the_cut_card()
    assert play.state.vigorish == ((1, 50),)
    tasks = view(play.state).tasks
    assert [task.task for task in tasks] == [Task.COLLECT_VIGORISH, Task.CHANGE_SHOE]
    assert tasks[0].positions == (1,)


def test_a_new_shoe_is_refused_while_marked_vigorish_is_open() -> None:
    play = played_to_the_cut_card()
    play.key(DealerKey.NEW_SHOE)

    assert play.irregular == [IrregularityKind.VIGORISH_OPEN]
    assert (play.state.shoe.number, play.state.shoe.cut_card_reached) == (1, True)


def test_a_new_shoe_begins_between_rounds_only() -> None:
    play = Baccarat().opened()
    play.key(DealerKey.NEW_SHOE)
    assert play.irregular == [IrregularityKind.KEY_OUT_OF_TURN]

    fresh = Baccarat()
    fresh.key(DealerKey.NEW_SHOE)
    assert (fresh.state.shoe.number, fresh.irregular) == (2, [])
