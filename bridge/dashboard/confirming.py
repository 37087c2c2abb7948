"""Takes what people confirm, says it to the table in their name, and tells them what the table answers."""

import asyncio
import logging
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from bridge.dashboard import confirm_words as say, signin_words, words
from bridge.dashboard.access import read_form, require_key
from bridge.dashboard.confirm_forms import OF_NO_ROUND, FormFault, FormKind, confirmation_of
from bridge.dashboard.confirm_panel import Answer, Verdict, panel
from bridge.dashboard.followed import FollowedTable
from bridge.dashboard.pages import Pages
from bridge.dashboard.sessions import Session, Sessions
from bridge.dashboard.speaking import RoundChangedError, Speak
from bridge.dashboard.visit import visit
from bridge.domain.confirmations import Confirmation, MeterAdjusted
from bridge.domain.errors import BridgeError
from bridge.domain.identity import PersonId, RoundNumber, TableId
from bridge.domain.names import plain
from bridge.domain.people import PersonRole
from bridge.people.confirm import NobodyAnsweredError
from bridge.table.sign_off import may_confirm

_LOG = logging.getLogger(__name__)
_REMEMBERED_MAX: Final = 1_000
"""Sendings that are known again; a person who reloads a page does it soon."""
_PART: Final = "x-part"
"""Header of a request by a script that wants the panel and not the page around it, and of what it gets."""
_TOKEN_LENGTH_MAX: Final = 64
_DIGITS_MAX: Final = 12


class Desk:
    """Where people confirm."""

    def __init__(
        self,
        table_of: Callable[[Request], FollowedTable],
        pages: Pages,
        page: Callable[[FollowedTable, Markup], str],
        speak: Speak,
        sessions: Sessions,
    ) -> None:
        """``page`` makes the view of a table around a panel."""
        self._table_of = table_of
        self._pages = pages
        self._page = page
        self._speak = speak
        self._sessions = sessions
        self._turns: defaultdict[tuple[TableId, PersonId], asyncio.Lock] = defaultdict(asyncio.Lock)
        self._sent: OrderedDict[tuple[str, str], asyncio.Task[Answer]] = OrderedDict()

    def routes(self) -> list[BaseRoute]:
        """Return the addresses."""
        return [
            Route("/tables/{table}/confirm", self._confirm, methods=["POST"]),
            Route("/tables/{table}/confirm", self._back),
            Route("/tables/{table}/confirmations", self._part),
        ]

    def panel(self, table: FollowedTable, answer: Answer | None = None) -> Markup:
        """Return the panel of whoever looks at a table; nothing for somebody who is not signed in."""
        session = visit().session
        if session is None:
            return Markup()
        shown = panel(table, session, answer)
        return Markup(self._pages.part("confirmations.html", panel=shown))  # noqa: S704 - the template escapes

    async def _part(self, request: Request) -> Response:
        status = HTTPStatus.OK if visit().session else HTTPStatus.UNAUTHORIZED
        return HTMLResponse(self.panel(self._table_of(request)), status)

    async def _back(self, request: Request) -> Response:
        return RedirectResponse(f"/tables/{self._table_of(request).id}", HTTPStatus.SEE_OTHER)

    async def _confirm(self, request: Request) -> Response:
        table, session = self._table_of(request), visit().session
        form = await read_form(request)
        # A form may take its time, and whoever was signed in when it began to come be signed off by now.
        if session is None or not self._sessions.left_s(session):
            raise HTTPException(HTTPStatus.UNAUTHORIZED, signin_words.SIGNED_OFF)
        require_key(form, session.form_key)
        answer = await self._answer(table, session, form)
        shown = self.panel(table, answer)
        if _PART in request.headers:
            return HTMLResponse(shown, answer.status, headers={_PART: "confirmations"})
        return HTMLResponse(self._page(table, shown), answer.status)

    async def _answer(self, table: FollowedTable, session: Session, form: Mapping[str, str]) -> Answer:
        token = form.get("token", "")[:_TOKEN_LENGTH_MAX]
        try:
            kind, number = FormKind(form.get("kind", "")), _round_number(form)
        except ValueError:
            return _not_sent(HTTPStatus.BAD_REQUEST, say.NO_SUCH_FORM)
        if not token:
            return _not_sent(HTTPStatus.BAD_REQUEST, say.NO_SUCH_FORM)
        try:
            said = confirmation_of(kind, form, number)
        except FormFault as fault:
            return Answer(
                verdict=Verdict.NOT_SENT,
                words=say.PLEASE,
                status=HTTPStatus.UNPROCESSABLE_ENTITY,
                form=form.get("form", ""),
                given=form,
                faults=fault.faults,
            )
        refused = _may_not(table, session, said)
        if refused is not None:
            return refused
        sent = self._sent.get((session.key, token))
        if sent is None:
            refused = _not_now(table, kind, number)
            if refused is not None:
                return refused
            sent = asyncio.create_task(self._send(table, session, said), name=f"confirm-{session.person}")
            self._remember((session.key, token), sent)
        # Whoever goes away while it is on its way, has said it all the same.
        return await asyncio.shield(sent)

    async def _send(self, table: FollowedTable, session: Session, said: Confirmation) -> Answer:
        what = say.described(said)
        try:
            async with self._turns[table.id, session.person]:
                answered = await self._speak(table.config, session.who, said)
        except RoundChangedError:
            return _not_sent(HTTPStatus.CONFLICT, say.ROUND_CHANGED)
        except NobodyAnsweredError as error:
            if error.said:
                told = say.UNKNOWN.format(what=what, why=error)
                return Answer(verdict=Verdict.UNKNOWN, words=told, status=HTTPStatus.GATEWAY_TIMEOUT)
            return _not_sent(HTTPStatus.SERVICE_UNAVAILABLE, say.NOT_SENT.format(what=what, why=error))
        except BridgeError as error:
            return _not_sent(HTTPStatus.SERVICE_UNAVAILABLE, say.NOT_SENT.format(what=what, why=error))
        _LOG.info("%s at table %s: %s, %s", session.person, table.id, said.kind, answered.words)
        if answered.accepted:
            words_ = plain(answered.words) if isinstance(said, MeterAdjusted) else what
            return Answer(verdict=Verdict.TAKEN, words=say.TAKEN.format(what=words_), status=HTTPStatus.OK)
        why = answered.words.rpartition("refused: ")[2]
        told = say.REFUSED.format(what=what, why=plain(why))
        return Answer(verdict=Verdict.REFUSED, words=told, status=HTTPStatus.CONFLICT)

    def _remember(self, key: tuple[str, str], sent: asyncio.Task[Answer]) -> None:
        self._sent[key] = sent
        while len(self._sent) > _REMEMBERED_MAX:
            self._sent.popitem(last=False)


