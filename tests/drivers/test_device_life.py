from collections.abc import Iterable

from bridge.domain.devices import DeviceState, DeviceStatus
from bridge.domain.events import DeviceLost, DeviceReady
from bridge.domain.identity import Timestamp
from bridge.drivers.device_life import FAULTS_TOLD_EVERY_US, DeviceLife, Observation
from bridge.wire.messages import FaultCause
from tests.drivers.lines import device

MODULE = device()
T1, T2, T3, T4 = (Timestamp(number) for number in (1, 2, 3, 4))


def begun() -> DeviceLife:
    life = DeviceLife(MODULE, "/dev/ttyUSB0")
    life.opening(T1)
    return life


def states(told: Iterable[Observation]) -> list[tuple[DeviceState, Timestamp, str]]:
    return [(seen.state, seen.since, seen.reason) for seen in told if isinstance(seen, DeviceStatus)]


def test_a_life_begins_with_its_port_being_opened() -> None:
    life = DeviceLife(MODULE, "/dev/ttyUSB0")
    assert life.opening(T1) == (
        DeviceStatus(
            device=MODULE.device,
            profile="scripted",
            port="/dev/ttyUSB0",
            state=DeviceState.OPENING,
            since=T1,
            reason="its port is being opened",
            faults=(),
        ),
    )
    assert not life.ready


def test_the_ordinary_way_is_opening_probing_ready() -> None:
    life = begun()
    assert states(life.probing(T2)) == [(DeviceState.PROBING, T2, "waiting for its first answer")]
    ready, after = life.answering(T3)
    assert ready == DeviceReady(at=T3, device=MODULE.device)
    assert states(after) == [(DeviceState.READY, T3, "")]
    assert life.ready


def test_a_loss_is_told_once_until_the_device_has_answered_again() -> None:
    life = begun()
    lost = life.absent("no such port", T2)
    assert lost[0] == DeviceLost(at=T2, device=MODULE.device, reason="no such port")
    assert states(lost) == [(DeviceState.ABSENT, T2, "no such port")]
    assert life.absent("no such port", T3) == ()
    life.probing(T3)
    assert states(life.silent("no answer", T4)) == [(DeviceState.PROBING, T3, "no answer")]
    life.answering(T4)
    assert isinstance(life.absent("unplugged", T4)[0], DeviceLost)


def test_a_new_reason_is_told_and_the_state_keeps_its_age() -> None:
    life = begun()
    life.absent("no such port", T2)
    assert states(life.absent("no permission", T3)) == [(DeviceState.ABSENT, T2, "no permission")]


def test_a_device_that_never_answered_is_not_called_silent() -> None:
    life = begun()
    life.probing(T2)
    told = life.silent("no answer", T3)
    assert told[0] == DeviceLost(at=T3, device=MODULE.device, reason="no answer")
    assert states(told) == [(DeviceState.PROBING, T2, "no answer")]


def test_a_silent_device_stays_silent_while_its_port_is_opened_anew() -> None:
    life = begun()
    life.probing(T1)
    life.answering(T2)
    assert states(life.silent("no answer", T3)) == [(DeviceState.SILENT, T3, "no answer")]
    assert life.probing(T4) == ()
    assert states(life.answering(T4)[1]) == [(DeviceState.READY, T4, "")]


def test_silence_without_a_port_is_no_news() -> None:
    life = begun()
    life.absent("unplugged", T2)
    assert life.silent("no answer", T3) == ()


def test_answering_again_without_a_loss_is_an_event_and_no_change_of_state() -> None:
    life = begun()
    life.answering(T2)
    assert life.answering(T3) == (DeviceReady(at=T3, device=MODULE.device), ())


def test_faults_are_told_at_once_and_then_at_most_once_a_second() -> None:
    life = begun()
    assert life.faults_due_us is None
    assert life.due_faults(0) == ()
    life.count(FaultCause.JUNK, 5)
    assert life.faults_due_us == 5
    (first,) = life.due_faults(5)
    assert isinstance(first, DeviceStatus)
    assert first.faults == (("junk", 1),)

    life.count(FaultCause.CHECKSUM, 6)
    life.count(FaultCause.JUNK, 7)
    assert life.faults_due_us == 5 + FAULTS_TOLD_EVERY_US
    assert life.due_faults(7) == ()
    (second,) = life.due_faults(5 + FAULTS_TOLD_EVERY_US)
    assert isinstance(second, DeviceStatus)
    assert second.faults == (("junk", 2), ("checksum", 1))
    assert life.faults_due_us is None

    life.count(FaultCause.JUNK, 3 * FAULTS_TOLD_EVERY_US)
    assert life.faults_due_us == 3 * FAULTS_TOLD_EVERY_US


def test_counters_travel_with_every_change_of_state() -> None:
    life = begun()
    life.count(FaultCause.TIMEOUT, 5)
    _, (status,) = life.answering(T2)
    assert isinstance(status, DeviceStatus)
    assert status.faults == (("timeout", 1),)
