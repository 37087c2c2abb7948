from bridge.domain.awards import PayoutAct
from bridge.domain.confirmations import CountResolved, RoundVoided
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.identity import RoundNumber
from bridge.domain.setup import Dealing
from bridge.domain.shoe_events import CutCardReached
from bridge.domain.table_view import NextTask, Task
from bridge.table.view import view
from tests.table.baccarat import MAJESTIC, Baccarat
from tests.table.tables import ACTS, LOCK, READER, Play


def tasks(play: Play) -> list[Task]:
    return [task.task for task in view(play.state).tasks]


def test_what_to_do_next_follows_the_round_of_633b_18() -> None:
    play = Play()
    assert tasks(play) == [Task.PLACE_WAGERS]
    assert tasks(play.wagers(1).lock()) == [Task.COUNT_CHIPS]
    assert tasks(play.key(DealerKey.COUNT_DIFFERS)) == [Task.RESOLVE_COUNT]
    assert tasks(play.confirm(CountResolved(round_number=RoundNumber(1), reason="recounted"))) == [Task.DEAL]
    assert tasks(play.cards("Ks Qd Qs Kd")) == [Task.SETTLE_SIDE_WAGERS, Task.AWAIT_SETTLEMENT]
    assert tasks(play.settled(deferred=[1])) == [Task.CONTINUE_HAND, Task.EXPOSE_HOLE_CARD]
    assert tasks(play.key(DealerKey.ROUND_COMPLETE)) == [Task.EXPOSE_HOLE_CARD]
    assert tasks(play.key(DealerKey.HOLE_CARD_EXPOSED)) == [Task.SETTLE_DEFERRED_WAGERS, Task.AWAIT_SETTLEMENT]
    asked = [tasks(play.settled(awards=[1]).lit(1)), *(tasks(play.sign(act, 1)) for act in ACTS[:-1])]
    assert [one[0] for one in asked] == [
        Task.VERIFY_HAND,
        Task.VERIFY_LAMP,
        Task.VALIDATE_PAYOUT,
        Task.DOCUMENT_AWARD,
        Task.PAY_AWARD,
        Task.RESET_METER,
    ]
    assert asked[3:] == [
        [Task.DOCUMENT_AWARD],
        *([one, Task.CONTINUE_HAND] for one in (Task.PAY_AWARD, Task.RESET_METER)),
    ]
    assert tasks(play.sign(PayoutAct.RESET, 1)) == [Task.CONTINUE_HAND, Task.AWAIT_SETTLEMENT]
    assert tasks(play.settled()) == [Task.CONTINUE_HAND, Task.AWAIT_SETTLEMENT]
    assert tasks(play.settled(complete=True)) == [Task.CONTINUE_HAND, Task.COMPLETE_ROUND]


def test_an_unread_card_asks_for_the_supervisor_and_says_which() -> None:
    play = Play().dealt(1, cards="?? Qd Qs Kd")

    assert NextTask(task=Task.IDENTIFY_CARD, detail="card 1 of the round") in view(play.state).tasks


def test_a_lost_device_wants_repair_in_any_phase() -> None:
    play = Play().lose(LOCK)
    public = view(play.state)

    assert public.tasks[0] == NextTask(task=Task.REPAIR_DEVICE, detail="lock")
    assert public.acceptance_closed_by == ("lock does not answer",)
    assert public.locked


def test_a_layout_without_wagers_may_be_cleared_after_lock_out() -> None:
    assert tasks(Play().lock()) == [Task.COMPLETE_ROUND]


def test_what_to_do_next_follows_the_round_of_minibaccarat() -> None:
    play = Baccarat()
    assert tasks(play) == [Task.PLACE_WAGERS]
    assert tasks(play.opened(MAJESTIC)) == [Task.DEAL]
    assert tasks(play.shoe("2h Kc 3h Qc")) == [Task.SETTLE_SIDE_WAGERS, Task.AWAIT_SETTLEMENT]
    assert tasks(play.settled()) == [Task.DEAL_THIRD_CARD]
    assert tasks(play.cards("4d Kd")) == [Task.COLLECT_AND_PAY, Task.AWAIT_SETTLEMENT]
    assert tasks(play.settled(complete=True)) == [Task.COLLECT_AND_PAY, Task.COMPLETE_ROUND]


def test_hands_dealt_face_down_are_to_be_turned() -> None:
    play = Baccarat(Dealing.FACE_DOWN).opened().shoe("2h Kc 3h Qc")
    assert view(play.state).tasks == (NextTask(task=Task.TURN_HANDS, detail="player, banker"),)

    play.key(DealerKey.PLAYER_HAND_TURNED)
    assert view(play.state).tasks == (NextTask(task=Task.TURN_HANDS, detail="banker"),)
    side = Baccarat(Dealing.FACE_DOWN).opened(MAJESTIC).shoe("2h Kc 3h Qc")
    assert tasks(side) == [Task.TURN_HANDS, Task.SETTLE_SIDE_WAGERS, Task.AWAIT_SETTLEMENT]


def test_hands_that_are_not_as_the_rules_have_it_are_a_floorpersons_to_resolve() -> None:
    play = Baccarat().opened().shoe("2h>p Kc>b 3h>p Qc>b 4d>b")

    assert [task.task for task in view(play.state).tasks] == [Task.RESOLVE_HANDS]


def test_a_voided_round_returns_its_wagers() -> None:
    play = Baccarat().opened().shoe("2h Kc")
    play.confirm(RoundVoided(round_number=RoundNumber(1), reason="misdeal"))
    assert tasks(play) == [Task.RETURN_WAGERS, Task.AWAIT_SETTLEMENT]

    assert tasks(play.settled(complete=True)) == [Task.RETURN_WAGERS, Task.COMPLETE_ROUND]


def test_at_the_cut_card_the_shoe_is_changed() -> None:
    play = Baccarat()
    play.happen(CutCardReached(at=play.tick(), device=READER))

    assert tasks(play) == [Task.CHANGE_SHOE]
