"""The two processes of the bare chain: plain aiomqtt, and nothing that a table would ask for.

python -m tests.benchmarks.bare_process table HOST PORT READER LAMP DATABASE
python -m tests.benchmarks.bare_process rules HOST PORT

``table`` writes a durable row for each card that its reader says and publishes it; ``rules`` publishes what
arrives on another topic; ``table`` writes that to its lamp.
"""

import asyncio
import socket
import sqlite3
import sys

import aiomqtt
import serial_asyncio_fast

READY = "ready"
PAYLOAD_BYTES = 200
"""As many as a short event has."""
_CARDS, _LAMPS = "bare/cards", "bare/lamps"
_BAUD = 9600


def client(host: str, port: int) -> aiomqtt.Client:
    """Return a client as the bridge has it: without TCP_NODELAY every hop would take 40 ms."""
    return aiomqtt.Client(host, port, socket_options=[(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)])


async def table(broker: aiomqtt.Client, reader: str, lamp: str, database: str) -> None:
    """Be the end with the devices."""
    # Both ends of each are kept: a port closes when one of them is no longer referred to.
    cards, _cards_end = await serial_asyncio_fast.open_serial_connection(url=reader, baudrate=_BAUD)
    _lamps_end, lamps = await serial_asyncio_fast.open_serial_connection(url=lamp, baudrate=_BAUD)
    rows = sqlite3.connect(database, isolation_level=None)
    rows.execute("PRAGMA journal_mode = WAL").fetchone()
    rows.execute("PRAGMA synchronous = FULL")
    rows.execute("CREATE TABLE IF NOT EXISTS cards (payload BLOB)")

    async def read() -> None:
        while True:
            payload = (await cards.readuntil(b"\r")).ljust(PAYLOAD_BYTES)
            rows.execute("INSERT INTO cards VALUES (?)", (payload,))
            await broker.publish(_CARDS, payload, qos=1)

    async def light() -> None:
        async for message in broker.messages:
            lamps.write(bytes(message.payload))

    await broker.subscribe(_LAMPS, qos=1)
    print(READY, flush=True)  # noqa: T201 - what starts this process waits for it
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(read(), name="cards")
        tasks.create_task(light(), name="lamps")


async def rules(broker: aiomqtt.Client) -> None:
    """Be the end that answers."""
    await broker.subscribe(_CARDS, qos=1)
    print(READY, flush=True)  # noqa: T201 - as above
    async for message in broker.messages:
        await broker.publish(_LAMPS, message.payload, qos=1)


async def main(role: str, host: str, port: str, *places: str) -> None:
    """Run one of the two."""
    async with client(host, int(port)) as broker:
        await (table(broker, *places) if role == "table" else rules(broker))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
