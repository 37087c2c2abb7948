"""A blackjack table that plays for days without a device: random rounds through the real state machine.

Devices are obedient and people careful, so that what is journalled is what a good day brings: chips, keys and
cards, lamps and locks read back, answers of the rules worker, lamps asked for and validated payouts.
"""

from collections import deque
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

from bridge.config.table_config import TableConfig
from bridge.domain.awards import MAY
from bridge.domain.cards import Card
from bridge.domain.commands import Command, SetIndicator, SetLock
from bridge.domain.confirmations import PayoutSignedOff
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import (
    BridgeStarted,
    CardDrawn,
    DealerKeyPressed,
    DeviceReady,
    GamingDayBegan,
    IndicatorReported,
    IndicatorRequested,
    LockOutPressed,
    LockReported,
    PersonConfirmed,
    TableEvent,
    WagerPlaced,
    WagerRemoved,
)
from bridge.domain.identity import DeviceId, Timestamp
from bridge.domain.indicators import Indicator, LampState
from bridge.domain.setup import (
    DealerKeyInput,
    IndicatorOutput,
    InputRole,
    LockOutButton,
    LockOutput,
    OutputRole,
    WagerSensor,
)
from bridge.domain.table_view import Phase
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.rules.indicators import win_lamps
from bridge.rules.settlement import settle
from bridge.table import react
from bridge.table.answers import answer, is_news
from bridge.table.evolve import evolve
from bridge.table.state import TableState, has_wagers_to_settle, initial_state
from simulators.scenario import ScriptedRound
from simulators.shoe import random_rounds

_MICROSECONDS = 1_000_000
_BETWEEN_EVENTS_US = 400_000
_FIRST_DAY = date(2026, 1, 5)
_OPENS_AT_HOUR = 12


