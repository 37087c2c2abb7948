"""What the meter signs of a table show: readings of the rules worker, hits, and when a reading is too old to show.

A sign remembers what it was told, and so may a broker. What is shown as current is therefore only what somebody
has said within ``READING_OLD_AFTER_S``, and not what a broker kept: the rules worker says its readings again every
ten seconds, so three of them have to be missed (T54). That is also how late a display may show a win.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from bridge.clock import US_PER_S
from bridge.contracts.envelopes import SettlementEnvelope
from bridge.domain.commands import NoReading, SetMeterSign
from bridge.domain.identity import ProgressiveId, RoundNumber, TableId
from bridge.domain.meters import Award, MeterReading
from bridge.domain.money import Cents, format_cents
from bridge.domain.settlements import MeterShare
from bridge.domain.wagers import BettingPosition

READING_OLD_AFTER_S: Final = 30
UNAVAILABLE: Final = "PROGRESSIVE UNAVAILABLE"
CLOSED: Final = "PROGRESSIVE CLOSED"
"""The controller is disabled: the amount stands, and nobody can wager for it at this table."""
BANNER_MAX: Final = 100
"""Characters that every sign has room for before its amount."""

Tiers = Mapping[BettingPosition, str]
"""What positions have won of a meter: the rows of its paytable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heard:
    """A reading, and when it was last said, by the monotonic clock."""

    reading: MeterReading
    at_us: int

    def is_old(self, now_us: int) -> bool:
        return now_us - self.at_us >= READING_OLD_AFTER_S * US_PER_S


class MeterWatch:
    """The meters that one table shows, as they were last heard of."""

    def __init__(self, table: TableId, shown: Iterable[ProgressiveId]) -> None:
        """``shown`` are the progressives that have a sign at the table."""
        self._table = table
        self._heard: dict[ProgressiveId, _Heard | None] = dict.fromkeys(sorted(shown))
        self._tiers: tuple[RoundNumber, Tiers] = (RoundNumber(0), {})
        self._asked: dict[ProgressiveId, SetMeterSign] = {}

    def heard(self, reading: MeterReading, now_us: int, *, retained: bool) -> None:
        """Take a reading; not one that the broker kept, nor one that is older than what is shown (T54)."""
        if retained or reading.progressive not in self._heard:
            return
        known = self._heard[reading.progressive]
        if known is None or known.is_old(now_us) or reading.records >= known.reading.records:
            self._heard[reading.progressive] = _Heard(reading=reading, at_us=now_us)

    def settled(self, envelope: SettlementEnvelope) -> None:
        """Take from a settlement of the table's round what was won of which meter."""
        settlement = envelope.settlement
        won = {end.position: end.outcome for end in settlement.outcomes if isinstance(end.paid, MeterShare)}
        self._tiers = (settlement.round_number, won)

    def changed(self, now_us: int, *, closed: bool) -> Iterator[SetMeterSign]:
        """Yield what signs have to show now and did not before; ``closed`` says that no wager is recognised."""
        for progressive, heard in self._heard.items():
            command = self._command(progressive, heard, now_us, closed=closed)
            if self._asked.get(progressive) != command:
                self._asked[progressive] = command
                yield command

    def leave(self) -> tuple[SetMeterSign, ...]:
        """Return what signs show when nobody keeps them up to date any more."""
        return tuple(_unavailable(progressive) for progressive in self._heard)

    def _command(
        self, progressive: ProgressiveId, heard: _Heard | None, now_us: int, *, closed: bool
    ) -> SetMeterSign:
        if heard is None or heard.is_old(now_us):
            return _unavailable(progressive)
        reading = heard.reading
        won = award_banner([(award, self._tier(award)) for award in reading.pending], self._table)
        banner = won or (CLOSED if closed else "")
        return SetMeterSign(progressive=progressive, amount=reading.displayed, banner=banner)

    def _tier(self, award: Award) -> str:
        number, tiers = self._tiers
        here = (award.table, award.round_number) == (self._table, number)
        return tiers.get(award.position, "") if here else ""


def award_banner(pending: Iterable[tuple[Award, str]], here: TableId) -> str:
    """Return the words for awards that are hit and not over, with their tiers as far as they are known.

    ``CROWN TREASURE $16,667.91 POSITIONS 1, 3``. Those of another table of a link name it. What has no room is
    left out, the latest first, because whoever won first is named until it is over.
    """
    alike: dict[tuple[str, Cents, TableId], list[BettingPosition]] = {}
    for award, tier in pending:
        alike.setdefault((tier, award.amount, award.table), []).append(award.position)
    banner = ""
    for (tier, amount, table), positions in alike.items():
        longer = f"{banner} - {_words(tier, amount, positions)}" if banner else _words(tier, amount, positions)
        longer += "" if table == here else f" TABLE {_plain(table)}"
        if len(longer) > BANNER_MAX:
            break
        banner = longer
    return banner


def _words(tier: str, amount: Cents, positions: list[BettingPosition]) -> str:
    won = tier.replace("_", " ").upper() or "AWARD"
    word = "POSITION" if len(positions) == 1 else "POSITIONS"
    return f"{won} ${format_cents(amount)} {word} {', '.join(map(str, positions))}"


def _plain(name: str) -> str:
    """Return a name in the characters that signs have."""
    return name.upper().encode("ascii", "replace").decode("ascii")


def _unavailable(progressive: ProgressiveId) -> SetMeterSign:
    return SetMeterSign(progressive=progressive, amount=NoReading.NO_READING, banner=UNAVAILABLE)
