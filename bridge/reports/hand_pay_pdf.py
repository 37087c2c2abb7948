"""The slip of an award on paper: one sheet, for the cage and for the file."""

from collections.abc import Iterable
from datetime import UTC, tzinfo
from typing import Final

from reportlab.platypus import Flowable

from bridge.domain.awards import AWARD_LIFE, AwardStatus, PayoutAct
from bridge.domain.hand_pay import HandPaySlip
from bridge.domain.money import MeterAmount
from bridge.domain.names import WAGERS, outcome_name
from bridge.reports import typeset
from bridge.reports.formats import Paper
from bridge.reports.paper import Imprint, printed, text_width
from bridge.reports.typeset import Column
from bridge.reports.words import dollars, exact_dollars, moment

NOT_FROM_INVENTORY: Final = "Not paid from the table inventory (58 Pa. Code § 633b.18(h)(4))"
_SIGNED_BY: Final = ("Dealer", "Floorperson", "Cage cashier", "Paid by", "Received by", "Surveillance notified")
_REJECTED_BY: Final = ("Dealer", "Floorperson", "Surveillance notified")
_NOTHING: Final = MeterAmount(0)
_NOT_VALIDATED: Final = frozenset({AwardStatus.HIT, AwardStatus.HAND_VERIFIED, AwardStatus.LAMP_VERIFIED})
_ACTS: Final = {
    PayoutAct.HAND_VERIFIED: "Winning hand verified",
    PayoutAct.LAMP_VERIFIED: "Win lamp verified",
    PayoutAct.VALIDATED: "Payout validated",
    PayoutAct.REJECTED: "Claim rejected",
    PayoutAct.DOCUMENTED: "Documents complete",
    PayoutAct.PAID: "Paid",
    PayoutAct.RESET: "Meter reset",
}


def hand_pay_pdf(slip: HandPaySlip, paper: Paper, zone: tzinfo = UTC) -> bytes:
    """Return the slip as PDF; times are shown in a zone."""
    width = text_width(paper)
    imprint = Imprint(
        title="Hand-pay slip",
        number=slip.document,
        about=f"Table {slip.table}, gaming day {slip.gaming_day}",
        source=f"Journal of table {slip.table}, record {slip.read_to.sequence}, SHA-256 {slip.read_to.digest}",
        dated=slip.read_to.at,
        software=f"table-bridge {slip.software}",
    )
    return printed(imprint, lambda: list(_story(slip, imprint, width, zone)), paper)


def _story(slip: HandPaySlip, imprint: Imprint, width: float, zone: tzinfo) -> Iterable[Flowable]:
    yield typeset.title(imprint, width)
    yield typeset.gap(10)
    if slip.status is AwardStatus.REJECTED:
        yield typeset.notice(["REJECTED: nothing is paid"], width)
        yield typeset.gap(6)
        yield typeset.amount(f"({dollars(slip.amount)})", "claimed and not awarded", width)
    else:
        yield typeset.notice([NOT_FROM_INVENTORY, *_standing(slip, zone)], width)
        yield typeset.gap(6)
        yield typeset.amount(dollars(slip.amount), slip.amount_in_words, width)
    yield from typeset.heading("Award")
    yield typeset.facts(
        [
            ("Table, position", f"{slip.table}, position {slip.position}"),
            ("Player", slip.player or "not declared"),
            ("Game, round", f"{slip.game.capitalize()}, round {slip.round_number}"),
            ("Time of hit", moment(slip.hit.at, zone)),
            ("Win", f"No. {slip.win_number} of {slip.meter.progressive}"),
            ("Wager", WAGERS[slip.wager]),
            ("Amount wagered", dollars(slip.wagered)),
            ("Outcome", outcome_name(slip.outcome)),
            ("Pays", str(slip.odds)),
            _sharing(slip),
        ],
        width,
    )
    yield typeset.gap(4)
    yield typeset.dealt(
        [(f"Hand of position {slip.position}", slip.hand), ("Hand of the dealer", slip.dealer_hand)], width
    )
    yield from _meter(slip, width)
    yield from typeset.heading("Acts")
    yield typeset.table(
        (
            Column(heading="Act", share=22),
            Column(heading="By", share=25),
            Column(heading="Time", share=25),
            Column(heading="Reason", share=30),
        ),
        [
            *((_ACTS[one.act], one.by, moment(one.at, zone), one.reason) for one in slip.acts),
            *((_ACTS[act], "", "", "") for act in _still_due(slip.status)),
        ],
        width,
    )
    yield from typeset.heading("Rules and record")
    yield typeset.fine_facts(
        [
            ("Rules submission", f"SHA-256 {slip.rules_digest}"),
            ("in force", f"{slip.rules_effective[0]} to {slip.rules_effective[1]}"),
            ("Layout approval", slip.approval_reference),
            ("Won by", f"journal record {slip.hit.sequence}, SHA-256 {slip.hit.digest}"),
        ],
        width,
    )
    yield typeset.signatures(_REJECTED_BY if slip.status is AwardStatus.REJECTED else _SIGNED_BY, width)


def _meter(slip: HandPaySlip, width: float) -> Iterable[Flowable]:
    meter = slip.meter
    columns = [("Before", exact_dollars(meter.before)), ("Awarded to all", dollars(meter.awarded))]
    columns.append(("Left on the meter", exact_dollars(meter.left)))
    if slip.status is AwardStatus.REJECTED:
        columns.append(("Restored to the meter", exact_dollars(meter.restored)))
    else:
        put_back = exact_dollars(meter.put_back) if meter.put_back != _NOTHING else "not yet"
        columns += [("Reset amount filed", dollars(meter.reset_amount)), ("Put back by the reset", put_back)]
    yield from typeset.heading(f"Meter {meter.progressive}")
    yield typeset.table(
        [Column(heading=heading, share=1, figures=True) for heading, _ in columns],
        [[figure for _, figure in columns]],
        width,
    )


def _standing(slip: HandPaySlip, zone: tzinfo) -> Iterable[str]:
    """Yield what whoever pays has to know first: that it may not be paid yet, or was paid before."""
    if slip.status in _NOT_VALIDATED:
        yield "NOT VALIDATED YET: not to be paid on this slip"
    for act in slip.acts:
        if act.act is PayoutAct.PAID:
            yield f"PAID {moment(act.at, zone)}: nothing more is to be paid"


def _sharing(slip: HandPaySlip) -> tuple[str, str]:
    others = [str(position) for position in slip.shared_by if position != slip.position]
    if slip.status is AwardStatus.REJECTED:
        return "Also claimed by", f"position {', '.join(others)}" if others else "nobody"
    positions = ", ".join(str(position) for position in slip.shared_by)
    return "Shared by", f"{len(slip.shared_by)} winners, positions {positions}" if others else "nobody else"


def _still_due(status: AwardStatus) -> Iterable[PayoutAct]:
    """Yield the acts that an award still waits for, in their order."""
    while AWARD_LIFE[status]:
        act = next(act for act in AWARD_LIFE[status] if act is not PayoutAct.REJECTED)
        yield act
        status = AWARD_LIFE[status][act]
