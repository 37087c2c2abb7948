from dataclasses import replace

import pytest

from bridge.dashboard.seen import Seen
from bridge.dashboard.table_trouble import shown_devices, shown_irregularities
from bridge.domain.devices import DeviceState, DeviceStatus
from bridge.domain.identity import DeviceId, Timestamp
from bridge.domain.indicators import LampState
from bridge.domain.table_view import Irregularity, IrregularityKind, LampReport, NextTask, Task
from tests.dashboard.moments import dealt, seen_at, two_crown_treasures


def with_irregularities(now: Seen, *kinds: IrregularityKind, tasks: tuple[Task, ...] = ()) -> Seen:
    found = tuple(
        Irregularity(kind=kind, at=Timestamp(number), detail=f"{kind} {number}")
        for number, kind in enumerate(kinds, 1)
    )
    asked = tuple(NextTask(task=task) for task in tasks)
    return replace(now, view=replace(now.view, irregularities=found, tasks=asked))


async def test_a_late_wager_wants_an_answer_while_its_chip_lies_there() -> None:
    late = seen_at(await two_crown_treasures())
    gone = seen_at(await two_crown_treasures(late=False))

    (shown,) = shown_irregularities(late)
    assert shown.open
    assert "Return the chip" in shown.advice
    assert shown.text == "Royal Match progressive at position 7 after lock-out: not accepted"
    (shown,) = shown_irregularities(
        replace(gone, view=replace(gone.view, irregularities=late.view.irregularities))
    )
    assert not shown.open


async def test_what_wants_an_answer_comes_first_and_of_each_kind_the_newest() -> None:
    now = seen_at(await dealt("lost"))
    kinds = (
        IrregularityKind.CARD_UNREAD,
        IrregularityKind.KEY_OUT_OF_TURN,
        IrregularityKind.DEVICE_LOST,
        IrregularityKind.CARD_RETRANSMITTED,
    )
    wrong = with_irregularities(now, *kinds, tasks=(Task.REPAIR_DEVICE, Task.IDENTIFY_CARD))

    assert [(one.number, one.open) for one in shown_irregularities(wrong)] == [
        (3, True), (1, True), (4, False), (2, False),
    ]  # fmt: skip


async def test_T49_a_failed_lamp_wants_an_answer_while_it_is_not_as_it_should_be() -> None:
    now = with_irregularities(seen_at(await dealt("lost")), IrregularityKind.LAMP_FAILED)
    wrong = replace(now.view.lamps[0], wanted=LampState.ON, reported=LampReport.OFF)

    assert [one.open for one in shown_irregularities(now)] == [False]
    broken = replace(now, view=replace(now.view, lamps=(wrong, *now.view.lamps[1:])))
    assert [one.open for one in shown_irregularities(broken)] == [True]


@pytest.mark.parametrize("kind", IrregularityKind)
async def test_whatever_goes_wrong_comes_with_what_to_do(kind: IrregularityKind) -> None:
    (shown,) = shown_irregularities(with_irregularities(seen_at(await two_crown_treasures()), kind))

    assert shown.advice


async def test_devices_that_are_not_ready_come_first_with_the_remedy() -> None:
    moment = await dealt("lost")
    now, known = seen_at(moment), dict(moment.display.devices)
    silent = DeviceId("module-4")
    known[silent] = DeviceStatus(
        device=silent,
        profile="",
        port="",
        state=DeviceState.SILENT,
        since=Timestamp(0),
        reason="it does not answer: look at its power",
        faults=(),
    )
    del known[DeviceId("module-3")]
    shown = shown_devices(now, known)

    assert shown.ready == 3
    assert [(one.name, one.ready, one.state, one.remedy) for one in shown.devices][:3] == [
        ("module-3", False, "has said nothing yet", ""),
        ("module-4", False, "does not answer", "it does not answer: look at its power"),
        ("card-reader", True, "ready", ""),
    ]
