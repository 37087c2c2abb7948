import asyncio
import errno
import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.bus.memory import MemoryBus
from bridge.contracts.author import Author
from bridge.contracts.envelopes import (
    DeviceEnvelope,
    Envelope,
    EventEnvelope,
    HealthEnvelope,
    IndicatorCommandEnvelope,
    PositionIndicatorsEnvelope,
    RoundEnvelope,
    SettlementEnvelope,
    TableEnvelope,
)
from bridge.daemon import loop, offers as offers_module
from bridge.daemon.loop import Daemon, JournalOfAnotherTableError, RoundUnderOtherRulesError, RunningSoftware
from bridge.domain.awards import PayoutAct
from bridge.domain.cards import UnseenCard
from bridge.domain.commands import SetIndicator, SetLock
from bridge.domain.confirmations import ControllerEnabled, CountResolved, PayoutSignedOff
from bridge.domain.controller import DisabledReason
from bridge.domain.devices import DeviceState, DeviceStatus
from bridge.domain.events import (
    BridgeStarted,
    BridgeStopped,
    CardDrawn,
    ControllerDisabled,
    GamingDayBegan,
    IndicatorRequested,
    KeySwitchTurned,
    LockOutPressed,
    PersonConfirmed,
    RoundSettled,
    TableEvent,
)
from bridge.domain.identity import DeviceId, PersonId, RoundNumber, Sequence, TableId, Timestamp
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.money import Cents
from bridge.domain.people import KeyPrivilege, PersonRole
from bridge.domain.rounds import CountCheck
from bridge.domain.settlements import DeferredWager, Settlement
from bridge.domain.setup import DeviceWiring, KeySwitchInput
from bridge.domain.table_view import IrregularityKind, LampReport, Phase
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.rules.settlement import settle
from bridge.stores import state_keeper
from bridge.stores.journal import JournalError
from bridge.stores.journal_check import verify
from bridge.stores.journal_files import finished_files
from bridge.stores.latch import FailureLatch
from bridge.stores.sqlite_journal import SqliteJournal
from bridge.stores.state_keeper import StateDiffersError
from bridge.table.evolve import evolve
from bridge.table.state import TableState, has_wagers_to_settle, initial_state
from simulators.running import running
from tests.bus.silent_bus import SilentBus
from tests.one_process import (
    FLOOR,
    NOON,
    ObedientFleet,
    OneProcess,
    SetClock,
    demonstration,
    one_process,
)
from tests.stories import Telling
from tests.transports.ports import eventually

KIND = WagerKind.ROYAL_MATCH_PROGRESSIVE
ROYAL_3 = Indicator(BettingPosition(3), Lamp.ROYAL_MATCH)
ENGAGED, RELEASED = SetLock(engaged=True), SetLock(engaged=False)
DAY_US = 86_400_000_000
WON_AT_ONCE = (
    "chips blackjack 3 6",
    "chips progressive 3",
    "lock out",
    "key count_agreed",
    "cards Ks 5d 9d Qs 5h 8c",
)
"""Position 3 has a Royal Match against a nine: to be settled at once."""


@pytest.fixture
def tell() -> Telling:
    return Telling(demonstration().setup)


@pytest.fixture
def quick_offers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "OFFER_AGAIN_S", 0.005)


@asynccontextmanager
async def opened(folder: Path, tell: Telling, *, worker: bool = False) -> AsyncIterator[OneProcess]:
    """A table whose devices all answer; the note begins now."""
    async with one_process(folder, worker=worker) as table:
        await table.happen(*tell.events("all answer"))
        table.noted.clear()
        yield table


def worker_says(table: OneProcess, kind: type[Envelope], **content: object) -> None:
    """Let somebody who writes as the rules worker publish something."""
    author = Author(f"{table.table}-rules-worker", table.clock)
    bus = MemoryBus(
        table.broker, client_id=author.sender, subscriptions=(), will=None, birth=None, clock=table.clock
    )
    bus.linked(bus)
    bus.publish(author.stamp(kind, table=table.table, **content))


def settled_as_it_stands(table: OneProcess, *, sequence: int | None = None, complete: bool = False) -> None:
    """Let the rules worker answer the round that was offered last, or another record."""
    offered = table.published(RoundEnvelope)[-1]
    worker_says(
        table,
        SettlementEnvelope,
        sequence=Sequence(offered.sequence if sequence is None else sequence),
        settlement=settle(offered.round, table.config.submission),
        awards=(),
        complete=complete,
    )


def asks_for_lamp(table: OneProcess, lamp: Indicator, state: LampState, *, number: int | None = None) -> None:
    worker_says(
        table,
        IndicatorCommandEnvelope,
        round_number=RoundNumber(table.daemon.state.round.number if number is None else number),
        indicator=lamp,
        state=state,
        valid_until=Timestamp(table.clock.wall() + 1_000_000),
    )


# --- append, then evolve, then perform -----------------------------------------------------------------


