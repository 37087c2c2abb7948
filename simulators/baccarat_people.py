"""The people at one table of baccarat, playing a scenario: they deal, turn hands and pay as the display asks.

The shoe is theirs too: what it says of targets and results is what they make it say.
"""

from collections.abc import Callable
from typing import Protocol

from bridge.domain.cards import Card
from bridge.domain.confirmations import (
    AmountDeclared,
    CardIdentified,
    Confirmation,
    RoundVoided,
    VigorishCollected,
)
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.identity import PersonId
from bridge.domain.indicators import Lamp
from bridge.domain.people import PersonRole
from bridge.domain.rounds import House, Round
from bridge.domain.setup import DealerKeyInput
from bridge.domain.shoe import DealTarget, ShoeFault, ShoeResult
from bridge.domain.table_view import Phase, TableView, Task
from bridge.domain.wagers import UnknownAmount, Wager
from bridge.wire.shoe_frames import FAULT_CODES
from simulators.angel_eye import AngelEyeShoe
from simulators.at_table import (
    CARD_PAUSE_S,
    CHIP_PAUSE_S,
    KEY_PAUSE_S,
    AtTable,
    Display,
    soon,
    tasks_of,
)
from simulators.baccarat_scenario import INITIAL_CARDS, BaccaratRound, Draw, Drawn, ExtraCard, Layout, ShoeSays
from simulators.baccarat_shoe import result_of
from simulators.scenario import UnreadableCard
from simulators.table import SimulatedTable, TableWiringError

_TURNED = {House.PLAYER: DealerKey.PLAYER_HAND_TURNED, House.BANKER: DealerKey.BANKER_HAND_TURNED}


class RoundDisplay(Display, Protocol):
    """A display that shows the round too: what was accepted, and what it comes to."""

    async def until_round(self, condition: Callable[[Round], bool]) -> Round:
        """Return the round as it is shown as soon as it satisfies a condition; it may already."""


