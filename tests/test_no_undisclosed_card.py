"""T48 in the browser: no byte of any answer of the dashboard names a card before it lies face up.

Rounds are played at a whole table in memory. Whatever the dashboard sends to somebody who looks at all of its
pages is searched, as it is sent, for every card that the daemon knows and has not disclosed.
"""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Coroutine, Iterator, MutableMapping, Sequence as Items
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.routing import Route

from bridge.bus.memory import MemoryBus
from bridge.clock import SystemClock
from bridge.config import load_table
from bridge.contracts.envelopes import RoundEnvelope
from bridge.dashboard.app import Dashboard, application
from bridge.dashboard.followed import FollowedTable
from bridge.dashboard.records import recording
from bridge.dashboard.serve import Rules, Where, access_to, listening
from bridge.domain.cards import Card
from bridge.domain.identity import PersonId
from bridge.domain.people import PersonRole
from bridge.domain.rounds import DealtCard, Round
from bridge.known_table import subscriptions
from bridge.people.credentials import Admitted
from bridge.stores.heard_store import HeardStore
from bridge.words import SUIT_SIGNS, card_name
from simulators.baccarat_shoe import random_baccarat_rounds
from simulators.running import running
from simulators.shoe import random_rounds
from tests.processes.table import DEMONSTRATION
from tests.whole_table import Whole, whole

ROUNDS = 12
"""Of blackjack a whole shoe."""
BACCARAT_ROUNDS = 6
"""Of baccarat fewer: in each of them every card lies face down for a while."""
_RANKS = {"T": "10"}


def names_of(card: Card) -> tuple[bytes, ...]:
    """Return every way in which a page could name a card: drawn, spoken, and as messages have it."""
    face = f"{_RANKS.get(card.rank, card.rank)}{SUIT_SIGNS[card.suit]}"
    escaped = json.dumps(face).strip('"')
    return (face.encode(), escaped.encode(), card_name(card).encode(), f'"{card}"'.encode(), f"{card}<".encode())


def dealt(round_: Round) -> Iterator[DealtCard]:
    for hand in round_.hands:
        yield from hand.cards
    yield from round_.unassigned
    yield from round_.burned


@dataclass
class Searched:
    """Everything that is sent, searched while it is sent."""

    table: Whole
    shown_before: set[Card] = field(default_factory=set)
    """Face up in the round before, which may still be on a page."""
    shown: set[Card] = field(default_factory=set)
    number: int = 0
    hidden: set[tuple[int, Card]] = field(default_factory=set)
    """Every card that was searched for, and the round in which it lay face down."""
    seen_later: set[tuple[int, Card]] = field(default_factory=set)
    sent: int = 0
    cookie: str = ""
    """Of an auditor, who may look at past rounds too."""

    def search(self, chunk: bytes) -> None:
        state = self.table.parts.daemon.state
        if state.round.number != self.number:
            self.number, self.shown_before, self.shown = state.round.number, self.shown, set()
        cards = [(one.card, one.disclosed) for one in dealt(state.round) if isinstance(one.card, Card)]
        self.shown |= {card for card, disclosed in cards if disclosed}
        for card in {card for card, _ in cards} - self.shown - self.shown_before:
            self.hidden.add((self.number, card))
            for name in names_of(card):
                assert name not in chunk, f"round {self.number}: {card} is not disclosed, and {name!r} was sent"
        for number, card in self.hidden:
            if number == self.number and card in self.shown and card_name(card).encode() in chunk:
                self.seen_later.add((number, card))
        self.sent += len(chunk)


async def ask(app: Starlette, path: str, searched: Searched) -> None:
    """Ask for an address as a browser does, and search every piece of the answer at the moment it is sent."""

    async def receive() -> MutableMapping[str, Any]:
        if asked.is_set():
            await asyncio.Event().wait()
        asked.set()
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.body":
            searched.search(message.get("body", b""))

    asked = asyncio.Event()
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"dashboard"), (b"cookie", searched.cookie.encode())],
        "client": ("127.0.0.1", 1),
        "server": ("dashboard", 80),
    }
    await app(scope, receive, send)


