"""What the people at any simulated table have in common: they see its display and lamps, and touch its keys.

They touch the devices' inputs and nothing else; they see lamps, the lock, and the table's display. What
they wait for they wait for patiently but not for ever: a table that hangs ends in ``TableStuckError``,
which says what was awaited and what the display showed instead.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Protocol

from bridge.domain.awards import MAY
from bridge.domain.confirmations import Confirmation, PayoutSignedOff
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.errors import BridgeError
from bridge.domain.identity import PersonId
from bridge.domain.indicators import Lamp
from bridge.domain.people import PersonRole
from bridge.domain.setup import DealerKeyInput, InputRole, LockOutButton
from bridge.domain.table_view import Phase, TableView, Task, WagerAreaStatus
from bridge.domain.wagers import BettingPosition
from simulators.scenario import listed
from simulators.table import SimulatedTable

CHIP_PAUSE_S = 0.3
CARD_PAUSE_S = 0.5
KEY_PAUSE_S = 0.4
CONFIRMATION_PAUSE_S = 1.0
AGAIN_AFTER_S = 3.0
"""After so long without a reaction a person presses the key, or says the word, once more."""


class Display(Protocol):
    """The table's display, and the floorperson's way to answer it."""

    async def until(self, condition: Callable[[TableView], bool]) -> TableView:
        """Return what the display shows as soon as it satisfies a condition; it may already."""

    async def confirm(self, by: PersonId, confirmation: Confirmation) -> None:
        """Say something about the round, as a person who is logged in."""


class TableStuckError(BridgeError):
    """The table did not do what it has to do next."""


class NobodyMayError(BridgeError):
    """The table asks for something that nobody at it may do."""


class AtTable:
    """Everybody at one table."""

    WATCHED: tuple[Lamp, str] = (Lamp.WAGER_ACCEPTED, "acceptance")
    """The lamps that people look at before they give up, and what they call them."""

    def __init__(
        self,
        table: SimulatedTable,
        display: Display,
        *,
        floorperson: PersonId,
        pace: float = 1,
        patience_s: float = 30,
    ) -> None:
        """Pauses are multiplied by ``pace``, 0 for none; nothing is awaited longer than ``patience_s``."""
        self._table = table
        self._display = display
        self._floorperson = floorperson
        self._pace = pace
        self._patience_s = patience_s
        self._shown = "nothing yet"
        self._said: set[Confirmation] = set()
        """What was said, and is asked for as long as the display has not changed yet."""

    # --- seeing ---------------------------------------------------------------------------------------

    async def _see(self, what: str, condition: Callable[[TableView], bool]) -> TableView:
        async with self._awaiting(what):
            return await self._display.until(self._noting(condition))

    def _noting(self, condition: Callable[[TableView], bool]) -> Callable[[TableView], bool]:
        """Remember what the display shows, for the case that the condition never holds."""

        def noted(view: TableView) -> bool:
            tasks = listed([task.task for task in view.tasks]) or "none"
            self._shown = f"round {view.round_number}, phase {view.phase}, tasks: {tasks}"
            return condition(view)

        return noted

    @asynccontextmanager
    async def _awaiting(self, what: str) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(self._patience_s):
                yield
        except TimeoutError:
            lamp, called = self.WATCHED
            lit = listed(sorted(self._table.lit(lamp))) or "no position"
            raise TableStuckError(
                f"waited {self._patience_s:g} s for {what}; the display shows {self._shown}; "
                f"{called} lamps are lit at {lit}; the lock-out is {'on' if self._table.locked() else 'off'}"
            ) from None

    async def _see_open(self, positions: frozenset[BettingPosition]) -> TableView:
        """Wait until wagers may be placed at these positions; return what the display shows then."""
        opened = await self._see("open wagers", lambda view: open_at(view, positions))
        async with self._awaiting("the lock-out to be released"):
            await self._table.until(self._table.unlocked)
        return opened

    async def _see_polled(self) -> None:
        """Wait until the bridge has looked at every sensor as it is now."""
        async with self._awaiting("the sensors to be polled"):
            await self._table.until_sensors_seen()

    # --- doing ----------------------------------------------------------------------------------------

    async def _unless_voided(self, playing: Coroutine[object, object, None]) -> bool:
        """Play on; leave off where everybody is if somebody voids the round. Return whether that happened."""
        play = asyncio.create_task(playing, name="play")
        void = asyncio.create_task(
            self._display.until(self._noting(lambda view: view.phase is Phase.VOIDED)), name="void"
        )
        try:
            await asyncio.wait((play, void), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (play, void):
                task.cancel()
            await asyncio.gather(play, void, return_exceptions=True)
        if not play.cancelled():
            play.result()
        return not void.cancelled()

    async def _press(self, role: InputRole, what: str, reaction: Callable[[], Awaitable[object]]) -> None:
        """Press a key until the table reacts; press it again if it does not."""
        async with self._awaiting(what):
            reacted = False
            while not reacted:
                async with self._table.held(role):
                    reacted = await soon(reaction())

    async def _press_lock_out(self) -> None:
        await self._pause(KEY_PAUSE_S)
        await self._press(
            LockOutButton(), "the lock-out to be engaged", lambda: self._table.until(self._table.locked)
        )

    async def _press_round_complete(self, opened: TableView) -> None:
        """Close the round that a display showed when it was opened."""
        await self._pause(KEY_PAUSE_S)
        await self._press(
            DealerKeyInput(key=DealerKey.ROUND_COMPLETE),
            "the next round",
            lambda: self._display.until(self._noting(lambda view: view.round_number > opened.round_number)),
        )

    async def _touch(self, role: InputRole) -> None:
        """Press something that nothing at the table reacts to."""
        async with self._awaiting(f"the press of {role} to be polled"), self._table.held(role):
            pass

    async def _attend_to(
        self, what: str, condition: Callable[[TableView], bool], asked: Callable[[TableView], list[Confirmation]]
    ) -> TableView:
        """Wait for something while everybody says what the table asks them to say."""

        def noteworthy(view: TableView) -> bool:
            return condition(view) or not self._said.issuperset(asked(view))

        async with self._awaiting(what):
            while True:
                try:
                    async with asyncio.timeout(AGAIN_AFTER_S):
                        view = await self._display.until(self._noting(noteworthy))
                except TimeoutError:
                    self._said.clear()
                    continue
                wanted = asked(view)
                self._said.intersection_update(wanted)
                unsaid = [confirmation for confirmation in wanted if confirmation not in self._said]
                if not unsaid:
                    return view
                for confirmation in unsaid:
                    await self._pause(CONFIRMATION_PAUSE_S)
                    await self._display.confirm(self._speaker(confirmation), confirmation)
                    self._said.add(confirmation)

    def _speaker(self, confirmation: Confirmation) -> PersonId:
        """Return who says something: the floorperson, if the floorperson may; raise ``NobodyMayError``."""
        may = MAY[confirmation.act] if isinstance(confirmation, PayoutSignedOff) else {PersonRole.FLOORPERSON}
        if PersonRole.FLOORPERSON in may:
            return self._floorperson
        for person, role in self._table.setup.people:
            if role in may:
                return person
        raise NobodyMayError(
            f"nobody at the table may say {confirmation.kind}: add a {' or a '.join(sorted(may))} under [[people]]"
        )

    async def _pause(self, seconds: float) -> None:
        if self._pace:
            await asyncio.sleep(self._pace * seconds)


async def soon(reaction: Awaitable[object]) -> bool:
    """Return whether something happens before a person would try again."""
    try:
        async with asyncio.timeout(AGAIN_AFTER_S):
            await reaction
    except TimeoutError:
        return False
    return True


def tasks_of(view: TableView) -> frozenset[Task]:
    """Return what the display asks somebody to do."""
    return frozenset(task.task for task in view.tasks)


def open_at(view: TableView, positions: frozenset[BettingPosition]) -> bool:
    """Return whether wagers may be placed at all these positions."""
    closed = {area.position for area in view.areas if area.status is WagerAreaStatus.CLOSED}
    return view.phase is Phase.WAGERS_OPEN and not view.locked and not closed & positions
