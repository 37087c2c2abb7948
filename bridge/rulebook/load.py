"""A table's rules submission to ``RulesSubmission``, with the paytables it names."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.resources.abc import Traversable

from bridge.documents.document import KeyPath, show
from bridge.documents.faults import one_of
from bridge.documents.inspection import ABSENT, Inspection
from bridge.documents.read_toml import read_toml
from bridge.domain.identity import ProgressiveId
from bridge.domain.money import Cents, InexactAmountError
from bridge.domain.odds import OddsBasis
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.rulebook.fixed_odds_filings import (
    FixedOddsChecks,
    baccarat_filing,
    check_settle_order,
    wager_filings,
    wagers_named,
)
from bridge.rulebook.forms import RoyalMatchProgressiveForm, SubmissionForm
from bridge.rulebook.paytable_file import (
    ProgressivePaytable,
    installed_paytables,
    load_fixed_paytables,
    load_paytables,
)
from bridge.rules.catalogue import FixedOddsWager
from bridge.rules.odds import InexactPaymentError, fixed_payment
from bridge.rules.paytable import Paytable
from bridge.rules.progressive import contribution
from bridge.rules.royal_match import PAID_OUTCOMES
from bridge.rules.submission import ControllerFiling, Progressive, RoyalMatchProgressiveFiling, RulesSubmission

_FILING: KeyPath = (WagerKind.ROYAL_MATCH_PROGRESSIVE.value,)
_VALIDATED: KeyPath = (*_FILING, "validated_outcomes")


def load_submission(
    path: Traversable,
    *,
    deal_order: Sequence[int] | None,
    paytables: Mapping[str, Traversable] | None = None,
) -> RulesSubmission:
    """Load a rules submission; raise ``DocumentError`` with every fault of it.

    ``deal_order`` is that of the layout, whose reverse the Royal Match progressive is settled in (T41);
    None where the layout itself is faulty, which leaves that one check out. Without ``paytables`` the
    installed ones are used.
    """
    document = read_toml(path)
    inspection = Inspection(document)
    form = inspection.check(SubmissionForm)
    _check_window(inspection)
    filed: Mapping[str, ProgressivePaytable] = {}
    digest = sha256(document.content)
    files = installed_paytables() if paytables is None else paytables
    if inspection.places(_FILING):
        paytable_file = files[WagerKind.ROYAL_MATCH_PROGRESSIVE]
        filed = load_paytables(paytable_file)
        digest.update(paytable_file.read_bytes())
        _Filing(inspection, filed).check(deal_order)
    tables: dict[FixedOddsWager, Mapping[str, Paytable]] = {}
    for wager in wagers_named(inspection):
        tables[wager] = load_fixed_paytables(files[wager])
        digest.update(files[wager].read_bytes())
    FixedOddsChecks(inspection, tables).check(deal_order)
    if form is None or inspection.faults:
        raise inspection.error()
    filing = form.royal_match_progressive
    return RulesSubmission(
        game=form.game,
        digest=digest.hexdigest(),
        effective_from=form.effective_from.isoformat(),
        effective_until=form.effective_until.isoformat(),
        outside_window=form.outside_window,
        royal_match_progressive=None if filing is None else _filing(filing, filed[filing.paytable]),
        wagers=wager_filings(form, tables),
        baccarat=baccarat_filing(form),
        controller=ControllerFiling() if form.controller is None else ControllerFiling(**dict(form.controller)),
    )


def _check_window(inspection: Inspection) -> None:
    data = inspection.document.data
    first, last = ("effective_from",), ("effective_until",)
    if not (inspection.sound(first) and inspection.sound(last)):
        return
    days = show(data[first[0]]), show(data[last[0]])
    if days[1] < days[0]:  # ISO days compare as text
        inspection.fault(last, f"a day not before effective_from, {days[0]}")


def _filing(form: RoyalMatchProgressiveForm, terms: ProgressivePaytable) -> RoyalMatchProgressiveFiling:
    return RoyalMatchProgressiveFiling(
        approval_reference=form.approval_reference,
        paytable=terms.paytable,
        wager=Cents(form.wager_cents),
        progressive=Progressive(
            id=ProgressiveId(form.progressive),
            seed=Cents(form.wager_cents * terms.seed_times_minimum_wager),
            increment_rate=terms.increment_rate,
        ),
        envy_pays=terms.envy_pays,
        settle_order=tuple(BettingPosition(position) for position in form.settle_order),
        ace_adjacency=form.ace_adjacency,
        envy_trigger=form.envy_trigger,
        envy_counts=form.envy_counts,
        validated_outcomes=frozenset(form.validated_outcomes),
    )


class _Filing:
    """The checks of § 633b.18's filing that look beyond its form."""

    def __init__(self, inspection: Inspection, filed: Mapping[str, ProgressivePaytable]) -> None:
        self._inspection = inspection
        self._filed = filed

    def check(self, deal_order: Sequence[int] | None) -> None:
        """Note every fault of the filing."""
        if deal_order is not None:
            check_settle_order(self._inspection, _FILING, deal_order)
        self._check_validated()
        path = (*_FILING, "paytable")
        letter = self._inspection.value(path, str)
        if letter is ABSENT:
            return
        if letter not in self._filed:
            expected = f"the letter of an installed paytable ({one_of(self._filed)})"
            self._inspection.fault(path, expected, valid=self._filed)
            return
        self._check_wager(self._filed[letter])
        self._check_awards_validated(self._filed[letter])

    def _check_wager(self, terms: ProgressivePaytable) -> None:
        """Refuse a wager whose contribution a meter cannot hold, or whose payment is not cents (T14, T27)."""
        path = (*_FILING, "wager_cents")
        filed = self._inspection.value(path, int)
        if filed is ABSENT:
            return
        wager = Cents(filed)
        try:
            contribution(wager, terms.increment_rate)
        except InexactAmountError as error:
            percent = terms.increment_rate * 100
            self._inspection.fault(path, f"a wager of which a meter can hold {percent}% exactly", hint=str(error))
            return
        for odds in terms.paytable.odds.values():
            if odds.basis is OddsBasis.METER:
                continue
            try:
                fixed_payment(odds, wager)
            except InexactPaymentError as error:
                self._inspection.fault(path, f"a wager that {odds} pays in whole cents", hint=str(error))
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
