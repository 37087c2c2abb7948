"""A meter sign at a whole table: from the postings of the rules worker to what people read (§ 605a.7(a)(1))."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bridge.daemon import meter_watch
from bridge.daemon.meter_watch import CLOSED, UNAVAILABLE
from bridge.domain.identity import DeviceId
from simulators.alpha_sign import MeterSign
from simulators.scenario_file import load_scenario
from simulators.scenario_keys import SCENARIOS
from tests.patience import PATIENCE_S
from tests.tables_written import Draft
from tests.transports.ports import eventually
from tests.whole_table import Whole, whole

QUICK_SIGN = {"stx_pause_ms": 0, "packet_gap_ms": 0, "memory_pause_ms": 0}
HIT = "CROWN TREASURE $50,001.50 POSITION 4"


@asynccontextmanager
async def signed(folder: Path) -> AsyncIterator[tuple[Whole, MeterSign]]:
    """A table with a sign, whose meter has been heard of."""
    draft = Draft()
    draft.add("sign", "alpha_sign", address=0, meter_sign="royal-match-demo", parameters=QUICK_SIGN)
    async with whole(folder, draft.load(folder)) as table, asyncio.timeout(PATIENCE_S):
        sign = table.simulated.signs[DeviceId("sign")]
        await sign.until_shown(lambda text: text == UNAVAILABLE)
        remind(table)
        await sign.until_shown(lambda text: text == "PROGRESSIVE $50,000.00")
        yield table, sign


def remind(table: Whole) -> None:
    """Let the rules worker say its meters again, as its bus does every ten seconds."""
    table.parts._buses["rules-worker"].remind()


async def test_605a_7_a_1_the_meter_goes_up_with_the_wagers_and_a_hit_stands_before_it_until_the_reset(
    tmp_path: Path,
) -> None:
    script = load_scenario(SCENARIOS / "crown_treasure.toml").rounds[0]
    async with signed(tmp_path) as (table, sign):
        shown: list[str] = []

        async def watch() -> None:
            while True:
                shown.append(await sign.until_shown(lambda text: text != (shown[-1] if shown else "")))

        watching = asyncio.create_task(watch())
        await table.people.play(script)
        (reading,) = await table.parts.meters.readings()
        await sign.until_shown(lambda text: text == f"PROGRESSIVE ${reading.exact.floor_to_cents() / 100:,.2f}")
        watching.cancel()

    won = next(text for text in shown if text.startswith("CROWN"))
    assert won.startswith("CROWN TREASURE $50,0")
    assert "POSITION" in won
    first, last = shown.index(won), len(shown) - 1 - shown[::-1].index(won)
    assert set(shown[first : last + 1]) == {won}, "before everything else until the award is over"
    assert shown[-1].startswith("PROGRESSIVE $50,000.")


async def test_T52_a_rejected_claim_comes_down_and_the_meter_is_what_it_was(tmp_path: Path) -> None:
    rejected, _ = load_scenario(SCENARIOS / "rejected_claim.toml").rounds
    async with signed(tmp_path) as (table, sign):
        put_up = asyncio.create_task(sign.until_shown(lambda text: text.startswith("CROWN TREASURE")))
        await table.people.play(rejected)
        assert put_up.done()
        assert put_up.result() == HIT
        await sign.until_shown(lambda text: text == "PROGRESSIVE $50,001.50")


async def test_T54_a_worker_that_is_not_heard_makes_the_sign_say_so_and_not_show_what_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with signed(tmp_path) as (table, sign):
        monkeypatch.setattr(meter_watch, "READING_OLD_AFTER_S", 0)
        await sign.until_shown(lambda text: text == UNAVAILABLE)
        monkeypatch.undo()
        remind(table)
        await sign.until_shown(lambda text: text == "PROGRESSIVE $50,000.00")


async def test_T54_a_daemon_that_stops_leaves_no_amount_behind(tmp_path: Path) -> None:
    async with signed(tmp_path) as (table, sign):
        await table.parts.stop_daemon()
        assert sign.shown == UNAVAILABLE


async def test_1_39B_g_a_disabled_controller_is_said_on_the_sign(tmp_path: Path) -> None:
    async with signed(tmp_path) as (table, sign):
        await table.parts.stop_daemon()
        table.parts.software = type(table.parts.software)(fault="a file differs", boot_id="b1")
        await table.parts.start_daemon()
        await eventually(lambda: not table.parts.daemon.state.lost)
        remind(table)
        await sign.until_shown(lambda text: text == CLOSED)


async def test_605a_7_a_1_a_sign_that_is_exchanged_in_mid_round_shows_all_of_it_again(tmp_path: Path) -> None:
    async with signed(tmp_path) as (table, sign):
        port = table.ports["sign"]
        port.unplug()
        await eventually(lambda: DeviceId("sign") in table.parts.daemon.state.lost)
        sign.lose_memory()
        port.plug_in()
        await sign.until_shown(lambda text: text == "PROGRESSIVE $50,000.00")
        await eventually(lambda: not table.parts.daemon.state.lost)


async def test_a_lost_sign_is_a_repair_and_closes_no_wager(tmp_path: Path) -> None:
    async with signed(tmp_path) as (table, _):
        table.ports["sign"].unplug()
        await eventually(lambda: DeviceId("sign") in table.parts.daemon.state.lost)
        assert table.simulated.unlocked()
