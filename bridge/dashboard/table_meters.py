"""The meters of a table as its people see them: what is on display, and what is frozen for whom."""

from collections.abc import Iterator
from dataclasses import dataclass

from bridge.dashboard import table_words as say
from bridge.dashboard.followed import FollowedTable, Unavailable
from bridge.domain.identity import ProgressiveId
from bridge.domain.meters import Award
from bridge.domain.money import format_cents


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAward:
    """An award that is hit and not over."""

    where: str
    amount: str
    """Frozen at the hit."""
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMeter:
    """One progressive meter, or why it cannot be shown."""

    name: ProgressiveId
    unavailable: Unavailable | None
    displayed: str
    exact: str
    seed: str
    awards: tuple[ShownAward, ...]


def shown_meters(table: FollowedTable) -> tuple[ShownMeter, ...]:
    """Return the meters that the table's rules submission files."""
    return tuple(_meters(table))


def _meters(table: FollowedTable) -> Iterator[ShownMeter]:
    for progressive in table.config.submission.progressives():
        name = progressive.id
        reading, why = table.known.meters.get(name), table.meter_unavailable(name)
        if reading is None or why is not None:
            yield ShownMeter(
                name=name,
                unavailable=why or Unavailable.METER_SILENT,
                displayed="",
                exact="",
                seed="",
                awards=(),
            )
            continue
        yield ShownMeter(
            name=name,
            unavailable=None,
            displayed=format_cents(reading.displayed),
            exact=str(reading.exact),
            seed=format_cents(reading.reset_amount),
            awards=tuple(_award(table, award) for award in reading.pending),
        )


def _award(table: FollowedTable, award: Award) -> ShownAward:
    where = f"{say.WON_AT} {award.position}"
    elsewhere = "" if award.table == table.id else f", {say.AT_TABLE} {award.table}"
    return ShownAward(where=where + elsewhere, amount=format_cents(award.amount), state=say.AWARDS[award.status])
