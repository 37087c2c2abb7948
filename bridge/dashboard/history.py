"""The pages about past rounds: which there were, and each of them told from what was heard of it."""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from bridge.contracts.codec import INTEGER_MAX
from bridge.dashboard import history_words as say, signin_words
from bridge.dashboard.followed import FollowedTable
from bridge.dashboard.history_form import SearchForm, search_form
from bridge.dashboard.history_list import shown_list
from bridge.dashboard.history_money import shown_money
from bridge.dashboard.history_round import shown_round
from bridge.dashboard.history_times import moment, zone
from bridge.dashboard.pages import Pages
from bridge.dashboard.records import Records
from bridge.dashboard.visit import may_see_records, visit
from bridge.domain.identity import RoundNumber, TableId
from bridge.domain.people import PersonRole
from bridge.stores.heard import HeardStoreError, NotHeardError

_DIGITS_MAX: Final = 9


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
        records = self._records_for(request)
        table = records.table
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
        records = self._records_for(request)
        table, number = records.table, _round_number(request.path_params["number"])
        try:
            heard = await records.read(number, _number(request, "journal"), _number(request, "events") or 1)
        except NotHeardError as error:
            why = signin_words.sentence(str(error))
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

    def _records_for(self, request: Request) -> Records:
        """Return the records of a table to somebody who may see them; raise ``HTTPException`` for others."""
        table = self._table_of(request)
        if not may_see_records(request):
            raise HTTPException(HTTPStatus.FORBIDDEN, _refusal(table))
        return self._records[table.id]

    def _notices(self, records: Records) -> list[str]:
        trouble = self._trouble(records)
        return [*([trouble] if trouble else []), *([say.IN_MEMORY] if records.in_memory else [])]

    def _trouble(self, records: Records) -> str:
        return say.NOT_KEPT.format(why=records.trouble) if records.trouble else ""


def _status(form: SearchForm) -> HTTPStatus:
    return HTTPStatus.UNPROCESSABLE_ENTITY if form.faults else HTTPStatus.OK


def _round_number(given: str) -> RoundNumber:
    """Return the round that an address names; raise ``HTTPException`` for what is no number."""
    if not (given.isascii() and given.isdecimal()):
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return RoundNumber(min(int(given[: len(str(INTEGER_MAX)) + 1]), INTEGER_MAX))


def _number(request: Request, name: str) -> int | None:
    """Return a number of an address; None where there is none, 0 for what is none."""
    given = request.query_params.get(name, "")
    if not given:
        return None
    return int(given) if given.isascii() and given.isdecimal() and len(given) <= _DIGITS_MAX else 0


def _unreadable(error: HeardStoreError) -> HTTPException:
    return HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, say.NOT_READ.format(why=error))


def _refusal(table: FollowedTable) -> str:
    """Return why somebody may not look at past rounds, and what to do."""
    now = visit()
    if now.session is not None:
        role = now.session.roles.get(table.id, PersonRole.NONE)
        return say.RECORDS_ALONE.format(person=now.session.person, role=signin_words.ROLES[role])
    if now.may_sign_in:
        return say.SIGN_IN_FIRST
    return say.NOBODY_SIGNS_IN.format(why=signin_words.NOBODY_THERE)
