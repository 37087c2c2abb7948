from collections.abc import Mapping

import pytest
from starlette.requests import Request

from bridge.credentials import Admitted
from bridge.dashboard.sessions import Session
from bridge.dashboard.visit import VISIT, Visit, may_see_records, visit
from bridge.domain.identity import PersonId, TableId
from bridge.domain.people import PersonRole

ONE, TWO = TableId("bj-1"), TableId("bj-2")


def asking(table: str | None) -> Request:
    return Request({"type": "http", "path_params": {} if table is None else {"table": table}})


def signed_in(roles: Mapping[TableId, PersonRole]) -> Visit:
    who = Admitted(person=PersonId("ann"), secret="")
    return Visit(session=Session(key="k", form_key="f", who=who, roles=roles, began_us=0), left_s=60)


@pytest.mark.parametrize("role", PersonRole)
def test_floorpersons_and_auditors_see_what_a_journal_holds_at_their_table(role: PersonRole) -> None:
    token = VISIT.set(signed_in({ONE: role}))
    may = role in {PersonRole.FLOORPERSON, PersonRole.AUDITOR}
    try:
        assert may_see_records(asking("bj-1")) is may
        assert may_see_records(asking(None)) is may
        assert not may_see_records(asking("bj-2"))
    finally:
        VISIT.reset(token)


def test_a_page_asks_the_same_of_the_visit_that_it_is_made_for() -> None:
    auditor = signed_in({ONE: PersonRole.AUDITOR, TWO: PersonRole.DEALER})

    assert [auditor.sees_records(table) for table in (ONE, TWO, None)] == [True, False, True]
    assert not signed_in({TWO: PersonRole.DEALER}).sees_records(None)
    assert not Visit().sees_records(None)


def test_whoever_is_not_signed_in_sees_no_record() -> None:
    assert visit().person is None
    assert not may_see_records(asking("bj-1"))


def test_a_person_is_named_with_each_role_once() -> None:
    person = signed_in({ONE: PersonRole.DEALER, TWO: PersonRole.DEALER}).person

    assert person is not None
    assert (person.name, person.roles, person.left_s) == ("ann", (PersonRole.DEALER,), 60)
