"""The dashboard as a process: connections to brokers on one side, a web server on the other."""

import asyncio
import contextlib
import ipaddress
import secrets
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Generator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import uvicorn

from bridge.bus.foreign import keep_published
from bridge.clock import Clock, SystemClock
from bridge.config import BrokerConfig, TableConfig
from bridge.dashboard import home_assistant
from bridge.dashboard.access import Access
from bridge.dashboard.app import Dashboard, application
from bridge.dashboard.connections import ACCEPTED_AT_ONCE, Connection, allow_many
from bridge.dashboard.documents import Archive
from bridge.dashboard.door import Door
from bridge.dashboard.followed import FollowedTable, watching_bus
from bridge.dashboard.records import recording
from bridge.dashboard.sessions import IDLE_S, Sessions
from bridge.domain.errors import BridgeError
from bridge.service import mqtt_settings, plain_errors
from bridge.stores.heard_store import DAYS, HeardStore

_BACKLOG: Final = 512
_RANDOM_BYTES: Final = 4
"""Of a name at a broker: several dashboards may announce the same tables."""
_FAREWELL_S: Final = 2
"""How long the end waits for answers that are under way."""


class CannotServeError(BridgeError):
    """The web server cannot be started; the message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Where the dashboard is served, and how that is kept from others who listen."""

    host: str
    port: int
    """0 takes a free one."""
    certificate: Path | None = None
    """In PEM format, with the chain; ``key`` goes with it."""
    key: Path | None = None
    proxy: str | None = None
    """Address of a proxy that ends TLS before the dashboard: what it says of a browser is believed."""

    @property
    def encrypted(self) -> bool:
        """Return whether browsers come over TLS."""
        return self.certificate is not None or self.proxy is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Who may look, and how long a sign-in lasts without a word."""

    public: bool = False
    idle_s: int = IDLE_S


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRounds:
    """Where past rounds are kept, and for how long."""

    file: Path | None = None
    """Without one they are kept in memory, and some of them only."""
    days: int = DAYS


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeAssistant:
    """That tables are announced to Home Assistant, or taken away from it again."""

    announced: bool
    prefix: str = home_assistant.PREFIX


async def run(
    tables: Sequence[TableConfig],
    where: Where,
    rules: Rules,
    ready: Callable[[str], None],
    *,
    announcing: HomeAssistant | None = None,
    history: PastRounds = PastRounds(),
    archive: Archive | None = None,
) -> None:
    """Serve until cancelled; ``ready`` is told the address as soon as pages can be opened.

    ``archive`` is where the files of the tables lie, if that is on this machine. Raise ``CannotServeError``, or
    ``HeardStoreError`` for a history that cannot be opened.
    """
    check(where)
    allow_many()
    clock = SystemClock()
    with plain_errors(), listening(where) as listener:
        access = access_to(tables, where, rules, listener, clock)
        async with AsyncExitStack() as stack:
            store = HeardStore.open(history.file, days=history.days, clock=clock)
            await stack.enter_async_context(store)
            followed, records = [], []
            for config in tables:
                bus = await stack.enter_async_context(watching_bus(config, clock))
                followed.append(FollowedTable(config, bus, clock))
                records.append(await stack.enter_async_context(recording(followed[-1], store)))
                await stack.enter_async_context(followed[-1].following())
            if announcing is not None:
                await stack.enter_async_context(_announcing(tables, announcing))
            ready(address_of(listener, "http" if where.certificate is None else "https"))
            await serve(Dashboard(followed, access, records=records, archive=archive), listener, where)


def access_to(
    tables: Sequence[TableConfig], where: Where, rules: Rules, listener: socket.socket, clock: Clock
) -> Access:
    """Return who is let in; raise ``CannotServeError`` where nobody could be."""
    door = Door(tables, clock)
    offered = where.encrypted or _is_loopback(listener)
    if not rules.public and not offered:
        raise CannotServeError(
            f"nobody may sign in at {where.host}, because others can listen; give --certificate and --key, or"
            " --behind-proxy where a proxy ends TLS, or --public to let everybody watch and nobody confirm"
        )
    if not rules.public and not door.anybody:
        raise CannotServeError(
            "nobody at these tables has a credential, and so nobody could sign in to see them; set one with"
            " table-bridge people set-credential TABLE.toml PERSON, or give --public to let everybody watch who"
            " reaches the address"
        )
    return Access(
        sessions=Sessions(clock, idle_s=rules.idle_s),
        door=door,
        public=rules.public,
        encrypted=where.encrypted,
        offered=offered,
    )


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
            client_id = f"announcer-{secrets.token_hex(_RANDOM_BYTES)}"
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


async def serve(dashboard: Dashboard, listener: socket.socket, where: Where) -> None:
    """Answer browsers until cancelled."""
    server = _Server(
        uvicorn.Config(
            application(dashboard),
            http=Connection,
            backlog=ACCEPTED_AT_ONCE,
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            ssl_certfile=where.certificate,
            ssl_keyfile=where.key,
            proxy_headers=where.proxy is not None,
            forwarded_allow_ips=where.proxy,
            timeout_graceful_shutdown=_FAREWELL_S,
        )
    )
    serving = asyncio.ensure_future(server.serve(sockets=[listener]))
    sweeping = asyncio.ensure_future(dashboard.access.sessions.sweeping())
    try:
        await asyncio.shield(serving)
    finally:
        sweeping.cancel()
        dashboard.closing.set()
        server.should_exit = True
        await serving


def check(where: Where) -> None:
    """Raise ``CannotServeError`` for a proxy without an address, or a certificate that cannot be used."""
    try:
        ipaddress.ip_network(where.proxy or "127.0.0.1")
    except ValueError as error:
        raise CannotServeError(
            f"--behind-proxy {where.proxy}: {error}; give the address that the proxy connects from"
        ) from error
    if (where.certificate is None) is not (where.key is None):
        raise CannotServeError("--certificate and --key go together; give both")
    if where.certificate is None:
        return
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(
            where.certificate, where.key, password=lambda: ""
        )
    except (OSError, ssl.SSLError) as error:
        raise CannotServeError(
            f"no TLS with {where.certificate} and {where.key}: {error}; give a certificate and its key in PEM"
            " format, the key without a passphrase, readable for this user"
        ) from error


def _is_loopback(listener: socket.socket) -> bool:
    return ipaddress.ip_address(listener.getsockname()[0]).is_loopback


class _Server(uvicorn.Server):
    """A server that leaves signals to whoever runs it."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve; as many as before may wait to be accepted."""
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(_BACKLOG)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


def address_of(listener: socket.socket, scheme: str = "http") -> str:
    """Return where a browser finds it."""
    host, port = listener.getsockname()[:2]
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}/"


def listening(where: Where) -> socket.socket:
    """Return a socket that browsers can connect to; raise ``CannotServeError``."""
    try:
        family = socket.getaddrinfo(where.host, where.port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((where.host, where.port), family=family, backlog=_BACKLOG)
    except (OSError, UnicodeError) as error:  # of a host that no machine can be called
        reason = error.strerror if isinstance(error, OSError) else "that cannot be the name of a machine"
        raise CannotServeError(
            f"no pages at {where.host}:{where.port}: {reason}; stop what uses the port, or give another"
            " with --port; --host takes an address of this machine"
        ) from error
