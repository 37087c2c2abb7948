from collections.abc import Iterable

from bridge.domain.devices import DeviceState, DeviceStatus
from bridge.domain.events import DeviceLost, DeviceReady
from bridge.domain.identity import Timestamp
from bridge.drivers.device_life import (
    DEGRADED_FAULTS,
    DEGRADED_WITHIN_US,
    FAULTS_TOLD_EVERY_US,
    DeviceLife,
    Observation,
)
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
    assert life.due_faults(0, T2) == ()
    life.count(FaultCause.JUNK, 5)
    assert life.faults_due_us == 5
    (first,) = life.due_faults(5, T2)
    assert isinstance(first, DeviceStatus)
    assert first.faults == (("junk", 1),)

    life.count(FaultCause.CHECKSUM, 6)
    life.count(FaultCause.JUNK, 7)
    assert life.faults_due_us == 5 + FAULTS_TOLD_EVERY_US
    assert life.due_faults(7, T2) == ()
    (second,) = life.due_faults(5 + FAULTS_TOLD_EVERY_US, T2)
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


def test_what_a_person_has_to_mend_is_told_from_what_may_come_back() -> None:
    life = begun()
    assert states(life.absent("no permission", T2, blocked=True)) == [(DeviceState.BLOCKED, T2, "no permission")]
    assert life.silent("no answer", T3) == ()
    assert states(life.absent("no such port", T3)) == [(DeviceState.ABSENT, T3, "no such port")]
    life.absent("no permission", T3, blocked=True)
    assert states(life.probing(T4)) == [(DeviceState.PROBING, T4, "waiting for its first answer")]


def noisy(life: DeviceLife, *, from_us: int) -> int:
    """Let a device that is ready be damaged often; return when the last damage was."""
    for number in range(DEGRADED_FAULTS):
        life.count(FaultCause.CHECKSUM, from_us + number)
    return from_us + DEGRADED_FAULTS - 1


def test_a_device_that_is_often_damaged_is_degraded_until_it_has_been_sound_for_a_while() -> None:
    life = begun()
    life.answering(T2)
    last_us = noisy(life, from_us=0)
    ((state, since, reason),) = states(life.due_faults(last_us, T3))
    assert (state, since) == (DeviceState.DEGRADED, T3)
    assert "checksum above all" in reason
    assert life.ready
    assert life.answering(T3) == (DeviceReady(at=T3, device=MODULE.device), ())

    life.count(FaultCause.JUNK, last_us + 1)
    assert life.faults_due_us == last_us + FAULTS_TOLD_EVERY_US
    assert states(life.due_faults(last_us + FAULTS_TOLD_EVERY_US, T3)) == [(DeviceState.DEGRADED, T3, reason)]
    assert life.faults_due_us == last_us + 1 + DEGRADED_WITHIN_US
    assert states(life.due_faults(last_us + 1 + DEGRADED_WITHIN_US, T4)) == [(DeviceState.READY, T4, "")]
    assert life.faults_due_us is None


def test_damage_now_and_then_is_no_degradation() -> None:
    life = begun()
    life.answering(T2)
    for number in range(3 * DEGRADED_FAULTS):
        now_us = number * DEGRADED_WITHIN_US
        life.count(FaultCause.JUNK, now_us)
        assert [state for state, _, _ in states(life.due_faults(now_us, T3))] == [DeviceState.READY]


def test_what_was_damaged_before_a_replug_is_forgiven() -> None:
    life = begun()
    life.answering(T2)
    last_us = noisy(life, from_us=0)
    life.due_faults(last_us, T3)
    life.absent("unplugged", T3)
    life.answering(T4)
    assert [state for state, _, _ in states(life.due_faults(last_us + 1, T4))] == []
    assert life.ready
