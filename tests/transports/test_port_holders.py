import os
from pathlib import Path

from bridge.transports.port_holders import port_holders


def process(proc: Path, number: str, *, name: str | None, files: tuple[str, ...]) -> None:
    descriptors = proc / number / "fd"
    descriptors.mkdir(parents=True)
    for index, file in enumerate(files):
        (descriptors / str(index)).symlink_to(file)
    if name is not None:
        (proc / number / "comm").write_text(f"{name}\n")


def test_processes_that_have_the_port_open_are_named_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    port = tmp_path / "ttyUSB0"
    port.touch()
    proc = tmp_path / "proc"
    process(proc, "900", name="minicom", files=("/dev/null", str(port)))
    process(proc, "17", name="ModemManager", files=(str(port),))
    process(proc, "18", name="bystander", files=("/dev/null",))
    (proc / "meminfo").touch()

    assert port_holders(str(port), proc) == ("ModemManager (process 17)", "minicom (process 900)")


def test_a_link_to_the_port_counts_as_the_port(tmp_path: Path) -> None:
    port = tmp_path / "ttyUSB0"
    port.touch()
    link = tmp_path / "by-id"
    link.symlink_to(port)
    proc = tmp_path / "proc"
    process(proc, "17", name="minicom", files=(str(port),))

    assert port_holders(str(link), proc) == ("minicom (process 17)",)


def test_processes_that_end_while_we_look_are_passed_over(tmp_path: Path) -> None:
    proc = tmp_path / "proc"
    process(proc, "17", name=None, files=("/dev/ttyUSB0",))
    (proc / "18").mkdir()
    (proc / "19" / "fd").mkdir(parents=True)
    (proc / "19" / "fd" / "3").touch()

    assert port_holders("/dev/ttyUSB0", proc) == ("a process (process 17)",)


def test_nothing_is_said_where_there_is_no_proc(tmp_path: Path) -> None:
    assert port_holders("/dev/ttyUSB0", tmp_path / "nowhere") == ()


def test_our_own_process_is_found_in_the_real_proc(tmp_path: Path) -> None:
    port = tmp_path / "port"
    with port.open("w"):
        (holder,) = port_holders(str(port))

    assert holder.endswith(f"(process {os.getpid()})")
