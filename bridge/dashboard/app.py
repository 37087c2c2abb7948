"""The pages of the dashboard and their addresses."""

import asyncio
import importlib.resources
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Final

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bridge.dashboard import floor_screen, sign_screen, table_screen, words
from bridge.dashboard.access import Access, Admitting
from bridge.dashboard.confirm_panel import mark
from bridge.dashboard.confirming import Desk
from bridge.dashboard.documents import Archive
from bridge.dashboard.documents_routes import Documents
from bridge.dashboard.followed import FollowedTable
from bridge.dashboard.history import History
from bridge.dashboard.live import LiveScreen
from bridge.dashboard.pages import STATIC, Pages, Screen
from bridge.dashboard.press import Press
from bridge.dashboard.records import Records
from bridge.dashboard.sign_in import SignIn
from bridge.dashboard.speaking import Speak, speak
from bridge.domain.identity import TableId

_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'self'; form-action 'self'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Nothing comes from elsewhere, nothing is kept: a page that is shown again must not be an old one."""
_NOT_FOUND: Final = HTTPStatus.NOT_FOUND


class Dashboard:
    """The tables that are followed, and the screens that are looked at."""

    def __init__(
        self,
        tables: Sequence[FollowedTable],
        access: Access,
        speak: Speak = speak,
        *,
        records: Sequence[Records],
        archive: Archive | None = None,
        press: Press | None = None,
    ) -> None:
        """Take the tables, and for each its records; ``archive`` is where their files lie, if on this machine."""
        self.tables: Mapping[TableId, FollowedTable] = {table.id: table for table in tables}
        self.access = access
        self.pages = Pages(documents=archive is not None)
        self.desk = Desk(self.table, self.pages, self.page_of, speak, access.sessions)
        self.history = History(self.table, self.pages, records)
        self.closing = asyncio.Event()
        """Set when the server ends, so that no stream holds it up."""
        self.documents = Documents(self.table, self.pages, access, archive, press or Press(self.closing))
        self._live: dict[str, LiveScreen] = {}

    def table(self, request: Request) -> FollowedTable:
        """Return the table that an address names; raise ``HTTPException`` if it is none of ours."""
        try:
            return self.tables[TableId(request.path_params["table"])]
        except KeyError:
            raise HTTPException(_NOT_FOUND) from None

    def page_of(self, table: FollowedTable, confirmations: Markup) -> str:
        """Return the view of a table, with what whoever looks at it may confirm."""
        screen = _table_screen(self.pages, table)
        here = f"/tables/{table.id}"
        return self.pages.page(
            screen, table=table.id, here=here, stream=f"{here}/stream", confirmations=confirmations
        )

    def live(self, path: str, screen: Screen, tables: Sequence[FollowedTable]) -> LiveScreen:
        """Return the screen at an address, the same for everybody."""
        return self._live.setdefault(path, LiveScreen(screen.regions, tables))


ScreenOf = Callable[[Pages, FollowedTable], Screen]


def _table_screen(pages: Pages, table: FollowedTable) -> Screen:
    """Return the view of a table; its stream says besides when whoever is signed in may confirm something else."""
    screen = table_screen.screen(pages, table)
    return replace(screen, regions=lambda: {**screen.regions(), "confirmable": mark(table)})


def application(dashboard: Dashboard) -> Starlette:
    """Return the whole dashboard."""
    page = importlib.resources.files(STATIC[0]) / STATIC[1]

    async def table(request: Request) -> Response:
        of = dashboard.table(request)
        return HTMLResponse(dashboard.page_of(of, dashboard.desk.panel(of)))

    async def refused(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101 - it is what it is registered for
        status = HTTPStatus(error.status_code)
        given = error.detail if error.detail != status.phrase else ""
        return dashboard.pages.refusal(
            status, given or (words.NO_SUCH_PAGE if status == _NOT_FOUND else status.phrase)
        )

    return Starlette(
        routes=[
            *_floor(dashboard),
            Route("/tables/{table}", table),
            *_of_table(dashboard, "/tables/{table}", _table_screen),
            *dashboard.desk.routes(),
            *dashboard.history.routes(),
            *dashboard.documents.routes(),
            *SignIn(dashboard.access, dashboard.pages).routes(),
            *_of_table(dashboard, "/tables/{table}/sign", sign_screen.screen),
            Mount("/page", StaticFiles(directory=str(page))),
        ],
        middleware=[
            Middleware(_Guarded),
            Middleware(Admitting, access=dashboard.access, refusal=dashboard.pages.refusal),
        ],
        exception_handlers={HTTPException: refused},
    )


def _floor(dashboard: Dashboard) -> list[BaseRoute]:
    """Return the view of all the tables."""
    tables = tuple(dashboard.tables.values())
    screen = floor_screen.screen(dashboard.pages, tables)

    async def page(_: Request) -> Response:
        return HTMLResponse(dashboard.pages.page(screen, here="/", stream="/stream"))

    async def stream(_: Request) -> Response:
        return _stream(dashboard, dashboard.live("/", screen, tables))

    return [Route("/", page), Route("/stream", stream)]


def _of_table(dashboard: Dashboard, path: str, screen_of: ScreenOf) -> list[BaseRoute]:
    """Return a view of one table: its page, and what changes of it."""

    async def page(request: Request) -> Response:
        table, here = dashboard.table(request), request.url.path
        screen = screen_of(dashboard.pages, table)
        return HTMLResponse(dashboard.pages.page(screen, table=table.id, here=here, stream=f"{here}/stream"))

    async def stream(request: Request) -> Response:
        table = dashboard.table(request)
        return _stream(dashboard, dashboard.live(request.url.path, screen_of(dashboard.pages, table), (table,)))

    return [Route(path, page), Route(f"{path}/stream", stream)]


def _stream(dashboard: Dashboard, live: LiveScreen) -> Response:
    return StreamingResponse(_events(dashboard, live), media_type="text/event-stream")


async def _events(dashboard: Dashboard, live: LiveScreen) -> AsyncIterator[str]:
    async for message in live.messages():
        if dashboard.closing.is_set():
            return
        yield f"data: {message}\n\n"


class _Guarded:
    """Gives every answer the headers that keep others out, and old pages away."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, guarded)