async def test_T53_an_event_is_journalled_before_anything_is_done_about_it(tmp_path: Path, tell: Telling) -> None:
    async with opened(tmp_path, tell) as table:
        await table.happen(*tell.events("chips blackjack 1"))
        table.noted.clear()
        await table.happen(*tell.events("chips progressive 1"))

        accepted = SetIndicator(indicator=Indicator(BettingPosition(1), Lamp.WAGER_ACCEPTED), state=LampState.ON)
        first, *others = table.noted
        assert isinstance(first, tuple)
        assert accepted in others


async def test_T53_what_cannot_be_journalled_is_neither_performed_nor_published(
    tmp_path: Path, tell: Telling
) -> None:
    async with opened(tmp_path, tell) as table:
        await table.happen(*tell.events("chips blackjack 1"))
        table.noted.clear()
        before = table.daemon.state
        table.journal.broken = True
        with pytest.raises(JournalError, match="disk is full"):
            await table.daemon.take(tell.events("chips progressive 1"))

        assert table.noted == []
        assert table.daemon.state == before
        table.journal.broken = False


async def test_T43_the_hardware_lock_is_driven_before_anything_else(tmp_path: Path, tell: Telling) -> None:
    async with opened(tmp_path, tell) as table:
        await table.happen(*tell.events("chips blackjack 1 2", "chips progressive 1 2"))
        table.noted.clear()
        await table.happen(*tell.events("lock out"))

        journalled, first, *_ = table.noted
        assert isinstance(journalled, tuple)
        assert isinstance(journalled[0], LockOutPressed)
        assert first == ENGAGED


async def test_observations_that_wait_together_are_journalled_in_one_commit_and_acted_on_in_order(
    tmp_path: Path, tell: Telling
) -> None:
    async with opened(tmp_path, tell) as table:
        events = tell.events("chips blackjack 1 2 3", "chips progressive 1 2 3", "lock out")
        table.devices.observe(*events)
        await table.until_quiet()

        first_commit = next(item for item in table.noted if isinstance(item, tuple))
        assert first_commit == tuple(events)
        acted = [envelope.event for envelope in table.published(EventEnvelope)]
        assert acted[: len(events)] == events


async def test_a_flood_is_cut_into_commits_of_bounded_size(tmp_path: Path, tell: Telling) -> None:
    async with opened(tmp_path, tell) as table:
        flood = tell.events("chips blackjack 1", "take blackjack 1") * 33
        table.devices.observe(*flood)
        await table.until_quiet()

        commits = [item for item in table.noted if isinstance(item, tuple)]
        assert [len(commit) for commit in commits] == [64, 2]
        assert table.journalled() == flood


async def test_events_are_published_in_sequence_and_the_hole_card_hidden(tmp_path: Path, tell: Telling) -> None:
    async with opened(tmp_path, tell) as table:
        began = table.daemon.state.sequence
        await table.happen(*tell.events("chips blackjack 1", "lock out", "cards Ks 9d Qs 8c"))

        envelopes = table.published(EventEnvelope)
        assert [envelope.sequence for envelope in envelopes] == [
            *range(began + 1, table.daemon.state.sequence + 1)
        ]
        cards = [one.event.card for one in envelopes if isinstance(one.event, CardDrawn)]
        assert [str(card) for card in cards[:-1]] == ["Ks", "9d", "Qs"]
        assert cards[-1] is UnseenCard.HIDDEN
        sealed = [event.card for event in table.journalled() if isinstance(event, CardDrawn)]
        assert str(sealed[-1]) == "8c", "the sealed journal knows it"


async def test_T49_only_positions_whose_lamps_changed_are_published_again(tmp_path: Path, tell: Telling) -> None:
    async with opened(tmp_path, tell) as table:
        await table.happen(*tell.events("chips blackjack 2", "chips progressive 2"))

        shown = table.published(PositionIndicatorsEnvelope)
        assert {envelope.position for envelope in shown} == {2}
        accepted = [lamp for lamp in shown[-1].lamps if lamp.indicator.lamp is Lamp.WAGER_ACCEPTED]
        assert [(lamp.wanted, lamp.reported) for lamp in accepted] == [(LampState.ON, LampReport.ON)]


async def test_how_a_device_is_doing_is_published_and_not_journalled(tmp_path: Path, tell: Telling) -> None:
    status = DeviceStatus(
        device=DeviceId("module-1"),
        profile="modbus_io8",
        port="/dev/ttyUSB0",
        state=DeviceState.SILENT,
        since=NOON,
        reason="does not answer: check its power",
        faults=(("timeout", 2),),
    )
    async with opened(tmp_path, tell) as table:
        table.devices.observations.put_nowait(status)
        await table.until_quiet()

        assert [envelope.status for envelope in table.published(DeviceEnvelope)] == [status]
        assert table.journalled() == []


async def test_a_lamp_that_no_output_serves_stops_nothing(tmp_path: Path, tell: Telling) -> None:
    envy = Indicator(BettingPosition(1), Lamp.ENVY_BONUS)
    async with opened(tmp_path, tell) as table:
        asks_for_lamp(table, envy, LampState.ON)
        await table.until_quiet()

        assert envy in table.daemon.state.win_lamps


# --- the end -------------------------------------------------------------------------------------------


