"""Tables at a glance: what the view of the floor says of each, and of all of them."""

from collections.abc import Iterator, Sequence, Set as AbstractSet
from dataclasses import dataclass

from bridge import words
from bridge.dashboard import floor_words as say
from bridge.dashboard.alarms import Alarm, Severity, alarms, order
from bridge.dashboard.followed import FollowedTable, Unavailable
from bridge.dashboard.sign_meter import meter_signs
from bridge.dashboard.sign_screen import game_name
from bridge.dashboard.since import Since
from bridge.domain.identity import TableId, Timestamp
from bridge.domain.meters import Award
from bridge.domain.money import Cents, format_cents

ALARMS_ON_CARD = 3
ALARMS_OF_FLOOR = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAlarm:
    """One alarm as it is shown."""

    table: TableId
    severity: Severity
    text: str
    lasts: str
    """Empty where nobody can say how long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAward:
    """One pending award."""

    table: TableId
    position: int
    amount: str
    status: str
    lasts: str
    hit_at: Timestamp


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMeter:
    """One meter; its amount is empty while it is unavailable."""

    name: str
    amount: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCard:
    """One table."""

    table: TableId
    game: str
    unavailable: Unavailable | None
    phase: str
    """Empty, like the round and the lock, while the table is unavailable."""
    round_number: int
    locked: bool
    alarms: tuple[ShownAlarm, ...]
    """As many as there is room for, the worst first."""
    more_alarms: int
    awards: tuple[ShownAward, ...]
    meters: tuple[ShownMeter, ...]
    severity: int
    """Of the worst alarm, beyond all of them where there is none."""
    since: Timestamp
    """When the oldest of its worst alarms began."""
    largest_meter: Cents

    @property
    def open(self) -> bool:
        """Whether wagers are accepted at this moment."""
        return self.unavailable is None and not self.locked


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention:
    """What somebody has to look at, over all tables."""

    alarms: tuple[ShownAlarm, ...]
    more_alarms: int
    awards: tuple[ShownAward, ...]


def card(table: FollowedTable, *, followed: AbstractSet[TableId]) -> TableCard:
    """Return what is said of one table; awards of a shared meter stand at the table where they were won."""
    view = table.known.view
    unavailable = table.unavailable()
    shown = None if unavailable else view
    wrong = alarms(table)
    first = wrong[0] if wrong else None
    return TableCard(
        table=table.id,
        game=game_name(table),
        unavailable=unavailable,
        phase="" if shown is None else words.PHASES[shown.phase],
        round_number=0 if shown is None else shown.round_number,
        locked=shown is not None and shown.locked,
        alarms=tuple(_alarm(table, one) for one in wrong[:ALARMS_ON_CARD]),
        more_alarms=max(len(wrong) - ALARMS_ON_CARD, 0),
        awards=tuple(_awards(table, followed)),
        meters=tuple(ShownMeter(name=sign.name, amount=sign.amount) for sign in meter_signs(table)),
        severity=max(Severity) + 1 if first is None else first.severity,
        since=Timestamp(0) if first is None or first.since is None else first.since.at,
        largest_meter=_largest_meter(table),
    )


def attention(tables: Sequence[FollowedTable], cards: Sequence[TableCard]) -> Attention:
    """Return the alarms that want somebody, the worst and oldest first, and pending awards, the oldest first."""
    wrong = sorted(
        (
            (order(alarm), table.id, _alarm(table, alarm))
            for table in tables
            for alarm in alarms(table)
            if alarm.severity is not Severity.NOTE
        ),
        key=lambda one: one[:2],
    )
    return Attention(
        alarms=tuple(shown for _, _, shown in wrong[:ALARMS_OF_FLOOR]),
        more_alarms=max(len(wrong) - ALARMS_OF_FLOOR, 0),
        awards=tuple(sorted((award for one in cards for award in one.awards), key=lambda award: award.hit_at)),
    )


def lasts(since: Since | None, now: Timestamp) -> str:
    """Return how long something lasts."""
    if since is None:
        return ""
    form = say.SINCE_AT_LEAST if since.at_least else say.SINCE
    return form.format(time=say.duration(since.seconds(now)))


def _alarm(table: FollowedTable, alarm: Alarm) -> ShownAlarm:
    return ShownAlarm(
        table=table.id, severity=alarm.severity, text=alarm.text, lasts=lasts(alarm.since, table.now())
    )


def _awards(table: FollowedTable, followed: AbstractSet[TableId]) -> Iterator[ShownAward]:
    for progressive in table.config.submission.progressives():
        reading = table.known.meters.get(progressive.id)
        if reading is None or table.meter_unavailable(progressive.id):
            continue
        for award in reading.pending:
            if award.table == table.id or award.table not in followed:
                yield _award(table, award)


def _award(table: FollowedTable, award: Award) -> ShownAward:
    hit = table.awards.hit(award)
    return ShownAward(
        table=award.table,
        position=award.position,
        amount=format_cents(award.amount),
        status=say.AWARD_STATUS[award.status],
        lasts=lasts(hit, table.now()),
        hit_at=Timestamp(0) if hit is None else hit.at,
    )


def _largest_meter(table: FollowedTable) -> Cents:
    """Return what its largest meter shows; nothing where none may be shown."""
    shown = (
        table.known.meters[progressive.id].displayed
        for progressive in table.config.submission.progressives()
        if progressive.id in table.known.meters and not table.meter_unavailable(progressive.id)
    )
    return max(shown, default=Cents(0))
