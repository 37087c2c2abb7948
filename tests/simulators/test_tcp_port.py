import pytest

from simulators.port import hosted
from simulators.tcp_port import TcpPort
from tests.simulators.calling import Echo, called


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
