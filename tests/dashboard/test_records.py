from pathlib import Path

import pytest

from bridge.bus.memory import MemoryBroker, MemoryBus
from bridge.clock import SystemClock
from bridge.config import load_table
from bridge.dashboard.followed import FollowedTable
from bridge.dashboard.records import recording
from bridge.domain.identity import RoundNumber
from bridge.domain.wagers import BettingPosition
from bridge.stores.heard import Ended, Search
from bridge.stores.heard_store import HeardStore
from tests.dashboard.past import baccarat, blackjack, first_round
from tests.dashboard.telling import Voice
from tests.processes.table import DEMONSTRATION


def followed(name: str = "blackjack") -> FollowedTable:
    config, clock = load_table(DEMONSTRATION.with_name(f"{name}.toml")), SystemClock()
    bus = MemoryBus(MemoryBroker(), client_id="x", subscriptions=(), will=None, birth=None, clock=clock)
    return FollowedTable(config, bus, clock)


async def test_what_a_table_says_is_kept_and_found_again() -> None:
    said = await blackjack()
    async with HeardStore.open(None) as store, recording(followed(), store) as records:
        for envelope in said:
            records.table.hear(envelope, retained=False)
        found = await records.find(Search(ended=Ended.AWARD, position=BettingPosition(4)))
        (crown,) = found.rounds
        round_ = await records.read(crown.place.number)

        assert crown.place.number == first_round(said) + 1
        assert round_.gaps == ()
        assert "crown_treasure" in await records.won_as()
        assert (records.in_memory, records.trouble) == (True, "")


async def test_nothing_is_kept_any_more_once_nobody_records() -> None:
    table = followed()
    async with HeardStore.open(None) as store:
        async with recording(table, store) as records:
            pass
        for envelope in await blackjack():
            table.hear(envelope, retained=False)

        assert (await records.find(Search())).kept == 0


async def test_the_rounds_of_two_tables_are_kept_apart_in_one_history() -> None:
    async with (
        HeardStore.open(None) as store,
        recording(followed(), store) as one,
        recording(followed("minibaccarat_ez"), store) as other,
    ):
        for envelope in await blackjack():
            one.table.hear(envelope, retained=False)
        for envelope in await baccarat():
            other.table.hear(envelope, retained=False)
        found = [(await records.find(Search())).kept for records in (one, other)]

        assert found[0] > 3
        assert found[1] == 2


@pytest.mark.parametrize("kept", [True, False])
async def test_the_shoe_in_play_is_known_from_its_first_round_on_after_a_restart_if_it_was_kept(
    tmp_path: Path, *, kept: bool
) -> None:
    history = tmp_path / "history.sqlite" if kept else None
    async with HeardStore.open(history) as store:
        table = followed("minibaccarat")
        async with recording(table, store):
            voice = Voice(table)
            voice.say_table(shoe_number=1, round_number=RoundNumber(1))
            voice.play("BP")
            voice.say_table(shoe_number=2, round_number=RoundNumber(3))
            voice.play("BPT", first=3)
            before = [round_.number for round_, _ in table.shoe.shoe()]
    async with HeardStore.open(history) as store:
        again = followed("minibaccarat")
        async with recording(again, store):
            after = [round_.number for round_, _ in again.shoe.shoe()]
            since = again.shoe.since()

            assert before == [3, 4]
            assert (after, since) == (([3, 4], None) if kept else ([], None))
            assert again.known.round is None, "nobody vouches for it now"


async def test_a_shoe_that_another_release_heard_is_known_from_now_on_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with HeardStore.open(tmp_path / "history.sqlite") as store:
        table = followed("minibaccarat")
        async with recording(table, store):
            Voice(table).play("BPT")
            assert (await store.find(table.id, Search())).kept == 3
        assert store._thread is not None
        spoil = "UPDATE messages SET body = CAST(replace(CAST(body AS TEXT), 'submission', 'filing') AS BLOB)"
        await store._thread.run(lambda: store._connected().execute(spoil))
        again = followed("minibaccarat")
        async with recording(again, store):
            assert again.shoe.shoe() == ()

    assert "is known from now on only" in caplog.text