class BaccaratPeople(AtTable):
    """Everybody at one table of baccarat."""

    WATCHED = (Lamp.WINNER, "winner")

    def __init__(
        self,
        table: SimulatedTable,
        display: RoundDisplay,
        *,
        floorperson: PersonId,
        pace: float = 1,
        patience_s: float = 30,
    ) -> None:
        """As ``AtTable``; the display shows the round too."""
        super().__init__(table, display, floorperson=floorperson, pace=pace, patience_s=patience_s)
        self._rounds = display

    async def play(self, script: BaccaratRound) -> None:
        """Play one round, from open wagers until the table has opened the next round."""
        opened = await self._see_open(script.positions())
        voided = await self._unless_voided(self._wager_and_deal(script)) or bool(script.void)
        pairs = (False, False) if voided else (_pair(script.player), _pair(script.banker))
        self._shoe().state_result(_stated(script, voided=voided), player_pair=pairs[0], banker_pair=pairs[1])
        await self._complete(script, opened)

    async def _wager_and_deal(self, script: BaccaratRound) -> None:
        """Play until the result is known."""
        await self._lay(script.wagers)
        self._burn(script)
        draws = script.draws()
        if script.card_before_lock_out:
            self._draw(script, 1, draws[0])
            async with self._awaiting("the table to lock itself at the first card"):
                await self._table.until(self._table.locked)
        else:
            await self._press_lock_out()
        await self._see("no more bets", lambda view: view.phase is not Phase.WAGERS_OPEN)
        await self._lay(script.late)
        for position, wager in script.late:
            self._table.take_chip(position, wager)
        await self._declare_amounts(script)
        await self._deal(script, draws)
        await self._end(script)

    async def _lay(self, wagers: Layout) -> None:
        for position, wager in wagers:
            self._table.lay_chip(position, wager)
            await self._pause(CHIP_PAUSE_S)
        await self._see_polled()

    async def _declare_amounts(self, script: BaccaratRound) -> None:
        """Say what the chips come to, where a sensor cannot tell, until the round shows it."""
        meant = [
            Wager(position=position, kind=wager, amount=amount)
            for (position, wager), amount in script.amounts.items()
            if self._table.setup.offer(wager).amount is UnknownAmount.UNKNOWN
        ]
        if not meant:
            return
        async with self._awaiting("the amounts of the wagers to be known"):
            known = False
            while not known:
                round_ = await self._rounds.until_round(lambda shown: shown.locked)
                for wager in meant:
                    declared = AmountDeclared(
                        round_number=round_.number,
                        position=wager.position,
                        wager=wager.kind,
                        amount=wager.amount,  # type: ignore[arg-type]  # a scenario gives cents
                    )
                    await self._display.confirm(self._dealer(), declared)
                known = await soon(self._rounds.until_round(lambda shown: set(meant) <= set(shown.accepted)))

    # --- cards ----------------------------------------------------------------------------------------

    async def _deal(self, script: BaccaratRound, draws: tuple[Draw, ...]) -> None:
        """Deal the initial cards, turn them if they lie face down, then deal third cards."""
        first = 1 if script.card_before_lock_out else 0
        for order, draw in enumerate(draws[first:], start=first + 1):
            if order == 2 * INITIAL_CARDS + 1:
                await self._attend_hands(script)
            if draw.place > INITIAL_CARDS and not script.void:
                await self._attend(script, f"a card to be due to the {draw.target}", _is_due(draw))
            self._draw(script, order, draw)
            await self._pause(CARD_PAUSE_S)
        if len(draws) == 2 * INITIAL_CARDS:
            await self._attend_hands(script)

    async def _attend_hands(self, script: BaccaratRound) -> None:
        """Turn both hands where they lie face down, and wait for what is settled after four cards."""
        for down in House.PLAYER, House.BANKER:
            view = await self._attend(
                script,
                "the initial cards to be told",
                lambda shown: _between_cards(shown) or bool(_face_down(shown)),
            )
            if down in _face_down(view):
                await self._turn(down)
        await self._attend(script, "what is settled after four cards", _between_cards)

    async def _turn(self, hand: House) -> None:
        await self._pause(KEY_PAUSE_S)
        await self._press(
            DealerKeyInput(key=_TURNED[hand]),
            f"the {hand} hand to be shown",
            lambda: self._display.until(self._noting(lambda view: hand not in _face_down(view))),
        )

    async def _end(self, script: BaccaratRound) -> None:
        """Draw a card too many; void the round, if that is what happens."""
        shoe = self._shoe()
        match script.extra_card:
            case ExtraCard(card=card, drawn=Drawn.DEALT):
                await self._see("the result", lambda view: view.phase is Phase.RESULT)
                shoe.draw(card, DealTarget.PLAYER, len(script.player) + 1)
            case ExtraCard(card=card, drawn=Drawn.OVERDRAWN):
                shoe.overdraw(card)
                shoe.clear_fault(FAULT_CODES[ShoeFault.OVERDRAW])
            case _:
                pass
        if script.void:
            await self._void(script)
        else:
            await self._attend(script, "the result", lambda view: view.phase is Phase.RESULT)

    async def _void(self, script: BaccaratRound) -> None:
        """Void the round when the table has seen its cards."""
        dealt = len(script.draws())
        async with self._awaiting("the cards to be seen"):
            await self._rounds.until_round(lambda shown: sum(len(hand.cards) for hand in shown.hands) >= dealt)
        await self._attend_to(
            "the round to be voided",
            lambda view: view.phase is Phase.VOIDED,
            lambda view: [RoundVoided(round_number=view.round_number, reason=script.void)],
        )

    async def _complete(self, script: BaccaratRound, opened: TableView) -> None:
        """Collect and pay, or return, what is wagered; close the round, and change the shoe if it ends."""
        await self._attend(
            script, "leave to complete the round", lambda view: Task.COMPLETE_ROUND in tasks_of(view)
        )
        for position, wager in (*script.wagers, *script.late):
            self._table.take_chip(position, wager)
            await self._pause(CHIP_PAUSE_S)
        await self._see_polled()
        await self._press_round_complete(opened)
        view = await self._see("the next round", lambda shown: shown.round_number > opened.round_number)
        if Task.CHANGE_SHOE in tasks_of(view):
            await self._change_shoe()

    async def _change_shoe(self) -> None:
        """Collect the vigorish that is marked, and bring a new shoe into play."""
        await self._attend_to("the vigorish to be collected", _no_vigorish_open, _vigorish_to_collect)
        await self._pause(KEY_PAUSE_S)
        await self._press(
            DealerKeyInput(key=DealerKey.NEW_SHOE),
            "the new shoe",
            lambda: self._display.until(self._noting(lambda view: Task.CHANGE_SHOE not in tasks_of(view))),
        )

    # --- doing ----------------------------------------------------------------------------------------

    def _burn(self, script: BaccaratRound) -> None:
        for place, card in enumerate(script.burned):
            target = DealTarget.BURN_COUNT if place else DealTarget.FIRST_OF_BURN_COUNT
            self._shoe().draw(card, target, max(1, place))

    def _draw(self, script: BaccaratRound, order: int, draw: Draw) -> None:
        if order == 1 and script.cut_card:
            self._shoe().reach_cut_card()
        match script.unreadable:
            case UnreadableCard(order=unread) if unread == order:
                self._shoe().draw_unreadable(draw.target, draw.place)
            case _:
                self._shoe().draw(draw.card, draw.target, draw.place)

    async def _attend(self, script: BaccaratRound, what: str, condition: Callable[[TableView], bool]) -> TableView:
        return await self._attend_to(what, condition, lambda view: self._asked(script, view))

    def _asked(self, script: BaccaratRound, view: TableView) -> list[Confirmation]:
        """Return what the display asks the floorperson to confirm."""
        match script.unreadable:
            case UnreadableCard(order=order, identified=True) if Task.IDENTIFY_CARD in tasks_of(view):
                card: Card = script.draws()[order - 1].card
                of_round = order + len(script.burned)
                return [CardIdentified(round_number=view.round_number, order=of_round, card=card)]
            case _:
                return []

    def _shoe(self) -> AngelEyeShoe:
        reader = self._table.reader
        if not isinstance(reader, AngelEyeShoe):
            raise TableWiringError(f"cards of {self._table.setup.game} are drawn from a shoe that says for whom")
        return reader

    def _dealer(self) -> PersonId:
        """Return who says what chips come to: the dealer, or else the floorperson."""
        dealers = [person for person, role in self._table.setup.people if role is PersonRole.DEALER]
        return dealers[0] if dealers else self._floorperson


