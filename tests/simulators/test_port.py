import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from simulators.faults import Cables, Fault, FaultyCable
from simulators.pacing import UNPACED, Pacing, monotonic_us
from simulators.port import SOUND, Port, hosted
from simulators.pty_port import PtyPort
from simulators.tcp_port import TcpPort
from tests.simulators.calling import Echo, called, listing


@pytest.fixture(params=["pty", "tcp"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Port]:
    def port(line: Echo, pacing: Pacing = UNPACED, cables: Cables = SOUND) -> Port:
        if request.param == "pty":
            return PtyPort(line, tmp_path / "line", pacing=pacing, cables=cables)
        return TcpPort(line, pacing=pacing, cables=cables)

    return port


MakePort = Callable[..., Port]


async def test_a_line_answers_at_its_port(make: MakePort) -> None:
    async with hosted(make(Echo())) as port, called(port) as caller:
        caller.write(b"\x00\x03\x04\r\n\xff\x11\x13")
        assert await caller.read(8) == b"\x00\x03\x04\r\n\xff\x11\x13"


async def test_a_delayed_answer_comes_and_keeps_its_place(make: MakePort) -> None:
    async with hosted(make(Echo(delay_us=2000))) as port, called(port) as caller:
        caller.write(b"asked")
        assert await caller.read(5) == b"asked"


async def test_what_is_said_unasked_arrives(make: MakePort) -> None:
    line = Echo()
    async with hosted(make(line)) as port, called(port) as caller:
        caller.write(b".")
        assert await caller.read(1) == b"."
        line.say(b"2130\r")
        assert await caller.read(5) == b"2130\r"


async def test_a_paced_line_takes_the_time_of_its_bytes_there_and_back_and_breaks_nothing_up(
    make: MakePort,
) -> None:
    line, byte_us = Echo(), 2000
    async with hosted(make(line, pacing=Pacing(byte_us))) as port, called(port) as caller:
        began_us = monotonic_us()
        caller.write(b"0123456789")
        assert await caller.read(10) == b"0123456789"
        assert monotonic_us() - began_us >= 2 * 10 * byte_us
        assert line.chunks == 1


async def test_unplugged_the_port_is_gone_and_replugged_it_has_the_same_name(make: MakePort) -> None:
    line = Echo()
    async with hosted(make(line)) as port:
        name = port.url
        async with called(port) as caller:
            caller.write(b".")
            assert await caller.read(1) == b"."
            port.unplug()
            port.unplug()
            assert await caller.read(1) == b""
        with pytest.raises(OSError, match=r"No such file|refused"):
            async with called(port):
                pass
        line.say(b"heard by nobody")
        port.plug_in()
        port.plug_in()
        assert port.url == name
        async with called(port) as caller:
            caller.write(b"back")
            assert await caller.read(4) == b"back"


async def test_unplugging_in_mid_frame_takes_the_port_away(make: MakePort) -> None:
    cable = FaultyCable(seed=1)
    async with hosted(make(Echo(), cables=Cables(to_host=cable))) as port, called(port) as caller:
        caller.write(b"fine")
        assert await caller.read(4) == b"fine"
        cable.force(Fault.UNPLUG)
        caller.write(b"0123")
        assert b"01".startswith(await caller.read(4))
        port.plug_in()
        async with called(port) as again:
            again.write(b"back")
            assert await again.read(4) == b"back"


async def test_faults_towards_the_device_reach_the_device(make: MakePort) -> None:
    line, cable = Echo(), FaultyCable(seed=1, pause_us=50_000)
    cable.force(Fault.LOSS)
    cable.force(Fault.SPLIT, Fault.DELAY)
    async with hosted(make(line, cables=Cables(to_device=cable))) as port, called(port) as caller:
        port.hear(b"lost")
        caller.write(b"split")
        assert await caller.read(5) == b"split"
        assert (bytes(line.heard), line.chunks) == (b"split", 2)


async def test_what_was_on_its_way_when_the_plug_came_out_is_lost(make: MakePort) -> None:
    line = Echo()
    async with hosted(make(line, pacing=Pacing(1000))) as port:
        port.hear(b"x" * 1000)
        port.unplug()
        port.plug_in()
        async with called(port) as caller:
            caller.write(b"new")
            assert await caller.read(3) == b"new"
        assert bytes(line.heard) == b"new"


async def test_a_host_that_never_reads_loses_bytes_and_nothing_else(make: MakePort) -> None:
    line = Echo()
    async with hosted(make(line)) as port, called(port):
        await asyncio.sleep(0)
        for _ in range(2000):
            line.say(bytes(10_000))


async def test_ports_leave_no_file_open_and_no_link_behind(make: MakePort, tmp_path: Path) -> None:
    before = listing("/proc/self/fd")
    async with hosted(make(Echo())) as port, called(port) as caller:
        caller.write(b".")
        await caller.read(1)
    assert listing("/proc/self/fd") == before
    assert listing(tmp_path) == set()
