"""The pages about past rounds: which there were, and each of them told from what was heard of it."""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from bridge.dashboard import history_words as say
from bridge.dashboard.followed import FollowedTable
from bridge.dashboard.history_form import SearchForm, counted, search_form
from bridge.dashboard.history_list import shown_list
from bridge.dashboard.history_money import shown_money
from bridge.dashboard.history_round import shown_round
from bridge.dashboard.history_times import moment, zone
from bridge.dashboard.pages import Pages
from bridge.dashboard.records import Records
from bridge.dashboard.records_door import turned_away
from bridge.dashboard.signin_words import sentence
from bridge.domain.identity import RoundNumber, TableId
from bridge.stores.heard import HeardStoreError, NotHeardError


class History:
    """Where people look for rounds, and at one."""

    def __init__(
        self, table_of: Callable[[Request], FollowedTable], pages: Pages, records: Sequence[Records]
    ) -> None:
        self._table_of = table_of
        self._pages = pages
        self._records: Mapping[TableId, Records] = {one.table.id: one for one in records}

    def routes(self) -> list[BaseRoute]:
        """Return the addresses."""
        return [
            Route("/tables/{table}/rounds", self._list),
            Route("/tables/{table}/rounds/{number}", self._round),
        ]

    async def _list(self, request: Request) -> Response:
        table = self._table_of(request)
        refused = turned_away(request, table.id, self._pages)
        if refused is not None:
            return refused
        records = self._records[table.id]
        try:
            form = search_form(table.config.setup, request.query_params, await records.won_as())
            found = None if form.search is None else await records.find(form.search)
        except HeardStoreError as error:
            raise _unreadable(error) from error
        html = self._pages.part(
            "history_list.html",
            title=say.ROUNDS.format(table=table.id),
            table=table.id,
            here=f"/tables/{table.id}/rounds",
            form=form,
            shown=None if found is None else shown_list(table.id, form, found),
            notices=self._notices(records),
            zone=zone(table.now()),
        )
        return HTMLResponse(html, _status(form))

    async def _round(self, request: Request) -> Response:
        table, number = self._table_of(request), RoundNumber(counted(request.path_params["number"]) or 0)
        refused = turned_away(request, table.id, self._pages)
        if refused is not None:
            return refused
        if not number:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        records = self._records[table.id]
        journal, events = (request.query_params.get(name, "") for name in ("journal", "events"))
        try:
            heard = await records.read(number, (counted(journal) or 0) if journal else None, counted(events) or 1)
        except NotHeardError as error:
            why = sentence(str(error))
            raise HTTPException(HTTPStatus.NOT_FOUND, f"{why} {say.ADVICE_GONE}") from error
        except HeardStoreError as error:
            raise _unreadable(error) from error
        html = self._pages.part(
            "history_round.html",
            title=say.ROUND.format(number=number),
            table=table.id,
            here=request.url.path,
            round=shown_round(heard),
            money=shown_money(heard),
            trouble=self._trouble(records),
            zone=zone(heard.round.round.opened_at),
            printed=say.PRINTED.format(table=table.id, at=moment(table.now())),
        )
        return HTMLResponse(html)

    def _notices(self, records: Records) -> list[str]:
        trouble = self._trouble(records)
        return [*([trouble] if trouble else []), *([say.IN_MEMORY] if records.in_memory else [])]

    def _trouble(self, records: Records) -> str:
        return say.NOT_KEPT.format(why=records.trouble) if records.trouble else ""


def _status(form: SearchForm) -> HTTPStatus:
    return HTTPStatus.UNPROCESSABLE_ENTITY if form.faults else HTTPStatus.OK


def _unreadable(error: HeardStoreError) -> HTTPException:
    return HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, say.NOT_READ.format(why=error))
