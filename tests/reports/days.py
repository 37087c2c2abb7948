"""Plays days at a table that is whole, and keeps what was published of them for comparison."""

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bridge.config import TableConfig
from bridge.config.load import load_table
from bridge.contracts.codec import decode
from bridge.contracts.envelopes import Envelope, RoundEnvelope, SettlementEnvelope
from bridge.domain.awards import PayoutAct
from bridge.domain.confirmations import PayoutSignedOff, VigorishCollected
from bridge.domain.gaming_day import CoinLedger, GamingDay
from bridge.domain.identity import RoundNumber
from bridge.domain.meter_records import RoundSpan
from bridge.domain.money import Cents
from bridge.domain.rounds import Round
from bridge.domain.settlements import Settlement
from bridge.domain.wagers import BettingPosition
from bridge.reports.gaming_day import gaming_day
from bridge.reports.journal_day import JournalDay, journal_day
from bridge.reports.meter_books import MeterBooks, read_meter_books
from bridge.rules.submission import RulesSubmission
from bridge.stores.journal_reader import ChainedRecord, chained_records, table_starts
from simulators.baccarat_scenario_file import load_baccarat_scenario
from simulators.scenario_file import load_scenario
from simulators.scenario_keys import SCENARIOS
from tests.one_process import NOON, demonstration, one_process
from tests.stories import Telling
from tests.whole_table import Whole, whole

TABLES = Path(__file__).parents[2] / "simulators" / "tables"
DAY, NEXT_DAY = "2026-11-29", "2026-11-30"
COINS = CoinLedger(
    taken=Cents(2_000),
    owed_before=Cents(500),
    no_wager=Cents(1_000),
    returned=Cents(1_000),
    open=Cents(500),
    open_at=((BettingPosition(3), Cents(500)),),
)
"""The coins of a day with one that nobody has returned yet."""
_A_DAY_US = 24 * 3600 * 1_000_000


@dataclass(frozen=True, eq=False)
class PlayedDays:
    """A table after its days were played: its files, and everything it published."""

    config: TableConfig
    folder: Path
    envelopes: tuple[Envelope, ...]
    next_day_from: RoundNumber
    """First round of the second day."""

    @property
    def journal(self) -> Path:
        return self.folder / "journal"

    @property
    def meters(self) -> Path:
        return self.folder / "meters"

    @cached_property
    def records(self) -> tuple[ChainedRecord, ...]:
        *_, beginning = table_starts(self.journal)
        return tuple(chained_records(beginning))

    def journal_day(self, day: str = DAY) -> JournalDay:
        return journal_day(self.records, day)

    @cached_property
    def books(self) -> MeterBooks:
        every = RoundSpan(table=self.config.setup.table, first=RoundNumber(1), last=max(self.published))
        return read_meter_books(self.meters, self.config.submission, every)

    @cached_property
    def published(self) -> dict[RoundNumber, tuple[Round, Settlement]]:
        """The last that was published of each round that was locked, and of its settlement."""
        rounds = {
            one.round.number: one.round
            for one in self.envelopes
            if isinstance(one, RoundEnvelope) and one.round.locked
        }
        settlements = {
            one.settlement.round_number: one.settlement
            for one in self.envelopes
            if isinstance(one, SettlementEnvelope)
        }
        return {number: (round_, settlements[number]) for number, round_ in rounds.items()}

    def numbers(self, day: str = DAY) -> list[RoundNumber]:
        """Return the rounds of a day: the next one begins when the table is started anew."""
        return [number for number in sorted(self.published) if (number < self.next_day_from) == (day == DAY)]

    @property
    def submissions(self) -> dict[str, RulesSubmission]:
        return {self.config.submission.digest: self.config.submission}

    def gaming_day(self, day: str = DAY) -> GamingDay:
        return gaming_day(self.journal_day(day), self.submissions, self.books)


def stored(played: PlayedDays, folder: Path) -> Path:
    """Lay the files of a table where its processes would have kept them."""
    folder.mkdir()
    table = played.config.setup.table
    for companion in ("", ".finished"):
        kept = Path(f"{played.journal}{companion}")
        (shutil.copytree if kept.is_dir() else shutil.copy)(kept, folder / f"{table}.journal{companion}")
    shutil.copy(played.meters, folder / f"{table}.meters")
    return folder


async def blackjack_days(folder: Path) -> PlayedDays:
    """Play two days of blackjack; the second is not over."""
    config = demonstration()
    async with whole(folder, config) as there:
        await _play_blackjack(
            there, "lost", "crown_treasure", "two_crown_treasures", "late_wager", "count_differs"
        )
        second = await next_morning(there)
        await _play_blackjack(there, "royal_match_at_once")
        return PlayedDays(config, folder, tuple(there.envelopes()), second)


async def baccarat_days(folder: Path) -> PlayedDays:
    """Play two days of minibaccarat with marked vigorish, some of it paid; the second is not over."""
    config = load_table(TABLES / "minibaccarat.toml")
    async with whole(folder, config) as there:
        await _play_baccarat(there, "vigorish", "naturals", "misdeal", "late_wager")
        owing = [position for position, _ in there.parts.daemon.state.vigorish]
        await collect(there, owing[:1])
        second = await next_morning(there)
        await collect(there, owing[1:2])
        await _play_baccarat(there, "tie_hand")
        return PlayedDays(config, folder, tuple(there.envelopes()), second)


async def rejected_days(folder: Path) -> PlayedDays:
    """Play two Crown Treasures of which one is rejected; the other is not paid yet."""
    config = demonstration()
    async with one_process(folder, config) as table:
        telling = Telling(config.setup, table.clock.wall)
        await table.happen(
            *telling.events("all answer", "chips blackjack 1 4", "chips progressive 1 4", "lock out")
        )
        await table.happen(*telling.events("take progressive 1 4", "key count_agreed"))
        await table.happen(*telling.events("cards Kh Kc Kd Qh Qc Qd", "key hole_card_exposed"))
        number = table.daemon.state.round.number
        await table.say(
            PayoutSignedOff(
                round_number=number,
                position=BettingPosition(1),
                act=PayoutAct.REJECTED,
                reason="hole card exposed too early",
            )
        )
        await table.until_quiet()
        envelopes = tuple(decode(topic, payload) for topic, payload in table.broker.payloads)
        return PlayedDays(config, folder, envelopes, RoundNumber(number + 1))


async def next_morning(there: Whole) -> RoundNumber:
    """Let the table be shut down for the night, and come up on the next day; return the round on the table."""
    await there.parts.stop_daemon()
    there.parts.clock.set(NOON + _A_DAY_US)  # type: ignore[attr-defined]
    await there.parts.start_daemon()
    await there.parts.until_quiet()
    return there.parts.daemon.state.round.number


async def collect(there: Whole, positions: Iterable[BettingPosition]) -> None:
    """Let the marked vigorish of positions be paid."""
    for position in positions:
        number = there.parts.daemon.state.round.number
        await there.parts.say(VigorishCollected(round_number=number, position=position))


async def _play_blackjack(there: Whole, *scenarios: str) -> None:
    for name in scenarios:
        for script in load_scenario(SCENARIOS / f"{name}.toml").rounds:
            await there.people.play(script)


async def _play_baccarat(there: Whole, *scenarios: str) -> None:
    for name in scenarios:
        for script in load_baccarat_scenario(SCENARIOS / "minibaccarat" / f"{name}.toml").rounds:
            await there.baccarat_people.play(script)