def addresses(app: Starlette, table: str) -> tuple[str, ...]:
    """Return every page of the dashboard that is of a table, of a round of it, or of none."""
    routes = [route for route in app.routes if isinstance(route, Route) and "GET" in (route.methods or ())]
    of_table = [route.path for route in routes if set(route.param_convertors) <= {"table", "number"}]
    return tuple(path.replace("{table}", table) for path in of_table)


@asynccontextmanager
async def watched(table: Whole) -> AsyncIterator[Searched]:
    """Look at every page of a dashboard of this table, all the time."""
    config, clock = table.parts.config, SystemClock()
    searched = Searched(table)
    bus = MemoryBus(
        table.parts.broker,
        client_id="dashboard",
        subscriptions=subscriptions(table.parts.table),
        will=None,
        birth=None,
        clock=clock,
    )
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(bus)
        store = await stack.enter_async_context(HeardStore.open(None, clock=clock))
        followed = FollowedTable(config, bus, clock)
        records = await stack.enter_async_context(recording(followed, store))
        await stack.enter_async_context(followed.following())
        where = Where(host="127.0.0.1", port=0)
        listener = stack.enter_context(listening(where))
        access = access_to([config], where, Rules(public=True), listener, clock)
        dashboard = Dashboard([followed], access, records=[records])
        auditor = Admitted(person=PersonId("audit-1"), secret="")
        session = access.sessions.begin(auditor, {followed.id: PersonRole.AUDITOR})
        searched.cookie = f"{access.cookie}={session.key}"
        app = application(dashboard)
        paths = addresses(app, followed.id)
        for path in paths:
            if path.endswith("stream"):
                await stack.enter_async_context(running(ask(app, path, searched), name=path))
            else:
                looking = _look_again(app, path, followed, searched)
                await stack.enter_async_context(running(looking, name=path))
        yield searched


async def _look_again(app: Starlette, path: str, table: FollowedTable, searched: Searched) -> None:
    """Open a page anew whenever the round has changed."""
    news = asyncio.Event()
    before = None
    with table.listening(news.set):
        while True:
            if table.known.round is not before:
                before = table.known.round
                number = 0 if before is None else before.number
                await ask(app, path.replace("{number:int}", str(number)), searched)
            news.clear()
            await news.wait()


async def play_and_search(table: Whole, rounds: Items[partial[Coroutine[Any, Any, None]]]) -> Searched:
    async with watched(table) as searched:
        for play in rounds:
            await play()
    published = [envelope for envelope in table.envelopes() if isinstance(envelope, RoundEnvelope)]
    assert len({envelope.round.number for envelope in published}) > len(rounds)
    return searched


async def test_T48_no_hole_card_is_in_any_byte_before_it_is_exposed(tmp_path: Path) -> None:
    async with whole(tmp_path) as table:
        scripts = itertools.islice(random_rounds(3, table.parts.config.setup.deal_order), ROUNDS)
        searched = await play_and_search(table, [partial(table.people.play, script) for script in scripts])

    assert len(searched.hidden) >= ROUNDS // 2
    assert searched.seen_later, "what is exposed is shown, so the search would have found it"


async def test_T48_no_card_of_baccarat_dealt_face_down_is_in_any_byte_before_its_hand_is_turned(
    tmp_path: Path,
) -> None:
    config = load_table(DEMONSTRATION.with_name("baccarat.toml"))
    offered = [wager.kind for wager in config.setup.offered]
    async with whole(tmp_path, config) as table:
        scripts = itertools.islice(random_baccarat_rounds(3, config.setup.deal_order, offered), BACCARAT_ROUNDS)
        searched = await play_and_search(
            table, [partial(table.baccarat_people.play, script) for script in scripts]
        )

    assert len(searched.hidden) >= 2 * BACCARAT_ROUNDS
    assert len(searched.seen_later) >= BACCARAT_ROUNDS
