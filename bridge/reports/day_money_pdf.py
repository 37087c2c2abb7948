"""The money of a gaming day on paper: its tables of the report, in order."""

from collections.abc import Iterable
from datetime import tzinfo

from reportlab.platypus import Flowable

from bridge.domain.awards import AwardStatus
from bridge.domain.gaming_day import NO_MONEY, GamingDay, Total
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.names import RESULTS, WAGERS, outcome_name
from bridge.reports import typeset
from bridge.reports.typeset import Column
from bridge.reports.words import dollars, exact_dollars, moment


def money_tables(day: GamingDay, width: float, zone: tzinfo) -> Iterable[Flowable]:
    """Yield wagers, outcomes, meters, awards, Envy Bonuses, vigorish, coins; what a table has not is left out."""
    yield from _wagers(day, width)
    yield from _outcomes(day, width)
    if day.meters:
        yield from _meters(day, width)
        yield from _awards(day, width)
        yield from _postings(day, width, zone)
    if day.envy_bonuses:
        yield from _envy_bonuses(day, width)
    if day.overrides:
        yield from _overrides(day, width)
    if _has_vigorish(day):
        yield from _vigorish(day, width)
    if _has_coins(day):
        yield from _coins(day, width)


def in_brief(day: GamingDay) -> list[tuple[str, str]]:
    """Return the sums of a day that people ask for first."""
    found = [
        ("Wagers accepted", _sum(_added(one.amount for one in day.wagers))),
        ("Paid at fixed odds", _sum(_paid(day))),
    ]
    if day.meters:
        contributed = MeterAmount.total(one.posted for one in day.meters)
        found += [
            ("Contributed to meters", exact_dollars(contributed)),
            ("Awards from meters", dollars(_awarded(day))),
        ]
    if day.envy_bonuses:
        found.append(("Envy Bonuses", _sum(_envy(day))))
    if _has_vigorish(day):
        found += [("Vigorish marked", _sum(day.vigorish.marked)), ("Vigorish open", _sum(day.vigorish.open))]
    if _has_coins(day):
        found += [("Coins taken", dollars(day.coins.taken)), ("Coins to be returned", dollars(day.coins.open))]
    if day.overrides:
        found.append(("Overridden outcomes", f"{len(day.overrides):,}"))
    refused = sum(bool(one.refused) for one in day.confirmations)
    return [
        *found,
        ("Irregularities", f"{len(day.irregularities):,}"),
        ("Confirmations", f"{len(day.confirmations):,}, {refused:,} refused"),
    ]


def _wagers(day: GamingDay, width: float) -> Iterable[Flowable]:
    columns = (
        Column(heading="Wager", share=46),
        Column(heading="Count", share=14, figures=True),
        Column(heading="Amount", share=22, figures=True),
        Column(heading="Amount unknown", share=18, figures=True),
    )
    yield from typeset.listed(
        "Wagers accepted",
        columns,
        [(WAGERS[one.kind], f"{one.count:,}", *_money(one.amount, one.count)) for one in day.wagers],
        width,
        total=(
            "Total",
            f"{sum(one.count for one in day.wagers):,}",
            *_money(_added(one.amount for one in day.wagers)),
        ),
    )
    if day.without_outcome:
        yield from typeset.listed(
            "Wagers without an outcome",
            columns,
            [(WAGERS[one.kind], f"{one.count:,}", *_money(one.amount, one.count)) for one in day.without_outcome],
            width,
        )
        yield typeset.note("Of those accepted; settled by hand, undecided, or not due when the journal was read.")


