import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bridge.wire.modbus_frames import decode_frame
from simulators.command import main
from tests.leash import leashed
from tests.simulators.little_bridge import DEMONSTRATION

POLL = bytes.fromhex("01 02 00 00 00 08 79 CC")


async def run(tmp_path: Path, *arguments: str, said: str = "") -> tuple[int, list[str], str]:
    """Run the command with something typed at its console; return exit status, output lines and errors."""
    process = await asyncio.create_subprocess_exec(
        *leashed(sys.executable, "-m", "simulators", *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(DEMONSTRATION.parents[2])},
        cwd=tmp_path,
    )
    output, errors = await process.communicate(said.encode())
    assert process.returncode is not None
    return process.returncode, output.decode().splitlines(), errors.decode()


async def test_a_line_of_modules_is_put_on_a_pseudo_terminal_and_touched_from_the_console(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *leashed(sys.executable, "-m", "simulators", "modbus"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(DEMONSTRATION.parents[2])},
        cwd=tmp_path,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert await process.stdout.readline() == b"modbus simulated-line\n"
    process.stdin.write(b"on 1 6\n")
    assert await process.stdout.readline() == b"unit 1: inputs on [6], outputs on []\n"
    answer = await asyncio.to_thread(ask, tmp_path / "simulated-line")
    assert decode_frame(answer).data == bytes((1, 0x20))
    process.stdin.close()
    await process.stdin.wait_closed()
    assert await process.wait() == 0
    assert list_of(tmp_path) == []


def ask(path: Path) -> bytes:
    descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY)
    try:
        os.write(descriptor, POLL)
        answer = b""
        while len(answer) < 6:
            answer += os.read(descriptor, 6 - len(answer))
        return answer
    finally:
        os.close(descriptor)


