"""``table-bridge`` as people type it: what each command prints, and its exit status."""

import asyncio
import json
import os
import shutil
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from bridge import __version__
from bridge.demo.own_table import SECRETS, own_table
from bridge.domain.table_view import IrregularityKind, Phase
from simulators.scenario import ScriptedRound
from tests.brokers import free_port, running_mosquitto
from tests.leash import leashed
from tests.patience import PATIENCE_S
from tests.processes.table import DEMONSTRATION, ROOT, RunningTable, running_table, scenario

DONE, NO, WRONG_USE = 0, 1, 2
COMMANDS = (
    (),
    ("demo",),
    ("daemon",),
    ("rules-worker",),
    ("broker",),
    ("config",),
    ("config", "check"),
    ("config", "schema"),
    ("profile",),
    ("profile", "list"),
    ("profile", "check"),
    ("profile", "decode"),
    ("journal",),
    ("journal", "verify"),
    ("journal", "export"),
    ("journal", "key"),
    ("meter",),
    ("confirm",),
    *(("confirm", act) for act in ("hand", "lamp", "payout", "award", "paid", "reset", "reject", "override")),
    ("confirm", "enable"),
    ("confirm", "parameters"),
    ("people",),
    ("people", "list"),
    ("people", "set-credential"),
    ("self-check",),
    ("confirm", "count"),
    ("confirm", "card"),
    ("confirm", "owner"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a command came to."""

    status: int
    out: str
    errors: str


async def said(*words: str) -> Said:
    """Run a command to its end, somewhere else than in the directory of the sources' tables."""
    process = await asyncio.create_subprocess_exec(
        *leashed(sys.executable, "-m", "bridge", *words),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "COLUMNS": "200", "NO_COLOR": "1"},
    )
    async with asyncio.timeout(PATIENCE_S):
        out, errors = await process.communicate()
    assert process.returncode is not None
    assert b"Traceback" not in errors, errors.decode()
    return Said(status=process.returncode, out=out.decode(), errors=errors.decode())


@pytest.fixture
def table_file(tmp_path: Path) -> Path:
    """A copy of the demonstration's table, to be spoilt."""
    for file in DEMONSTRATION.parent.glob("blackjack*.toml"):
        shutil.copy(file, tmp_path)
    return tmp_path / DEMONSTRATION.name


async def test_every_command_explains_itself() -> None:
    gate = asyncio.Semaphore(4)

    async def explained(words: tuple[str, ...]) -> Said:
        async with gate:
            return await said(*words, "--help")

    for words, help_ in zip(COMMANDS, await asyncio.gather(*map(explained, COMMANDS)), strict=True):
        assert help_.status == DONE, words
        assert "Usage:" in help_.out
        assert "--help" in help_.out


async def test_the_version_is_printed() -> None:
    told = await said("--version")

    assert (told.status, told.out.strip()) == (DONE, __version__)


async def test_a_command_that_there_is_not_and_an_option_that_there_is_not_are_wrong_use() -> None:
    for words in (("deal",), ("daemon",), ("daemon", str(DEMONSTRATION), "--prot", "rs485=/dev/null")):
        told = await said(*words)
        assert told.status == WRONG_USE, words
        assert told.errors


async def test_a_sound_configuration_is_in_order() -> None:
    told = await said("config", "check", str(DEMONSTRATION))

    assert told.status == DONE
    assert "table bj-demo is in order" in told.out


FAULTS = {
    'role = "floorperson"': 'role = "florperson"',
    'line = "reader"': 'line = "raeder"',
    "port = 1883": 'port = "1883"',
}


@pytest.fixture
def spoilt(table_file: Path) -> dict[str, str]:
    """Write a table with several faults; return where each of them is, by what is wrong."""
    text = table_file.read_text()
    for right, wrong in FAULTS.items():
        assert right in text
        text = text.replace(right, wrong)
    table_file.write_text(text)
    lines = dict(enumerate(text.splitlines(), start=1))
    return {
        wrong.split('"')[1]: f"{table_file}:{next(number for number, line in lines.items() if wrong in line)}"
        for wrong in FAULTS.values()
    }


async def test_every_fault_of_a_configuration_is_told_at_once_with_file_line_and_nearest_name(
    table_file: Path, spoilt: dict[str, str]
) -> None:
    told = await said("config", "check", str(table_file))

    assert told.status == WRONG_USE
    for wrong, place in spoilt.items():
        (fault,) = (line for line in told.errors.splitlines() if f"'{wrong}'" in line)
        assert place in fault
        assert "expected" in fault
    assert "did you mean 'floorperson'" in told.errors


async def test_a_configuration_that_is_not_there_is_named(tmp_path: Path) -> None:
    told = await said("config", "check", str(tmp_path / "none.toml"))

    assert told.status == WRONG_USE
    assert str(tmp_path / "none.toml") in told.errors


async def test_the_schema_of_a_configuration_is_json() -> None:
    told = await said("config", "schema")

    assert told.status == DONE
    assert "device" in json.loads(told.out)["properties"]


async def test_device_models_are_listed_for_people_and_for_programs() -> None:
    people, programs = await asyncio.gather(said("profile", "list"), said("profile", "list", "--json"))

    listed = {line["profile"]: line for line in map(json.loads, programs.out.splitlines())}
    assert {"hid_pos_reader", "modbus_io8"} <= set(listed)
    assert listed["modbus_io8"]["protocol"] == "modbus_rtu"
    assert [line.split()[0] for line in people.out.splitlines()] == list(listed)


async def test_a_device_model_is_checked(tmp_path: Path) -> None:
    sound = ROOT / "device_profiles" / "modbus_io8.yaml"
    broken = tmp_path / "broken.yaml"
    broken.write_text(sound.read_text().replace("protocol:", "protokol:"))

    good, bad, none = await asyncio.gather(
        *(said("profile", "check", str(file)) for file in (sound, broken, tmp_path / "none.yaml"))
    )

    assert good.status == DONE
    assert "example frames decode as it says" in good.out
    assert (bad.status, none.status) == (WRONG_USE, WRONG_USE)
    assert "protokol" in bad.errors
    assert "protocol" in bad.errors
    assert "none.yaml" in none.errors


async def test_a_frame_is_decoded_or_its_fault_is_told() -> None:
    decode = ("profile", "decode", "modbus_io8")
    people, programs, faulty, garbage, nobody = await asyncio.gather(
        said(*decode, "01 02 01 20 A0 50"),
        said(*decode, "01 02 01 20 A0 50", "--json"),
        said(*decode, "01 02 01 20 A0 51", "--json"),
        said(*decode, "0X"),
        said("profile", "decode", "modbus_io9", "01"),
    )

    assert people.status == DONE
    assert json.loads(programs.out) == {"means": people.out.strip()}
    assert faulty.status == NO
    assert json.loads(faulty.out)["bytes"] == "01 02 01 20 A0 51"
    assert garbage.status == WRONG_USE
    assert "not hexadecimal" in garbage.errors
    assert nobody.status == WRONG_USE
    assert "modbus_io8" in nobody.errors


async def test_a_line_that_the_table_has_not_is_refused_with_those_it_has() -> None:
    told = await said("daemon", str(DEMONSTRATION), "--port", "rs486=/dev/null")

    assert told.status == WRONG_USE
    for name in ("rs486", "rs485", "reader"):
        assert name in told.errors


@pytest.mark.parametrize("broker", ["localhost", "localhost:", ":1883", "localhost:mqtt"])
async def test_a_broker_that_is_not_one_is_refused(broker: str) -> None:
    told = await said("rules-worker", str(DEMONSTRATION), "--broker", broker)

    assert told.status == WRONG_USE
    assert "host:port" in told.errors


async def test_a_journal_is_verified_while_its_daemon_writes_it_and_never_changed(tmp_path: Path) -> None:
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
        assert f"the payout at position {position} waits to be hand verified" in out_of_turn.out

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


async def test_meters_that_are_not_there_are_not_begun(tmp_path: Path) -> None:
    told = await said("meter", str(DEMONSTRATION), "--storage", str(tmp_path))

    assert told.status == NO
    assert str(tmp_path) in told.errors
    assert not list(os.scandir(tmp_path))


async def test_a_confirmation_that_nobody_answers_says_what_to_look_at(tmp_path: Path) -> None:
    table = own_table(DEMONSTRATION, tmp_path, host="127.0.0.1", port=free_port())
    told = await said(
        "confirm",
        "payout",
        "--table",
        str(table),
        "--by",
        "floor-1",
        "--credential-file",
        str(tmp_path / SECRETS / "floor-1"),
        "--position",
        "4",
    )

    assert told.status == WRONG_USE
    assert "is its daemon running" in told.errors
