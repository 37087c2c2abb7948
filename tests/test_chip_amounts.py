"""Chips that name themselves at a whole table: from the antenna to the amounts of the round and the tray."""

import asyncio
from pathlib import Path

from bridge.contracts.envelopes import RoundEnvelope, TableEnvelope
from bridge.domain.identity import DeviceId
from bridge.domain.indicators import Lamp
from bridge.domain.setup import LockOutButton
from bridge.domain.table_view import IrregularityKind, TrayView, WagerAreaStatus
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerKind
from simulators.chips import Antenna, ChipSpot
from tests.patience import PATIENCE_S
from tests.tables_written import Draft
from tests.transports.ports import eventually
from tests.whole_table import Whole, whole

PROGRESSIVE, BLACKJACK = WagerKind.ROYAL_MATCH_PROGRESSIVE, WagerKind.BLACKJACK
FIVE, TEN, QUARTER = "E004010000000005", "E004010000000010", "E004010000000025"
STRANGE, MARKER = "E0040100000000FF", "E0040100000000AA"
REGISTER = "".join(
    f'[[chips]]\nkind = "value"\ncents = {cents}\nuids = ["{uid}"]\n'
    for uid, cents in ((FIVE, 500), (TEN, 1_000), (QUARTER, 2_500))
)


def table_with_antennas() -> Draft:
    """Antennas under both areas of position 2, and under the chip tray."""
    draft = Draft()
    draft.document["chip_register"] = "chips.toml"
    draft.others["chips.toml"] = f'{REGISTER}[[chips]]\nkind = "marker"\nuids = ["{MARKER}"]\n'
    areas = [*draft.take("inputs", wager="blackjack", position=2)]
    areas += draft.take("inputs", wager="royal_match_progressive", position=2)
    for address, (name, role) in enumerate(
        (("main", areas[0]), ("side", areas[1]), ("tray", {"role": "chip_tray"})), start=1
    ):
        draft.add(
            name,
            "feig_iso15693",
            line="antennas",
            address=address,
            inputs=[role],
            parameters={"poll_ms": 2, "gap_ms": 0},
        )
    return draft


def antenna(table: Whole, name: str) -> Antenna:
    spot = table.simulated.devices[DeviceId(name)]
    assert isinstance(spot, ChipSpot)
    return spot.antenna


def areas(table: Whole) -> dict[WagerKind, tuple[WagerAreaStatus, object]]:
    """Return what was published last of position 2."""
    views = [one.view for one in table.envelopes() if isinstance(one, TableEnvelope)]
    return {area.wager: (area.status, area.amount) for area in views[-1].areas if area.position == 2}


async def test_the_round_has_the_amounts_that_lay_there_at_lock_out_and_a_chip_too_late_changes_none(
    tmp_path: Path,
) -> None:
    async with whole(tmp_path, table_with_antennas().load(tmp_path)) as table, asyncio.timeout(PATIENCE_S):
        state = table.parts.daemon
        await eventually(lambda: not state.state.lost)
        await table.simulated.until(table.simulated.unlocked)
        antenna(table, "main").place(QUARTER)
        antenna(table, "side").place(FIVE, MARKER)
        await table.simulated.until(lambda: table.simulated.lit(Lamp.WAGER_ACCEPTED) == {2})
        antenna(table, "main").place(TEN)
        await eventually(lambda: areas(table)[BLACKJACK] == (WagerAreaStatus.PLACED, 3_500))
        async with table.simulated.held(LockOutButton()):
            await table.simulated.until(table.simulated.locked)
        antenna(table, "side").lift(FIVE)
        antenna(table, "side").place(TEN)
        await eventually(lambda: bool(state.state.irregularities))

        (played,) = {
            one.round.number: one.round for one in table.envelopes() if isinstance(one, RoundEnvelope)
        }.values()
        assert [(one.kind, one.amount) for one in played.accepted] == [(BLACKJACK, 3_500), (PROGRESSIVE, 500)]
        assert [one.kind for one in state.state.irregularities] == [IrregularityKind.LATE_WAGER]
        (reading,) = await table.parts.meters.readings()
        assert str(reading.exact) == "50,000.7500"


async def test_T21_another_amount_and_a_strange_chip_are_not_acknowledged_and_never_money(tmp_path: Path) -> None:
    async with whole(tmp_path, table_with_antennas().load(tmp_path)) as table, asyncio.timeout(PATIENCE_S):
        state = table.parts.daemon
        await eventually(lambda: not state.state.lost)
        await table.simulated.until(table.simulated.unlocked)
        antenna(table, "main").place(QUARTER, STRANGE)
        await eventually(lambda: areas(table)[BLACKJACK] == (WagerAreaStatus.PLACED, UnknownAmount.UNKNOWN))
        antenna(table, "side").place(TEN)
        await eventually(lambda: areas(table)[PROGRESSIVE] == (WagerAreaStatus.NOT_RECOGNISED, 1_000))
        assert table.simulated.lit(Lamp.WAGER_ACCEPTED) == frozenset()
        async with table.simulated.held(LockOutButton()):
            await table.simulated.until(table.simulated.locked)
        accepted = [(one.position, one.kind, one.amount) for one in state.state.round.accepted]
        assert accepted == [(BettingPosition(2), BLACKJACK, UnknownAmount.UNKNOWN)]
        assert [one.kind for one in state.state.irregularities] == [
            IrregularityKind.CHIP_UNKNOWN,
            IrregularityKind.WAGER_AMOUNT_DIFFERS,
        ]


async def test_T45_chips_that_lie_there_when_their_reader_is_found_are_not_acknowledged_by_themselves(
    tmp_path: Path,
) -> None:
    async with whole(tmp_path, table_with_antennas().load(tmp_path)) as table, asyncio.timeout(PATIENCE_S):
        state = table.parts.daemon
        await eventually(lambda: not state.state.lost)
        await table.simulated.until(table.simulated.unlocked)
        antenna(table, "main").place(QUARTER)
        await eventually(lambda: areas(table)[BLACKJACK] == (WagerAreaStatus.PLACED, 2_500))
        table.ports["antennas"].unplug()
        await eventually(lambda: {"main", "side"} <= state.state.lost)
        antenna(table, "side").place(FIVE)
        table.ports["antennas"].plug_in()
        await eventually(lambda: areas(table)[PROGRESSIVE] == (WagerAreaStatus.NOT_RECOGNISED, 500))
        assert areas(table)[BLACKJACK] == (WagerAreaStatus.PLACED, 2_500), "nobody took it up"
        assert table.simulated.lit(Lamp.WAGER_ACCEPTED) == frozenset()


async def test_R39_the_tray_is_read_and_published(tmp_path: Path) -> None:
    async with whole(tmp_path, table_with_antennas().load(tmp_path)) as table, asyncio.timeout(PATIENCE_S):
        antenna(table, "tray").place(FIVE, TEN, MARKER, STRANGE)
        expected = TrayView(device=DeviceId("tray"), value=1_500, chips=3, unknown_chips=(STRANGE,))  # type: ignore[arg-type]
        await eventually(
            lambda: any(
                one.view.trays == (expected,) for one in table.envelopes() if isinstance(one, TableEnvelope)
            )
        )
