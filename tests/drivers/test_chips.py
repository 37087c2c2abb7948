from dataclasses import replace

import pytest

from bridge.domain.chips import Chip, ChipKind, ChipRegister
from bridge.domain.events import ChipTrayRead, TableEvent, WagerAreaObserved, WagerPlaced, WagerRemoved
from bridge.domain.identity import DeviceId
from bridge.domain.money import Cents
from bridge.domain.setup import ChipTray, DeviceWiring, InputRole, LockOutButton, WagerSensor
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerAmount, WagerKind
from bridge.drivers.chips import chip_events
from bridge.wire.messages import ChipsRead, InputChanged
from tests.drivers.lines import AT, device

FIVE, QUARTER, MARKER, STRANGE = "E004010000000005", "E004010000000025", "E0040100000000AA", "E0040100000000FF"
REGISTER = ChipRegister(
    chips={
        FIVE: Chip(kind=ChipKind.VALUE, value=Cents(500)),
        QUARTER: Chip(kind=ChipKind.VALUE, value=Cents(2_500)),
        MARKER: Chip(kind=ChipKind.MARKER, value=Cents(0)),
    }
)
THREE = BettingPosition(3)
Events = tuple[TableEvent, ...]
AREA = WagerSensor(position=THREE, wager=WagerKind.BLACKJACK)
READER = DeviceId("reader")


def seen(
    role: InputRole, *uids: str, laid: str = "", lifted: str = "", antenna: int = 1
) -> tuple[TableEvent, ...]:
    wired = device(1, DeviceWiring(device=READER, inputs=((1, role),)))
    message = ChipsRead(
        address=1,
        antenna=antenna,
        uids=frozenset(uids),
        laid=frozenset(laid.split()),
        lifted=frozenset(lifted.split()),
    )
    return chip_events(message, replace(wired, register=REGISTER), AT)


def placed(amount: WagerAmount, *unknown: str) -> WagerPlaced:
    return WagerPlaced(
        at=AT, device=READER, position=THREE, wager=AREA.wager, amount=amount, unknown_chips=unknown
    )


def level(amount: WagerAmount, *unknown: str, covered: bool = True) -> WagerAreaObserved:
    return WagerAreaObserved(
        at=AT,
        device=READER,
        position=THREE,
        wager=AREA.wager,
        covered=covered,
        amount=amount,
        unknown_chips=unknown,
    )


def test_a_chip_that_is_laid_is_a_wager_with_the_amount_of_all_that_lies_there() -> None:
    assert seen(AREA, FIVE, laid=FIVE) == (placed(Cents(500)),)
    assert seen(AREA, FIVE, QUARTER, laid=QUARTER) == (placed(Cents(3_000)),)


def test_a_chip_in_no_register_is_named_and_makes_the_amount_unknown() -> None:
    assert seen(AREA, FIVE, STRANGE, laid=STRANGE) == (placed(UnknownAmount.UNKNOWN, STRANGE),)


def test_the_last_chip_that_is_taken_up_is_a_wager_removed() -> None:
    assert seen(AREA, lifted=FIVE) == (WagerRemoved(at=AT, device=READER, position=THREE, wager=AREA.wager),)
    assert seen(AREA, MARKER, lifted=FIVE) == seen(AREA, lifted=FIVE)


def test_T45_what_is_left_of_a_wager_and_what_is_found_are_levels_and_no_edges() -> None:
    assert seen(AREA, FIVE, lifted=QUARTER) == (level(Cents(500)),)
    assert seen(AREA, FIVE, STRANGE) == (level(UnknownAmount.UNKNOWN, STRANGE),)
    assert seen(AREA) == (level(Cents(0), covered=False),)


@pytest.mark.parametrize(("uids", "moved"), [((MARKER,), {"laid": MARKER}), ((FIVE,), {"lifted": MARKER})])
def test_a_marker_moves_no_wager(uids: tuple[str, ...], moved: dict[str, str]) -> None:
    assert seen(AREA, *uids, **moved) == ()  # type: ignore[arg-type]


def test_the_chip_tray_is_read_with_what_is_known_and_what_is_not() -> None:
    assert seen(ChipTray(), FIVE, QUARTER, MARKER, STRANGE, laid=FIVE) == (
        ChipTrayRead(at=AT, device=READER, value=Cents(3_000), chips=3, unknown_chips=(STRANGE,)),
    )


def test_other_antennas_roles_and_messages_say_nothing_of_chips() -> None:
    assert seen(AREA, FIVE, laid=FIVE, antenna=2) == ()
    assert seen(LockOutButton(), FIVE, laid=FIVE) == ()
    assert chip_events(InputChanged(address=1, channel=1, active=True), device(), AT) == ()