def _may_not(table: FollowedTable, session: Session, said: Confirmation) -> Answer | None:
    """Return why this person may not confirm this at this table; None if he may."""
    role = session.roles.get(table.id, PersonRole.NONE)
    may = may_confirm(table.config.setup, said)
    if role in may:
        return None
    told = say.MAY_NOT.format(who=say.either(may), person=session.person, role=signin_words.ROLES[role])
    return _not_sent(HTTPStatus.FORBIDDEN, told)


def _not_now(table: FollowedTable, kind: FormKind, number: RoundNumber) -> Answer | None:
    """Return why nothing is sent at this moment; None if it is."""
    why = table.unavailable() or (table.unanswered() if kind is FormKind.ADJUST else None)
    if why is not None:
        return _not_sent(HTTPStatus.SERVICE_UNAVAILABLE, say.UNAVAILABLE.format(why=words.WHY[why]))
    if kind not in OF_NO_ROUND and table.known.view is not None and table.known.view.round_number != number:
        return _not_sent(HTTPStatus.CONFLICT, say.ROUND_CHANGED)
    return None


def _not_sent(status: HTTPStatus, told: str) -> Answer:
    return Answer(verdict=Verdict.NOT_SENT, words=told, status=status)


def _round_number(form: Mapping[str, str]) -> RoundNumber:
    """Return the round that a form was shown in; raise ``ValueError``."""
    given = form.get("round", "")
    if not given.isascii() or not given.isdecimal() or len(given) > _DIGITS_MAX:
        raise ValueError(given)
    return RoundNumber(int(given))
