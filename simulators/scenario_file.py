"""Scenarios as files that a technician can read and write; ``scenarios/`` has examples.

    title = "Royal Match paid at once"

    [[round]]
    blackjack = [1, 3]            # positions with a Blackjack wager; each is dealt a hand
    progressive = [1]             # positions with a progressive wager
    hands = { 1 = "Ks Qs", 3 = "7h 2d" }
    dealer = "9d 8c"              # up card, hole card
    hits = "5c 9h"                # cards drawn by the players, before the hole card is exposed
    dealer_hits = "4s"            # cards drawn by the dealer, after it
    late = [3]                    # positions where a progressive chip is laid after lock-out
    count = 2                     # chips the dealer counts; as many as were accepted, if left out
    unreadable = { order = 4 }    # the card that the reader cannot read; text = "..." is what it says
    identify = true               # the floorperson names that card; false leaves it to somebody else
    hole_card_reader = "after_settlement"  # or "before_settlement", an irregularity; "unused" if left out

Only ``blackjack``, ``hands`` and ``dealer`` must be there.
"""

import difflib
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from bridge.domain.cards import Card, CardTextError
from bridge.domain.wagers import BettingPosition
from simulators.scenario import (
    ChipCount,
    HoleCardReaderUse,
    Readability,
    Scenario,
    ScenarioError,
    ScriptedRound,
    UnreadableCard,
    listed,
)
from simulators.shoe import DECKS

SCENARIOS = Path(__file__).parent / "scenarios"
"""Where the shipped scenarios are."""

_T = TypeVar("_T")
_U = TypeVar("_U")


def shipped_scenarios() -> tuple[Path, ...]:
    """Return the files of the scenarios that come with the simulators."""
    return tuple(sorted(SCENARIOS.glob("*.toml")))


def load_scenario(path: Path) -> Scenario:
    """Return the scenario in a file; raise ``ScenarioError`` with everything that is wrong with it."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        shipped = listed([scenario.stem for scenario in shipped_scenarios()])
        raise ScenarioError(f"{path}: cannot be read: {error}; in {SCENARIOS} there are {shipped}") from error
    return parse_scenario(text, name=str(path))


def parse_scenario(text: str, *, name: str) -> Scenario:
    """Return the scenario written in a text; ``name`` is what faults are reported under."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"{name}: not TOML: {error}") from error
    faults: list[str] = []
    keys = _Keys(document, name, faults)
    title = keys.take("title", _text, otherwise=Path(name).stem)
    tables: list[Mapping[str, object]] = keys.take("round", _tables, otherwise=[])
    keys.refuse_others()
    if not tables and not faults:
        keys.fault("round", "there is none; write at least one [[round]]")
    rounds: list[ScriptedRound] = []
    for number, table in enumerate(tables, start=1):
        rounds.extend(_round(_Keys(table, f"{name}: round {number}", faults)))
    if faults:
        raise ScenarioError("\n".join(faults))
    return Scenario(title=title, rounds=tuple(rounds))


class _BadValueError(Exception):
    """A value is not what its key takes; the message says what it takes."""