def _outcomes(day: GamingDay, width: float) -> Iterable[Flowable]:
    yield from typeset.listed(
        "Outcomes",
        (
            Column(heading="Wager", share=26),
            Column(heading="Outcome", share=18),
            Column(heading="Result", share=11),
            Column(heading="Odds", share=13),
            Column(heading="Count", share=9, figures=True),
            Column(heading="Wagered", share=14, figures=True),
            Column(heading="Paid", share=14, figures=True),
            Column(heading="Returned", share=14, figures=True),
        ),
        [
            (
                *(WAGERS[one.kind], outcome_name(one.outcome), RESULTS[one.result], one.odds, f"{one.count:,}"),
                _sum(one.wagered),
                "from meter" if one.of_meter else _sum(one.paid),
                _sum(one.returned),
            )
            for one in day.outcomes
        ],
        width,
        total=(
            *("Total", "", "", "", f"{sum(one.count for one in day.outcomes):,}"),
            *(_sum(_added(one.wagered for one in day.outcomes)), _sum(_paid(day))),
            _sum(_added(one.returned for one in day.outcomes)),
        ),
    )
    if day.outcomes:
        yield typeset.note("Paid: from the table inventory, at fixed odds; awards from a meter stand below.")


def _meters(day: GamingDay, width: float) -> Iterable[Flowable]:
    yield from typeset.listed(
        "Contributions to meters",
        (
            Column(heading="Progressive", share=24),
            Column(heading="Count", share=9, figures=True),
            Column(heading="Contributed", share=17, figures=True),
            Column(heading="To reserve", share=15, figures=True),
            Column(heading="Taken back", share=15, figures=True),
            Column(heading="Posted", share=17, figures=True),
        ),
        [
            (
                *(one.progressive, f"{one.contributions:,}", exact_dollars(one.contributed)),
                *(exact_dollars(one.reserved), exact_dollars(one.taken_back), exact_dollars(one.posted)),
            )
            for one in day.meters
        ],
        width,
    )
    for one in day.meters:
        if one.held:
            yield typeset.note(
                f"Held back of {one.progressive}, too large to be believed: {one.held:,} contributions,"
                f" {exact_dollars(one.held_amount)}."
            )
    differing = [one.progressive for one in day.meters if not one.agrees]
    if differing:
        yield typeset.gap()
        yield typeset.notice(
            [f"The meter store does not hold what the rounds settle to: {', '.join(differing)}"], width
        )
    else:
        yield typeset.note("The meter store holds for each of these rounds what it settles to.")


def _awards(day: GamingDay, width: float) -> Iterable[Flowable]:
    yield from typeset.listed(
        "Awards, not paid from the table inventory",
        (
            Column(heading="Round", share=16),
            Column(heading="Position", share=12, figures=True),
            Column(heading="Progressive", share=22),
            Column(heading="Win no.", share=11, figures=True),
            Column(heading="Among", share=10, figures=True),
            Column(heading="Status", share=14),
            Column(heading="Amount", share=18, figures=True),
        ),
        [
            (
                *(str(one.round_number), str(one.position), one.progressive, str(one.win_number)),
                *(str(one.among), outcome_name(one.status), dollars(one.amount)),
            )
            for one in (record.award for record in day.awards)
        ],
        width,
    )


def _postings(day: GamingDay, width: float, zone: tzinfo) -> Iterable[Flowable]:
    yield from typeset.listed(
        "Other changes of the meters",
        (
            Column(heading="Time", share=28),
            Column(heading="Progressive, pool", share=22),
            Column(heading="Reason, by", share=18),
            Column(heading="Text", share=34),
            Column(heading="Amount", share=18, figures=True),
        ),
        [
            (
                *(moment(one.at, zone), f"{one.progressive}, {one.pool}", f"{outcome_name(one.reason)}, {one.by}"),
                *(one.text, exact_dollars(one.amount)),
            )
            for one in day.postings
        ],
        width,
    )


def _envy_bonuses(day: GamingDay, width: float) -> Iterable[Flowable]:
    yield from typeset.listed(
        "Envy Bonuses",
        (
            Column(heading="Round", share=16),
            Column(heading="Position", share=12, figures=True),
            Column(heading="For the hand of", share=18, figures=True),
            Column(heading="Amount", share=54, figures=True),
        ),
        [
            (
                *(str(one.round_number), str(one.bonus.position), str(one.bonus.for_hand_of)),
                dollars(one.bonus.amount),
            )
            for one in day.envy_bonuses
        ],
        width,
        total=(f"{len(day.envy_bonuses):,} in all", "", "", _sum(_envy(day))),
    )


