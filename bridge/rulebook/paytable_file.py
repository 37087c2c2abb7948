"""A wager's paytables, from the file that holds one for every letter of its section."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TypeVar

from bridge.documents.document import KeyPath
from bridge.documents.inspection import ABSENT, Absent, Inspection
from bridge.documents.read_toml import read_toml
from bridge.domain.money import Cents
from bridge.domain.odds import Odds, OddsBasis
from bridge.domain.wagers import WagerKind
from bridge.rulebook.odds_table import read_figure, read_odds
from bridge.rulebook.odds_text import (
    FIXED_ODDS_FORM,
    ODDS_FORM,
    RATE_FORM,
    parse_fixed_odds,
    parse_odds,
    parse_rate,
)
from bridge.rulebook.paytable_form import FixedPaytableFileForm, PaytableFileForm, PaytableForm
from bridge.rules.catalogue import CATALOGUE, FixedOddsWager
from bridge.rules.paytable import Paytable
from bridge.rules.royal_match import PAID_OUTCOMES

_Value = TypeVar("_Value")

SUFFIX = ".toml"


class FiledByTheTable(Enum):
    """In place of a figure that a section does not print: the table's rules submission states it."""

    FILED = "filed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressivePaytable:
    """One letter of a progressive wager's section: its odds, and the terms of its meter."""

    paytable: Paytable
    seed_times_minimum_wager: int | FiledByTheTable
    increment_rate: Fraction | FiledByTheTable
    envy_pays: int
    """The Envy Bonus is this many to one of the receiver's own wager (T22)."""

    def seed(self, minimum_wager: Cents) -> Cents | FiledByTheTable:
        """Return what the meter begins with where the section prints it (R43, T20)."""
        times = self.seed_times_minimum_wager
        return times if isinstance(times, FiledByTheTable) else Cents(minimum_wager * times)


def installed_paytables() -> Mapping[str, Traversable]:
    """Return the paytable files that came with the bridge, by the name of the wager that they are of.

    The names are those of ``FixedOddsWager``, and ``WagerKind.ROYAL_MATCH_PROGRESSIVE``.
    """
    folder = files("bridge.rulebook") / "paytables"
    return {entry.name.removesuffix(SUFFIX): entry for entry in folder.iterdir() if entry.name.endswith(SUFFIX)}


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
            seed_times_minimum_wager=_seed(form.paytables[letter]),
            increment_rate=(
                FiledByTheTable.FILED if form.paytables[letter].increment is None else _known(figures.rate)
            ),
            envy_pays=_known(figures.envy).pays,
        )
        for letter, figures in read.items()
    }


def load_fixed_paytables(path: Traversable) -> Mapping[str, Paytable]:
    """Load the paytables of a wager of fixed odds by letter; raise ``DocumentError`` with all faults."""
    inspection = Inspection(read_toml(path))
    form = inspection.check(FixedPaytableFileForm)
    wager = inspection.value(("wager",), str)
    if wager is ABSENT:
        raise inspection.error()
    terms = CATALOGUE[FixedOddsWager(wager)]
    read = {
        str(place[-1]): read_odds(
            inspection,
            (*place, "odds"),
            terms.outcomes,
            optional=terms.optional,
            parse=parse_fixed_odds,
            form=FIXED_ODDS_FORM,
        )
        for place in inspection.places(("paytables",))
    }
    if form is None or inspection.faults:
        raise inspection.error()
    return {letter: Paytable(letter, form.paytables[letter].section, odds) for letter, odds in read.items()}


def _check_wager(inspection: Inspection) -> None:
    path = ("wager",)
    wager = inspection.value(path, str)
    if wager is not ABSENT and wager != WagerKind.ROYAL_MATCH_PROGRESSIVE:
        inspection.fault(path, "a wager with a progressive meter, such as 'royal_match_progressive'")


class _Figures:
    """The figures of one letter; whatever is not a figure, or not one of this wager, is a fault."""

    def __init__(self, inspection: Inspection, place: KeyPath) -> None:
        self.rate = read_figure(inspection, (*place, "increment", "rate"), parse_rate, RATE_FORM)
        self.envy = _envy(inspection, (*place, "envy_bonus", "pays"))
        self.odds = read_odds(inspection, (*place, "odds"), PAID_OUTCOMES, parse=parse_odds, form=ODDS_FORM)


def _envy(inspection: Inspection, path: KeyPath) -> Odds | Absent:
    odds = read_figure(inspection, path, parse_odds, ODDS_FORM)
    if odds is not ABSENT and (odds.basis is not OddsBasis.TO or odds.per != 1):
        inspection.fault(
            path,
            'whole odds "to 1"',
            hint="an Envy Bonus is paid on a wager that is collected, so none is returned",
        )
        return ABSENT
    return odds


def _seed(form: PaytableForm) -> int | FiledByTheTable:
    return FiledByTheTable.FILED if form.seed is None else form.seed.times_minimum_wager


def _known(value: _Value | Absent) -> _Value:
    """Return a figure of a document without fault."""
    if value is ABSENT:
        raise AssertionError("a figure is missing without a fault")
    return value