def list_of(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def test_a_reader_on_tcp(tmp_path: Path) -> None:
    status, lines, _ = await run(tmp_path, "reader", "--tcp", "0", "--baud", "9600", said="card Kh\nnonsense\n")
    assert status == 0
    assert lines[0].startswith("reader socket://127.0.0.1:")
    assert lines[1:] == ["shown Kh", "'nonsense' says nothing to this device; help lists what does"]


async def test_a_shoe_on_tcp(tmp_path: Path) -> None:
    said = "card Kh player 1\ncard 2c\non 1 3\n"
    status, lines, _ = await run(tmp_path, "shoe", "--tcp", "0", "--baud", "4800", said=said)
    assert status == 0
    assert lines[0].startswith("shoe socket://127.0.0.1:")
    assert lines[1:] == ["done", "shown 2c", "'on 1 3' says nothing to this device; help lists what does"]


@pytest.mark.parametrize(
    ("arguments", "dialogue"),
    [
        ("acceptors --units 2 3", ("coin 3 1", "handed back")),
        ("panel", ("press 24", "inputs on [24], outputs on []")),
        ("panel --profile xkeys_xk3", ("out", "inputs on [], outputs on []")),
        ("button", ("press 1", "inputs on [1], outputs on []")),
    ],
)
def test_other_devices_by_their_profiles(
    arguments: str,
    dialogue: tuple[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said, answer = dialogue
    script = tmp_path / "script"
    script.write_text(f"{said}\n", encoding="utf-8")
    with script.open(encoding="utf-8") as typed:
        monkeypatch.setattr("sys.stdin", typed)
        assert main([*arguments.split(), "--path", str(tmp_path / "line")]) == 0
    what = arguments.partition(" ")[0]
    assert capsys.readouterr().out.splitlines() == [f"{what} {tmp_path}/line", answer]


async def test_all_lines_of_a_table(tmp_path: Path) -> None:
    said = "rs485 on 1 3\nreader card Kh\non 1 3\n"
    ports = tmp_path / "not" / "there" / "yet"
    status, lines, _ = await run(tmp_path, "table", str(DEMONSTRATION), "--directory", str(ports), said=said)
    assert status == 0
    assert lines[:3] == [
        f"rs485 {ports}/rs485",
        f"reader {ports}/reader",
        "unit 1: inputs on [3], outputs on []",
    ]
    assert lines[-2:] == ["shown Kh", "begin with the name of a line: rs485, reader; help tells what it does"]


async def test_the_console_of_a_table_tells_what_it_takes(tmp_path: Path) -> None:
    _, lines, _ = await run(
        tmp_path, "table", str(DEMONSTRATION), "--directory", str(tmp_path), said="help\nrs485 help\n"
    )
    assert lines[2:].count("card Kh           a card is shown to the reader, or drawn for whoever is next") == 2
    assert "Everything begins with the name of a line: rs485, reader." in lines


async def test_all_lines_of_a_table_on_tcp_but_those_on_usb(tmp_path: Path) -> None:
    table = DEMONSTRATION.with_name("blackjack_usb.toml")
    text = table.read_text().replace('id = "panel"\nport = "usb:"', 'id = "panel"\nport = "/dev/panel"')
    (tmp_path / "table.toml").write_text(text)
    said = "panel press 24\nbutton unplug\nbutton plug at 1-9\nreader plug as H2\n"
    status, lines, errors = await run(
        tmp_path, "table", "table.toml", "--directory", str(tmp_path), "--on", "tcp", said=said
    )
    assert (status, errors) == (0, "")
    ports = dict(line.split(" ", 1) for line in lines[:10])
    assert ports["panel"].startswith("socket://127.0.0.1:")
    assert ports["strip-accepted"] == f"usb:20A0:41E5?serial=BS000011-3.0&bus={tmp_path}/usb-bus"
    assert lines[10] == "inputs on [24], outputs on []"
    assert lines[11:13] == ["unplugged", "plugged in at 1-9"]


def test_a_table_that_cannot_be_read_is_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", str(tmp_path / "none.toml")]) == 2
    assert "none.toml: got 'No such file or directory'" in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["modbus", "--path", str(tmp_path / "none" / "line")]) == 2
    assert "No such file" in capsys.readouterr().err


def test_what_a_file_says_is_done_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "script"
    script.write_text("on 2 8\n", encoding="utf-8")
    with script.open(encoding="utf-8") as said:
        monkeypatch.setattr("sys.stdin", said)
        assert main(["modbus", "--units", "1", "2", "--path", str(tmp_path / "line")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "unit 2: inputs on [8], outputs on []"


async def test_a_device_of_any_profile_is_put_on_a_port(tmp_path: Path) -> None:
    status, output, _ = await run(tmp_path, "device", "feig_iso15693", "--address", "3", said="lift 3\n")
    assert (status, output) == (0, ["device simulated-line", "chips: none"])


async def test_a_device_of_a_profile_that_is_not_installed(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        (DEMONSTRATION.parents[2] / "device_profiles" / "modbus_io8.yaml").read_text()
    )
    status, output, _ = await run(tmp_path, "device", "mine.yaml", "--address", "3", said="on 3 8\n")
    assert (status, output) == (0, ["device simulated-line", "unit 3: inputs on [8], outputs on []"])
    status, _, errors = await run(tmp_path, "device", "mine")
    assert status == 2
    assert "a profile of your own is named by its file, which ends in .yaml" in errors


async def test_a_bus_with_devices_each_at_its_place(tmp_path: Path) -> None:
    said = "1-1.4 press 5\n1-2 outputs\n"
    status, lines, errors = await run(
        tmp_path, "usb", f"{tmp_path}/bus", "xkeys_xk24:A17@1-1.4", "blinkstick", said=said
    )
    assert (status, errors) == (0, "")
    assert lines == [
        f"1-1.4 usb:05F3:0405?serial=A17&bus={tmp_path}/bus",
        f"1-2 usb:20A0:41E5?port=1-2&bus={tmp_path}/bus",
        "inputs on [5], outputs on []",
        "inputs on [], outputs on []",
    ]


async def test_a_fault_script_says_at_its_time_what_a_person_could(tmp_path: Path) -> None:
    script = tmp_path / "faults.toml"
    script.write_text(
        'seed = 7\n[[step]]\nafter_s = 0\nsay = ["trouble garble 0.5", "on 1 3", "nonsense"]\n'
        '[[step]]\nafter_s = 0.01\nsay = ["unplug"]\n'
    )
    process = await asyncio.create_subprocess_exec(
        *leashed(sys.executable, "-m", "simulators", "modbus", "--faults", str(script)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(DEMONSTRATION.parents[2])},
        cwd=tmp_path,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    told = [(await process.stdout.readline()).decode().rstrip() for _ in range(5)]
    process.stdin.close()
    assert await process.wait() == 0
    assert told == [
        "modbus simulated-line",
        "trouble garble 0.5: to the device: garble 0.5, to the host: garble 0.5",
        "on 1 3: unit 1: inputs on [3], outputs on []",
        "nonsense: 'nonsense' says nothing to this device; help lists what does",
        "unplug: unplugged",
    ]


async def test_a_fault_script_that_is_none_is_wrong_use(tmp_path: Path) -> None:
    (tmp_path / "faults.toml").write_text("sead = 7\n")
    status, _, errors = await run(tmp_path, "table", str(DEMONSTRATION), "--faults", "faults.toml")
    assert status == 2
    assert errors == "faults.toml: sead: got an unknown key, expected one of seed, step\n"


async def test_a_line_behind_a_device_server_that_is_told_its_settings(tmp_path: Path) -> None:
    status, lines, _ = await run(tmp_path, "modbus", "--rfc2217", "0", said="outputs\n")
    assert status == 0
    assert lines[0].startswith("modbus rfc2217://127.0.0.1:")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("modbus", "--units", "0"), "unit 0: a module has an address from 1 to 255"),
        (("acceptors", "--units", "2", "256"), "address 256: an acceptor has an address from 2 to 255"),
        (("modbus", "--tcp", "99999"), "'99999' is not from 0 to 65535"),
        (("modbus", "--rfc2217", "-5"), "'-5' is not from 0 to 65535"),
        (("modbus", "--baud", "-1"), "'-1' is not from 0 to 10000000"),
        (("usb", "bus", "modbus_io8"), "a modbus_io8 is not on USB"),
        (("usb", "bus", "blinkstick@1-1", "blinkstick@1-1"), "two devices cannot be at 1-1"),
        (("usb", "file", "blinkstick"), "file exists and is no simulated bus"),
        (("modbus", "--path", "file"), "file exists and is no simulated port"),
        (("modbus", "--path", "link"), "link exists and is no simulated port"),
        (("usb", "y" * 200, "blinkstick"), "path too long"),
    ],
)
async def test_what_cannot_be_is_refused_and_what_is_there_stays(
    tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    (tmp_path / "file").write_text("precious")
    (tmp_path / "link").symlink_to("file")
    before = sorted(list_of(tmp_path))
    status, lines, errors = await run(tmp_path, *arguments)

    assert (status, lines) == (2, [])
    assert told in errors
    assert "Traceback" not in errors
    assert sorted(list_of(tmp_path)) == before
    assert (tmp_path / "link").read_text() == "precious"


async def test_lines_that_no_device_can_follow_end_nothing(tmp_path: Path) -> None:
    absurd = ["flood -1", f"flood {10**20}", "trouble baud -5", f"trouble pause {10**20}", "plug as a/b"]
    absurd.append("x" * 200_000)
    status, lines, errors = await run(tmp_path, "modbus", said="\n".join([*absurd, "\0", "outputs"]))

    assert (status, errors) == (0, "")
    assert len(lines) >= 2 + len(absurd)
    assert max(map(len, lines)) < 200
    assert lines[-1] == "unit 1: inputs on [], outputs on []"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
def test_whoever_has_no_standard_streams_is_served_all_the_same(tmp_path: Path, closed: str) -> None:
    started = ["sh", "-c", f'exec "$0" -m simulators modbus {closed}', sys.executable]
    environment = {**os.environ, "PYTHONPATH": str(DEMONSTRATION.parents[2])}
    done = subprocess.run(
        started, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=tmp_path, env=environment, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