class Alone:
    """A daemon without a rules worker, whose ``run`` a test awaits itself."""

    def __init__(self, folder: Path) -> None:
        self.clock = SetClock()
        self.journal = SqliteJournal.open(folder / "journal", clock=self.clock)
        self.fleet = ObedientFleet(demonstration().setup, self.clock, [])
        self.bus = SilentBus()
        self.daemon = Daemon(
            demonstration().setup,
            journal=self.journal,
            fleet=self.fleet,
            bus=self.bus,
            author=Author("bj-demo-daemon", self.clock),
            clock=self.clock,
            latch=FailureLatch(folder / "latch"),
        )

    @property
    def locks(self) -> list[object]:
        return [command for command in self.fleet.noted if isinstance(command, SetLock)]


@pytest.mark.parametrize("before_the_start", [True, False])
async def test_T46_a_journal_that_fails_ends_the_daemon_with_its_message_and_the_lock_engaged(
    tmp_path: Path, tell: Telling, monkeypatch: pytest.MonkeyPatch, *, before_the_start: bool
) -> None:
    alone = Alone(tmp_path)

    def full(_batch: object) -> object:
        raise OSError(errno.ENOSPC, "No space left on device")

    async def fill_up_in_mid_round() -> None:
        alone.fleet.observe(*tell.events("all answer"))
        await eventually(lambda: RELEASED in alone.locks)
        monkeypatch.setattr(alone.journal, "_commit", full)
        alone.fleet.observe(*tell.events("chips blackjack 1"))

    async with alone.journal:
        if before_the_start:
            monkeypatch.setattr(alone.journal, "_commit", full)
        with pytest.raises(JournalError, match="No space left on device; free some space"):
            await asyncio.gather(alone.daemon.run(), *([] if before_the_start else [fill_up_in_mid_round()]))

        assert alone.locks[-1] == ENGAGED
        assert alone.fleet.observations.empty(), "the report of the lock was awaited"
        assert not any("chips" in str(envelope) for envelope in alone.bus.published)


async def test_T46_a_daemon_that_is_stopped_leaves_the_lock_engaged_and_has_seen_it(
    tmp_path: Path, tell: Telling
) -> None:
    alone = Alone(tmp_path)
    async with alone.journal, running(alone.daemon.run(), name="daemon"):
        alone.fleet.observe(*tell.events("all answer"))
        await eventually(lambda: alone.locks[-1:] == [RELEASED])

    assert alone.locks[-1] == ENGAGED
    assert alone.fleet.observations.empty()


async def test_a_table_that_is_locked_already_does_not_wait_for_a_report_that_will_not_come(
    tmp_path: Path, tell: Telling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "LOCK_WAIT_S", 3600)
    alone = Alone(tmp_path)
    async with alone.journal, running(alone.daemon.run(), name="daemon"):
        alone.fleet.observe(*tell.events("all answer", "chips blackjack 1", "lock out"))
        await eventually(lambda: alone.locks[-2:] == [RELEASED, ENGAGED])
        await eventually(alone.fleet.observations.empty)

    assert alone.locks[-1] == ENGAGED


async def test_an_older_report_of_the_lock_is_not_taken_for_the_answer_to_a_newer_order(
    tmp_path: Path, tell: Telling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "LOCK_WAIT_S", 0.02)
    alone = Alone(tmp_path)
    waited = []

    async def nothing_more_comes() -> object:
        waited.append(True)
        return await asyncio.Event().wait()

    async with alone.journal, running(alone.daemon.run(), name="daemon"):
        await eventually(lambda: alone.daemon._locks._seen == {DeviceId("module-1"): True})
        alone.fleet.reporting = False
        alone.fleet.observe(*tell.events("all answer"))
        await eventually(lambda: alone.locks[-1:] == [RELEASED])
        monkeypatch.setattr(alone.fleet.observations, "get", nothing_more_comes)

    assert alone.locks[-1] == ENGAGED
    assert waited, "what was reported before the lock was released counts no more"


async def test_a_lock_whose_device_is_gone_is_not_taken_to_be_engaged(
    tmp_path: Path, tell: Telling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "LOCK_WAIT_S", 0.01)
    alone = Alone(tmp_path)
    async with alone.journal, running(alone.daemon.run(), name="daemon"):
        await eventually(lambda: alone.daemon._locks._seen == {DeviceId("module-1"): True})
        alone.fleet.observe(*tell.events("lost module-1"))
        await eventually(lambda: alone.daemon._locks._seen == {})

    assert alone.locks[-1] == ENGAGED


async def test_a_table_without_a_hardware_lock_stops_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "LOCK_WAIT_S", 3600)
    alone = Alone(tmp_path)
    alone.fleet._wired.clear()
    async with alone.journal, running(alone.daemon.run(), name="daemon"):
        await eventually(lambda: bool(alone.locks))


async def test_an_error_nobody_made_on_purpose_comes_out_whole(tmp_path: Path) -> None:
    class BrokenFleet(ObedientFleet):
        async def run(self) -> None:
            raise ZeroDivisionError("a fault of ours")

    alone = Alone(tmp_path)
    alone.daemon._fleet = BrokenFleet(demonstration().setup, alone.clock, [])
    async with alone.journal:
        with pytest.raises(ExceptionGroup) as raised:
            await alone.daemon.run()

    assert raised.group_contains(ZeroDivisionError)


