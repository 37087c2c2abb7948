"""The panel of confirmations on the view of a table: what may be said now, and what became of what was said."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus

from bridge.dashboard import confirm_words
from bridge.dashboard.confirm_forms import Form
from bridge.dashboard.confirmable import Confirmable, confirmable
from bridge.dashboard.followed import FollowedTable
from bridge.dashboard.sessions import Session
from bridge.domain.identity import RoundNumber, TableId
from bridge.domain.people import PersonRole

_TOKEN_BYTES = 16


class Verdict(StrEnum):
    """What became of what somebody wanted to say."""

    TAKEN = "taken"
    REFUSED = "refused"
    """By the table."""
    NOT_SENT = "not_sent"
    UNKNOWN = "unknown"
    """Sent, and no answer came: an answer may be lost as well as a question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a person is told."""

    verdict: Verdict
    words: str
    status: HTTPStatus
    form: str = ""
    """Which form has to be corrected; empty where none has."""
    given: Mapping[str, str] = field(default_factory=dict)
    faults: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenForm:
    """A form as it is shown."""

    form: Form
    token: str
    """Belongs to this showing of it: sent twice, it is said once."""
    given: Mapping[str, str]
    faults: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """All of it."""

    table: TableId
    form_key: str
    round_number: RoundNumber
    asked: tuple[OpenForm, ...] = ()
    besides: tuple[OpenForm, ...] = ()
    notice: str = ""
    """In place of forms, or of those that the table asks for."""
    unavailable: bool = False
    answer: Answer | None = None


def panel(table: FollowedTable, session: Session, answer: Answer | None = None) -> Panel:
    """Return what somebody who is signed in sees at a table."""
    role = session.roles.get(table.id)
    why = table.unavailable()
    known = Confirmable()
    number = RoundNumber(0)
    if why is None and role is not None and table.known.view is not None:
        known = confirmable(table.known, table.config, role)
        number = table.known.view.round_number
    return Panel(
        table=table.id,
        form_key=session.form_key,
        round_number=number,
        asked=_open(known.asked, answer),
        besides=_open(known.besides, answer),
        notice=_notice(role, known),
        unavailable=why is not None,
        answer=answer,
    )


def mark(table: FollowedTable) -> str:
    """Return something that changes when what anybody may confirm at a table does."""
    shown = table.unavailable() or tuple(confirmable(table.known, table.config, role) for role in PersonRole)
    return str(hash((table.known.view and table.known.view.round_number, shown)))


def _open(forms: tuple[Form, ...], answer: Answer | None) -> tuple[OpenForm, ...]:
    corrected = "" if answer is None else answer.form
    return tuple(
        OpenForm(
            form=form,
            token=secrets.token_urlsafe(_TOKEN_BYTES),
            given=answer.given if answer and form.id == corrected else {},
            faults=answer.faults if answer and form.id == corrected else {},
        )
        for form in forms
    )


def _notice(role: PersonRole | None, known: Confirmable) -> str:
    match role:
        case None:
            return confirm_words.NOT_HERE
        case PersonRole.AUDITOR:
            return confirm_words.NOTHING_EVER
        case _:
            return "" if known.asked else confirm_words.NOTHING