class _Keys:
    """The keys of one table of the file, taken one by one; what is left over is a fault."""

    def __init__(self, table: Mapping[str, object], where: str, faults: list[str]) -> None:
        self._left = dict(table)
        self._known: list[str] = []
        self._where = where
        self._faults = faults
        self.sound = True
        """Whether nothing was wrong so far."""

    def take(self, key: str, parse: Callable[[object], _T], *, otherwise: _U) -> _T | _U:
        """Return the parsed value of a key; the other, if it is not given or (a fault) cannot be parsed."""
        self._known.append(key)
        if key not in self._left:
            return otherwise
        try:
            return parse(self._left.pop(key))
        except _BadValueError as error:
            self.fault(key, str(error))
            return otherwise

    def below(self, key: str, table: Mapping[str, object]) -> "_Keys":
        """Return the keys of a table that is the value of a key."""
        return _Keys(table, f"{self._where}: {key}", self._faults)

    def fault(self, key: str, reason: str) -> None:
        """Record that something is wrong with a key."""
        self.sound = False
        self._faults.append(f"{self._where}: {key}: {reason}")

    def refuse_others(self) -> None:
        """Record every key that nobody took, with the nearest that exists."""
        for key in self._left:
            near = difflib.get_close_matches(key, self._known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"keys are {listed(self._known)}"
            self.fault(key, f"no such key; {hint}")


def _round(keys: _Keys) -> Iterator[ScriptedRound]:
    """Yield the round of a table, or nothing if it has faults."""
    blackjack: tuple[BettingPosition, ...] = keys.take("blackjack", _positions, otherwise=())
    progressive: tuple[BettingPosition, ...] = keys.take("progressive", _positions, otherwise=())
    late: tuple[BettingPosition, ...] = keys.take("late", _positions, otherwise=())
    hands: dict[BettingPosition, tuple[Card, Card]] = keys.take("hands", _hands, otherwise={})
    dealer: tuple[Card, ...] = keys.take("dealer", _cards, otherwise=())
    hits: tuple[Card, ...] = keys.take("hits", _cards, otherwise=())
    dealer_hits: tuple[Card, ...] = keys.take("dealer_hits", _cards, otherwise=())
    counted: int | ChipCount = keys.take("count", _count, otherwise=ChipCount.AS_ACCEPTED)
    reader = keys.take("hole_card_reader", _hole_card_reader, otherwise=HoleCardReaderUse.UNUSED)
    unreadable = _unreadable(keys)
    keys.refuse_others()
    if not keys.sound:
        return
    if not blackjack:
        keys.fault("blackjack", "nobody wagers; give at least one position")
    if set(hands) != set(blackjack):
        keys.fault("hands", f"there has to be a hand for each of the positions {listed(blackjack)}, and no other")
    if len(dealer) != 2:  # noqa: PLR2004 - up card and hole card
        keys.fault("dealer", 'takes the up card and the hole card, as in "9d 8c"')
    if both := set(late) & set(progressive):
        keys.fault("late", f"position {listed(sorted(both))} cannot wager in time and too late in one round")
    if counted is not ChipCount.AS_ACCEPTED and not set(progressive) & set(blackjack):
        keys.fault("count", "nothing is accepted, so there is nothing to count")
    initial = 2 * len(blackjack) + 2
    if isinstance(unreadable, UnreadableCard) and unreadable.order > initial:
        keys.fault("unreadable", f"order is the place among the {initial} initial cards")
    dealt = [card for hand in (*hands.values(), dealer, hits, dealer_hits) for card in hand]
    for card, times in Counter(dealt).items():
        if times > DECKS:
            keys.fault("hands", f"{card} is dealt {times} times; a shoe of {DECKS} decks has it {DECKS} times")
    if keys.sound:
        yield ScriptedRound(
            blackjack=blackjack,
            progressive=progressive,
            late=late,
            hands=tuple(hands.items()),
            up_card=dealer[0],
            hole_card=dealer[1],
            hits=hits,
            dealer_hits=dealer_hits,
            counted=counted,
            unreadable=unreadable,
            hole_card_reader=reader,
        )


def _unreadable(keys: _Keys) -> UnreadableCard | Readability:
    identified = keys.take("identify", _flag, otherwise=True)
    table: Mapping[str, object] = keys.take("unreadable", _table, otherwise={})
    if not table:
        return Readability.EVERY_CARD_READ
    inner = keys.below("unreadable", table)
    order = inner.take("order", _place, otherwise=0)
    text = inner.take("text", _printed, otherwise="????")
    inner.refuse_others()
    if not inner.sound or not order:
        keys.fault("unreadable", "takes { order = 4 }, and text if the reader says something special")
    return UnreadableCard(order=order, text=text, identified=identified)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _BadValueError(f"takes a text, not {value!r}")
    return value


def _printed(value: object) -> str:
    text = _text(value)
    if not (text and text.isascii() and text.isprintable()):
        raise _BadValueError(f"takes printable ASCII characters, at least one, not {text!r}")
    return text


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise _BadValueError(f"takes true or false, not {value!r}")
    return value


def _integer(value: object, *, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise _BadValueError(f"takes a whole number, {least} or more, not {value!r}")
    return value


def _place(value: object) -> int:
    return _integer(value, least=1)


def _count(value: object) -> int | ChipCount:
    return _integer(value, least=0)


def _table(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise _BadValueError(f"takes a table in braces, not {value!r}")
    return value


def _tables(value: object) -> list[Mapping[str, object]]:
    if not isinstance(value, list) or not all(isinstance(table, dict) for table in value):
        raise _BadValueError("rounds are written under [[round]], with two brackets")
    return value


def _positions(value: object) -> tuple[BettingPosition, ...]:
    if not isinstance(value, list):
        raise _BadValueError(f"takes positions in brackets, as in [1, 3], not {value!r}")
    positions = tuple(BettingPosition(_place(position)) for position in value)
    if len(set(positions)) != len(positions):
        raise _BadValueError(f"names a position twice: {listed(positions)}")
    return positions


def _cards(value: object) -> tuple[Card, ...]:
    try:
        return tuple(Card.parse(text) for text in _text(value).split())
    except CardTextError as error:
        raise _BadValueError(str(error)) from error


def _hands(value: object) -> dict[BettingPosition, tuple[Card, Card]]:
    hands: dict[BettingPosition, tuple[Card, Card]] = {}
    for position, text in _table(value).items():
        if not position.isdecimal():
            raise _BadValueError(f'takes hands by position, as in 1 = "Ks Qs"; {position!r} is no position')
        cards = _cards(text)
        if len(cards) != 2:  # noqa: PLR2004 - the initial hand of blackjack
            raise _BadValueError(
                f'position {position} takes its two initial cards, as in "Ks Qs"; hits go into hits'
            )
        hands[BettingPosition(int(position))] = (cards[0], cards[1])
    return hands


def _hole_card_reader(value: object) -> HoleCardReaderUse:
    try:
        return HoleCardReaderUse(_text(value))
    except ValueError:
        raise _BadValueError(f"takes one of {listed(list(HoleCardReaderUse))}, not {value!r}") from None