# --- coming back ---------------------------------------------------------------------------------------


async def test_V15_T53_killed_between_lock_and_deal_the_table_comes_back_locked_with_the_same_wagers(
    tmp_path: Path, tell: Telling
) -> None:
    async with one_process(tmp_path) as table:
        await table.happen(
            *tell.events("all answer", "chips blackjack 1 2 3 4", "chips progressive 1 2 3 4", "lock out")
        )
        accepted, number = table.daemon.state.round.accepted, table.daemon.state.round.number
        [meter] = await table.meters.readings()
        assert str(meter.exact) == "50,003.0000"
        await table.stop_daemon()
        table.noted.clear()
        await table.start_daemon()
        await table.until_quiet()

        state = table.daemon.state
        assert (state.round.number, state.round.accepted) == (number, accepted)
        assert [wager.position for wager in accepted if wager.kind is KIND] == [1, 2, 3, 4]
        assert state.round.locked
        assert {command.engaged for command in table.published(SetLock)} == {True}
        await table.happen(*tell.events("all answer"))
        assert {command.engaged for command in table.published(SetLock)} == {True}
        assert await table.meters.readings() == (meter,), "nothing is contributed twice"
        assert table.published(SettlementEnvelope), "the round was offered again and answered"


async def test_T53_what_was_journalled_is_folded_and_nothing_performed_or_published_meanwhile(
    tmp_path: Path, tell: Telling
) -> None:
    async with one_process(tmp_path) as table:
        await table.happen(*tell.events("all answer", *WON_AT_ONCE))
        before = table.daemon.state
    alone = Alone(tmp_path)
    async with alone.journal:
        await alone.daemon.recover()

        events = [record.event for record in await alone.journal.read(Sequence(0))]
    assert alone.daemon.state == fold(events)
    assert alone.daemon.state.round == before.round
    assert alone.fleet.noted == []
    assert alone.bus.published == []


def fold(events: Iterable[TableEvent]) -> TableState:
    state = initial_state(demonstration().setup)
    for event in events:
        state = evolve(state, event)
    return state


async def test_a_journal_is_read_back_under_the_setup_it_was_written_under(tmp_path: Path, tell: Telling) -> None:
    async with one_process(tmp_path) as table:
        await table.happen(*tell.events("all answer", "chips blackjack 1"))
        before = table.daemon.state
    alone = Alone(tmp_path)
    setup = demonstration().setup
    alone.daemon._setup = replace(setup, wiring=setup.wiring[:2], deal_order=setup.deal_order[:3])
    async with alone.journal:
        await alone.daemon.recover()

    assert alone.daemon.state.areas == before.areas
    assert alone.daemon.state.setup == setup


async def test_a_new_journal_begins_with_the_start_and_its_setup(tmp_path: Path) -> None:
    async with one_process(tmp_path, worker=False) as table:
        await table.until_quiet()
        started, *others = table.journalled()

    assert isinstance(started, BridgeStarted)
    assert started.setup == demonstration().setup
    assert any(isinstance(event, GamingDayBegan) for event in others)
    assert (table.noted[1], table.noted[0]) == (ENGAGED, (started,)), "the lock is the first thing that is done"
    assert table.published(RoundEnvelope)
    assert table.published(TableEnvelope)


async def test_R49_a_locked_round_does_not_go_on_under_another_rules_submission(
    tmp_path: Path, tell: Telling
) -> None:
    async with one_process(tmp_path, worker=False) as table:
        await table.happen(*tell.events("all answer", "chips blackjack 1", "chips progressive 1", "lock out"))
    alone = Alone(tmp_path)
    alone.daemon._setup = replace(demonstration().setup, submission_digest="f" * 64)
    async with alone.journal:
        with pytest.raises(RoundUnderOtherRulesError, match="put the former document back") as refused:
            await alone.daemon.recover()

    assert demonstration().setup.submission_digest[:12] in str(refused.value)
    assert "ffffffffffff" in str(refused.value)


async def test_the_journal_of_another_table_is_not_gone_on_with(tmp_path: Path) -> None:
    async with one_process(tmp_path, worker=False) as table:
        await table.until_quiet()
    alone = Alone(tmp_path)
    alone.daemon._setup = replace(demonstration().setup, table=TableId("bj-2"))
    async with alone.journal:
        with pytest.raises(JournalOfAnotherTableError, match=r"the journal of table bj-demo, under .* bj-2"):
            await alone.daemon.recover()


async def test_R49_a_round_that_is_still_open_goes_on_under_what_is_filed_now(
    tmp_path: Path, tell: Telling
) -> None:
    async with one_process(tmp_path, worker=False) as table:
        await table.happen(*tell.events("all answer", "chips blackjack 1"))
    other = replace(demonstration(), setup=replace(demonstration().setup, submission_digest="f" * 64))
    async with one_process(tmp_path, other, worker=False) as table:
        await table.until_quiet()
        assert table.daemon.state.round.submission_digest == "f" * 64


