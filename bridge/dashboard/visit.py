"""Who looks at the page that is being made, for whatever has to know it."""

from contextvars import ContextVar
from dataclasses import dataclass

from bridge.dashboard.sessions import Session
from bridge.domain.identity import TableId
from bridge.domain.people import PersonRole

_SEE_RECORDS = frozenset({PersonRole.FLOORPERSON, PersonRole.AUDITOR})


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who is signed in, as every page names him."""

    name: str
    roles: tuple[PersonRole, ...]
    """What he is, at whatever table; each once."""
    left_s: int
    """How long the sign-in lasts if he does nothing."""
    form_key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One request, as far as it matters who makes it."""

    session: Session | None = None
    left_s: int = 0
    path: str = "/"
    """What was asked for, to come back to after signing in."""
    may_sign_in: bool = False

    @property
    def person(self) -> Person | None:
        """Return who makes it."""
        if self.session is None:
            return None
        return Person(
            name=self.session.person,
            roles=tuple(dict.fromkeys(self.session.roles.values())),
            left_s=self.left_s,
            form_key=self.session.form_key,
        )

    def sees_records(self, table: TableId | None) -> bool:
        """Return whether the visitor may see what the journal of a table holds; of any, if none is named."""
        if self.session is None:
            return False
        roles = self.session.roles
        return not _SEE_RECORDS.isdisjoint(roles.values() if table is None else {roles.get(table)})


VISIT: ContextVar[Visit] = ContextVar("visit", default=Visit())  # noqa: B039 - a visit is frozen
"""Of the request that is answered; set before any page is asked for."""


def visit() -> Visit:
    """Return the visit that is answered now."""
    return VISIT.get()
