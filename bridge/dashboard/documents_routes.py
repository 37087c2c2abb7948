"""The documents of a table in the browser: what there is, and each of it as a file."""

import asyncio
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from bridge.dashboard import documents_words as say
from bridge.dashboard.access import Access
from bridge.dashboard.documents import Archive, Listed, Shelf
from bridge.dashboard.followed import FollowedTable
from bridge.dashboard.pages import Pages
from bridge.dashboard.press import NoSuchDocumentError, NotMadeError, Order, Press, PressBusyError
from bridge.dashboard.records_door import turned_away
from bridge.dashboard.signin_words import sentence
from bridge.dashboard.visit import visit
from bridge.domain.errors import BridgeError
from bridge.domain.identity import RoundNumber, TableId
from bridge.domain.wagers import BettingPosition
from bridge.reports.formats import Form, Paper
from bridge.reports.wanted import DayWanted, HandPayWanted, MeterSheetWanted, Wanted
from bridge.reports.words import moment
from bridge.reports.zones import UTC_NAME, NoSuchZoneError, zone_names, zone_of

_LOG = logging.getLogger(__name__)
_MEDIA_TYPES: Final[Mapping[Form, str]] = {
    Form.PDF: "application/pdf",
    Form.CSV: "text/csv; charset=utf-8",
    Form.JSON: "application/json",
}
_STATUS: Final[Mapping[type[BridgeError], HTTPStatus]] = {
    NoSuchDocumentError: HTTPStatus.NOT_FOUND,
    NotMadeError: HTTPStatus.SERVICE_UNAVAILABLE,
    PressBusyError: HTTPStatus.SERVICE_UNAVAILABLE,
}
_AWARD: Final = re.compile(r"(?P<round>\d{1,15})-(?P<position>\d{1,3})", re.ASCII)
_BETWEEN: Final = "|"
"""Stands between paper and zone in the cookie that remembers them."""


class NoSuchChoiceError(BridgeError):
    """A paper or a form is asked for that there is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """How somebody wants documents: on which paper, and with times of which zone."""

    paper: Paper = Paper.LETTER
    zone: str = UTC_NAME


class Documents:
    """The pages of them."""

    def __init__(
        self,
        table_of: Callable[[Request], FollowedTable],
        pages: Pages,
        access: Access,
        archive: Archive | None,
        press: Press,
    ) -> None:
        """``archive`` is None where the files of the tables do not lie on this machine."""
        self._table_of = table_of
        self._pages = pages
        self._access = access
        self._archive = archive
        self._press = press
        self._shelves: dict[TableId, Shelf] = {}
        self._cookie = f"{access.cookie}-documents"

    def routes(self) -> list[BaseRoute]:
        """Return the addresses."""
        here = "/tables/{table}/documents"
        return [
            Route(here, self._page),
            Route(f"{here}/days/{{day}}.{{form}}", self._day),
            Route(f"{here}/awards/{{award}}.{{form}}", self._slip),
            Route(f"{here}/meters.{{form}}", self._meters),
        ]

    async def _page(self, request: Request) -> Response:
        table = self._table_of(request)
        refused = turned_away(request, table.id, self._pages)
        if refused is not None:
            return refused
        choice = self._remembered(request)
        zone, zones = zone_of(choice.zone), await asyncio.to_thread(zone_names)
        html = self._pages.part(
            "documents.html",
            title=say.TITLE.format(table=table.id),
            table=table.id,
            here=_address(table),
            listed=await self._listed(table),
            choice=choice,
            papers=tuple(Paper),
            zones=zones if choice.zone in zones else (choice.zone, *zones),
            shown=lambda at: moment(at, zone),
        )
        return HTMLResponse(html)

    async def _listed(self, table: FollowedTable) -> Listed:
        if self._archive is None:
            return Listed(elsewhere=(say.NO_STORAGE,))
        if table.id not in self._shelves:
            self._shelves[table.id] = Shelf(self._archive.sources(table.config))
        return await self._shelves[table.id].listed()

    async def _day(self, request: Request) -> Response:
        return await self._handed_out(request, DayWanted(day=request.path_params["day"]))

    async def _slip(self, request: Request) -> Response:
        found = _AWARD.fullmatch(request.path_params["award"])
        number, position = (0, 0) if found is None else (int(found["round"]), int(found["position"]))
        wanted = HandPayWanted(round_number=RoundNumber(number), position=BettingPosition(position))
        return await self._handed_out(request, wanted)

    async def _meters(self, request: Request) -> Response:
        return await self._handed_out(request, MeterSheetWanted())

    async def _handed_out(self, request: Request, wanted: Wanted) -> Response:
        """Return a document as a file; or a page that says why there is none, and what to do."""
        table = self._table_of(request)
        refused = turned_away(request, table.id, self._pages)
        if refused is not None:
            return refused
        if self._archive is None:
            return self._refusal(table, HTTPStatus.NOT_FOUND, f"{say.NO_STORAGE} {say.ELSEWHERE}")
        try:
            form, choice = _form(request), _choice(request, self._remembered(request))
            sources = self._archive.sources(table.config)
            order = Order(sources=sources, wanted=wanted, form=form, paper=choice.paper, zone=choice.zone)
            printed = await self._press.print(order)
        except (NoSuchZoneError, NoSuchChoiceError) as error:
            return self._refusal(table, HTTPStatus.BAD_REQUEST, sentence(str(error)))
        except tuple(_STATUS) as error:
            return self._refusal(table, _STATUS[type(error)], sentence(str(error)))
        person = visit().person
        _LOG.info("%s was handed out to %s", printed.name, person.name if person else "nobody")
        answer = Response(printed.content, media_type=_MEDIA_TYPES[form])
        answer.headers["Content-Disposition"] = f'attachment; filename="{printed.name}"'
        self._access.set_cookie(answer, self._cookie, f"{choice.paper}{_BETWEEN}{choice.zone}")
        return answer

    def _refusal(self, table: FollowedTable, status: HTTPStatus, why: str) -> Response:
        back = (_address(table), say.BACK) if visit().sees_records(table.id) else None
        return self._pages.refusal(status, why, table=table.id, back=back)

    def _remembered(self, request: Request) -> Choice:
        """Return what a browser chose last; a choice that makes no sense any more is none."""
        paper, _, zone = request.cookies.get(self._cookie, "").partition(_BETWEEN)
        try:
            zone_of(zone)
            return Choice(paper=Paper(paper), zone=zone)
        except (NoSuchZoneError, ValueError):
            return Choice()


def _address(table: FollowedTable) -> str:
    return f"/tables/{table.id}/documents"


def _form(request: Request) -> Form:
    """Return the form that an address ends with; raise ``NoSuchChoiceError``."""
    try:
        return Form(request.path_params["form"])
    except ValueError:
        raise NoSuchChoiceError(say.NO_SUCH_FORM) from None


def _choice(request: Request, remembered: Choice) -> Choice:
    """Return what a form of the page says; raise ``NoSuchChoiceError`` or ``NoSuchZoneError``."""
    zone = request.query_params.get("zone", remembered.zone)
    zone_of(zone)
    try:
        return Choice(paper=Paper(request.query_params.get("paper", remembered.paper)), zone=zone)
    except ValueError:
        raise NoSuchChoiceError(say.NO_SUCH_PAPER) from None
