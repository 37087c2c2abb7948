import asyncio
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bridge.wire.spec import Parity, SerialSettings
from simulators.device import Utterance
from simulators.faults import Cables, Delivery, Fault, FaultyCable
from simulators.host import (
    SOUND,
    UNPACED,
    Pacing,
    PathTakenError,
    Port,
    PtyPort,
    TcpPort,
    hosted,
    monotonic_us,
    running,
)


class Echo:
    """A line that says back what it hears, after a delay."""

    def __init__(self, delay_us: int = 0) -> None:
        self.heard = bytearray()
        self.chunks = 0
        self.say: Callable[[bytes], None] = lambda _: None
        self._delay_us = delay_us

    def receive(self, data: bytes, now_us: int) -> tuple[Utterance, ...]:
        assert data
        assert now_us > 0
        self.heard += data
        self.chunks += 1
        return (Utterance(data, self._delay_us),)

    def connect(self, say: Callable[[bytes], None]) -> None:
        self.say = say

    def power_cycle(self) -> None:
        self.heard.clear()


class Caller:
    """The host's end of a file descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, data: bytes) -> None:
        assert os.write(self._descriptor, data) == len(data)

    async def read(self, length: int) -> bytes:
        """Wait for so many bytes; fewer mean that the port is gone."""
        data = b""
        while len(data) < length:
            readable = asyncio.Event()
            asyncio.get_running_loop().add_reader(self._descriptor, readable.set)
            await readable.wait()
            asyncio.get_running_loop().remove_reader(self._descriptor)
            try:
                more = os.read(self._descriptor, length - len(data))
            except OSError:
                more = b""
            if not more:
                break
            data += more
        return data


def listing(folder: Path | str) -> set[Path]:
    return set(Path(folder).iterdir())


@asynccontextmanager
async def called(port: Port) -> AsyncIterator[Caller]:
    """Open a port as a bridge would."""
    if isinstance(port, PtyPort):
        descriptor = os.open(port.url, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            yield Caller(descriptor)
        finally:
            os.close(descriptor)
    else:
        assert isinstance(port, TcpPort)
        with socket.create_connection(port.address) as connection:
            connection.setblocking(False)  # noqa: FBT003 - the socket module's own signature
            yield Caller(connection.fileno())


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


async def test_a_pseudo_terminal_does_not_replace_a_file(tmp_path: Path) -> None:
    (tmp_path / "line").write_text("mine", encoding="utf-8")
    with pytest.raises(PathTakenError, match="is no simulated port"):
        async with hosted(PtyPort(Echo(), tmp_path / "line")):
            pass
    assert (tmp_path / "line").read_text(encoding="utf-8") == "mine"


async def test_a_link_left_by_a_killed_simulator_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "line").symlink_to("/dev/pts/99999")
    async with hosted(PtyPort(Echo(), tmp_path / "line")) as port, called(port) as caller:
        caller.write(b".")
        assert await caller.read(1) == b"."


async def test_a_tcp_port_serves_one_host_at_a_time() -> None:
    async with hosted(TcpPort(Echo())) as port:
        async with called(port) as first:
            first.write(b"1")
            assert await first.read(1) == b"1"
            async with called(port) as second:
                assert await second.read(1) == b""
            first.write(b"2")
            assert await first.read(1) == b"2"
        async with called(port) as third:
            answered = b""
            while not answered:
                try:
                    third.write(b"3")
                    answered = await third.read(1)
                except BrokenPipeError:
                    break
        assert port.url == f"socket://127.0.0.1:{port.address[1]}"


async def test_a_tcp_port_in_use_is_refused() -> None:
    async with hosted(TcpPort(Echo())) as port:
        with pytest.raises(OSError, match="in use"):
            async with hosted(TcpPort(Echo(), port=port.address[1])):
                pass


@pytest.mark.parametrize(
    ("serial", "byte_us"),
    [
        (SerialSettings(), 1041),
        (SerialSettings(baud=115_200), 86),
        (SerialSettings(baud=9600, data_bits=7, parity=Parity.EVEN), 1041),
        (SerialSettings(baud=4800, parity=Parity.ODD, stop_bits=2), 2500),
    ],
)
def test_pacing_follows_from_the_serial_settings(serial: SerialSettings, byte_us: int) -> None:
    assert Pacing.of(serial) == Pacing(byte_us)


async def test_a_fault_in_what_runs_beside_the_body_is_raised() -> None:
    async def fail() -> None:
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        async with running(fail(), name="failing"):
            await asyncio.sleep(0)


async def test_deliveries_due_later_do_not_overtake_earlier_ones(tmp_path: Path) -> None:
    port = PtyPort(Echo(), tmp_path / "line")
    async with hosted(port), called(port) as caller:
        port.say(b"late ", 3000)
        port.say(b"later")
        assert await caller.read(10) == b"late later"
        assert Delivery(b"x").delay_us == 0
