from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import unquote

import pytest
from starlette.requests import Request
from starlette.responses import Response

from bridge.dashboard.pages import Pages
from bridge.dashboard.records_door import turned_away
from bridge.dashboard.sessions import Session
from bridge.dashboard.visit import VISIT, Visit
from bridge.domain.identity import PersonId, TableId
from bridge.domain.people import PersonRole
from bridge.people.credentials import Admitted

ONE, TWO = TableId("bj-1"), TableId("bj-2")
ASKED = Request(
    {
        "type": "http",
        "path": "/tables/bj-1/rounds",
        "query_string": b"ended=won&page=2",
        "headers": [(b"host", b"127.0.0.1:8400")],
    }
)


@contextmanager
def visited_by(visit: Visit) -> Iterator[None]:
    token = VISIT.set(visit)
    try:
        yield
    finally:
        VISIT.reset(token)


def signed_in(role: PersonRole, table: TableId = ONE) -> Visit:
    who = Admitted(person=PersonId("ann"), secret="")
    return Visit(session=Session(key="k", form_key="f", who=who, roles={table: role}, began_us=0), left_s=60)


def answer(visit: Visit) -> Response | None:
    with visited_by(visit):
        return turned_away(ASKED, ONE, Pages())


@pytest.mark.parametrize("role", PersonRole)
def test_floorpersons_and_auditors_of_the_table_pass_and_others_are_told_whom_to_ask(role: PersonRole) -> None:
    given, elsewhere = answer(signed_in(role)), answer(signed_in(role, TWO))

    assert elsewhere is not None
    assert elsewhere.status_code == 403
    if role in {PersonRole.FLOORPERSON, PersonRole.AUDITOR}:
        assert given is None
    else:
        assert given is not None
        assert given.status_code == 403
        assert b"you are signed in as ann, " in given.body
        assert b"let one of them sign in" in given.body


def test_whoever_is_not_signed_in_is_led_there_and_back_to_what_he_asked_for() -> None:
    given = answer(Visit(may_sign_in=True))

    assert given is not None
    assert given.status_code == 303
    assert unquote(given.headers["Location"]) == "/sign-in?next=/tables/bj-1/rounds?ended=won&page=2"


def test_where_nobody_can_sign_in_it_is_said_what_lets_people_in() -> None:
    given = answer(Visit())

    assert given is not None
    assert given.status_code == 403
    assert b"table-bridge people set-credential" in given.body
