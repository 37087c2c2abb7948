import asyncio

import pytest

from bridge.transports import open_transport, rfc2217_port
from bridge.transports.errors import TransientTransportError
from bridge.wire.modbus_frames import decode_frame
from bridge.wire.spec import Parity, SerialSettings
from simulators.modbus_io import ModbusIoModule, ModbusLine
from simulators.port import hosted
from simulators.rfc2217_port import Rfc2217Port
from tests.transports.ports import eventually

POLL = bytes.fromhex("01 02 00 00 00 08 79 CC")
EVEN = SerialSettings(baud=19_200, data_bits=7, parity=Parity.EVEN, stop_bits=2)


async def test_the_device_server_is_set_up_and_bytes_go_both_ways() -> None:
    module = ModbusIoModule(1)
    module.inputs.set(6, active=True)
    async with hosted(Rfc2217Port(ModbusLine([module]), baud=19_200)) as served:
        port = await open_transport(served.url, EVEN)
        port.write(b"")
        port.write(POLL)
        answer = b""
        while len(answer) < 6:
            answer += await port.read()
        assert decode_frame(answer).data == bytes((1, 0x20))
        asked = served.served
        assert (asked.baudrate, asked.bytesize, asked.parity, asked.stopbits) == (19_200, 7, "E", 2)

        await port.close()
        again = await open_transport(served.url, EVEN)
        await again.close()
        with pytest.raises(TransientTransportError, match="closed"):
            await again.read()


async def test_a_byte_that_the_protocol_uses_itself_arrives_once() -> None:
    async with hosted(Rfc2217Port(ModbusLine([]), baud=9600)) as served:
        port = await open_transport(served.url, SerialSettings())
        served.say(b"\xff\xff\x00\xff")
        said = b""
        while len(said) < 4:
            said += await port.read()
        assert said == b"\xff\xff\x00\xff"
        await port.close()


async def test_what_nobody_reads_is_kept_up_to_a_bound_and_then_the_port_is_opened_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rfc2217_port, "_UNREAD_MAX", 100)
    async with hosted(Rfc2217Port(ModbusLine([]), baud=9600)) as served:
        port = await open_transport(served.url, SerialSettings())
        served.say(b"a" * 60)
        assert isinstance(port, rfc2217_port.Rfc2217Port)
        await eventually(lambda: len(port._mailbox) == 60)
        served.say(b"b" * 60)
        await eventually(lambda: port._mailbox.ended)

        assert set(await port.read()) <= set(b"ab")
        with pytest.raises(TransientTransportError, match="more than 100 bytes wait to be read"):
            await port.read()
        await port.close()


async def test_a_device_server_that_goes_is_told_and_what_is_written_then_is_dropped() -> None:
    async with hosted(Rfc2217Port(ModbusLine([]), baud=9600)) as served:
        port = await open_transport(served.url, SerialSettings())
        served.unplug()
        with pytest.raises(TransientTransportError, match="the port is gone"):
            await port.read()
        port.write(POLL)
        await port.close()
        with pytest.raises(TransientTransportError, match=r"cannot be opened .* write socket://"):
            await open_transport(served.url, SerialSettings())


async def test_what_speaks_no_rfc_2217_is_told_so() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(100):
            pass
        writer.close()

    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        number = server.sockets[0].getsockname()[1]
        with pytest.raises(TransientTransportError, match="in RFC 2217 mode"):
            await open_transport(f"rfc2217://127.0.0.1:{number}", SerialSettings())
