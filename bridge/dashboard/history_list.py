"""Past rounds as a list shows them, a line for each."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from bridge.dashboard import history_words as say
from bridge.dashboard.history_form import SearchForm
from bridge.dashboard.history_times import machine_readable, moment
from bridge.domain.identity import RoundNumber, TableId
from bridge.domain.names import WAGERS, outcome_name
from bridge.stores.heard import PAGE_ROUNDS, Ended, Found, FoundRound, FoundWager, RoundPlace

_NAMED_MAX: Final = 4
"""Wagers of a round that are named one by one; the page of the round has all."""
_KINDS: Final = {kind.value: name for kind, name in WAGERS.items()}
"""The file may be of a release that knew other wagers: what has no name here is shown as it stands there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRow:
    """A round, or in its place what is said of rounds that were not heard."""

    address: str
    number: RoundNumber
    opened: str
    opened_at: str
    """For machines."""
    result: str
    counted: str
    """How many wagers ended in which way."""
    named: tuple[str, ...]
    """Wagers that were won, and what became of them."""
    remarks: tuple[tuple[str, str], ...]
    """Each with the class it is drawn by."""
    missing: str = ""
    """What is said of the rounds before this one that were not heard, newer ones being listed above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownList:
    """A page of rounds."""

    rows: tuple[ShownRow, ...]
    count: int
    kept: int
    oldest: str
    page: int
    pages: int
    newer: str
    """Address of the page before, with newer rounds; empty where there is none."""
    older: str


def round_address(table: TableId, place: RoundPlace) -> str:
    """Return where a round is found; one that a later journal has anew is named with its journal."""
    journal = "" if place.newest else f"?journal={place.journal}"
    return f"/tables/{table}/rounds/{place.number}{journal}"


def shown_list(table: TableId, form: SearchForm, found: Found) -> ShownList:
    """Return what was found as a page shows it."""
    page = 1 if form.search is None else form.search.page
    pages = max(-(-found.count // PAGE_ROUNDS), 1)
    return ShownList(
        rows=tuple(
            _rows(
                table,
                found,
                gaps_told={field for field, text in form.given.items() if text} <= {"from", "until"},
            )
        ),
        count=found.count,
        kept=found.kept,
        oldest="" if found.oldest is None else moment(found.oldest),
        page=page,
        pages=pages,
        newer=_page_address(table, form.given, min(page - 1, pages)) if page > 1 else "",
        older=_page_address(table, form.given, page + 1) if page < pages else "",
    )


def _page_address(table: TableId, given: Mapping[str, str], page: int) -> str:
    asked = {field: text for field, text in given.items() if text}
    return f"/tables/{table}/rounds?{urlencode({**asked, 'page': page})}"


def _rows(table: TableId, found: Found, *, gaps_told: bool) -> Iterator[ShownRow]:
    newer = found.before
    for one in found.rounds:
        place, missing = one.place, ""
        if gaps_told and newer is not None and newer.journal == place.journal and newer.number > place.number + 1:
            missing = say.rounds_not_heard(RoundNumber(place.number + 1), RoundNumber(newer.number - 1))
        won = [wager for wager in one.wagers if wager.ending in {"won", "rejected"} or wager.overridden]
        named = [_named(wager) for wager in won[:_NAMED_MAX]]
        if len(won) > _NAMED_MAX:
            named.append(say.MORE.format(count=len(won) - _NAMED_MAX))
        yield ShownRow(
            address=round_address(table, place),
            number=place.number,
            opened=moment(one.opened_at),
            opened_at=machine_readable(one.opened_at),
            result=say.RESULTS[one.winner],
            counted=_counted(one.wagers),
            named=tuple(named),
            remarks=tuple(_remarks(one)),
            missing=missing,
        )
        newer = place


def _counted(wagers: tuple[FoundWager, ...]) -> str:
    counts = Counter(say.ENDINGS.get(wager.ending, wager.ending) for wager in wagers)
    order = dict.fromkeys((*say.ENDINGS.values(), *counts))
    return say.listed([f"{counts[ending]} {ending}" for ending in order if counts[ending]]) or say.NO_WAGERS


def _named(wager: FoundWager) -> str:
    kind = _KINDS.get(wager.kind, wager.kind)
    row, ending = outcome_name(wager.won_as), say.ENDINGS.get(wager.ending, wager.ending)
    end = row if row and row.casefold() != kind.casefold() else ending
    overridden = f", {say.WAGER_ENDS[Ended.OVERRIDDEN].lower()}" if wager.overridden else ""
    return f"{wager.position}: {kind}, {end}{overridden}"


def _remarks(one: FoundRound) -> Iterator[tuple[str, str]]:
    if not one.over:
        yield "on", say.IN_PLAY
    if one.voided:
        yield "bad", say.VOIDED
    if any(wager.award for wager in one.wagers):
        yield "good", say.WAGER_ENDS[Ended.AWARD]
    if any(wager.ending == "rejected" for wager in one.wagers):
        yield "bad", say.WAGER_ENDS[Ended.REJECTED]
    if any(wager.overridden for wager in one.wagers):
        yield "warn", say.WAGER_ENDS[Ended.OVERRIDDEN]
    if one.irregularities:
        yield "warn", say.irregularities(one.irregularities)
    if not one.place.newest:
        yield "dim", say.OTHER_JOURNAL
