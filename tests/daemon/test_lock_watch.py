from bridge.daemon.lock_watch import LockWatch
from bridge.domain.commands import SetLock
from bridge.domain.events import DeviceLost, LockReported
from bridge.domain.identity import Timestamp
from tests.table.tables import LOCK, Play

AT = Timestamp(0)


def test_T46_a_lock_counts_as_engaged_when_its_device_said_so_after_it_was_driven() -> None:
    watch, state = LockWatch(), Play().state
    watch.observe(LockReported(at=AT, device=LOCK, engaged=True))
    watch.drive(SetLock(engaged=True))
    assert not watch.is_engaged(state), "that was before"

    watch.observe(LockReported(at=AT, device=LOCK, engaged=True))
    assert watch.is_engaged(state)
    watch.drive(SetLock(engaged=True))
    assert watch.is_engaged(state), "it was driven the same way"


def test_T46_a_lock_whose_device_is_gone_is_not_known_to_be_engaged() -> None:
    watch, play = LockWatch(), Play()
    watch.drive(SetLock(engaged=True))
    watch.observe(LockReported(at=AT, device=LOCK, engaged=True))
    watch.observe(DeviceLost(at=AT, device=LOCK, reason="pulled"))

    assert not watch.is_engaged(play.state)
    assert not watch.is_engaged(play.lose(LOCK).state)
