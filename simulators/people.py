"""The people at one table of blackjack: players, dealer and floorperson, playing a scenario."""

from collections.abc import Callable, Iterable

from bridge.domain.awards import PayoutAct
from bridge.domain.cards import Card
from bridge.domain.confirmations import (
    CardIdentified,
    Confirmation,
    CountResolved,
    PayoutSignedOff,
)
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.errors import BridgeError
from bridge.domain.identity import RoundNumber
from bridge.domain.indicators import Lamp, LampState
from bridge.domain.setup import CardReading, DealerKeyInput, HoleCardReaderInput
from bridge.domain.table_view import LampReport, Phase, TableView, Task
from bridge.domain.wagers import BettingPosition, WagerKind
from simulators.at_table import CARD_PAUSE_S, CHIP_PAUSE_S, KEY_PAUSE_S, AtTable, soon, tasks_of
from simulators.scenario import ChipCount, HoleCardReaderUse, ScriptedRound, UnreadableCard, listed

_WAGERS = (WagerKind.BLACKJACK, WagerKind.ROYAL_MATCH_PROGRESSIVE)
_ACT_OF_TASK = {
    Task.VERIFY_HAND: PayoutAct.HAND_VERIFIED,
    Task.VERIFY_LAMP: PayoutAct.LAMP_VERIFIED,
    Task.VALIDATE_PAYOUT: PayoutAct.VALIDATED,
    Task.DOCUMENT_AWARD: PayoutAct.DOCUMENTED,
    Task.PAY_AWARD: PayoutAct.PAID,
    Task.RESET_METER: PayoutAct.RESET,
}
_BEFORE_PLAY = frozenset({Phase.NO_MORE_BETS, Phase.COUNT_DIFFERS, Phase.DEALING, Phase.MANUAL, Phase.SIDE_WAGERS})


class LateWagerLitError(BridgeError):
    """A wager laid after lock-out was acknowledged (§ 633b.18(d)(2))."""


