"""A wager's paytables, from the file that holds one for every letter of its section."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TypeVar

from bridge.documents.document import KeyPath
from bridge.documents.faults import did_you_mean, one_of
from bridge.documents.inspection import ABSENT, Absent, Inspection
from bridge.documents.read_toml import read_toml
from bridge.domain.odds import Odds, OddsBasis
from bridge.domain.wagers import WagerKind
from bridge.rulebook.forms import PaytableFileForm
from bridge.rulebook.odds_text import ODDS_FORM, RATE_FORM, OddsTextError, parse_odds, parse_rate
from bridge.rules.paytable import Paytable
from bridge.rules.royal_match import PAID_OUTCOMES

_Value = TypeVar("_Value")

SUFFIX = ".toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressivePaytable:
    """One letter of a progressive wager's section: its odds, and the terms of its meter."""

    paytable: Paytable
    seed_times_minimum_wager: int
    increment_rate: Fraction
    envy_pays: int
    """The Envy Bonus is this many to one of the receiver's own wager (T22)."""


def installed_paytables() -> Mapping[WagerKind, Traversable]:
    """Return the paytable files that came with the bridge, by the wager they are of."""
    folder = files("bridge.rulebook") / "paytables"
    return {
        WagerKind(entry.name.removesuffix(SUFFIX)): entry
        for entry in folder.iterdir()
        if entry.name.endswith(SUFFIX)
    }


def load_paytables(path: Traversable) -> Mapping[str, ProgressivePaytable]:
    """Load the paytables of a progressive wager by letter; raise ``DocumentError`` with all faults."""
    inspection = Inspection(read_toml(path))
    form = inspection.check(PaytableFileForm)
    _check_wager(inspection)
    read = {str(place[-1]): _Figures(inspection, place) for place in inspection.places(("paytables",))}
    if form is None or inspection.faults:
        raise inspection.error()
    return {
        letter: ProgressivePaytable(
            paytable=Paytable(letter, form.paytables[letter].section, figures.odds),
            seed_times_minimum_wager=form.paytables[letter].seed.times_minimum_wager,
            increment_rate=_known(figures.rate),
            envy_pays=_known(figures.envy).pays,
        )
        for letter, figures in read.items()
    }


def _check_wager(inspection: Inspection) -> None:
    path = ("wager",)
    wager = inspection.value(path, str)
    if wager is not ABSENT and wager != WagerKind.ROYAL_MATCH_PROGRESSIVE:
        inspection.fault(path, "a wager with a progressive meter, such as 'royal_match_progressive'")


class _Figures:
    """The figures of one letter; whatever is not a figure, or not one of this wager, is a fault."""

    def __init__(self, inspection: Inspection, place: KeyPath) -> None:
        self._inspection = inspection
        self.rate = self._parsed((*place, "increment", "rate"), parse_rate, RATE_FORM)
        self.envy = self._envy((*place, "envy_bonus", "pays"))
        self.odds = self._odds((*place, "odds"))

    def _parsed(self, path: KeyPath, parse: Callable[[str], _Value], form: str) -> _Value | Absent:
        text = self._inspection.value(path, str)
        if text is ABSENT:
            return ABSENT
        try:
            return parse(text)
        except OddsTextError as error:
            self._inspection.fault(path, form, hint=error.advice)
            return ABSENT

    def _envy(self, path: KeyPath) -> Odds | Absent:
        odds = self._parsed(path, parse_odds, ODDS_FORM)
        if odds is not ABSENT and (odds.basis is not OddsBasis.TO or odds.per != 1):
            self._inspection.fault(
                path,
                'whole odds "to 1"',
                hint="an Envy Bonus is paid on a wager that is collected, so none is returned",
            )
            return ABSENT
        return odds

    def _odds(self, path: KeyPath) -> dict[str, Odds]:
        found: dict[str, Odds] = {}
        for place in self._inspection.places(path):
            outcome = str(place[-1])
            if outcome not in PAID_OUTCOMES:
                near = did_you_mean(outcome, PAID_OUTCOMES)
                self._inspection.fault(
                    place, one_of(sorted(PAID_OUTCOMES)), got="an unknown outcome", hint=near or "take it out"
                )
                continue
            odds = self._parsed((*place, "pays"), parse_odds, ODDS_FORM)
            if odds is not ABSENT:
                found[outcome] = odds
        for outcome in sorted(PAID_OUTCOMES.difference(str(place[-1]) for place in self._inspection.places(path))):
            if self._inspection.sound(path):
                self._inspection.fault((*path, outcome), f"what {outcome} pays, as {ODDS_FORM}")
        return found


def _known(value: _Value | Absent) -> _Value:
    """Return a figure of a document without fault."""
    if value is ABSENT:
        raise AssertionError("a figure is missing without a fault")
    return value