# --- the controller ------------------------------------------------------------------------------------


def disabled(table: OneProcess) -> list[DisabledReason]:
    return [one.reason for one in table.daemon.state.disabled]


async def test_5319_54_a_clean_end_is_journalled_and_the_next_start_finds_nothing(
    tmp_path: Path, tell: Telling
) -> None:
    async with opened(tmp_path, tell, worker=False) as table:
        await table.stop_daemon()
        assert isinstance(table.journalled()[-1], BridgeStopped)
        table.software = RunningSoftware(boot_id="b2", digest="d" * 64)
        await table.start_daemon()
        await table.until_quiet()

        assert disabled(table) == []
        started = [event for event in table.journalled() if isinstance(event, BridgeStarted)][-1]
        assert (started.boot_id, started.software) == ("b2", "d" * 64)


@pytest.mark.parametrize(("boot_id", "found"), [("b1", []), ("b2", [DisabledReason.POWER_FAILURE])])
async def test_5319_54_an_unclean_end_is_a_power_failure_on_a_machine_that_was_started_anew(
    tmp_path: Path, tell: Telling, monkeypatch: pytest.MonkeyPatch, boot_id: str, found: list[DisabledReason]
) -> None:
    async with opened(tmp_path, tell, worker=False) as table:
        monkeypatch.setattr(loop, "BridgeStopped", lambda at: GamingDayBegan(at=at, day="2026-11-29"))
        await table.stop_daemon()
        monkeypatch.undo()
        table.software = RunningSoftware(boot_id=boot_id)
        await table.start_daemon()
        await table.until_quiet()

        assert disabled(table) == found
        assert table.published(TableEnvelope)[-1].view.disabled == table.daemon.state.disabled


async def test_1_39b_a_journal_that_failed_is_still_a_storage_failure_after_the_next_start(
    tmp_path: Path, tell: Telling, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path, tell, worker=False) as table:
        with pytest.raises(JournalError):
            await fail_to_append(table, tell, monkeypatch)
        monkeypatch.undo()
        for _ in range(2):
            await table.start_daemon()
            await table.until_quiet()
            assert disabled(table) == [DisabledReason.STORAGE_FAILURE]
            assert "No space left on device" in table.daemon.state.disabled[0].detail
            await table.stop_daemon()
        assert table.latch.found() is None, "the journal has it now"


async def fail_to_append(table: OneProcess, tell: Telling, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_batch: object) -> object:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(table.journal, "_commit", full)
    await fail_after(table, tell)


async def test_5321_18_b_2_a_state_that_is_not_the_fold_of_its_journal_is_a_ram_failure_after_the_next_start(
    tmp_path: Path, tell: Telling, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path, tell, worker=False) as table:
        monkeypatch.setattr(state_keeper, "KEEP_EVERY_RECORDS", 1)
        table.daemon.state = replace(table.daemon.state, gaming_day="2001-01-01")
        with pytest.raises(StateDiffersError, match="memory of this machine"):
            await fail_after(table, tell)
        monkeypatch.undo()
        await table.start_daemon()
        await table.until_quiet()

        assert disabled(table) == [DisabledReason.RAM_FAILURE]
        assert table.daemon.state.gaming_day == "2026-11-29", "the journal is not affected"


async def fail_after(table: OneProcess, tell: Telling) -> None:
    table.devices.observe(*tell.events("chips blackjack 1"))
    await table.until_daemon_ends()


async def test_5321_18_b_3_iv_what_the_self_check_found_disables_the_controller_before_anything_else(
    tmp_path: Path,
) -> None:
    table = OneProcess(demonstration(), tmp_path)
    table.software = RunningSoftware(boot_id="b1", fault="not as installed: bridge/cli.py (changed)")
    try:
        await table.start_daemon()
        await table.until_quiet()
        first = table.published(TableEnvelope)[0]

        assert [one.reason for one in table.published(TableEnvelope)[-1].view.disabled] == [
            DisabledReason.SELF_CHECK_ERROR
        ]
        assert [type(event) for event in table.journalled()[:2]] == [BridgeStarted, ControllerDisabled]
        assert isinstance(table.noted[0], tuple), "one commit, before anything is done or said"
        assert len(table.noted[0]) == 2
        assert first.view.locked
    finally:
        await table.stop_daemon()


async def test_5321_18_b_4_a_table_that_was_wired_anew_waits_for_a_parameter_holder(
    tmp_path: Path, tell: Telling
) -> None:
    async with opened(tmp_path, tell, worker=False):
        pass
    setup = demonstration().setup
    other = replace(demonstration(), setup=replace(setup, wiring=setup.wiring[::-1]))
    async with one_process(tmp_path, other, worker=False) as table:
        await table.happen(*tell.events("all answer"))
        assert disabled(table) == [DisabledReason.WRONG_CONFIGURATION]

        said = ControllerEnabled(reason=DisabledReason.WRONG_CONFIGURATION, why="a module was replaced")
        await table.say(said)
        assert disabled(table) == [DisabledReason.WRONG_CONFIGURATION], "a floorperson may not"
        await table.say(said, PersonId("param-1"))
        assert disabled(table) == []
        assert not table.daemon.state.round.locked


