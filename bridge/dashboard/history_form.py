"""What somebody looks for among past rounds: the form of it, filled in as he filled it in, and what it says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeVar

from bridge.dashboard import history_words as say
from bridge.dashboard.felt_positions import kinds_at
from bridge.dashboard.history_times import parse_local
from bridge.domain.identity import RoundNumber
from bridge.domain.names import WAGERS, outcome_name
from bridge.domain.rounds import Game
from bridge.domain.setup import TableSetup
from bridge.stores.heard import Ended, Search

_DIGITS_MAX: Final = 12
_LENGTH_MAX: Final = 64
_ROW: Final = "row:"
"""Before the name of a row of a paytable, in the choice of how a wager ended."""
FIELDS: Final = ("number", "from", "until", "position", "wager", "ended")

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One value of a field that offers some."""

    value: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchForm:
    """The form, as it was filled in."""

    given: Mapping[str, str]
    """What was given for each field; nothing is lost, whatever it was."""
    faults: Mapping[str, str]
    """What is wrong, by field."""
    search: Search | None
    """What is looked for; None while something is wrong."""
    positions: tuple[Choice, ...]
    wagers: tuple[Choice, ...]
    endings: tuple[tuple[str, tuple[Choice, ...]], ...]
    """In groups, each with its heading."""

    @property
    def empty(self) -> bool:
        """Return whether every round is looked for."""
        return not any(self.given.values())


def search_form(setup: TableSetup, given: Mapping[str, str], won_as: tuple[str, ...]) -> SearchForm:
    """Return the form as a browser sent it; ``won_as`` are the rows of paytables that were won at this table."""
    kept = {field: given.get(field, "").strip()[:_LENGTH_MAX] for field in FIELDS}
    faults: dict[str, str] = {}

    def read(field: str, parse: Callable[[str], _T | None], fault: str) -> _T | None:
        if not kept[field]:
            return None
        value = parse(kept[field])
        if value is None:
            faults[field] = fault
        return value

    offered = {str(position): position for position in setup.deal_order}
    number = read("number", counted, say.NOT_A_NUMBER)
    opened_from = read("from", parse_local, say.NOT_A_TIME)
    opened_until = read("until", lambda text: parse_local(text, end=True), say.NOT_A_TIME)
    if opened_from is not None and opened_until is not None and opened_until <= opened_from:
        faults["until"] = say.ENDS_BEFORE
    position = read("position", offered.get, say.NOT_OFFERED)
    wager = read("wager", {kind.value: kind for kind in kinds_at(setup)}.get, say.NOT_OFFERED)
    endings = _endings(setup.game, won_as)
    of_ending = {choice.value: choice.value for _, choices in endings for choice in choices}
    ended = read("ended", of_ending.get, say.NOT_OFFERED)
    row = "" if ended is None or not ended.startswith(_ROW) else ended.removeprefix(_ROW)
    search = Search(
        number=None if number is None else RoundNumber(number),
        opened_from=opened_from,
        opened_until=opened_until,
        position=position,
        wager=wager,
        ended=None if ended is None or row else Ended(ended),
        won_as=row,
        page=counted(given.get("page", "")) or 1,
    )
    return SearchForm(
        given=MappingProxyType(kept),
        faults=MappingProxyType(faults),
        search=None if faults else search,
        positions=tuple(Choice(value=value, text=value) for value in offered),
        wagers=tuple(Choice(value=kind.value, text=WAGERS[kind]) for kind in kinds_at(setup)),
        endings=endings,
    )


def _endings(game: Game, won_as: tuple[str, ...]) -> tuple[tuple[str, tuple[Choice, ...]], ...]:
    of_round = say.ROUND_ENDS if game is Game.BLACKJACK else {**say.WINNERS, **say.ROUND_ENDS}
    groups = (
        (say.A_WAGER, tuple(Choice(value=end.value, text=text) for end, text in say.WAGER_ENDS.items())),
        (say.WON_AS, tuple(Choice(value=f"{_ROW}{row}", text=outcome_name(row)) for row in won_as)),
        (say.THE_ROUND, tuple(Choice(value=end.value, text=text) for end, text in of_round.items())),
    )
    return tuple((heading, choices) for heading, choices in groups if choices)


def counted(text: str) -> int | None:
    """Return a number from 1 on, as a form or an address has it; None for what is none."""
    if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS_MAX):
        return None
    return int(text) or None
