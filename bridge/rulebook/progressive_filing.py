"""The Royal Match progressive in a rules submission (§ 633b.18): checks beyond its form, and its value."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from bridge.documents.document import KeyPath
from bridge.documents.faults import one_of
from bridge.documents.inspection import ABSENT, Absent, Inspection
from bridge.domain.identity import ProgressiveId
from bridge.domain.meters import NoLimit
from bridge.domain.money import Cents, InexactAmountError, format_cents
from bridge.domain.odds import OddsBasis
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.rulebook.fixed_odds_filings import check_settle_order
from bridge.rulebook.odds_table import read_figure
from bridge.rulebook.odds_text import RATE_FORM, parse_rate
from bridge.rulebook.paytable_file import FiledByTheTable, ProgressivePaytable
from bridge.rulebook.submission_form import MeterForm, RoyalMatchProgressiveForm
from bridge.rules.odds import InexactPaymentError, fixed_payment
from bridge.rules.progressive import contribution
from bridge.rules.royal_match import PAID_OUTCOMES
from bridge.rules.submission import Progressive, RoyalMatchProgressiveFiling

PROGRESSIVE: KeyPath = (WagerKind.ROYAL_MATCH_PROGRESSIVE.value,)
_VALIDATED: KeyPath = (*PROGRESSIVE, "validated_outcomes")
_WAGER: KeyPath = (*PROGRESSIVE, "wager_cents")
_METER: KeyPath = (*PROGRESSIVE, "meter")


def progressive_filing(form: RoyalMatchProgressiveForm, terms: ProgressivePaytable) -> RoyalMatchProgressiveFiling:
    """Return the filing of a document without fault."""
    return RoyalMatchProgressiveFiling(
        approval_reference=form.approval_reference,
        paytable=terms.paytable,
        wager=Cents(form.wager_cents),
        progressive=_progressive(form, form.meter or MeterForm(), terms),
        envy_pays=terms.envy_pays,
        settle_order=tuple(BettingPosition(position) for position in form.settle_order),
        ace_adjacency=form.ace_adjacency,
        envy_trigger=form.envy_trigger,
        envy_counts=form.envy_counts,
        validated_outcomes=frozenset(form.validated_outcomes),
    )


def _progressive(form: RoyalMatchProgressiveForm, meter: MeterForm, terms: ProgressivePaytable) -> Progressive:
    printed = terms.seed(Cents(form.wager_cents))
    return Progressive(
        id=ProgressiveId(form.progressive),
        base_amount=_filed(meter.base_cents) if isinstance(printed, FiledByTheTable) else printed,
        reset_amount=_filed(meter.reset_cents) if isinstance(printed, FiledByTheTable) else printed,
        increment_rate=(
            parse_rate(meter.increment_rate or "")
            if isinstance(terms.increment_rate, FiledByTheTable)
            else terms.increment_rate
        ),
        hidden_rate=Fraction(0) if meter.hidden_rate is None else parse_rate(meter.hidden_rate),
        limit=_up_to(meter.limit_cents),
        unreasonable_above=_up_to(meter.unreasonable_above_cents),
    )


def _filed(cents: int | None) -> Cents:
    if cents is None:
        raise AssertionError("an amount is missing without a fault")
    return Cents(cents)


def _up_to(cents: int | None) -> Cents | NoLimit:
    return NoLimit.NO_LIMIT if cents is None else Cents(cents)


class ProgressiveChecks:
    """The checks of the filing that look beyond its form."""

    def __init__(self, inspection: Inspection, filed: Mapping[str, ProgressivePaytable]) -> None:
        self._inspection = inspection
        self._filed = filed

    def check(self, deal_order: Sequence[int] | None) -> None:
        """Note every fault of the filing; without a deal order one check is left out."""
        if deal_order is not None:
            check_settle_order(self._inspection, PROGRESSIVE, deal_order)
        self._check_validated()
        path = (*PROGRESSIVE, "paytable")
        letter = self._inspection.value(path, str)
        if letter is ABSENT:
            return
        if letter not in self._filed:
            expected = f"the letter of an installed paytable ({one_of(self._filed)})"
            self._inspection.fault(path, expected, valid=self._filed)
            return
        terms = self._filed[letter]
        self._check_awards_validated(terms)
        filed = self._inspection.value(_WAGER, int)
        if filed is not ABSENT:
            self._check_payments(Cents(filed), terms)
            _MeterChecks(self._inspection, Cents(filed), terms).check()

    def _check_payments(self, wager: Cents, terms: ProgressivePaytable) -> None:
        """Refuse a wager whose payment is not cents (T27)."""
        for odds in terms.paytable.odds.values():
            if odds.basis is OddsBasis.METER:
                continue
            try:
                fixed_payment(odds, wager)
            except InexactPaymentError as error:
                self._inspection.fault(_WAGER, f"a wager that {odds} pays in whole cents", hint=str(error))
                return

    def _check_validated(self) -> None:
        """Require names of outcomes; every paytable of the wager pays the same ones."""
        for place in self._inspection.places(_VALIDATED):
            outcome = self._inspection.value(place, str)
            if outcome is not ABSENT and outcome not in PAID_OUTCOMES:
                names = sorted(PAID_OUTCOMES)
                self._inspection.fault(place, f"an outcome of the paytable ({one_of(names)})", valid=names)

    def _check_awards_validated(self, terms: ProgressivePaytable) -> None:
        """Require every award from the meter to be validated: it is pending until then (T52)."""
        filed = self._inspection.value(_VALIDATED, list)
        if filed is ABSENT:
            return
        for outcome, odds in terms.paytable.odds.items():
            if odds.basis is OddsBasis.METER and outcome not in filed:
                self._inspection.fault(
                    _VALIDATED,
                    f"a list with {outcome!r}",
                    hint="an award from the meter is pending until a floorperson validates it",
                )


class _MeterChecks:
    """The checks of a meter's figures, for one fixed wager."""

    def __init__(self, inspection: Inspection, wager: Cents, terms: ProgressivePaytable) -> None:
        self._inspection = inspection
        self._wager = wager
        self._terms = terms

    def check(self) -> None:
        """Note figures that are missing, printed otherwise, or at odds with each other."""
        seed = self._terms.seed(self._wager)
        starts = {key: self._amount(key, seed) for key in ("base_cents", "reset_cents")}
        hidden = self._rate("hidden_rate")
        increment = self._increment()
        if increment is ABSENT:
            return
        taken = self._contribution(increment, "increment_rate")
        if hidden is not ABSENT:
            self._contribution(hidden, "hidden_rate")
            if increment + hidden > 1:
                expected = "a rate that with the increment rate is not more than the wager"
                self._inspection.fault((*_METER, "hidden_rate"), expected)
        self._check_limit(starts)
        above = self._inspection.value((*_METER, "unreasonable_above_cents"), int)
        if taken is not ABSENT and above is not ABSENT and above < taken:
            self._inspection.fault(
                (*_METER, "unreasonable_above_cents"),
                f"an amount not below what a wager of {format_cents(self._wager)} contributes, {taken} cents",
                hint="every contribution would be held back",
            )

    def _amount(self, key: str, printed: Cents | FiledByTheTable) -> int | Absent:
        path = (*_METER, key)
        filed = self._inspection.value(path, int)
        if isinstance(printed, FiledByTheTable):
            if filed is ABSENT and self._inspection.sound(path):
                self._inspection.fault(path, "a whole number of cents", hint=_NOT_PRINTED)
            return filed
        if filed is not ABSENT and filed != printed:
            expected = f"{printed}, as {self._terms.paytable.section} prints it"
            self._inspection.fault(path, expected, hint=_LEAVE_OUT)
            return ABSENT
        return printed

    def _increment(self) -> Fraction | Absent:
        path = (*_METER, "increment_rate")
        filed, printed = self._rate("increment_rate"), self._terms.increment_rate
        if isinstance(printed, FiledByTheTable):
            if filed is ABSENT and self._inspection.sound(path):
                self._inspection.fault(path, RATE_FORM, hint=_NOT_PRINTED)
            return filed
        if filed is not ABSENT and filed != printed:
            expected = f"{printed * 100}%, as {self._terms.paytable.section} prints it"
            self._inspection.fault(path, expected, hint=_LEAVE_OUT)
        return printed

    def _rate(self, key: str) -> Fraction | Absent:
        return read_figure(self._inspection, (*_METER, key), parse_rate, RATE_FORM)

    def _contribution(self, rate: Fraction, key: str) -> Fraction | Absent:
        """Return what a wager contributes in cents; note a fault if a meter cannot hold it (T14)."""
        try:
            contribution(self._wager, rate)
        except InexactAmountError as error:
            path = (*_METER, key)
            if self._inspection.value(path, str) is ABSENT:
                expected = f"a wager of which a meter can hold {rate * 100}% exactly"
                self._inspection.fault(_WAGER, expected, hint=str(error))
            else:
                expected = f"a rate of which a meter can hold what a wager of {format_cents(self._wager)} adds"
                self._inspection.fault(path, expected, hint=str(error))
            return ABSENT
        return self._wager * rate

    def _check_limit(self, starts: Mapping[str, int | Absent]) -> None:
        path = (*_METER, "limit_cents")
        limit = self._inspection.value(path, int)
        if limit is ABSENT:
            return
        for key, start in starts.items():
            if start is not ABSENT and limit < start:
                name = key.removesuffix("_cents")
                self._inspection.fault(path, f"an amount not below the {name} amount, {start}")
                return


_NOT_PRINTED = "the section of the paytable does not print it, so the table files it"
_LEAVE_OUT = "leave it out, or correct it"
