"""The rows of a paytable as its file has them: every outcome of the wager, each with its odds, and no other."""

from collections.abc import Callable
from typing import TypeVar

from bridge.documents.document import KeyPath
from bridge.documents.faults import did_you_mean, one_of
from bridge.documents.inspection import ABSENT, Absent, Inspection
from bridge.domain.odds import Odds
from bridge.rulebook.odds_text import OddsTextError

_Value = TypeVar("_Value")


def read_figure(
    inspection: Inspection, path: KeyPath, parse: Callable[[str], _Value], form: str
) -> _Value | Absent:
    """Return the figure that a text states; absent, with a fault noted, if it states none."""
    text = inspection.value(path, str)
    if text is ABSENT:
        return ABSENT
    try:
        return parse(text)
    except OddsTextError as error:
        inspection.fault(path, form, hint=error.advice)
        return ABSENT


def read_odds(
    inspection: Inspection,
    path: KeyPath,
    outcomes: frozenset[str],
    *,
    optional: frozenset[str] = frozenset(),
    parse: Callable[[str], Odds],
    form: str,
) -> dict[str, Odds]:
    """Return the odds at a path by outcome; note an outcome that is unknown, left out, or without odds."""
    found: dict[str, Odds] = {}
    names = sorted(outcomes | optional)
    places = inspection.places(path)
    for place in places:
        outcome = str(place[-1])
        if outcome not in names:
            near = did_you_mean(outcome, names)
            inspection.fault(place, one_of(names), got="an unknown outcome", hint=near or "take it out")
            continue
        odds = read_figure(inspection, (*place, "pays"), parse, form)
        if odds is not ABSENT:
            found[outcome] = odds
    for outcome in sorted(outcomes.difference(str(place[-1]) for place in places)):
        if inspection.sound(path):
            inspection.fault((*path, outcome), f"what {outcome} pays, as {form}")
    return found
