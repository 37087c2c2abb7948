"""A table's rules submission to ``RulesSubmission``, with the paytables it names."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.resources.abc import Traversable

from bridge.documents.document import show
from bridge.documents.inspection import Inspection
from bridge.documents.read_toml import read_toml
from bridge.domain.wagers import WagerKind
from bridge.rulebook.fixed_odds_filings import (
    FixedOddsChecks,
    baccarat_filing,
    wager_filings,
    wagers_named,
)
from bridge.rulebook.paytable_file import (
    ProgressivePaytable,
    installed_paytables,
    load_fixed_paytables,
    load_paytables,
)
from bridge.rulebook.progressive_filing import PROGRESSIVE, ProgressiveChecks, progressive_filing
from bridge.rulebook.submission_form import SubmissionForm
from bridge.rules.catalogue import FixedOddsWager
from bridge.rules.paytable import Paytable
from bridge.rules.submission import ControllerFiling, RulesSubmission


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
    if inspection.places(PROGRESSIVE):
        paytable_file = files[WagerKind.ROYAL_MATCH_PROGRESSIVE]
        filed = load_paytables(paytable_file)
        digest.update(paytable_file.read_bytes())
        ProgressiveChecks(inspection, filed).check(deal_order)
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
        royal_match_progressive=None if filing is None else progressive_filing(filing, filed[filing.paytable]),
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
