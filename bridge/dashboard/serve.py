"""The dashboard as a process: connections to brokers on one side, a web server on the other."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Generator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Final

import uvicorn

from bridge.bus.foreign import keep_published
from bridge.clock import SystemClock
from bridge.config import BrokerConfig, TableConfig
from bridge.dashboard import home_assistant
from bridge.dashboard.app import Dashboard, application
from bridge.dashboard.followed import FollowedTable, watching_bus
from bridge.domain.errors import BridgeError
from bridge.service import mqtt_settings, plain_errors

_BACKLOG: Final = 512
_FAREWELL_S: Final = 2
"""How long the end waits for answers that are under way."""


class CannotServeError(BridgeError):
    """The web server cannot be started; the message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Where the dashboard is served."""

    host: str
    port: int
    """0 takes a free one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeAssistant:
    """That tables are announced to Home Assistant, or taken away from it again."""

    announced: bool
    prefix: str = home_assistant.PREFIX


async def run(
    tables: Sequence[TableConfig],
    where: Where,
    ready: Callable[[str], None],
    *,
    announcing: HomeAssistant | None = None,
) -> None:
    """Serve until cancelled; ``ready`` is told the address as soon as pages can be opened.

    Raise ``CannotServeError``.
    """
    clock = SystemClock()
    with plain_errors(), listening(where) as listener:
        async with AsyncExitStack() as stack:
            followed = []
            for config in tables:
                bus = await stack.enter_async_context(watching_bus(config, clock))
                followed.append(FollowedTable(config, bus, clock))
                await stack.enter_async_context(followed[-1].following())
            if announcing is not None:
                await stack.enter_async_context(_announcing(tables, announcing))
            ready(address_of(listener))
            await serve(Dashboard(followed), listener)


@asynccontextmanager
async def _announcing(tables: Sequence[TableConfig], how: HomeAssistant) -> AsyncIterator[None]:
    """Tell the Home Assistant at each broker of the tables that are there, for as long as the context lasts."""
    by_broker: dict[BrokerConfig, list[TableConfig]] = {}
    for table in tables:
        by_broker.setdefault(table.broker, []).append(table)
    async with asyncio.TaskGroup() as tasks:
        announcers = []
        for broker, theirs in by_broker.items():
            said = home_assistant.documents(theirs, how.prefix)
            client_id = f"{theirs[0].setup.table}-announcer"
            keeping = keep_published(
                mqtt_settings(broker),
                client_id=client_id,
                documents=said if how.announced else dict.fromkeys(said, ""),
                asking=home_assistant.asking(how.prefix),
            )
            announcers.append(tasks.create_task(keeping, name=client_id))
        try:
            yield
        finally:
            for announcer in announcers:
                announcer.cancel()


async def serve(dashboard: Dashboard, listener: socket.socket) -> None:
    """Answer browsers until cancelled."""
    server = _Server(
        uvicorn.Config(
            application(dashboard),
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            timeout_graceful_shutdown=_FAREWELL_S,
        )
    )
    serving = asyncio.ensure_future(server.serve(sockets=[listener]))
    try:
        await asyncio.shield(serving)
    finally:
        dashboard.closing.set()
        server.should_exit = True
        await serving


class _Server(uvicorn.Server):
    """A server that leaves signals to whoever runs it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


def address_of(listener: socket.socket) -> str:
    """Return where a browser finds it."""
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def listening(where: Where) -> socket.socket:
    """Return a socket that browsers can connect to; raise ``CannotServeError``."""
    try:
        family = socket.getaddrinfo(where.host, where.port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((where.host, where.port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise CannotServeError(
            f"no pages at {where.host}:{where.port}: {error.strerror}; stop what uses the port, or give another"
            " with --port; --host takes an address of this machine"
        ) from error
