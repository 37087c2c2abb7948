from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bridge.config import load_table
from bridge.dashboard import words
from bridge.dashboard.alarms import Severity, alarms
from bridge.dashboard.followed import Unavailable
from bridge.dashboard.since import Since
from bridge.domain.controller import Disabled, DisabledReason
from bridge.domain.devices import DeviceState, DeviceStatus
from bridge.domain.identity import DeviceId, Timestamp
from bridge.domain.table_view import Irregularity, IrregularityKind, NextTask, Task
from tests.dashboard.clocks import SteppedClock
from tests.dashboard.looking import served
from tests.dashboard.telling import Voice
from tests.processes.table import DEMONSTRATION

MODULE = DeviceId("module-1")


def an_irregularity(kind: IrregularityKind, at: int = 5, detail: str = "what was seen") -> Irregularity:
    return Irregularity(kind=kind, at=Timestamp(at), detail=detail)


@asynccontextmanager
async def a_table() -> AsyncIterator[Voice]:
    async with served(load_table(DEMONSTRATION), clock=SteppedClock()) as dashboard:
        voice = Voice(dashboard.tables[0])
        voice.here()
        yield voice


def said(voice: Voice) -> list[tuple[Severity, str]]:
    return [(alarm.severity, alarm.text) for alarm in alarms(voice.table)]


async def test_at_a_table_that_is_in_order_nothing_is_wrong() -> None:
    async with a_table() as voice:
        assert alarms(voice.table) == ()


async def test_the_worst_comes_first_and_of_the_equally_bad_the_oldest() -> None:
    async with a_table() as voice:
        voice.say_table(
            disabled=(Disabled(reason=DisabledReason.LOST_LINK, since=Timestamp(9), detail="."),),
            lost_devices=(MODULE,),
            tasks=(NextTask(task=Task.RESOLVE_COUNT),),
            irregularities=(
                an_irregularity(IrregularityKind.LATE_WAGER, 3, "late at 5"),
                an_irregularity(IrregularityKind.LATE_WAGER, 2, "late at 4"),
                an_irregularity(IrregularityKind.COUNT_DIFFERED, 4, "6 against 7"),
            ),
        )

        assert said(voice) == [
            (Severity.STOPPED, "Controller disabled: lost link to the rules worker"),
            (Severity.HELD, "6 against 7"),
            (Severity.FAULT, "module-1: does not answer"),
            (Severity.NOTE, "late at 4"),
            (Severity.NOTE, "late at 5"),
        ]


async def test_a_device_that_is_lost_says_what_to_do_and_since_when() -> None:
    async with a_table() as voice:
        voice.say_device(
            DeviceStatus(
                device=MODULE,
                profile="modbus_io8",
                port="/dev/ttyUSB0",
                state=DeviceState.SILENT,
                since=Timestamp(7),
                reason="no answer for 3 s; check the cable",
                faults=(),
            )
        )
        voice.say_table(
            lost_devices=(MODULE,),
            irregularities=(an_irregularity(IrregularityKind.DEVICE_LOST, detail="module-1"),),
        )
        (alarm,) = alarms(voice.table)

    assert alarm.text == "module-1: no answer for 3 s; check the cable"
    assert alarm.since == Since(Timestamp(7))


async def test_what_held_the_table_and_was_answered_is_no_alarm_any_more() -> None:
    async with a_table() as voice:
        voice.say_table(irregularities=(an_irregularity(IrregularityKind.COUNT_DIFFERED),))

        assert alarms(voice.table) == ()


async def test_T54_of_a_table_nobody_vouches_for_only_that_is_said() -> None:
    async with a_table() as voice:
        voice.say_table(irregularities=(an_irregularity(IrregularityKind.LATE_WAGER),))
        voice.say_health("daemon", online=False)
        (alarm,) = alarms(voice.table)

        assert (alarm.severity, alarm.text) == (Severity.STOPPED, words.WHY[Unavailable.DAEMON_GONE])
        assert alarm.since == Since(voice.table.now())


async def test_a_rules_worker_that_is_gone_stops_a_table_that_goes_on_otherwise() -> None:
    async with a_table() as voice:
        voice.say_health("rules-worker", online=False)

        assert said(voice) == [(Severity.STOPPED, words.WHY[Unavailable.WORKER_GONE])]
