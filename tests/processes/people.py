"""People who notice that the table has lost its daemon, and do again what it has not seen.

A card that is shown while no daemon runs is not read, and a chip that nobody saw being laid is not
acknowledged (T45): a dealer shows the card again, a player lays the chip again. Everything else the
simulated people do again by themselves.
"""

from collections.abc import Awaitable, Callable, Iterable

from bridge.contracts.envelopes import Envelope, TableEnvelope
from bridge.demo.display import TableDisplay
from bridge.domain.cards import Card
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.identity import PersonId
from bridge.domain.indicators import Lamp
from bridge.domain.setup import DealerKeyInput, InputRole, LockOutButton
from bridge.domain.table_view import Phase, WagerAreaStatus
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.table.state import cards_of
from simulators.device import Signal
from simulators.people import People
from simulators.scenario import ScriptedRound
from simulators.table import SimulatedTable

_PROGRESSIVE = WagerKind.ROYAL_MATCH_PROGRESSIVE
_NEVER = 0


class Eyes(Signal):
    """Sees all that is published and every change of an output, and counts what must not change."""

    def __init__(self, table: SimulatedTable) -> None:
        super().__init__()
        self.heard: list[Envelope] = []
        """Everything that was published, oldest first."""
        self.table_said: TableEnvelope | None = None
        self.locked_out = False
        self.lock_let_go = 0
        self.lamps_changed = 0
        self._accepted: frozenset[BettingPosition] = frozenset()
        self._table = table
        for device in table.devices.values():
            device.outputs.also_notify(self)

    def hear(self, envelope: Envelope) -> None:
        """Take a message."""
        self.heard.append(envelope)
        if isinstance(envelope, TableEnvelope):
            self.table_said = envelope
        self.notify()

    def notify(self) -> None:
        """Let everybody who waits look again."""
        if self.locked_out:
            self.lock_let_go += not self._table.locked()
            self.lamps_changed += self._table.lit(Lamp.WAGER_ACCEPTED) != self._accepted
        super().notify()

    def lock_out(self) -> None:
        """From now on the lock-out has to hold, and acceptance lamps have to stay as they are."""
        self._accepted = self._table.lit(Lamp.WAGER_ACCEPTED)
        self.locked_out = True


