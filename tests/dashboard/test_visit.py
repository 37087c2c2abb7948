from collections.abc import Mapping

import pytest

from bridge.dashboard.sessions import Session
from bridge.dashboard.visit import VISIT, Visit, visit
from bridge.domain.identity import PersonId, TableId
from bridge.domain.people import PersonRole
from bridge.people.credentials import Admitted

ONE, TWO = TableId("bj-1"), TableId("bj-2")


def signed_in(roles: Mapping[TableId, PersonRole]) -> Visit:
    who = Admitted(person=PersonId("ann"), secret="")
    return Visit(session=Session(key="k", form_key="f", who=who, roles=roles, began_us=0), left_s=60)


@pytest.mark.parametrize("role", PersonRole)
def test_floorpersons_and_auditors_see_what_a_journal_holds_at_their_table(role: PersonRole) -> None:
    person, may = signed_in({ONE: role}), role in {PersonRole.FLOORPERSON, PersonRole.AUDITOR}

    assert [person.sees_records(table) for table in (ONE, TWO, None)] == [may, False, may]


def test_whoever_is_not_signed_in_sees_no_record() -> None:
    assert visit().person is None
    assert not visit().sees_records(ONE)
    assert not Visit().sees_records(None)


def test_a_visit_is_known_until_its_page_is_made() -> None:
    token = VISIT.set(signed_in({ONE: PersonRole.AUDITOR}))
    try:
        assert visit().sees_records(ONE)
    finally:
        VISIT.reset(token)
    assert not visit().sees_records(ONE)


def test_a_person_is_named_with_each_role_once() -> None:
    person = signed_in({ONE: PersonRole.DEALER, TWO: PersonRole.DEALER}).person

    assert person is not None
    assert (person.name, person.roles, person.left_s) == ("ann", (PersonRole.DEALER,), 60)
