"""Signing in and out, and staying signed in."""

import hmac
import logging
import secrets
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from bridge.dashboard import signin_words
from bridge.dashboard.access import SIGN_IN, Access, own_address, read_form, require_key
from bridge.dashboard.door import BusyError
from bridge.dashboard.pages import Pages
from bridge.domain.errors import BridgeError
from bridge.people.attempts import AttemptsError, TooManyAttemptsError
from bridge.people.credentials import CredentialError

_LOG = logging.getLogger(__name__)
_RANDOM_BYTES: Final = 32
_STATUS: Final[Mapping[type[BridgeError], HTTPStatus]] = {
    CredentialError: HTTPStatus.UNAUTHORIZED,
    TooManyAttemptsError: HTTPStatus.TOO_MANY_REQUESTS,
    AttemptsError: HTTPStatus.SERVICE_UNAVAILABLE,
    BusyError: HTTPStatus.SERVICE_UNAVAILABLE,
}


class SignIn:
    """The pages of it."""

    def __init__(self, access: Access, pages: Pages) -> None:
        self._access = access
        self._pages = pages
        self._key = secrets.token_bytes(_RANDOM_BYTES)
        """Makes the key of a form out of a cookie, so that nobody is signed in by the form of another site."""
        self._visitor_cookie = f"{access.cookie}-visitor"

    def routes(self) -> list[BaseRoute]:
        """Return the addresses."""
        return [
            Route(SIGN_IN, self._page),
            Route(SIGN_IN, self._enter, methods=["POST"]),
            Route("/sign-out", self._leave, methods=["POST"]),
            Route("/stay", self._left),
            Route("/stay", self._stay, methods=["POST"]),
        ]

    async def _page(self, request: Request) -> Response:
        return self._form(request, next_=request.query_params.get("next", "/"))

    async def _enter(self, request: Request) -> Response:
        form = await read_form(request)
        visitor = request.cookies.get(self._visitor_cookie, "")
        require_key(form, self._form_key(visitor) if visitor else "")
        next_, name = form.get("next", "/"), form.get("name", "")
        if self._why_not(request):
            return self._form(request, next_=next_, status=HTTPStatus.FORBIDDEN)
        try:
            who, roles = await self._access.door.admit(name, form.get("secret", ""))
        except tuple(_STATUS) as error:
            # Not the name: people write secrets into the wrong field.
            _LOG.warning("A sign-in from %s was refused (%s)", _from(request), type(error).__name__)
            return self._form(request, next_=next_, name=name, fault=str(error), status=_STATUS[type(error)])
        before = self._access.session(request)
        if before is not None:
            self._access.sessions.end(before)
        session = self._access.sessions.begin(who, roles)
        _LOG.info("%s signed in from %s", session.person, _from(request))
        answer = RedirectResponse(own_address(next_), HTTPStatus.SEE_OTHER)
        self._access.set_cookie(answer, self._access.cookie, session.key)
        return answer

    async def _leave(self, request: Request) -> Response:
        session = self._access.session(request)
        if session is not None:
            require_key(await read_form(request), session.form_key)
            self._access.sessions.end(session)
            _LOG.info("%s signed out", session.person)
        answer = RedirectResponse("/" if self._access.public else SIGN_IN, HTTPStatus.SEE_OTHER)
        self._access.set_cookie(answer, self._access.cookie, "")
        return answer

    async def _left(self, request: Request) -> Response:
        """Tell how many seconds a sign-in lasts: other pages of the same browser may have made it longer."""
        session = self._access.session(request)
        return Response("0" if session is None else str(self._access.sessions.left_s(session)))

    async def _stay(self, request: Request) -> Response:
        """Note that somebody works with a page, and tell how long the sign-in lasts now."""
        session = self._access.session(request)
        if session is None:
            return Response("0", HTTPStatus.UNAUTHORIZED)
        require_key(await read_form(request), session.form_key)
        self._access.sessions.act(session)
        return Response(str(self._access.sessions.left_s(session)))

    def _form(
        self,
        request: Request,
        *,
        next_: str,
        name: str = "",
        fault: str = "",
        status: HTTPStatus = HTTPStatus.OK,
    ) -> Response:
        visitor = request.cookies.get(self._visitor_cookie) or secrets.token_urlsafe(_RANDOM_BYTES)
        html = self._pages.part(
            "signin.html",
            title=signin_words.SIGN_IN,
            form_key=self._form_key(visitor),
            next=own_address(next_),
            name=name,
            fault=fault,
            why_not=self._why_not(request),
            public=self._access.public,
            idle_minutes=self._access.sessions.idle_s // 60,
        )
        answer = HTMLResponse(html, status)
        self._access.set_cookie(answer, self._visitor_cookie, visitor)
        return answer

    def _form_key(self, visitor: str) -> str:
        return hmac.digest(self._key, visitor.encode(), "sha256").hex()

    def _why_not(self, request: Request) -> str:
        """Return why no secret is asked for; empty where one is."""
        if not self._access.offered or (self._access.encrypted and request.url.scheme != "https"):
            return signin_words.NOT_OFFERED
        return "" if self._access.door.anybody else signin_words.NOBODY_THERE


def _from(request: Request) -> str:
    return request.client.host if request.client else "an unknown address"
