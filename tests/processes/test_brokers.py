"""The broker comes late, goes away, and comes back: the table goes on, and nothing is paid twice or forgotten."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import PersonConfirmed
from bridge.domain.indicators import Lamp
from bridge.domain.meters import PostingReason
from bridge.domain.money import MeterAmount
from bridge.domain.setup import DealerKeyInput, InputRole, LockOutButton
from bridge.domain.table_view import IrregularityKind, Phase, Task
from bridge.domain.wagers import BettingPosition, WagerKind
from tests.brokers import Embedded, Mosquitto, running_embedded, running_mosquitto
from tests.processes.books import Books, check_published, faces, read_books
from tests.processes.table import RunningTable, running_table, scenario

BROKERS: dict[str, Callable[[], AbstractAsyncContextManager[Mosquitto | Embedded]]] = {
    "mosquitto": running_mosquitto,
    "embedded": running_embedded,
}
CROWN_TREASURE = scenario("crown_treasure")[0]
POSITION = BettingPosition(4)
ONCE = [
    (PostingReason.SEED, MeterAmount.of_cents(50_000_00)),
    (PostingReason.CONTRIBUTION, MeterAmount.of_cents(75)),
    (PostingReason.AWARD, -MeterAmount.of_cents(50_000_75)),
    (PostingReason.RESEED, MeterAmount.of_cents(50_000_00)),
]


@pytest.fixture(params=BROKERS)
async def broker(request: pytest.FixtureRequest) -> AsyncIterator[Mosquitto | Embedded]:
    async with BROKERS[request.param]() as running:
        yield running


async def books_of(table: RunningTable) -> Books:
    """Stop the table and read what it leaves; everything published must be the fold of its journal."""
    await table.daemon.stop()
    await table.worker.stop()
    books = await read_books(table)
    check_published(books, table.eyes.heard)
    return books


def assert_paid_once(books: Books) -> None:
    assert [(posting.reason, posting.amount) for posting in books.postings] == ONCE
    assert [faces(round_) for round_ in books.closed] == [list(CROWN_TREASURE.initial_deal((POSITION,)))]
    assert [(wager.position, wager.kind) for wager in books.closed[0].accepted] == [
        (POSITION, WagerKind.BLACKJACK),
        (POSITION, WagerKind.ROYAL_MATCH_PROGRESSIVE),
    ]


async def lay_chips_and_lock_out(table: RunningTable) -> None:
    """Wager and lock out by what can be seen at the devices alone."""
    await table.until(table.simulated.unlocked, "the lock-out to be released")
    await table.simulated.until_sensors_seen()
    for wager in (WagerKind.BLACKJACK, WagerKind.ROYAL_MATCH_PROGRESSIVE):
        table.simulated.lay_chip(POSITION, wager)
    await table.until(lambda: table.simulated.lit(Lamp.WAGER_ACCEPTED) == {POSITION}, "the lamp")
    await table.simulated.until_sensors_seen()
    await table.people.press(LockOutButton())
    await table.until(table.simulated.locked, "the lock-out to be engaged")
    table.simulated.lay_chip(BettingPosition(5), WagerKind.ROYAL_MATCH_PROGRESSIVE)
    await table.simulated.until_sensors_seen()
    assert table.simulated.lit(Lamp.WAGER_ACCEPTED) == {POSITION}, "a late wager is lit"
    table.simulated.take_chip(BettingPosition(5), WagerKind.ROYAL_MATCH_PROGRESSIVE)


async def test_acceptance_and_lock_out_need_no_broker_and_what_they_did_is_told_when_there_is_one(
    tmp_path: Path, broker: Mosquitto | Embedded
) -> None:
    await broker.kill()
    async with running_table(tmp_path, broker) as table:
        await table.until(table.simulated.locked, "the lock-out to be engaged at the start")
        await lay_chips_and_lock_out(table)
        assert table.eyes.heard == []
        assert "Is it running" in table.daemon.words()

        await broker.restart()

        view = await table.until_seen(lambda view: view.locked, "the locked round")
        assert view.phase is Phase.NO_MORE_BETS
        assert [one.kind for one in view.irregularities].count(IrregularityKind.LATE_WAGER) == 1
        await table.people.finish(CROWN_TREASURE)
        assert_paid_once(await books_of(table))


@pytest.mark.parametrize("emptied", [False, True], ids=["remembers", "forgets"])
async def test_T54_a_broker_killed_in_mid_round_loses_nothing(
    tmp_path: Path, broker: Mosquitto | Embedded, *, emptied: bool
) -> None:
    async with running_table(tmp_path, broker) as table:

        async def take_away() -> None:
            await (broker.kill_and_empty() if emptied else broker.kill())

        async def away_and_back_at_third_card(place: int) -> None:
            if place == 3:
                await take_away()
                await broker.restart()

        async def away_and_back_before_the_end(role: InputRole) -> None:
            if role == DealerKeyInput(key=DealerKey.ROUND_COMPLETE):
                await take_away()
                await broker.restart()

        await table.until_ready()
        await take_away()
        await lay_chips_and_lock_out(table)
        await broker.restart()
        await table.until_seen(lambda view: view.phase is Phase.NO_MORE_BETS, "the locked round")
        table.people.before_card = away_and_back_at_third_card
        table.people.before_key = away_and_back_before_the_end

        await table.people.finish(CROWN_TREASURE)

        assert_paid_once(await books_of(table))


async def test_T54_a_worker_gone_from_lock_out_to_settlement_pays_all_of_it_once(
    tmp_path: Path,
) -> None:
    async with running_mosquitto() as broker, running_table(tmp_path, broker) as table:

        async def without_worker(place: int) -> None:
            if place == 1:
                await table.worker.kill()
            if place == 4:
                await table.worker.start()

        await table.until_ready()
        table.people.before_card = without_worker

        await table.play(CROWN_TREASURE)

        assert_paid_once(await books_of(table))


async def test_without_a_worker_the_round_stays_open_and_says_so_and_is_settled_when_one_comes(
    tmp_path: Path,
) -> None:
    async with running_mosquitto() as broker, running_table(tmp_path, broker, start=("daemon",)) as table:
        await table.until_ready("daemon")

        await table.people.wager(CROWN_TREASURE)
        await table.people.lock_out(CROWN_TREASURE)
        await table.people.deal(CROWN_TREASURE)
        waiting = await table.until_seen(lambda view: view.phase is Phase.SIDE_WAGERS, "the side wagers to be due")
        assert Task.AWAIT_SETTLEMENT in {task.task for task in waiting.tasks}
        await table.people.press(DealerKeyInput(key=DealerKey.ROUND_COMPLETE))
        refused = await table.until_seen(lambda view: bool(view.irregularities), "the key to be refused")
        assert refused.round_number == waiting.round_number
        assert "the round is not over" in refused.irregularities[-1].detail

        await table.worker.start()
        await table.people.finish_dealt(CROWN_TREASURE)

        books = await books_of(table)
        assert_paid_once(books)
        assert sum(isinstance(record.event, PersonConfirmed) for record in books.records) >= 2
