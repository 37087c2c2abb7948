"""The keys of a scenario file, taken one by one, so that every fault is told in one go."""

import difflib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from bridge.documents.document import read_text
from bridge.documents.faults import DocumentError
from bridge.documents.read_toml import toml_data
from bridge.domain.cards import Card, CardTextError
from bridge.domain.wagers import BettingPosition
from simulators.scenario import Readability, ScenarioError, UnreadableCard, listed

SCENARIOS = Path(__file__).parent / "scenarios"
"""Where the shipped scenarios are: of blackjack here, of each other table in a folder with the table's name."""

_T = TypeVar("_T")
_U = TypeVar("_U")


class BadValueError(Exception):
    """A value is not what its key takes; the message says what it takes."""


class Keys:
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
        except BadValueError as error:
            self.fault(key, str(error))
            return otherwise

    def below(self, key: str, table: Mapping[str, object]) -> "Keys":
        """Return the keys of a table that is the value of a key."""
        return Keys(table, f"{self._where}: {key}", self._faults)

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


def read_rounds(text: str, *, name: str, read_round: Callable[[Keys], Iterable[_T]]) -> tuple[str, tuple[_T, ...]]:
    """Return the title and the rounds that a text holds; raise ``ScenarioError`` with everything wrong with it."""
    try:
        document = toml_data(text)
    except ValueError as error:
        raise ScenarioError(f"{name}: not TOML: {error}") from error
    faults: list[str] = []
    keys = Keys(document, name, faults)
    title = keys.take("title", a_text, otherwise=Path(name).stem)
    tables: list[Mapping[str, object]] = keys.take("round", some_tables, otherwise=[])
    keys.refuse_others()
    if not tables and not faults:
        keys.fault("round", "there is none; write at least one [[round]]")
    rounds: list[_T] = []
    for number, table in enumerate(tables, start=1):
        rounds.extend(read_round(Keys(table, f"{name}: round {number}", faults)))
    if faults:
        raise ScenarioError("\n".join(faults))
    return title, tuple(rounds)


def read_file(path: Path, folder: Path) -> str:
    """Return the text of a file; raise ``ScenarioError`` that names those which are shipped in a folder."""
    try:
        return read_text(path)[1]
    except DocumentError as error:
        there = listed([scenario.stem for scenario in shipped_in(folder)])
        raise ScenarioError(f"{error}; in {folder} there are {there}") from error


def shipped_in(folder: Path) -> tuple[Path, ...]:
    """Return the scenarios of a folder."""
    return tuple(sorted(folder.glob("*.toml")))


def unreadable_card(keys: Keys) -> UnreadableCard | Readability:
    """Take the two keys that say which card cannot be read, and whether the people name it."""
    identified = keys.take("identify", a_flag, otherwise=True)
    table: Mapping[str, object] = keys.take("unreadable", a_table, otherwise={})
    if not table:
        return Readability.EVERY_CARD_READ
    inner = keys.below("unreadable", table)
    order = inner.take("order", a_place, otherwise=0)
    text = inner.take("text", a_printed_text, otherwise="????")
    inner.refuse_others()
    if not inner.sound or not order:
        keys.fault("unreadable", "takes { order = 4 }, and text if the reader says something special")
    return UnreadableCard(order=order, text=text, identified=identified)


def a_text(value: object) -> str:
    """Return a text; raise ``BadValueError``, like every parser below, if it is none."""
    if not isinstance(value, str):
        raise BadValueError(f"takes a text, not {value!r}")
    return value


def a_printed_text(value: object) -> str:
    """Return a text that a reader could say."""
    text = a_text(value)
    if not (text and text.isascii() and text.isprintable()):
        raise BadValueError(f"takes printable ASCII characters, at least one, not {text!r}")
    return text


def a_flag(value: object) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise BadValueError(f"takes true or false, not {value!r}")
    return value


def an_integer(value: object, *, least: int) -> int:
    """Return a whole number that is large enough."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise BadValueError(f"takes a whole number, {least} or more, not {value!r}")
    return value


def a_place(value: object) -> int:
    """Return a number that counts from 1."""
    return an_integer(value, least=1)


def a_table(value: object) -> Mapping[str, object]:
    """Return a table of keys."""
    if not isinstance(value, dict):
        raise BadValueError(f"takes a table in braces, not {value!r}")
    return value


def some_tables(value: object) -> list[Mapping[str, object]]:
    """Return the tables of a list."""
    if not isinstance(value, list) or not all(isinstance(table, dict) for table in value):
        raise BadValueError("rounds are written under [[round]], with two brackets")
    return value


def some_positions(value: object) -> tuple[BettingPosition, ...]:
    """Return betting positions, each once."""
    if not isinstance(value, list):
        raise BadValueError(f"takes positions in brackets, as in [1, 3], not {value!r}")
    positions = tuple(BettingPosition(a_place(position)) for position in value)
    if len(set(positions)) != len(positions):
        raise BadValueError(f"names a position twice: {listed(positions)}")
    return positions


def some_cards(value: object) -> tuple[Card, ...]:
    """Return cards that are written one after the other."""
    try:
        return tuple(Card.parse(text) for text in a_text(value).split())
    except CardTextError as error:
        raise BadValueError(str(error)) from error
