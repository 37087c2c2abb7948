from bridge.domain.confirmations import CountResolved
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import IndicatorReported
from bridge.domain.identity import RoundNumber
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.table_view import LampReport, LampView, NextTask, Task, WagerAreaStatus
from bridge.table.view import view
from tests.table.tables import BLACKJACK, LOCK, PROGRESSIVE, SIDE, Play, position


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
    assert tasks(play.settled(validation=[1], documents=[1])) == [Task.VALIDATE_PAYOUT, Task.DOCUMENT_AWARD]
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


def test_areas_show_what_their_chips_mean() -> None:
    play = Play().wagers(1).chips(BLACKJACK, 2)
    shown = {(a.position, a.wager): a.status for a in view(play.state).areas}

    assert shown[(position(1), PROGRESSIVE)] is WagerAreaStatus.PLACED
    assert shown[(position(2), PROGRESSIVE)] is WagerAreaStatus.AWAITING


def test_T49_a_lamp_shows_what_is_wanted_and_what_its_device_says() -> None:
    play = Play().wagers(1)
    accepted = Indicator(position(1), Lamp.WAGER_ACCEPTED)
    assert LampView(indicator=accepted, wanted=LampState.ON, reported=LampReport.UNKNOWN) in view(play.state).lamps

    play.happen(IndicatorReported(at=play.tick(), device=SIDE, indicator=accepted, state=LampState.ON))
    assert LampView(indicator=accepted, wanted=LampState.ON, reported=LampReport.ON) in view(play.state).lamps