async def test_5321_18_c_a_rules_worker_that_is_not_there_for_too_long_is_a_lost_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "LINK_LOOK_S", 0.001)
    table = OneProcess(demonstration(), tmp_path)
    table.link_lost_after_s = 0
    try:
        await table.start_daemon()
        await eventually(lambda: disabled(table) == [DisabledReason.LOST_LINK])
        assert "the rules worker is not there" in table.daemon.state.disabled[0].detail

        worker_says(table, HealthEnvelope, service="rules-worker", online=True, detail="")
        await table.say(ControllerEnabled(reason=DisabledReason.LOST_LINK, why="it was started"))
        assert disabled(table) == []
    finally:
        await table.stop_daemon()


async def test_1_39b_what_the_rules_worker_says_of_its_meters_disables_the_controller_once(
    tmp_path: Path, tell: Telling
) -> None:
    async with opened(tmp_path, tell, worker=False) as table:
        for _ in range(2):
            worker_says(
                table,
                HealthEnvelope,
                service="rules-worker",
                online=False,
                detail="the meter store is damaged",
                failure=DisabledReason.STORAGE_FAILURE,
            )
            await table.until_quiet()

        found = [event for event in table.journalled() if isinstance(event, ControllerDisabled)]
        assert [(one.reason, one.detail) for one in found] == [
            (DisabledReason.STORAGE_FAILURE, "rules worker: the meter store is damaged")
        ]


async def test_605a_7_a_5_a_key_that_is_turned_at_the_table_signs_as_its_holder_would(
    tmp_path: Path, tell: Telling
) -> None:
    setup, switches = demonstration().setup, DeviceId("switches")
    key = KeySwitchInput(privilege=KeyPrivilege.FLOORPERSON, key=PersonId("floor-key-1"))
    wiring = (*setup.wiring, DeviceWiring(device=switches, inputs=((1, key),)))
    config = replace(demonstration(), setup=replace(setup, wiring=wiring))
    async with one_process(tmp_path, config, worker=False) as table:
        await table.happen(*tell.events("all answer", *WON_AT_ONCE))
        settled_as_it_stands(table)
        await table.until_quiet()
        turned = KeySwitchTurned(at=table.clock.wall(), device=switches, key=key.key)
        await table.happen(turned)

        (sign_off,) = table.daemon.state.round.sign_offs
        assert (sign_off.act, sign_off.by) == (PayoutAct.VALIDATED, "floor-key-1")
        assert [type(event) for event in table.journalled()[-2:]] == [KeySwitchTurned, PersonConfirmed]


# --- what others say -----------------------------------------------------------------------------------


async def test_a_settlement_is_journalled_when_it_says_something_new_and_only_then(
    tmp_path: Path, tell: Telling
) -> None:
    async with opened(tmp_path, tell) as table:
        await table.happen(*tell.events(*WON_AT_ONCE))
        for _ in range(3):
            settled_as_it_stands(table)
            await table.until_quiet()

        answers = [event for event in table.journalled() if isinstance(event, RoundSettled)]
        assert [([act.act for act in one.awaiting], one.side_wagers_settled) for one in answers] == [
            ([PayoutAct.VALIDATED], True)
        ]
        assert table.daemon.state.phase is Phase.PLAY


async def test_T54_an_answer_to_an_older_record_or_another_round_takes_nothing_back(
    tmp_path: Path, tell: Telling
) -> None:
    async with opened(tmp_path, tell) as table:
        await table.happen(*tell.events(*WON_AT_ONCE))
        settled_as_it_stands(table)
        await table.until_quiet()
        known = table.daemon.state
        worker_says(
            table,
            SettlementEnvelope,
            sequence=Sequence(table.published(RoundEnvelope)[0].sequence),
            settlement=Settlement(table=table.table, round_number=known.round.number),
            awards=(),
            complete=False,
        )
        worker_says(
            table,
            SettlementEnvelope,
            sequence=table.published(RoundEnvelope)[-1].sequence,
            settlement=Settlement(table=table.table, round_number=RoundNumber(known.round.number - 1)),
            awards=(),
            complete=True,
        )
        await table.until_quiet()

        assert table.daemon.state == known


async def test_T54_an_answer_to_a_record_that_was_never_offered_does_not_hide_the_real_one(
    tmp_path: Path, tell: Telling
) -> None:
    """As after a journal was put back from a copy: the queue may hold an answer to what is lost."""
    async with opened(tmp_path, tell) as table:
        await table.happen(*tell.events(*WON_AT_ONCE))
        settled_as_it_stands(table, sequence=99_999)
        await table.until_quiet()
        phases = [table.daemon.state.phase]

        settled_as_it_stands(table)
        await table.until_quiet()
        assert [*phases, table.daemon.state.phase] == [Phase.SIDE_WAGERS, Phase.PLAY]


