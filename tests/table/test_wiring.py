from dataclasses import replace

from bridge.domain.identity import DeviceId
from bridge.domain.indicators import Indicator, Lamp
from bridge.domain.setup import DeviceWiring, TableSetup
from bridge.table.wiring import connected_lamps, devices_of_areas, devices_that_close, lamps_of, lock_devices
from tests.table.tables import (
    BASE,
    BLACKJACK,
    KEYS,
    LOCK,
    POSITIONS,
    PROGRESSIVE,
    READER,
    SIDE,
    WIN_LAMPS,
    setup,
)

LAMPS = DeviceId("lamps")


def with_lamps_elsewhere() -> TableSetup:
    table = setup()
    (side,) = (wiring for wiring in table.wiring if wiring.device == SIDE)
    others = tuple(wiring for wiring in table.wiring if wiring.device != SIDE)
    lamps = DeviceWiring(device=LAMPS, outputs=side.outputs)
    return replace(table, wiring=(*others, replace(side, outputs=()), lamps))


def test_an_acknowledged_wager_needs_its_lamp_beside_its_sensor_and_another_needs_none() -> None:
    served_by = devices_of_areas(with_lamps_elsewhere())

    assert served_by[POSITIONS[0], PROGRESSIVE] == {SIDE, LAMPS}
    assert served_by[POSITIONS[0], BLACKJACK] == {BASE}


def test_T46_acceptance_needs_the_button_and_the_lock_each_once() -> None:
    table = setup()
    (lock,) = (wiring for wiring in table.wiring if wiring.device == LOCK)
    second = replace(lock, device=DeviceId("lock-2"), inputs=())

    assert devices_that_close(table) == (LOCK,)
    assert lock_devices(table) == (LOCK,)
    assert devices_that_close(replace(table, wiring=(second, *table.wiring))) == (LOCK, "lock-2")


def test_lamps_are_known_by_device_and_all_together_in_order() -> None:
    table = setup()

    assert lamps_of(table, SIDE) == {Indicator(position, Lamp.WAGER_ACCEPTED) for position in POSITIONS}
    assert lamps_of(table, READER) == lamps_of(table, DeviceId("of another table")) == frozenset()
    assert connected_lamps(table) == tuple(sorted(lamps_of(table, SIDE) | lamps_of(table, KEYS)))
    assert len(connected_lamps(table)) == len(POSITIONS) * (1 + len(WIN_LAMPS))


def test_setups_that_differ_only_in_wiring_are_kept_apart() -> None:
    assert hash(setup()) == hash(with_lamps_elsewhere())
    assert lamps_of(setup(), LAMPS) != lamps_of(with_lamps_elsewhere(), LAMPS)
