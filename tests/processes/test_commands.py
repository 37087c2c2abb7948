"""``table-bridge`` as people type it beside a table that runs. What needs no table is in ``tests/cli``."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from bridge.demo.own_table import SECRETS, own_table
from bridge.domain.table_view import IrregularityKind, Phase
from simulators.scenario import ScriptedRound
from tests.brokers import running_mosquitto
from tests.patience import PATIENCE_S
from tests.processes.forked import fork
from tests.processes.table import DEMONSTRATION, RunningTable, running_table, scenario

DONE, NO, WRONG_USE = 0, 1, 2
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "COLUMNS": "200", "NO_COLOR": "1"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a command came to."""

    status: int
    out: str
    errors: str


async def said(*words: str) -> Said:
    """Run a command to its end, with an environment that names as little as possible."""
    with TemporaryFile() as out, TemporaryFile() as errors:
        process = await fork("bridge", *words, out=out, errors=errors, environment=ENVIRONMENT)
        async with asyncio.timeout(PATIENCE_S):
            status = await process.wait()
        shown, told = (_all_of(file) for file in (out, errors))
    assert "Traceback" not in told, told
    return Said(status=status, out=shown, errors=told)


def _all_of(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


async def test_a_journal_is_verified_while_nobody_holds_it_and_never_changed(tmp_path: Path) -> None:
    async with running_mosquitto() as broker, running_table(tmp_path, broker) as table:
        await table.until_ready()
        held = await said("journal", "verify", str(table.journal))
        await table.daemon.stop()
        before = table.journal.read_bytes()

        sound = await said("journal", "verify", str(table.journal))
        none = await said("journal", "verify", str(table.journal.with_suffix(".none")))

        assert held.status == sound.status == DONE
        assert "the chain holds" in held.out
        assert "the chain holds" in sound.out
        assert none.status == WRONG_USE
        assert table.journal.read_bytes() == before

        with closing(sqlite3.connect(table.journal)) as connection:
            connection.execute("DROP TRIGGER records_are_never_changed")
            connection.execute("UPDATE records SET at = at + 1 WHERE sequence = 9")
            connection.commit()
        broken = await said("journal", "verify", str(table.journal))

        assert broken.status == NO
        assert "9" in broken.errors


@asynccontextmanager
async def at_the_award(directory: Path) -> AsyncIterator[tuple[RunningTable, tuple[str, ...], ScriptedRound]]:
    """A table that waits for a payout to be validated, and the options that lead a command to it."""
    (script, _) = scenario("crown_treasure")
    async with running_mosquitto() as broker, running_table(directory, broker) as table:
        await table.until_ready()
        await table.people.wager(script)
        await table.people.lock_out(script)
        await table.people.deal(script)
        await table.people.expose_hole_card(script)
        await table.until_seen(lambda view: view.phase is Phase.AWARD_HELD, "the award to be held")
        options = ("--table", str(own_table(DEMONSTRATION, directory, host=broker.host, port=broker.port)))
        yield table, options, script


async def test_633b_18_h_an_award_goes_its_way_from_the_command_line(
    tmp_path: Path,
) -> None:
    async with at_the_award(tmp_path) as (table, options, script):
        (position,) = script.blackjack

        async def confirmed(act: str, by: str, where: int) -> Said:
            secret = tmp_path / SECRETS / by
            proof = ("--by", by, "--credential-file", str(secret))
            return await said("confirm", act, *options, *proof, "--position", str(where))

        stranger = await said("confirm", "hand", *options, "--by", "dealer-9", "--position", str(position))
        assert (stranger.status, stranger.out) == (WRONG_USE, "")
        assert "nobody at table bj-demo is called 'dealer-9'" in stranger.errors
        may_not = await confirmed("hand", "floor-1", position)
        elsewhere = await confirmed("hand", "dealer-1", 7)
        out_of_turn = await confirmed("payout", "floor-1", position)
        assert (may_not.status, elsewhere.status, out_of_turn.status) == (NO, NO, NO)
        assert "only a dealer may confirm this" in may_not.out
        assert "no payout at position 7 asks for it" in elsewhere.out
        assert f"the payout at position {position} waits for its hand to be verified" in out_of_turn.out

        for act, by in (
            ("hand", "dealer-1"),
            ("lamp", "floor-1"),
            ("payout", "floor-1"),
            ("award", "floor-1"),
            ("paid", "floor-1"),
            ("reset", "reset-1"),
        ):
            done = await confirmed(act, by, position)
            assert done.status == DONE, done.out
        view = await table.until_seen(lambda view: view.phase is Phase.PLAY, "the award to be documented")
        refused = [one.kind for one in view.irregularities]
        assert refused.count(IrregularityKind.CONFIRMATION_REFUSED) == 3


async def test_the_meters_are_read_exactly_while_the_worker_runs(tmp_path: Path) -> None:
    async with at_the_award(tmp_path) as (table, _, script):
        where = (str(DEMONSTRATION), "--storage", str(table.meters.parent))

        people, programs = await asyncio.gather(said("meter", *where), said("meter", *where, "--json"))

        (reading,) = map(json.loads, programs.out.splitlines())
        assert (people.status, programs.status) == (DONE, DONE)
        assert reading["exact"] == {"units": 0}
        assert [(one["position"], one["amount"]) for one in reading["pending"]] == [
            (script.blackjack[0], 50_000_75)
        ]
        assert "50,000.75" in people.out