class People(AtTable):
    """Everybody at one table of blackjack."""

    async def play(self, script: ScriptedRound) -> None:
        """Play one round, from open wagers until the table has opened the next round."""
        opened = await self._see_open(script.positions())
        await self._unless_voided(self._wager_and_deal(script))
        await self._complete(script, opened)

    async def _wager_and_deal(self, script: ScriptedRound) -> None:
        accepted = await self._wager(script)
        await self._lock_out(script, accepted)
        await self._collect_and_count(script, accepted)
        await self._deal(script)
        await self._settle_side_wagers(script)
        await self._play_hands(script)

    async def _wager(self, script: ScriptedRound) -> frozenset[BettingPosition]:
        """Lay the chips; return the positions whose progressive wager has to be acknowledged."""
        for wager, positions in zip(_WAGERS, (script.blackjack, script.progressive), strict=True):
            for position in positions:
                self._table.lay_chip(position, wager)
                await self._pause(CHIP_PAUSE_S)
        acknowledged = frozenset(script.progressive) & frozenset(script.blackjack)
        await self._see_acknowledged(acknowledged)
        await self._see_polled()
        return acknowledged

    async def _lock_out(self, script: ScriptedRound, accepted: frozenset[BettingPosition]) -> None:
        await self._press_lock_out()
        if not script.late:
            return
        for position in script.late:
            self._table.lay_chip(position, WagerKind.ROYAL_MATCH_PROGRESSIVE)
            await self._pause(CHIP_PAUSE_S)
        await self._see_polled()
        if lit := self._table.lit(Lamp.WAGER_ACCEPTED) - accepted:
            raise LateWagerLitError(f"a wager laid after lock-out is acknowledged at {listed(sorted(lit))}")

    async def _collect_and_count(self, script: ScriptedRound, accepted: frozenset[BettingPosition]) -> None:
        """Take the accepted chips into the rack and give all others back; count, if anything was accepted."""
        await self._see("no more bets", lambda view: view.phase is not Phase.WAGERS_OPEN)
        for position in (*script.progressive, *script.late):
            self._table.take_chip(position, WagerKind.ROYAL_MATCH_PROGRESSIVE)
            await self._pause(CHIP_PAUSE_S)
        if not accepted:
            return
        counted = len(accepted) if script.counted is ChipCount.AS_ACCEPTED else script.counted
        key = DealerKey.COUNT_AGREED if counted == len(accepted) else DealerKey.COUNT_DIFFERS
        await self._pause(KEY_PAUSE_S)
        await self._press(
            DealerKeyInput(key=key),
            f"an answer to the key {key}",
            lambda: self._display.until(self._noting(lambda view: view.phase is not Phase.NO_MORE_BETS)),
        )
        await self._attend(script, "the deal", lambda view: view.phase is Phase.DEALING)

    async def _deal(self, script: ScriptedRound) -> None:
        """Deal the initial cards; the reader sees the hole card too where it reads cards as they are drawn."""
        cards = script.initial_deal(self._table.setup.deal_order)
        seen = cards if self._reads_as_drawn() else cards[:-1]
        early = script.hole_card_reader is HoleCardReaderUse.BEFORE_SETTLEMENT
        for order, card in enumerate(seen, start=1):
            if early and order == len(seen):
                await self._touch(HoleCardReaderInput())
            self._show(script, order, card)
            await self._pause(CARD_PAUSE_S)

    async def _settle_side_wagers(self, script: ScriptedRound) -> None:
        await self._attend(
            script,
            "the side wagers to be settled",
            lambda view: view.phase not in _BEFORE_PLAY and Task.VALIDATE_PAYOUT not in tasks_of(view),
        )
        if script.hole_card_reader is HoleCardReaderUse.AFTER_SETTLEMENT:
            await self._touch(HoleCardReaderInput())

    async def _play_hands(self, script: ScriptedRound) -> None:
        """Deal the hits, turn the hole card, let deferred wagers be settled, then draw for the dealer."""
        await self._deal_hits(script.hits)
        key = DealerKeyInput(key=DealerKey.HOLE_CARD_EXPOSED)
        await self._pause(KEY_PAUSE_S)
        if self._reads_as_drawn():
            await self._press(
                key, "the hole card to be exposed", lambda: self._display.until(self._noting(_hole_card_seen))
            )
        else:
            await self._touch(key)
            self._show(script, 2 * len(script.hands) + 2, script.hole_card)
            await self._see("the hole card to be exposed", _hole_card_seen)
        await self._attend(
            script,
            "the deferred wagers to be settled",
            lambda view: view.phase is Phase.PLAY and _hole_card_seen(view),
        )
        await self._deal_hits(script.dealer_hits)

    async def _complete(self, script: ScriptedRound, opened: TableView) -> None:
        await self._attend(
            script, "leave to complete the round", lambda view: Task.COMPLETE_ROUND in tasks_of(view)
        )
        for position in script.blackjack:
            self._table.take_chip(position, WagerKind.BLACKJACK)
        for position in (*script.progressive, *script.late):
            self._table.take_chip(position, WagerKind.ROYAL_MATCH_PROGRESSIVE)
        await self._see_polled()
        await self._press_round_complete(opened)

    # --- seeing ---------------------------------------------------------------------------------------

    async def _see_acknowledged(self, positions: frozenset[BettingPosition]) -> None:
        """Wait for the acceptance lamps. A player whose lamp stays dark takes the chip up and lays it again.

        A chip that was laid while its sensor did not answer is not recognised by itself (T45).
        """
        where = listed(sorted(positions)) or "no position"
        async with self._awaiting(f"acceptance lamps at {where} and nowhere else"):
            while not await soon(self._table.until(lambda: self._table.lit(Lamp.WAGER_ACCEPTED) == positions)):
                dark = positions - self._table.lit(Lamp.WAGER_ACCEPTED)
                for position in dark:
                    self._table.take_chip(position, WagerKind.ROYAL_MATCH_PROGRESSIVE)
                await self._table.until_sensors_seen()
                for position in dark:
                    self._table.lay_chip(position, WagerKind.ROYAL_MATCH_PROGRESSIVE)

    # --- doing ----------------------------------------------------------------------------------------

    def _show(self, script: ScriptedRound, order: int, card: Card) -> None:
        match script.unreadable:
            case UnreadableCard(order=unread, text=text) if unread == order:
                self._table.reader.show_unreadable(text)
            case _:
                self._table.reader.show(card)

    async def _deal_hits(self, cards: Iterable[Card]) -> None:
        for card in cards:
            self._table.reader.show(card)
            await self._pause(CARD_PAUSE_S)

    async def _attend(self, script: ScriptedRound, what: str, condition: Callable[[TableView], bool]) -> TableView:
        return await self._attend_to(what, condition, lambda view: self._asked(script, view))

    def _asked(self, script: ScriptedRound, view: TableView) -> list[Confirmation]:
        """Return what the display asks people to confirm."""
        number = view.round_number
        asked: list[Confirmation] = [
            _rejection(number, position)
            if act is PayoutAct.VALIDATED and position in script.rejected
            else PayoutSignedOff(round_number=number, position=position, act=act)
            for task in view.tasks
            if (act := _ACT_OF_TASK.get(task.task)) is not None
            for position in task.positions
            if act is not PayoutAct.LAMP_VERIFIED or _win_lamps_are_lit(view, position)
        ]
        for task in view.tasks:
            match task.task, script.unreadable:
                case Task.RESOLVE_COUNT, _:
                    asked.append(CountResolved(round_number=number, reason="chips recounted at the table"))
                case Task.IDENTIFY_CARD, UnreadableCard(order=order, identified=True):
                    card = script.initial_deal(self._table.setup.deal_order)[order - 1]
                    asked.append(CardIdentified(round_number=number, order=order, card=card))
                case _:
                    pass
        return asked

    def _reads_as_drawn(self) -> bool:
        readings = [reading for wiring in self._table.setup.wiring for reading in wiring.card_readings]
        return CardReading.AS_DRAWN in readings


def _rejection(number: RoundNumber, position: BettingPosition) -> PayoutSignedOff:
    return PayoutSignedOff(
        round_number=number,
        position=position,
        act=PayoutAct.REJECTED,
        reason="a card of the hand was not dealt to it",
    )


def _win_lamps_are_lit(view: TableView, position: BettingPosition) -> bool:
    """Return whether every win lamp that a position should show is reported lit, and there is one."""
    lamps = [
        lamp.reported
        for lamp in view.lamps
        if lamp.indicator.position == position
        and lamp.wanted is LampState.ON
        and lamp.indicator.lamp not in (Lamp.WAGER_ACCEPTED, Lamp.ENVY_BONUS)
    ]
    return bool(lamps) and all(reported is LampReport.ON for reported in lamps)


def _hole_card_seen(view: TableView) -> bool:
    return Task.EXPOSE_HOLE_CARD not in tasks_of(view)
