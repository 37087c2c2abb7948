"""Stands before every page: who may see it, and whether a form that comes in was sent from one of ours."""

import asyncio
import contextlib
import hmac
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qsl, quote

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bridge.dashboard import signin_words
from bridge.dashboard.door import Door
from bridge.dashboard.sessions import Session, Sessions
from bridge.dashboard.visit import VISIT, Visit

SIGN_IN: Final = "/sign-in"
FORM_KEY: Final = "form_key"
"""Field of every form, which no other page can know."""
_BODY_MAX: Final = 16_384
_FORM_S: Final = 10.0
"""How long a form may take to come, once its head is there."""
_FIELDS_MAX: Final = 32
_SAFE: Final = frozenset({"GET", "HEAD"})
_STREAM: Final = "/stream"
_FOR_EVERYBODY: Final = re.compile(r"/sign-in|/page/.*|/tables/[^/]+/sign(/stream)?")
"""The sign is for players, whoever they are."""
_BY_ITSELF: Final = re.compile(r"/page/.*|.*/stream|.*/confirmations|/stay")
"""A page asks for these without anybody doing anything."""
_OWN_ADDRESS: Final = re.compile(r"/(?:[\w.~-]+(?:/[\w.~-]+)*)?(?:\?[\w.~=&%-]*)?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Who is let in to what."""

    sessions: Sessions
    door: Door
    public: bool
    """Whether anybody may watch; to confirm, everybody signs in."""
    encrypted: bool = False
    """Whether browsers come over TLS only, so that a cookie may be kept from everything else."""
    offered: bool = True
    """Whether a secret may be asked for: not over a network that others can listen to."""

    @property
    def cookie(self) -> str:
        """Return the name of the cookie; one of this prefix is taken by no browser from anybody but us."""
        return "__Host-table-bridge" if self.encrypted else "table-bridge"

    @property
    def may_sign_in(self) -> bool:
        """Return whether a sign-in is of any use."""
        return self.offered and self.door.anybody

    def session(self, request: Request) -> Session | None:
        """Return whose request it is."""
        return self.sessions.find(request.cookies.get(self.cookie, ""))

    def set_cookie(self, response: Response, name: str, value: str) -> None:
        """Have a browser keep a value until it is closed, from scripts and from other sites."""
        response.set_cookie(name, value, httponly=True, samesite="strict", secure=self.encrypted)


async def read_form(request: Request) -> Mapping[str, str]:
    """Return the fields of a form, each once; raise ``HTTPException`` for what no form of ours can be."""
    body = b""
    try:
        async with asyncio.timeout(_FORM_S):
            async for part in request.stream():
                body += part
                if len(body) > _BODY_MAX:
                    raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    except TimeoutError as error:
        raise HTTPException(HTTPStatus.REQUEST_TIMEOUT, headers={"Connection": "close"}) from error
    except ClientDisconnect as error:
        # Nobody hears the answer; half a form is none.
        raise HTTPException(HTTPStatus.BAD_REQUEST) from error
    try:
        fields = parse_qsl(
            body.decode(), keep_blank_values=True, max_num_fields=_FIELDS_MAX, strict_parsing=bool(body)
        )
    except ValueError as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST) from error
    form = dict(fields)
    if len(form) < len(fields):
        raise HTTPException(HTTPStatus.BAD_REQUEST)
    return form


def require_key(form: Mapping[str, str], key: str) -> None:
    """Raise ``HTTPException`` for a form that was not sent from a page with this key."""
    if not key or not hmac.compare_digest(form.get(FORM_KEY, "").encode(), key.encode()):
        raise HTTPException(HTTPStatus.FORBIDDEN, signin_words.FROM_ELSEWHERE)


def own_address(address: str) -> str:
    """Return an address of this dashboard; its first page for whatever may be another's."""
    return address if _OWN_ADDRESS.fullmatch(address) else "/"


def sign_in_address(request: Request) -> str:
    """Return where to sign in, and come back from."""
    query = f"?{request.url.query}" if request.url.query else ""
    return f"{SIGN_IN}?next={quote(own_address(f'{request.url.path}{query}'), safe='/')}"


Refusal = Callable[[HTTPStatus, str], Response]
"""Makes a page that says why something is refused."""


class Admitting:
    """Lets a request through to its page, or says what to do."""

    def __init__(self, app: ASGIApp, access: Access, refusal: Refusal) -> None:
        self._app = app
        self._access = access
        self._refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer in the place of a page, or hand the request on to it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request, access = Request(scope, receive), self._access
        if request.method not in _SAFE and not _from_our_page(request):
            await self._refusal(HTTPStatus.FORBIDDEN, signin_words.FROM_ELSEWHERE)(scope, receive, send)
            return
        session = access.session(request)
        if session is not None and not _BY_ITSELF.fullmatch(request.url.path):
            access.sessions.act(session)
        VISIT.set(
            Visit(
                session=session,
                left_s=0 if session is None else access.sessions.left_s(session),
                path=request.url.path,
                may_sign_in=access.may_sign_in,
            )
        )
        if access.public or _FOR_EVERYBODY.fullmatch(request.url.path):
            await self._app(scope, receive, send)
        elif session is None:
            await self._turned_away(request)(scope, receive, send)
        elif request.url.path.endswith(_STREAM):
            with contextlib.suppress(_SignedOffError):
                await self._app(scope, receive, self._while_signed_in(session, send))
        else:
            await self._app(scope, receive, send)

    def _turned_away(self, request: Request) -> Response:
        if request.url.path.endswith(_STREAM):
            return Response(_GOODBYE, media_type="text/event-stream")
        if request.method not in _SAFE:
            return self._refusal(HTTPStatus.UNAUTHORIZED, signin_words.SIGNED_OFF)
        return RedirectResponse(sign_in_address(request), HTTPStatus.SEE_OTHER)

    def _while_signed_in(self, session: Session, send: Send) -> Send:
        """End a stream with a word when its viewer is signed off; a stream speaks every second."""

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.body" and not self._access.sessions.left_s(session):
                await send({"type": "http.response.body", "body": _GOODBYE, "more_body": False})
                raise _SignedOffError
            await send(message)

        return watched


_GOODBYE: Final = b"event: signed-off\ndata:\n\n"


class _SignedOffError(Exception):
    """The viewer of a stream is signed off."""


def _from_our_page(request: Request) -> bool:
    """Return whether a browser says that a form was sent from here; every browser of today says where from."""
    origin = request.headers.get("origin")
    if origin is None:
        return request.headers.get("sec-fetch-site") == "same-origin"
    return origin == f"{request.url.scheme}://{request.headers.get('host', '')}"
