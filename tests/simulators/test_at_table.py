import asyncio

import pytest

from bridge.config.load import load_table
from bridge.domain.confirmations import Confirmation, CountResolved
from bridge.domain.identity import RoundNumber
from bridge.domain.indicators import Lamp
from bridge.domain.table_view import NextTask, Phase, TableView, Task, WagerArea, WagerAreaStatus
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.table.state import initial_state
from bridge.table.view import view
from simulators.at_table import AtTable, NobodyMayError, TableStuckError, open_at, soon, tasks_of
from simulators.running import running
from simulators.table import SimulatedTable
from tests.patience import PATIENCE_S
from tests.simulators.boards import FLOOR, Board
from tests.simulators.little_bridge import DEMONSTRATION

SETUP = load_table(DEMONSTRATION).setup
FIVE = BettingPosition(5)
RESOLVED = CountResolved(round_number=RoundNumber(1), reason="recounted")


class Bystanders(AtTable):
    WATCHED = (Lamp.WINNER, "winner")


def board() -> Board:
    shown = Board(view(initial_state(SETUP)))
    shown.show(locked=False, areas=(), tasks=(NextTask(task=Task.RESOLVE_COUNT),))
    return shown


def people(shown: Board, patience_s: float = PATIENCE_S) -> Bystanders:
    return Bystanders(SimulatedTable(SETUP, {}, {}), shown, floorperson=FLOOR, pace=0, patience_s=patience_s)


def asked(shown: TableView) -> list[Confirmation]:
    return [RESOLVED] if Task.RESOLVE_COUNT in tasks_of(shown) else []


async def test_what_hangs_is_told_with_the_lamps_that_these_people_look_at() -> None:
    with pytest.raises(TableStuckError) as stuck:
        await people(board(), 0.1)._see("the result", lambda shown: shown.phase is Phase.RESULT)
    assert str(stuck.value) == (
        "waited 0.1 s for the result; the display shows round 1, phase wagers_open, tasks: resolve_count; "
        "winner lamps are lit at no position; the lock-out is on"
    )


async def test_what_is_asked_is_said_once_until_the_table_does_not_react(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulators.at_table.AGAIN_AFTER_S", 0.01)
    shown = board()
    shown.on_confirm = lambda _: shown.show(tasks=()) if len(shown.confirmed) == 2 else None
    await people(shown)._attend_to("the count", lambda view: not view.tasks, asked)
    assert shown.confirmed == [RESOLVED, RESOLVED]


async def test_what_was_said_is_not_said_again_before_the_display_has_changed() -> None:
    shown = board()
    somebody = people(shown)
    for _ in range(2):
        await somebody._attend_to("anything", lambda _: True, asked)
    assert shown.confirmed == [RESOLVED]

    shown.show(tasks=())
    await somebody._attend_to("the count", lambda view: not view.tasks, asked)
    shown.show(tasks=(NextTask(task=Task.RESOLVE_COUNT),))
    await somebody._attend_to("anything", lambda _: True, asked)
    assert shown.confirmed == [RESOLVED, RESOLVED], "it is asked for anew"


async def test_everybody_leaves_off_when_the_round_is_voided_and_what_goes_wrong_is_told() -> None:
    shown = board()
    somebody = people(shown)

    async def stop() -> None:
        raise NobodyMayError("nobody")

    async with running(_voiding(shown), name="void"):
        assert await somebody._unless_voided(_for_ever())
    shown.show(phase=Phase.DEALING)
    assert not await somebody._unless_voided(asyncio.sleep(0))
    with pytest.raises(NobodyMayError):
        await somebody._unless_voided(stop())


async def _voiding(shown: Board) -> None:
    await asyncio.sleep(0)
    shown.show(phase=Phase.VOIDED)


async def _for_ever() -> None:
    await asyncio.Event().wait()


async def test_a_reaction_is_awaited_no_longer_than_a_person_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulators.at_table.AGAIN_AFTER_S", 0.01)
    assert not await soon(asyncio.Event().wait())
    there = asyncio.Event()
    there.set()
    assert await soon(there.wait())


async def test_a_wait_ends_when_the_display_changes() -> None:
    shown = board()

    async def change() -> None:
        await asyncio.sleep(0)
        shown.show(phase=Phase.RESULT)

    async with running(change(), name="change"):
        seen = await people(shown)._see("the result", lambda view: view.phase is Phase.RESULT)
    assert seen.phase is Phase.RESULT


@pytest.mark.parametrize(
    ("phase", "locked", "closed", "is_open"),
    [
        (Phase.WAGERS_OPEN, False, False, True),
        (Phase.WAGERS_OPEN, False, True, False),
        (Phase.WAGERS_OPEN, True, False, False),
        (Phase.RESULT, False, False, False),
    ],
)
async def test_wagers_are_open_where_no_area_is_closed_and_nothing_is_locked(
    phase: Phase, *, locked: bool, closed: bool, is_open: bool
) -> None:
    shown = board()
    status = WagerAreaStatus.CLOSED if closed else WagerAreaStatus.AWAITING
    shown.show(
        phase=phase, locked=locked, areas=(WagerArea(position=FIVE, wager=WagerKind.BLACKJACK, status=status),)
    )
    seen = await shown.until(lambda _: True)
    assert open_at(seen, frozenset({FIVE})) is is_open
