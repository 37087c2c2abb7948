"""A capture of a table that was played, and the table played again from it: what a bug report needs."""

import asyncio
import json
import signal
import sys
from dataclasses import replace
from pathlib import Path

from bridge.contracts.envelopes import EventEnvelope
from bridge.domain.devices import DeviceState
from bridge.domain.events import CardDrawn, WagerPlaced, WagerRemoved
from bridge.domain.identity import Timestamp
from bridge.transports.capture_file import Happening, read_capture
from simulators.modbus_io import ModbusIoModule, ModbusLine
from simulators.port import hosted
from simulators.pty_port import PtyPort
from tests.brokers import running_mosquitto
from tests.leash import leashed
from tests.patience import PATIENCE_S
from tests.processes.table import DEMONSTRATION, ROOT, running_table, scenario
from tests.processes.test_commands import said

LOST = scenario("lost")[0]


Observed = CardDrawn | WagerPlaced | WagerRemoved


def cards_and_wagers(heard: list[EventEnvelope]) -> list[Observed]:
    """Return what devices said of cards and chips, without the time."""
    return [replace(envelope.event, at=Timestamp(0)) for envelope in heard if isinstance(envelope.event, Observed)]


async def test_a_table_is_recorded_while_it_runs_and_played_again_from_its_captures(tmp_path: Path) -> None:
    files = {line: tmp_path / f"{line}.capture" for line in ("rs485", "reader")}
    recording = [word for line, file in files.items() for word in ("--capture", f"{line}={file}")]
    replaying = [word for line, file in files.items() for word in ("--port", f"{line}=replay:{file}")]
    async with running_mosquitto() as broker:
        folder = tmp_path / "first"
        folder.mkdir()
        async with running_table(folder, broker, daemon_options=recording) as table:
            await table.until_ready()
            await table.play(LOST)
            before = cards_and_wagers(table.all_heard(EventEnvelope))
    assert before

    async with running_mosquitto() as broker:
        folder = tmp_path / "again"
        folder.mkdir()
        async with running_table(folder, broker, start=("daemon",), daemon_options=replaying) as table:
            status = await table.until_device("card-reader", lambda status: status.state is DeviceState.ABSENT)
            assert "played to its end" in status.reason
            await table.until(
                lambda: len(cards_and_wagers(table.all_heard(EventEnvelope))) >= len(before), "the events"
            )
            again = cards_and_wagers(table.all_heard(EventEnvelope))

    # Each line in its own order; between two captures the order is that of their clocks.
    for device in sorted({event.device for event in before}):
        expected = [event for event in before if event.device == device]
        assert [event for event in again if event.device == device][: len(expected)] == expected


async def test_a_line_is_recorded_beside_a_stopped_daemon_and_its_messages_are_told(tmp_path: Path) -> None:
    module, file = ModbusIoModule(1), tmp_path / "rs485.capture"
    async with hosted(PtyPort(ModbusLine([module]), tmp_path / "rs485")) as port:
        recording = await asyncio.create_subprocess_exec(
            *leashed(sys.executable, "-m", "bridge", "capture", str(DEMONSTRATION), "module-1", str(file)),
            *("--port", f"rs485={port.url}"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            cwd=ROOT,
        )
        async with asyncio.timeout(PATIENCE_S):
            assert recording.stdout is not None
            out = b""
            while b"module-1: ready" not in out:
                out += await recording.stdout.readline()
            module.inputs.set(3, active=True)
            await module.until_polled(3)
            recording.send_signal(signal.SIGINT)
            assert await recording.wait() == 0
    assert f"rs485: {port.url} is recorded into {file}; stop with Ctrl-C" in out.decode()
    assert read_capture(file).events[-1].what is Happening.CLOSED

    told = await said("replay", str(file), "--json")
    assert told.status == 0
    changed = [line for line in map(json.loads, told.out.splitlines()) if line["message"] == "input_changed"]
    assert [(line["address"], line["channel"], line["active"]) for line in changed] == [(1, 3, True)]


async def test_a_recording_stops_by_itself(tmp_path: Path) -> None:
    told = await said(
        *("capture", str(DEMONSTRATION), "reader", str(tmp_path / "a"), "--seconds", "0.01"),
        *("--port", f"reader={tmp_path}/none"),
    )
    assert told.status == 0
    assert "card-reader: opening" in told.out