def _overrides(day: GamingDay, width: float) -> Iterable[Flowable]:
    yield from typeset.listed(
        "Overridden by a floorperson",
        (
            Column(heading="Round", share=12),
            Column(heading="Position, wager", share=24),
            Column(heading="Decided", share=16),
            Column(heading="Paid, returned", share=16),
            Column(heading="Said instead", share=14),
            Column(heading="Paid, returned", share=16),
            Column(heading="By, reason", share=26),
        ),
        [
            (
                *(str(one.round_number), f"{one.said.position}, {WAGERS[one.said.wager]}", RESULTS[one.decided]),
                f"{dollars(one.decided_paid)}, {dollars(one.decided_returned)}",
                RESULTS[one.said.result],
                f"{dollars(one.said.paid)}, {dollars(one.said.stake_returned)}",
                f"{one.said.by}: {one.said.reason}",
            )
            for one in day.overrides
        ],
        width,
    )
    yield typeset.note("The outcomes above are as decided; these were paid as the floorperson said.")


def _vigorish(day: GamingDay, width: float) -> Iterable[Flowable]:
    ledger = day.vigorish
    entries = (
        ("Owed from before", ledger.owed_before),
        ("Marked", ledger.marked),
        ("Collected later", ledger.collected_later),
        ("Open", ledger.open),
        ("Collected with the payment", ledger.collected_with_payment),
    )
    where = ", ".join(f"position {position} {dollars(amount)}" for position, amount in ledger.open_at)
    yield from typeset.listed(
        "Vigorish",
        (
            Column(heading="Entry", share=60),
            Column(heading="Amount", share=22, figures=True),
            Column(heading="Amount unknown", share=18, figures=True),
        ),
        [(entry, *_money(total)) for entry, total in entries],
        width,
    )
    if where:
        yield typeset.note(f"Open at {where}.")


def _coins(day: GamingDay, width: float) -> Iterable[Flowable]:
    coins = day.coins
    entries = (
        ("Taken by acceptors", coins.taken),
        ("To be returned from days before", coins.owed_before),
        ("Taken and no wager", coins.no_wager),
        ("Returned", coins.returned),
        ("Still to be returned", coins.open),
    )
    columns = (Column(heading="Entry", share=60), Column(heading="Amount", share=40, figures=True))
    yield from typeset.listed("Coins", columns, [(entry, dollars(amount)) for entry, amount in entries], width)
    where = ", ".join(f"position {position} {dollars(amount)}" for position, amount in coins.open_at)
    if where:
        yield typeset.note(f"To be returned at {where}.")


def _has_coins(day: GamingDay) -> bool:
    return bool(day.coins.taken or day.coins.owed_before)


def _has_vigorish(day: GamingDay) -> bool:
    ledger = day.vigorish
    sums = (ledger.owed_before, ledger.marked, ledger.collected_later, ledger.collected_with_payment)
    return any(one != NO_MONEY for one in sums)


def _paid(day: GamingDay) -> Total:
    return _added(one.paid for one in day.outcomes)


def _awarded(day: GamingDay) -> Cents:
    awards = [record.award for record in day.awards]
    return Cents(sum(award.amount for award in awards if award.status is not AwardStatus.REJECTED))


def _envy(day: GamingDay) -> Total:
    return Total(cents=Cents(sum(one.bonus.amount for one in day.envy_bonuses)), unknown=0)


def _added(totals: Iterable[Total]) -> Total:
    return sum(totals, NO_MONEY)


def _money(total: Total, count: int = 0) -> tuple[str, str]:
    """Return the two columns of a sum; without cents where none of its amounts is known."""
    known = dollars(total.cents) if not count or total.unknown < count else "–"  # noqa: RUF001
    return known, f"{total.unknown:,}" if total.unknown else ""


def _sum(total: Total) -> str:
    """Return a sum in one column, with how many amounts are missing from it."""
    return f"{dollars(total.cents)} + {total.unknown:,} unknown" if total.unknown else dollars(total.cents)