class RandomPlay:
    """One table; the same seed gives the same events, for ever."""

    def __init__(self, config: TableConfig, *, seed: int, rounds_a_day: int) -> None:
        self.state: TableState = initial_state(config.setup)
        self.config = config
        self._rounds = random_rounds(seed, config.setup.deal_order)
        self._rounds_a_day = rounds_a_day
        self._now = 0
        self._happened: deque[TableEvent] = deque()
        self._inputs = {role: w.device for w in config.setup.wiring for _, role in w.inputs}
        self._outputs = [(w.device, role) for w in config.setup.wiring for _, role in w.outputs]
        self._reader = next(w.device for w in config.setup.wiring if w.card_readings)
        self._shown: dict[Indicator | DeviceId, bool] = {}

    def events(self) -> Iterator[TableEvent]:
        """Yield events without end, day after day."""
        day = _FIRST_DAY
        while True:
            opens = datetime(day.year, day.month, day.day, _OPENS_AT_HOUR, tzinfo=UTC)
            self._now = int(opens.timestamp()) * _MICROSECONDS
            yield from self._opened(day)
            for _ in range(self._rounds_a_day):
                yield from self._played(next(self._rounds))
            day += timedelta(days=1)

    def _opened(self, day: date) -> Iterator[TableEvent]:
        if not self.state.sequence:
            yield from self._happen(BridgeStarted(at=self._tick(), version="1", setup=self.config.setup))
            for wiring in self.config.setup.wiring:
                yield from self._happen(DeviceReady(at=self._tick(), device=wiring.device))
        yield from self._happen(GamingDayBegan(at=self._tick(), day=day.isoformat()))

    def _played(self, script: ScriptedRound) -> Iterator[TableEvent]:
        deal = script.initial_deal(self.config.setup.deal_order)
        yield from self._chips(WagerKind.BLACKJACK, script.blackjack, laid=True)
        yield from self._chips(WagerKind.ROYAL_MATCH_PROGRESSIVE, script.progressive, laid=True)
        yield from self._happen(LockOutPressed(at=self._tick(), device=self._inputs[LockOutButton()]))
        yield from self._chips(WagerKind.ROYAL_MATCH_PROGRESSIVE, script.progressive, laid=False)
        if self.state.phase is Phase.NO_MORE_BETS:
            yield from self._key(DealerKey.COUNT_AGREED)
        yield from self._cards(*deal)
        yield from self._confirmed()
        yield from self._cards(*script.hits)
        yield from self._key(DealerKey.HOLE_CARD_EXPOSED)
        yield from self._confirmed()
        yield from self._cards(*script.dealer_hits)
        yield from self._chips(WagerKind.BLACKJACK, script.blackjack, laid=False)
        yield from self._key(DealerKey.ROUND_COMPLETE)

    def _chips(
        self, wager: WagerKind, positions: tuple[BettingPosition, ...], *, laid: bool
    ) -> Iterator[TableEvent]:
        kind = WagerPlaced if laid else WagerRemoved
        for position in positions:
            device = self._inputs[WagerSensor(position=position, wager=wager)]
            yield from self._happen(kind(at=self._tick(), device=device, position=position, wager=wager))

    def _key(self, key: DealerKey) -> Iterator[TableEvent]:
        device = self._inputs[DealerKeyInput(key=key)]
        yield from self._happen(DealerKeyPressed(at=self._tick(), device=device, key=key))

    def _cards(self, *cards: Card) -> Iterator[TableEvent]:
        for card in cards:
            yield from self._happen(CardDrawn(at=self._tick(), device=self._reader, card=card))

    def _confirmed(self) -> Iterator[TableEvent]:
        """Let people sign whatever waits for them, one act after the other."""
        while self.state.settled.awaiting:
            awaited = self.state.settled.awaiting[0]
            by, role = next((by, role) for by, role in self.config.setup.people if role in MAY[awaited.act])
            signed = PayoutSignedOff(
                round_number=self.state.round.number, position=awaited.position, act=awaited.act
            )
            yield from self._happen(PersonConfirmed(at=self._tick(), by=by, role=role, confirmation=signed))

    def _happen(self, event: TableEvent) -> Iterator[TableEvent]:
        """Yield an event and whatever follows from it, folded in."""
        self._happened.append(event)
        while self._happened:
            event = self._happened.popleft()
            before = self.state
            self.state = evolve(before, event)
            # What is shown of a table is not journalled, and takes longest to work out.
            for command in (
                *react._lock(before, event, self.state),
                *react._lamps(before, event, self.state),
            ):
                self._obey(command)
            if self.state.round != before.round and has_wagers_to_settle(self.state):
                self._settle()
            yield event

    def _obey(self, command: Command) -> None:
        match command:
            case SetLock(engaged=engaged):
                for device in self._serving(LockOutput()):
                    if self._changes(device, on=engaged):
                        self._happened.append(LockReported(at=self._tick(), device=device, engaged=engaged))
            case SetIndicator(indicator=lamp, state=state):
                for device, role in self._outputs:
                    wired = isinstance(role, IndicatorOutput) and lamp in role.indicators
                    if wired and self._changes(lamp, on=state is LampState.ON):
                        self._happened.append(
                            IndicatorReported(at=self._tick(), device=device, indicator=lamp, state=state)
                        )
            case _:
                pass

    def _settle(self) -> None:
        """Answer as the rules worker does, as far as the table hears of it."""
        state = self.state
        if not state.round.initial_deal_complete:
            return
        settlement = settle(state.round, self.config.submission)
        complete = not (settlement.undecided or settlement.deferred or settlement.awaiting)
        settled = answer(settlement, state, answers=state.sequence, complete=complete, at=self._tick())
        if is_news(settled, state):
            self._happened.append(settled)
        for lamp, lit in win_lamps(settlement, state.round, state.setup.deal_order):
            if (lamp in state.win_lamps) is not (lit is LampState.ON):
                self._happened.append(
                    IndicatorRequested(at=self._tick(), round_number=state.round.number, indicator=lamp, state=lit)
                )

    def _serving(self, role: InputRole | OutputRole) -> list[DeviceId]:
        return [device for device, served in self._outputs if served == role]

    def _changes(self, output: Indicator | DeviceId, *, on: bool) -> bool:
        changed = self._shown.get(output, False) is not on
        self._shown[output] = on
        return changed

    def _tick(self) -> Timestamp:
        self._now += _BETWEEN_EVENTS_US
        return Timestamp(self._now)