def _is_due(draw: Draw) -> Callable[[TableView], bool]:
    """Return whether a display asks for this third card."""

    def due(view: TableView) -> bool:
        wanted = [task.detail for task in view.tasks if task.task is Task.DEAL_THIRD_CARD]
        return any(draw.target in detail for detail in wanted)

    return due


def _stated(script: BaccaratRound, *, voided: bool) -> ShoeResult:
    """Return what the shoe states at the end: what the cards come to, unless something else happens."""
    if not isinstance(script.shoe_says, ShoeSays):
        return script.shoe_says
    return ShoeResult.FORCED_END if voided else result_of(script.player, script.banker)


def _between_cards(view: TableView) -> bool:
    """Return whether what the cards so far decide is settled, and the hands are known."""
    waiting = {Task.TURN_HANDS, Task.IDENTIFY_CARD, Task.SETTLE_SIDE_WAGERS} & tasks_of(view)
    return view.phase in (Phase.THIRD_CARDS, Phase.RESULT) and not waiting


def _face_down(view: TableView) -> tuple[House, ...]:
    """Return the hands that lie face down, in the order in which they are turned."""
    told = [task.detail for task in view.tasks if task.task is Task.TURN_HANDS]
    return tuple(House(hand) for hand in told[0].split(", ")) if told else ()


def _no_vigorish_open(view: TableView) -> bool:
    return Task.COLLECT_VIGORISH not in tasks_of(view)


def _vigorish_to_collect(view: TableView) -> list[Confirmation]:
    return [
        VigorishCollected(round_number=view.round_number, position=position)
        for task in view.tasks
        if task.task is Task.COLLECT_VIGORISH
        for position in task.positions
    ]


def _pair(cards: tuple[Card, ...]) -> bool:
    return len({card.rank for card in cards[:INITIAL_CARDS]}) == 1