async def test_an_older_answer_is_no_news_even_if_the_newest_was_none(tmp_path: Path, tell: Telling) -> None:
    """What is known already is not journalled, so the journal alone does not know how new it is."""
    async with opened(tmp_path, tell) as table:
        await table.happen(*tell.events(*WON_AT_ONCE))
        settled_as_it_stands(table)
        await table.until_quiet()
        older = table.published(RoundEnvelope)[-1].sequence
        number = table.daemon.state.round.number
        await table.say(PayoutSignedOff(round_number=number, position=BettingPosition(3), act=PayoutAct.VALIDATED))
        settled_as_it_stands(table)
        await table.until_quiet()
        await table.happen(*tell.events("cards Ts"))
        settled_as_it_stands(table)
        await table.until_quiet()
        known = table.daemon.state
        assert table.published(RoundEnvelope)[-1].sequence > known.settled.answers, "the newest was no news"
        worker_says(
            table,
            SettlementEnvelope,
            sequence=Sequence(table.published(RoundEnvelope)[-1].sequence - 1),
            settlement=Settlement(
                table=table.table,
                round_number=known.round.number,
                deferred=(DeferredWager(position=BettingPosition(3), kind=KIND),),
            ),
            awards=(),
            complete=False,
        )
        await table.until_quiet()

        assert older < known.settled.answers
        assert table.daemon.state == known


async def test_a_wish_for_a_lamp_is_journalled_only_if_it_changes_something(tmp_path: Path, tell: Telling) -> None:
    async with opened(tmp_path, tell) as table:
        number = table.daemon.state.round.number
        asks_for_lamp(table, ROYAL_3, LampState.OFF)
        asks_for_lamp(table, ROYAL_3, LampState.ON)
        asks_for_lamp(table, ROYAL_3, LampState.ON)
        asks_for_lamp(table, ROYAL_3, LampState.OFF, number=number - 1)
        asks_for_lamp(table, Indicator(BettingPosition(3), Lamp.WAGER_ACCEPTED), LampState.ON)
        await table.until_quiet()

        wishes = [event for event in table.journalled() if isinstance(event, IndicatorRequested)]
        assert [(wish.indicator, wish.state) for wish in wishes] == [(ROYAL_3, LampState.ON)]
        assert table.daemon.state.win_lamps == {ROYAL_3}
        assert table.published(SetIndicator) == [SetIndicator(indicator=ROYAL_3, state=LampState.ON)]


async def test_633b_18_h_3_a_confirmation_carries_the_role_that_the_table_gives_its_author(
    tmp_path: Path, tell: Telling
) -> None:
    async with opened(tmp_path, tell) as table:
        await table.happen(
            *tell.events("chips blackjack 1", "chips progressive 1", "lock out", "key count_differs")
        )
        resolved = CountResolved(round_number=table.daemon.state.round.number, reason="recounted")
        await table.say(resolved, by=PersonId("somebody"))
        checks = [table.daemon.state.round.count_check]
        assert table.daemon.state.irregularities[-1].kind is IrregularityKind.CONFIRMATION_REFUSED

        await table.say(resolved, by=FLOOR)
        assert [*checks, table.daemon.state.round.count_check] == [CountCheck.DIFFERED, CountCheck.RESOLVED]
        said = [(event.by, event.role) for event in table.journalled() if isinstance(event, PersonConfirmed)]
        assert said == [("somebody", PersonRole.NONE), (FLOOR, PersonRole.FLOORPERSON)]


async def test_a_message_is_acknowledged_only_after_it_was_journalled(tmp_path: Path, tell: Telling) -> None:
    table = OneProcess(demonstration(), tmp_path)
    await table.start_daemon()
    await table.happen(*tell.events("all answer"))
    table.journal.broken = True
    asks_for_lamp(table, ROYAL_3, LampState.ON)
    with pytest.raises(JournalError):
        await table.until_daemon_ends()

    await table.start_daemon()
    await table.until_quiet()
    assert table.daemon.state.win_lamps == {ROYAL_3}, "the broker has kept it"
    await table.stop_daemon()


# --- offering again ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("quick_offers")
async def test_T54_a_round_is_offered_again_as_it_was_until_it_is_answered(tmp_path: Path, tell: Telling) -> None:
    async with opened(tmp_path, tell) as table:
        await table.happen(*tell.events(*WON_AT_ONCE))
        await eventually(lambda: len(same_offers(table)) >= 4)
        assert len({(one.sequence, one.round) for one in same_offers(table)}) == 1

        asks_for_lamp(table, ROYAL_3, LampState.ON)
        settled_as_it_stands(table)
        await eventually(lambda: not table.daemon._offers.is_due(table.daemon.state))
        await table.until_quiet()
        offers = len(same_offers(table))
        await looked_at_again()
        assert len(same_offers(table)) == offers


@pytest.mark.usefixtures("quick_offers")
async def test_T54_a_round_is_offered_again_while_a_win_lamp_is_not_what_its_settlement_says(
    tmp_path: Path, tell: Telling
) -> None:
    """The settlement came, the command for the lamp was lost: nothing else would ever light it."""
    async with opened(tmp_path, tell) as table:
        await table.happen(*tell.events(*WON_AT_ONCE))
        settled_as_it_stands(table)
        await eventually(lambda: table.daemon.state.phase is Phase.PLAY)
        offers = len(same_offers(table))
        await eventually(lambda: len(same_offers(table)) >= offers + 2)


