"""The wagers of fixed odds in a rules submission, and how its game of baccarat is played: checks and values."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from bridge.documents.document import KeyPath, show
from bridge.documents.faults import one_of
from bridge.documents.inspection import ABSENT, Inspection
from bridge.domain.money import Cents
from bridge.domain.rounds import Game
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerKind
from bridge.rulebook.odds_table import read_figure
from bridge.rulebook.odds_text import parse_rate
from bridge.rulebook.submission_form import (
    BaccaratForm,
    GoldenTalonsForm,
    MajesticMatchForm,
    RoundingForm,
    RoyalMatch21Form,
    SubmissionForm,
    VigorishForm,
    WagerForm,
)
from bridge.rules.banker import BankerOutcome
from bridge.rules.catalogue import BASE_WAGERS, CATALOGUE, FixedOddsWager
from bridge.rules.golden_talons import TalonsOnDragon7
from bridge.rules.paytable import Paytable
from bridge.rules.rounding import Rounding
from bridge.rules.submission import (
    BaccaratFiling,
    NotFiled,
    NoVigorish,
    SettleOrder,
    VigorishFiling,
    WagerFiling,
)

WAGERS: KeyPath = ("wagers",)
_BACCARAT: KeyPath = ("baccarat",)
_EZ: KeyPath = ("baccarat", "ez")
_VIGORISH: KeyPath = ("baccarat", "vigorish")
_RATE: KeyPath = ("baccarat", "vigorish", "rate")
_RATE_FORM = '"5%" or "4%", in quotation marks'
_RATES = frozenset({Fraction(4, 100), Fraction(5, 100)})
_BACCARAT_GAMES = frozenset({Game.BACCARAT, Game.MINIBACCARAT})
_PROGRESSIVE: KeyPath = (WagerKind.ROYAL_MATCH_PROGRESSIVE.value,)


def wagers_named(inspection: Inspection) -> tuple[FixedOddsWager, ...]:
    """Return the wagers of fixed odds that a document names, in catalogue order."""
    named = {str(place[-1]) for place in inspection.places(WAGERS)}
    return tuple(wager for wager in FixedOddsWager if wager in named)


class FixedOddsChecks:
    """The checks of these filings that look beyond their form."""

    def __init__(self, inspection: Inspection, tables: Mapping[FixedOddsWager, Mapping[str, Paytable]]) -> None:
        self._inspection = inspection
        self._tables = tables
        game = inspection.value(("game",), str)
        self._game = Game(game) if game is not ABSENT else ABSENT
        self._ez = inspection.value(_EZ, bool)

    def check(self, deal_order: Sequence[int] | None) -> None:
        """Note every fault of the filings; without a deal order one check is left out."""
        self._check_game()
        for wager, letters in self._tables.items():
            self._check_wager(wager, letters)
        if self._tables and not self._has(("payment_rounding",)):
            self._inspection.fault(
                ("payment_rounding",),
                "{ to_cents = ..., direction = ... }",
                hint="odds such as 2.5 to 1 do not always come to whole chips",
            )
        self._check_vigorish()
        self._check_golden_talons()
        if deal_order is not None and FixedOddsWager.ROYAL_MATCH_21 in self._tables:
            check_settle_order(self._inspection, (*WAGERS, FixedOddsWager.ROYAL_MATCH_21.value), deal_order)

    def _has(self, path: KeyPath) -> bool:
        return bool(self._inspection.places(path)) or not self._inspection.sound(path)

    def _check_game(self) -> None:
        if self._game is ABSENT:
            return
        baccarat = self._game in _BACCARAT_GAMES
        if baccarat and not self._has(_BACCARAT):
            self._inspection.fault(
                _BACCARAT, "a table of how the game is played", hint="say at least ez = true or ez = false"
            )
        foreign = [_BACCARAT] if self._game is Game.BLACKJACK else [_PROGRESSIVE]
        for path in foreign:
            if self._has(path):
                self._inspection.fault(path, f"nothing, as the game is {self._game}", got="a table")

    def _check_wager(self, wager: FixedOddsWager, letters: Mapping[str, Paytable]) -> None:
        path = (*WAGERS, wager.value)
        terms = CATALOGUE[wager]
        if self._game is not ABSENT and self._game not in terms.games:
            self._inspection.fault(
                path, f"a wager of {self._game}", got="a wager of another game", hint="take it out"
            )
            return
        if terms.ez_only and self._ez is False:
            self._inspection.fault(
                path, "nothing, as the table is no EZ table", got="a wager of EZ Baccarat", hint="take it out"
            )
        letter = self._inspection.value((*path, "paytable"), str)
        if letter is not ABSENT and letter not in letters:
            expected = f"the letter of an installed paytable ({one_of(letters)})"
            self._inspection.fault((*path, "paytable"), expected, valid=letters)

    def _check_vigorish(self) -> None:
        if self._ez is True and self._has(_VIGORISH):
            self._inspection.fault(_VIGORISH, "nothing, as no vigorish is collected at an EZ table", got="a table")
            return
        letters = self._tables.get(FixedOddsWager.BANKER)
        if self._ez is False and letters is not None and not self._has(_VIGORISH):
            letter = self._inspection.value((*WAGERS, FixedOddsWager.BANKER.value, "paytable"), str)
            if letter in letters and not pays_less_with_6(letters[str(letter)]):
                self._inspection.fault(
                    _VIGORISH,
                    "{ rate = ..., rounding = ..., taken = ... }",
                    hint="a winning Banker wager owes it, unless the table is an EZ table",
                )
        rate = read_figure(self._inspection, _RATE, parse_rate, _RATE_FORM)
        if rate is not ABSENT and rate not in _RATES:
            self._inspection.fault(_RATE, _RATE_FORM)

    def _kinds_filed(self) -> set[WagerKind]:
        return {kind for wager in self._tables for kind in CATALOGUE[wager].kinds}

    def _check_golden_talons(self) -> None:
        if FixedOddsWager.GOLDEN_TALONS not in self._tables:
            return
        path = (*WAGERS, FixedOddsWager.GOLDEN_TALONS.value)
        ties = self._inspection.value((*path, "tie_wager_suffices"), bool)
        if ties is not ABSENT and self._kinds_filed().isdisjoint(base_wagers(tie_suffices=ties)):
            self._inspection.fault(
                path,
                "a Player, Banker or Tie wager to be filed too",
                got="none that admits it",
                hint="the wager may only be placed beside one",
            )
        reading = (*path, "on_dragon_7")
        filed = self._inspection.value(reading, str)
        if not self._inspection.sound(reading):
            return
        if self._ez is True and filed is ABSENT:
            choice = one_of([TalonsOnDragon7.WINS, TalonsOnDragon7.LOSES])
            self._inspection.fault(
                reading,
                f"what a Dragon 7 is to the wager on the Banker's Hand ({choice})",
                hint="the Banker wager is returned then; whether the hand has won must be filed",
            )
        elif self._ez is False and filed is not ABSENT:
            self._inspection.fault(reading, "nothing, as the table is no EZ table and has no Dragon 7")


def check_settle_order(inspection: Inspection, filing: KeyPath, deal_order: Sequence[int]) -> None:
    """Require a list of positions to be the reverse of the deal order (R28, T41)."""
    path = (*filing, "settle_order")
    filed = inspection.value(path, list)
    wanted = list(reversed(deal_order))
    if filed is not ABSENT and filed != wanted:
        inspection.fault(
            path,
            f"{show(wanted)}, the reverse of the layout's deal_order",
            hint="the dealer settles from the right, counterclockwise, and deals from the left",
        )


def base_wagers(*, tie_suffices: bool) -> tuple[WagerKind, ...]:
    """Return the wagers of § 627a.7(a) that admit Golden Talons (T37)."""
    return BASE_WAGERS if tie_suffices else tuple(kind for kind in BASE_WAGERS if kind is not WagerKind.TIE)


def pays_less_with_6(paytable: Paytable) -> bool:
    """Return whether a Banker paytable pays a win with 6 less, in place of vigorish."""
    return BankerOutcome.BANKER_WON_WITH_6 in paytable.odds


def baccarat_filing(form: SubmissionForm) -> BaccaratFiling | NotFiled:
    """Return how a game of baccarat is played, from a document without fault."""
    if form.baccarat is None:
        return NotFiled.NOT_FILED
    talons = None if form.wagers is None else form.wagers.golden_talons
    reading = None if talons is None else talons.on_dragon_7
    return BaccaratFiling(
        vigorish=_vigorish(form.baccarat),
        on_dragon_7=TalonsOnDragon7.NOT_ANNOUNCED if reading is None else TalonsOnDragon7(reading),
    )


def wager_filings(
    form: SubmissionForm, tables: Mapping[FixedOddsWager, Mapping[str, Paytable]]
) -> tuple[WagerFiling, ...]:
    """Return the filed wagers in catalogue order, from a document without fault."""
    if form.wagers is None or form.payment_rounding is None:
        return ()
    rounding = _rounding(form.payment_rounding)
    return tuple(
        filing
        for wager, filed in form.wagers.filed().items()
        for filing in _filings(wager, filed, tables[wager][filed.paytable], rounding)
    )


def _filings(
    wager: FixedOddsWager, form: WagerForm, paytable: Paytable, rounding: Rounding
) -> Iterable[WagerFiling]:
    terms = CATALOGUE[wager]
    requires = terms.requires
    settle_order: SettleOrder | tuple[BettingPosition, ...] = SettleOrder.HIGHEST_POSITION_FIRST
    match form:
        case GoldenTalonsForm():
            requires = base_wagers(tie_suffices=form.tie_wager_suffices)
        case MajesticMatchForm():
            settle_order = form.settle_order
        case RoyalMatch21Form():
            settle_order = tuple(BettingPosition(position) for position in form.settle_order)
        case _:
            pass
    for kind in terms.kinds:
        yield WagerFiling(
            kind=kind,
            approval_reference=form.approval_reference,
            paytable=paytable,
            moment=terms.moment,
            requires=requires,
            settle_order=settle_order,
            amount=UnknownAmount.UNKNOWN if form.wager_cents is None else Cents(form.wager_cents),
            rounding=rounding,
        )


def _vigorish(form: BaccaratForm) -> VigorishFiling | NoVigorish:
    if form.ez:
        return NoVigorish.EZ_BACCARAT
    if form.vigorish is None:
        return NoVigorish.PAYTABLE
    return _vigorish_filing(form.vigorish)


def _vigorish_filing(form: VigorishForm) -> VigorishFiling:
    return VigorishFiling(rate=parse_rate(form.rate), rounding=_rounding(form.rounding), taken=form.taken)


def _rounding(form: RoundingForm) -> Rounding:
    return Rounding(to_cents=form.to_cents, direction=form.direction)
