"""A display that a test writes, for people in front of it."""

from collections.abc import Callable
from dataclasses import replace

from bridge.domain.confirmations import Confirmation
from bridge.domain.identity import PersonId
from bridge.domain.table_view import TableView
from simulators.device import Signal

FLOOR = PersonId("floor-1")


class Board:
    """A display that shows what the test says, and the confirmations that were given to it."""

    def __init__(self, shown: TableView) -> None:
        self._shown = shown
        self._changed = Signal()
        self.confirmed: list[Confirmation] = []
        self.on_confirm: Callable[[Confirmation], None] = lambda _: None

    def show(self, **changes: object) -> None:
        self._shown = replace(self._shown, **changes)  # type: ignore[arg-type]
        self._changed.notify()

    async def until(self, condition: Callable[[TableView], bool]) -> TableView:
        await self._changed.until(lambda: condition(self._shown))
        return self._shown

    async def confirm(self, by: PersonId, confirmation: Confirmation) -> None:
        assert by == FLOOR
        self.confirmed.append(confirmation)
        self.on_confirm(confirmation)