class AttentivePeople(People):
    """Without a pause, but with an eye on the display. They play scripts whose cards can all be read."""

    def __init__(
        self,
        table: SimulatedTable,
        display: TableDisplay,
        eyes: Eyes,
        daemon_started: Callable[[], int],
        *,
        floorperson: PersonId,
        patience_s: float,
    ) -> None:
        """``daemon_started`` says when the daemon that runs now was started, in wall microseconds; 0 for none."""
        super().__init__(table, display, floorperson=floorperson, pace=0, patience_s=patience_s)
        self._shown_on = display
        self._eyes = eyes
        self._daemon_started = daemon_started
        self.before_key: Callable[[InputRole], Awaitable[None]] = _nothing
        """Something that a test does just before a key is pressed."""
        self.before_card: Callable[[int], Awaitable[None]] = _nothing
        """Something that a test does just before a card is shown: its place in the round."""

    async def wager(self, script: ScriptedRound) -> None:
        """Lay the chips of a round, until they are acknowledged."""
        await self._see("open wagers", lambda view: view.phase is Phase.WAGERS_OPEN and not view.locked)
        await self._wager(script)

    async def lock_out(self, script: ScriptedRound) -> None:
        """Lock out a round whose wagers are laid."""
        await self._lock_out(script, _accepted(script))

    async def deal(self, script: ScriptedRound) -> None:
        """Collect, count and deal a round that is locked out."""
        await self._collect_and_count(script, _accepted(script))
        await self._deal(script)

    async def expose_hole_card(self, script: ScriptedRound) -> None:
        """Go on with a round whose side wagers are settled, until the hole card is up."""
        await self._settle_side_wagers(script)
        key = DealerKeyInput(key=DealerKey.HOLE_CARD_EXPOSED)
        await self._press(key, "the hole card to be exposed", self._until_exposed)

    async def finish_dealt(self, script: ScriptedRound) -> None:
        """Go on with a round whose initial cards are dealt, to its end."""
        opened = self._shown_on.view
        assert opened is not None
        await self._settle_side_wagers(script)
        await self._play_hands(script)
        await self._complete(script, opened)

    async def finish(self, script: ScriptedRound) -> None:
        """Go on with a round that is locked out, to its end."""
        await self.deal(script)
        await self.finish_dealt(script)

    async def press(self, role: InputRole) -> None:
        """Press a key once, until it was seen."""
        await self._touch(role)

    async def _wager(self, script: ScriptedRound) -> frozenset[BettingPosition]:
        """Lay the chips; lay one anew where the table shows that it saw none being laid."""
        wagering = _accepted(script)
        for position in script.blackjack:
            self._table.lay_chip(position, WagerKind.BLACKJACK)
        for position in script.progressive:
            self._table.lay_chip(position, _PROGRESSIVE)
        async with self._awaiting(f"acceptance lamps at {sorted(wagering)}"):
            while self._table.lit(Lamp.WAGER_ACCEPTED) != wagering:
                await self._eyes.until(
                    lambda: self._table.lit(Lamp.WAGER_ACCEPTED) == wagering or bool(self._unseen())
                )
                for position in self._unseen():
                    self._table.take_chip(position, _PROGRESSIVE)
                    await self._table.until_sensors_seen()
                    self._table.lay_chip(position, _PROGRESSIVE)
                    await self._table.until_sensors_seen()
            await self._table.until_sensors_seen()
        return wagering

    def _unseen(self) -> frozenset[BettingPosition]:
        """Return where a chip lies beside a Blackjack wager that the table sees, and is not recognised."""
        view = self._shown_on.view
        areas = {} if view is None else {(area.position, area.wager): area.status for area in view.areas}
        return frozenset(
            position
            for (position, wager), status in areas.items()
            if wager is _PROGRESSIVE
            and status is WagerAreaStatus.NOT_RECOGNISED
            and areas[position, WagerKind.BLACKJACK] is WagerAreaStatus.PLACED
        )

    async def _deal(self, script: ScriptedRound) -> None:
        await self._deal_hits(script.initial_deal(self._table.setup.deal_order))

    async def _deal_hits(self, cards: Iterable[Card]) -> None:
        for card in cards:
            await self._deal_one(card)

    async def _deal_one(self, card: Card) -> None:
        """Show a card when there is somebody to read it, until it stands on the display."""
        place = self._cards() + 1
        await self.before_card(place)
        async with self._awaiting(f"card {place} to be read"):
            shown_in = _NEVER
            while not await self._is_read(place, shown_in):
                shown_in = self._daemon_started()
                self._table.reader.show(card)

    async def _is_read(self, place: int, shown_in: int) -> bool:
        """Wait until a card stands on the display, or has to be shown (again); return whether it stands there."""
        await self._eyes.until(lambda: self._cards() >= place or self._read_in_another_life(shown_in))
        return self._cards() >= place

    def _cards(self) -> int:
        return 0 if self._shown_on.round is None else len(cards_of(self._shown_on.round))

    def _read_in_another_life(self, shown_in: int) -> bool:
        """Return whether cards are read, and not by the daemon that a card was shown to already."""
        started, said = self._daemon_started(), self._eyes.table_said
        return (
            started not in (shown_in, _NEVER)
            and said is not None
            and said.epoch >= started
            and not set(self._table.readers) & set(said.view.lost_devices)
        )

    async def _press(self, role: InputRole, what: str, reaction: Callable[[], Awaitable[object]]) -> None:
        await self.before_key(role)
        if role == DealerKeyInput(key=DealerKey.ROUND_COMPLETE):
            self._eyes.locked_out = False
        if role == DealerKeyInput(key=DealerKey.HOLE_CARD_EXPOSED):
            # The display asks for it only where a wager waits for it; a dealer turns it in every round.
            reaction = self._until_exposed
        await super()._press(role, what, reaction)
        if role == LockOutButton():
            self._eyes.lock_out()

    async def _until_exposed(self) -> None:
        await self._eyes.until(lambda: self._shown_on.round is not None and self._shown_on.round.hole_card_exposed)


def _accepted(script: ScriptedRound) -> frozenset[BettingPosition]:
    return frozenset(script.progressive) & frozenset(script.blackjack)


async def _nothing(_what: object) -> None:
    pass
