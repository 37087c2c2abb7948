"""Keeps what the journal of a table holds, its past rounds and its documents, to those who may see it."""

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from bridge.dashboard import signin_words as say
from bridge.dashboard.access import sign_in_address
from bridge.dashboard.pages import Pages
from bridge.dashboard.visit import visit
from bridge.domain.identity import TableId
from bridge.domain.people import PersonRole


def turned_away(request: Request, table: TableId, pages: Pages) -> Response | None:
    """Return what somebody gets who may not see the records of a table; None for whoever may.

    Whoever is not signed in is led to where he can be, and comes back from there.
    """
    now = visit()
    if now.sees_records(table):
        return None
    if now.session is not None:
        role = say.ROLES[now.session.roles.get(table, PersonRole.NONE)]
        told = say.RECORDS_OF_OTHERS.format(person=now.session.person, role=role)
        return pages.refusal(HTTPStatus.FORBIDDEN, told, table=table)
    if now.may_sign_in:
        return RedirectResponse(sign_in_address(request), HTTPStatus.SEE_OTHER)
    return pages.refusal(HTTPStatus.FORBIDDEN, say.RECORDS_OF_NOBODY, table=table)