@pytest.mark.usefixtures("quick_offers")
async def test_a_round_that_owes_nothing_is_not_offered_again(tmp_path: Path, tell: Telling) -> None:
    async with opened(tmp_path, tell) as table:
        await table.happen(*tell.events("chips blackjack 1", "lock out", "cards Ks 9d Qs 8c"))
        offers = len(same_offers(table))
        await looked_at_again()
        assert len(same_offers(table)) == offers


def same_offers(table: OneProcess) -> list[RoundEnvelope]:
    offers = table.published(RoundEnvelope)
    return [offer for offer in offers if offer.sequence == offers[-1].sequence]


async def looked_at_again() -> None:
    """Wait until a daemon has come round to asking itself whether there is anything to offer, and has decided."""
    looks = 0

    def counted(state: TableState) -> bool:
        nonlocal looks
        looks += 1
        return has_wagers_to_settle(state)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(offers_module, "has_wagers_to_settle", counted)
        await eventually(lambda: looks >= 3)


# --- the calendar --------------------------------------------------------------------------------------


async def test_R49_the_gaming_day_is_told_at_the_start_and_when_the_date_changes(
    tmp_path: Path, tell: Telling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "CALENDAR_LOOK_S", 0.002)
    async with opened(tmp_path, tell, worker=False) as table:
        assert isinstance(table.clock, SetClock)
        first = table.daemon.state.gaming_day
        table.clock.set(NOON + DAY_US)
        await eventually(lambda: table.daemon.state.gaming_day != first)

        assert table.daemon.state.gaming_day == "2026-11-30"
        assert [event for event in table.journalled() if isinstance(event, GamingDayBegan)] != []


async def test_R49_a_restart_on_the_same_day_says_nothing_new(tmp_path: Path, tell: Telling) -> None:
    async with opened(tmp_path, tell, worker=False) as table:
        assert table.daemon.state.gaming_day == "2026-11-29"
        await table.stop_daemon()
        table.noted.clear()
        await table.start_daemon()
        await table.happen(*tell.events("all answer"))

        assert not [event for event in table.journalled() if isinstance(event, GamingDayBegan)]


# --- what is kept beside the journal -------------------------------------------------------------------


async def test_a_start_goes_on_from_the_state_that_was_kept(
    tmp_path: Path, tell: Telling, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(state_keeper, "KEEP_EVERY_RECORDS", 40)
    async with opened(tmp_path, tell) as table:
        for _ in range(12):
            await table.happen(*tell.events("chips blackjack 1 2", "take blackjack 1 2"))
        keeper = table.daemon._keeper
        await eventually(lambda: not keeper.is_due(table.daemon.state) and not keeper._keeping.locked())
        state = table.daemon.state
        await table.stop_daemon()
        caplog.clear()
        with caplog.at_level(logging.INFO):
            await table.start_daemon()
        await table.until_quiet()
        assert table.daemon.state.round.number == state.round.number
    assert "folded from record 1 on" not in caplog.text
    assert "journal read:" in caplog.text


async def test_T46_a_state_that_is_not_the_fold_ends_the_daemon_with_the_lock_engaged(
    tmp_path: Path, tell: Telling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_keeper, "KEEP_EVERY_RECORDS", 40)
    alone = Alone(tmp_path)

    async def a_bit_falls_over() -> None:
        alone.fleet.observe(*tell.events("all answer"))
        await eventually(lambda: RELEASED in alone.locks)
        alone.daemon.state = replace(alone.daemon.state, vigorish=((BettingPosition(1), Cents(1)),))
        alone.fleet.observe(*tell.events("chips blackjack 1", "take blackjack 1") * 20)

    async with alone.journal:
        with pytest.raises(StateDiffersError, match="the memory of this machine cannot be trusted"):
            await asyncio.gather(alone.daemon.run(), a_bit_falls_over())

    assert alone.locks[-1] == ENGAGED


async def test_a_new_gaming_day_begins_a_new_file_between_two_rounds(tmp_path: Path, tell: Telling) -> None:
    async with opened(tmp_path, tell) as table:
        await table.happen(*tell.events("chips blackjack 1", "lock out"))
        assert isinstance(table.clock, SetClock)
        table.clock.set(NOON + DAY_US)
        await table.daemon.take([GamingDayBegan(at=table.clock.wall(), day="2026-11-30")])
        assert finished_files(tmp_path / "journal") == []
        await table.happen(*tell.events("cards Ks 9d Qs 8c", "key hole_card_exposed", "key round_complete"))
        await table.happen(*tell.events("take blackjack 1"))
        assert [file.name[:10] for file in finished_files(tmp_path / "journal")] == ["2026-11-29"]
        state = table.daemon.state
        await table.stop_daemon()
        await table.start_daemon()
        assert table.daemon.state.round.number == state.round.number
    assert verify(tmp_path / "journal").broken is None
