"""A meter in plain integers, written without a look at any store, and histories that both go through."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from fractions import Fraction

import pytest
from hypothesis import strategies as st

from bridge.domain.awards import PayoutAct
from bridge.domain.identity import TableId
from bridge.domain.meters import MeterEntries, MeterReading, NoLimit, Pool
from bridge.domain.money import Cents
from bridge.domain.odds import Odds
from bridge.rules.submission import Progressive
from bridge.stores.meter_store import AdjustmentRefusedError, MeterStore
from tests.stores.meters import (
    OTHER_TABLE,
    TABLE,
    WHOLE_LIFE,
    a_progressive,
    an_adjustment,
    rejected,
    signed,
    voided,
    wagered,
    won,
)

PAID = len(WHOLE_LIFE) - 1
"""How many acts have been done when an award is paid."""
WHOLE = Fraction(1)
TERMS = st.builds(
    lambda hidden, limit, above: replace(
        a_progressive(seed=100_000),
        reset_amount=Cents(50_000),
        hidden_rate=hidden,
        limit=limit,
        unreasonable_above=above,
    ),
    st.sampled_from([Fraction(0), Fraction(1, 100)]),
    st.sampled_from([NoLimit.NO_LIMIT, Cents(100_100), Cents(120_000)]),
    st.sampled_from([NoLimit.NO_LIMIT, Cents(75)]),
)
POSITIONS = st.lists(st.integers(1, 7), min_size=1, max_size=3, unique=True)
STEPS = ["wager", "wager", "void", "hit", "hit", "act", "act", "sign off", "reject", "correct", "again", "restart"]


@dataclass(kw_only=True)
class Win:
    table: TableId
    number: int
    part: Fraction
    before: int
    """Units of the meter."""
    frozen: dict[int, int]
    """Cents by position."""
    done: dict[int, int] = field(default_factory=dict)
    """How many acts of its life an award has behind it."""
    gone: set[int] = field(default_factory=set)
    """Positions whose claim was rejected."""
    begun_again: bool = False

    def left(self) -> list[int]:
        return [position for position in self.frozen if position not in self.gone]

    def pending(self) -> list[int]:
        return [position for position in self.left() if self.done.get(position, 0) < len(WHOLE_LIFE)]


class Model:
    """What the meter must be, to the unit of a hundredth of a cent."""

    def __init__(self, terms: Progressive) -> None:
        self.terms = terms
        self.display = terms.base_amount * 100
        self.overflow = self.reserve = self.in_meter = self.paid = 0
        self.held: set[tuple[TableId, int, int]] = set()
        self.wins: list[Win] = []
        self.given = self.display
        """Everything that ever came in, less what ever went out."""

    def wager(self, table: TableId, number: int, position: int, cents: int) -> None:
        amount, hidden = cents * 15, int(cents * 100 * self.terms.hidden_rate)
        above = self.terms.unreasonable_above
        if not isinstance(above, NoLimit) and amount > above * 100:
            self.held.add((table, number, position))
            return
        self._put(amount)
        self.reserve += hidden
        self.given += amount + hidden
        self.in_meter += 1

    def void(self, table: TableId, number: int, position: int, cents: int) -> None:
        if (table, number, position) in self.held:
            self.held.remove((table, number, position))
            return
        amount, hidden = cents * 15, int(cents * 100 * self.terms.hidden_rate)
        for pool, back in (("overflow", amount), ("reserve", hidden)):
            there = min(getattr(self, pool), back)
            setattr(self, pool, getattr(self, pool) - there)
            self.display -= back - there
        self.given -= amount + hidden
        self.in_meter -= 1

    def hit(self, table: TableId, number: int, positions: list[int], part: Fraction) -> None:
        for win in self.wins:
            if win.pending():
                self._begin_again(win)
        share = self.display * part.numerator // (part.denominator * 100 * len(positions))
        frozen = dict.fromkeys(positions, share)
        self.wins.append(Win(table=table, number=number, part=part, before=self.display, frozen=frozen))
        self._take(share * len(positions))

    def act(self, win: Win, position: int) -> None:
        win.done[position] = win.done.get(position, 0) + 1
        if win.done[position] == PAID:
            self.paid += win.frozen[position]
        self._finish(win)

    def reject(self, win: Win, position: int) -> None:
        win.gone.add(position)
        left = win.left()
        more = 0
        if left and not any(win.done.get(other, 0) >= PAID for other in left):
            if win.begun_again:
                share = (win.frozen[position] + sum(win.frozen[other] for other in left)) // len(left)
            else:
                share = win.before * win.part.numerator // (win.part.denominator * 100 * len(left))
            more = (share - win.frozen[left[0]]) * len(left)
            win.frozen.update(dict.fromkeys(left, share))
        self._take(more)
        self.given += win.frozen[position] * 100
        self._put(win.frozen[position] * 100)
        self._finish(win)

    def correct(self, pool: Pool, amount: int) -> bool:
        if amount < 0 and getattr(self, pool) + amount < 0:
            return False
        self.given += amount
        if pool is Pool.DISPLAY and amount >= 0:
            self._put(amount)
        else:
            setattr(self, pool, getattr(self, pool) + amount)
        return True

    def check(self, reading: MeterReading) -> None:
        standing = [win for win in self.wins if win.left()]
        assert (reading.exact.units, reading.overflow.units, reading.reserve.units) == (
            self.display,
            self.overflow,
            self.reserve,
        )
        assert self.display + self.overflow + self.reserve == self.given
        assert (reading.in_meter, reading.held.count) == (self.in_meter, len(self.held))
        assert reading.hits == len(standing)
        assert reading.wins == sum(win.frozen[position] for win in standing for position in win.left())
        assert reading.attendant_paid == reading.cumulative_paid == self.paid
        assert {(one.table, one.round_number, one.position, one.amount) for one in reading.pending} == {
            (win.table, win.number, position, win.frozen[position])
            for win in self.wins
            for position in win.pending()
        }

    def _finish(self, win: Win) -> None:
        if win.left() and not win.pending():
            self._begin_again(win)

    def _begin_again(self, win: Win) -> None:
        if win.begun_again or win.part != WHOLE:
            return
        win.begun_again = True
        self.given += self.terms.reset_amount * 100
        self._put(self.terms.reset_amount * 100)
        for pool in ("reserve", "overflow"):
            fits = self._fits(getattr(self, pool))
            setattr(self, pool, getattr(self, pool) - fits)
            self.display += fits

    def _take(self, cents: int) -> None:
        self.display -= cents * 100
        self.given -= cents * 100

    def _put(self, amount: int) -> None:
        fits = self._fits(amount)
        self.display += fits
        self.overflow += amount - fits

    def _fits(self, amount: int) -> int:
        limit = self.terms.limit
        return amount if isinstance(limit, NoLimit) else min(amount, max(limit * 100 - self.display, 0))


class History:
    """A store and the model, going through the same."""

    def __init__(self, data: st.DataObject, model: Model) -> None:
        self.data = data
        self.model = model
        self.posted: list[MeterEntries] = []
        self.rounds: list[tuple[TableId, int, list[int], int]] = []
        """Rounds that contributed and were neither voided nor won: table, number, positions, wager."""
        self.adjusted = 0

    async def go_on(self, store: MeterStore, step: str) -> None:
        match step:
            case "wager":
                await self._wager(store)
            case "void" if self.rounds:
                await self._void(store)
            case "hit":
                await self._hit(store)
            case "act" | "sign off" if self._pending():
                await self._act(store, to_its_end=step == "sign off")
            case "reject" if self._rejectable():
                await self._reject(store)
            case "correct":
                await self._correct(store)
            case "again" if self.posted:
                await store.post(self.data.draw(st.sampled_from(self.posted)))
            case _:
                pass
        (reading,) = await store.readings()
        self.model.check(reading)

    async def _post(self, store: MeterStore, asked: MeterEntries) -> None:
        await store.post(asked)
        self.posted.append(asked)

    async def _wager(self, store: MeterStore) -> None:
        table, number = self.data.draw(st.sampled_from([TABLE, OTHER_TABLE])), len(self.posted) + 1
        positions, cents = self.data.draw(POSITIONS), self.data.draw(st.sampled_from([250, 500, 700]))
        hidden = self.model.terms.hidden_rate
        await self._post(store, wagered(number, *positions, wager=cents, hidden_rate=hidden, table=table))
        for position in positions:
            self.model.wager(table, number, position, cents)
        self.rounds.append((table, number, positions, cents))

    async def _void(self, store: MeterStore) -> None:
        table, number, positions, cents = self.rounds.pop(self.data.draw(st.integers(0, len(self.rounds) - 1)))
        hidden = self.model.terms.hidden_rate
        await self._post(store, voided(number, *positions, wager=cents, hidden_rate=hidden, table=table))
        for position in positions:
            self.model.void(table, number, position, cents)

    async def _hit(self, store: MeterStore) -> None:
        table, number = self.data.draw(st.sampled_from([TABLE, OTHER_TABLE])), len(self.posted) + 1
        positions, part = (
            self.data.draw(POSITIONS),
            self.data.draw(st.sampled_from([WHOLE, WHOLE, Fraction(1, 2)])),
        )
        if self.model.display < 100_000 and not any(win.pending() for win in self.model.wins):
            return  # less than ten dollars is no meter to share
        await self._post(store, won(number, *positions, table=table, odds=Odds.of_meter(part)))
        self.model.hit(table, number, positions, part)

    async def _act(self, store: MeterStore, *, to_its_end: bool) -> None:
        win, position = self.data.draw(st.sampled_from(self._pending()))
        while position in win.pending():
            acts = WHOLE_LIFE[: win.done.get(position, 0) + 1]
            await self._post(store, signed(win.number, position, acts=acts, table=win.table))
            self.model.act(win, position)
            if not to_its_end:
                break

    async def _reject(self, store: MeterStore) -> None:
        win, position = self.data.draw(st.sampled_from(self._rejectable()))
        before: tuple[PayoutAct, ...] = WHOLE_LIFE[: win.done.get(position, 0)]
        await self._post(store, rejected(win.number, position, after=before, table=win.table))
        self.model.reject(win, position)

    async def _correct(self, store: MeterStore) -> None:
        self.adjusted += 1
        pool, cents = (
            self.data.draw(st.sampled_from(Pool)),
            self.data.draw(st.sampled_from([-30_000, -50, 25, 900])),
        )
        asked = an_adjustment(str(Fraction(cents, 100)), pool=pool, key=f"person/desk/1/{self.adjusted}")
        if self.model.correct(pool, cents * 100):
            await store.adjust(asked)
        else:
            with pytest.raises(AdjustmentRefusedError):
                await store.adjust(asked)

    def _pending(self) -> list[tuple[Win, int]]:
        return [(win, position) for win in self.model.wins for position in win.pending()]

    def _rejectable(self) -> list[tuple[Win, int]]:
        return [(win, position) for win, position in self._pending() if win.done.get(position, 0) < PAID]


async def play(
    data: st.DataObject, open_: Callable[[Progressive], AbstractAsyncContextManager[MeterStore]]
) -> None:
    """Have a store and the model go through one history, with restarts, and compare them after every step."""
    terms = data.draw(TERMS)
    steps = data.draw(st.lists(st.sampled_from(STEPS), min_size=4, max_size=24))
    history = History(data, Model(terms))
    while steps:
        async with open_(terms) as store:
            while steps and (step := steps.pop(0)) != "restart":
                await history.go_on(store, step)
