"""The meter signs of a table, driven: what the watch says, given to the fleet when it changes, and at the end."""

import asyncio
from collections.abc import Callable

from bridge.clock import Clock
from bridge.contracts.envelopes import MeterEnvelope, SettlementEnvelope
from bridge.daemon.meter_watch import MeterWatch
from bridge.domain.setup import TableSetup
from bridge.drivers.fleet import Fleet
from bridge.table.controller import progressive_closed_by
from bridge.table.state import TableState

SIGN_LOOK_S = 1.0
"""How often somebody looks whether what is shown is too old."""
SIGN_WAIT_S = 1.0
"""What a sign needs to take its last words: it does not say when it has."""


class MeterSigns:
    """Keeps the signs of one table up to date; a table without a sign does nothing here."""

    def __init__(self, setup: TableSetup, *, fleet: Fleet, clock: Clock) -> None:
        self._shown = setup.meter_signs
        self._watch = MeterWatch(setup.table, self._shown)
        self._fleet = fleet
        self._clock = clock

    def heard(self, envelope: MeterEnvelope, *, retained: bool) -> None:
        """Take a reading of the rules worker; ``retained`` if it is the broker who says it."""
        self._watch.heard(envelope.reading, self._clock.monotonic_us(), retained=retained)

    def settled(self, envelope: SettlementEnvelope) -> None:
        """Take a settlement of the table's round."""
        self._watch.settled(envelope)

    def show(self, state: TableState) -> None:
        """Order what has changed."""
        closed = bool(progressive_closed_by(state))
        for command in self._watch.changed(self._clock.monotonic_us(), closed=closed):
            self._fleet.perform(command)

    async def keep(self, state: Callable[[], TableState]) -> None:
        """Show what changes without anybody saying anything: readings grow old."""
        while self._shown:
            self.show(state())
            await asyncio.sleep(SIGN_LOOK_S)

    async def leave(self) -> None:
        """Let no sign show what nobody keeps up to date any more."""
        told = [self._fleet.perform(command) for command in self._watch.leave()]
        if any(told):
            await asyncio.sleep(SIGN_WAIT_S)
