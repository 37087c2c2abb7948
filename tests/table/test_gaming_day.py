from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import GamingDayBegan, LockOutPressed
from bridge.domain.identity import Timestamp
from bridge.table.gaming_day import day_after, is_at_rest
from tests.table.tables import LOCK, TODAY, Play

TOMORROW = GamingDayBegan(at=Timestamp(9), day="2026-11-30")


def test_a_table_is_at_rest_until_it_locks_out_whatever_lies_on_the_layout() -> None:
    play = Play()
    assert is_at_rest(play.state)
    assert is_at_rest(play.wagers(1, 3).state)
    assert not is_at_rest(play.lock().state)


def test_a_round_is_on_until_it_is_closed() -> None:
    play = Play().dealt(1, cards="Ks 9d Qs 5c")
    assert not is_at_rest(play.state)
    assert is_at_rest(play.settled(complete=True).key(DealerKey.ROUND_COMPLETE).state)


def test_a_burned_card_begins_a_round() -> None:
    assert not is_at_rest(Play().key(DealerKey.BURN_CARD).cards("8h").state)


def test_the_day_is_the_one_told_last() -> None:
    play = Play()
    assert day_after(play.state, LockOutPressed(at=Timestamp(9), device=LOCK)) == TODAY
    assert day_after(play.state, TOMORROW) == "2026-11-30"
