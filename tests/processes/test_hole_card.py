"""T48: nothing that anybody can read names a card that lies face down, in whatever form."""

import asyncio
import itertools
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiomqtt

from bridge.domain.cards import Card, Rank, Suit
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.rounds import House
from bridge.domain.setup import DealerKeyInput
from bridge.table.state import cards_of
from simulators.running import running
from simulators.shoe import random_rounds
from tests.brokers import Mosquitto, running_mosquitto
from tests.patience import PATIENCE_S
from tests.processes.books import Books, read_books
from tests.processes.table import running_table

ROUNDS = 4
SEED = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class Overheard:
    """One message as anybody with a login sees it."""

    topic: str
    payload: bytes

    @property
    def content(self) -> dict[str, Any]:
        """What it says."""
        content = json.loads(self.payload)
        assert isinstance(content, dict)
        return content


@asynccontextmanager
async def eavesdropping(broker: Mosquitto) -> AsyncIterator[list[Overheard]]:
    """Take down everything on the broker, by a client that knows nothing of us."""
    overheard: list[Overheard] = []
    listening = asyncio.Event()

    async def listen() -> None:
        async with aiomqtt.Client(
            broker.host, broker.port, max_queued_incoming_messages=0, timeout=PATIENCE_S
        ) as client:
            await client.subscribe("#", qos=1)
            listening.set()
            async for message in client.messages:
                assert isinstance(message.payload, bytes)
                overheard.append(Overheard(topic=str(message.topic), payload=message.payload))

    async with running(listen(), name="eavesdropper"):
        await listening.wait()
        yield overheard


@dataclass(frozen=True, slots=True, kw_only=True)
class HoleCard:
    """A card that nobody may know between two records of the journal."""

    card: Card
    order: int
    drawn: int
    exposed: int
    others: frozenset[Card]
    """The other cards of its round, which everybody may see."""


def hole_cards(books: Books) -> list[HoleCard]:
    """Return the hole card of every round, from the sealed journal."""
    history = list(zip(books.records, books.states[1:], strict=True))
    found = []
    for round_ in books.closed:
        hole = round_.hand_of(House.DEALER).cards[1]
        assert isinstance(hole.card, Card)
        rounds = [
            (record.sequence, state.round) for record, state in history if state.round.number == round_.number
        ]
        found.append(
            HoleCard(
                card=hole.card,
                order=hole.order,
                drawn=next(number for number, seen in rounds if len(seen.hand_of(House.DEALER).cards) > 1),
                exposed=next(number for number, seen in rounds if seen.hole_card_exposed),
                others=frozenset(
                    one.card
                    for one in cards_of(round_)
                    if isinstance(one.card, Card) and one.order != hole.order and one.disclosed
                ),
            )
        )
    return found


def while_hidden(overheard: list[Overheard], hole: HoleCard) -> list[Overheard]:
    """Return what was said after a card was drawn and before anything was said of its exposure."""

    def place_of(sequence: int) -> int:
        return next(
            place
            for place, message in enumerate(overheard)
            if message.content.get("sequence", 0) >= sequence and "/settlement" not in message.topic
        )

    return overheard[place_of(hole.drawn) : place_of(hole.exposed)]


def named_cards(content: object) -> list[tuple[int, object]]:
    """Return every card that a message names with its order in the round, wherever it stands."""
    match content:
        case {"order": int() as order, "card": card}:
            return [(order, card)]
        case dict():
            return [named for value in content.values() for named in named_cards(value)]
        case list():
            return [named for value in content for named in named_cards(value)]
        case _:
            return []


def mentions(card: Card, code: str) -> re.Pattern[str]:
    """Return what finds a card in a text: as we write it, as JSON does, as Python does, as its reader says it."""
    json_form = rf'"rank": ?"{card.rank.value}", ?"suit": ?"{card.suit.value}"'
    python_form = rf"<Rank\.{card.rank.name}: [^>]*>, (suit=)?<Suit\.{card.suit.name}: "
    bytes_form = r"\s".join(f"{byte:02X}" for byte in code.encode())
    return re.compile(rf"\b{card}\b|{json_form}|{python_form}|(?<!\d){code}(?!\d)|{bytes_form}")


async def test_T48_no_message_and_no_log_names_a_card_that_lies_face_down(tmp_path: Path) -> None:
    async with (
        running_mosquitto() as broker,
        eavesdropping(broker) as overheard,
        running_table(tmp_path, broker, log="debug") as table,
    ):
        await table.until_ready()
        order = table.config.setup.deal_order
        scripts = list(itertools.islice(random_rounds(SEED, order), ROUNDS))
        dealt = {
            card for script in scripts for card in (*script.initial_deal(order), *script.hits, *script.dealer_hits)
        }
        burned = next(card for card in map(Card, Rank, itertools.cycle(Suit)) if card not in dealt)
        await table.people.press(DealerKeyInput(key=DealerKey.BURN_CARD))
        table.simulated.reader.show(burned)
        await table.until(
            lambda: table.display.round is not None and bool(table.display.round.burned),
            "the burn card to be read",
        )
        await table.play(*scripts)
        await table.daemon.stop()
        await table.worker.stop()
        books = await read_books(table)
        logs = table.daemon.words() + table.worker.words()
        (code_of,) = (
            {card: code for code, card in device.unit.spec.card_codes.items()}
            for line in table.config.lines
            for device in line.devices
            if device.unit.spec.card_codes
        )

    hidden = hole_cards(books)
    assert [one.card for one in hidden] == [script.hole_card for script in scripts]
    for hole in hidden:
        between = while_hidden(overheard, hole)
        kinds = {message.topic.rpartition("/")[2] for message in between}
        assert {"round", "state", "events"} <= kinds, "nothing was said while the card was hidden"
        for message in between:
            named = dict(named_cards(message.content))
            assert named.get(hole.order, "hidden") == "hidden", message
            if hole.card not in hole.others:
                assert not mentions(hole.card, code_of[hole.card]).search(message.payload.decode()), message
        (drawn,) = (
            m.content for m in between if m.topic.endswith("/events") and m.content["sequence"] == hole.drawn
        )
        assert drawn["event"]["card"] == "hidden"
    assert any(hole.card not in hole.others for hole in hidden)
    burned_card = mentions(burned, code_of[burned])
    assert not any(burned_card.search(message.payload.decode()) for message in overheard)
    for secret in (burned, *(hole.card for hole in hidden)):
        assert not mentions(secret, code_of[secret]).search(logs)


def test_a_card_is_found_in_whatever_form_it_is_written() -> None:
    """The search of the test above would be worth nothing if it found nothing."""
    card = Card(Rank.KING, Suit.HEARTS)
    found = mentions(card, "2130")

    for text in (
        "card Kh",
        json.dumps({"rank": "K", "suit": "h"}),
        repr(card),
        "read 2130",
        b"2130".hex(" ").upper(),
    ):
        assert found.search(text), text
    for text in ("Khan", json.dumps({"rank": "K", "suit": "s"}), repr(Card(Rank.KING, Suit.CLUBS)), "121301"):
        assert not found.search(text), text
