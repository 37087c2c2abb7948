"""What the devices of a table serve, by what is asked of them at every event.

A setup is written device by device. What that means for an area, a lamp or the lock follows from the setup
alone, so it is worked out once for each setup and remembered.
"""

from collections.abc import Mapping
from functools import lru_cache

from bridge.domain.identity import DeviceId
from bridge.domain.indicators import Indicator, Lamp
from bridge.domain.setup import CoinSlot, IndicatorOutput, LockOutButton, LockOutput, TableSetup, WagerSensor
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.table.state import inputs_of, outputs_of

_SETUPS_KEPT = 8
"""A process has one setup, or two around a restart; a replay of many days has a few more."""


@lru_cache(maxsize=_SETUPS_KEPT)
def devices_of_areas(setup: TableSetup) -> Mapping[tuple[BettingPosition, WagerKind], frozenset[DeviceId]]:
    """Return for each area with a sensor its sensor's device and, where it needs one, its acceptance lamp's."""
    found: dict[tuple[BettingPosition, WagerKind], set[DeviceId]] = {}
    for wiring, role in inputs_of(setup):
        if isinstance(role, WagerSensor | CoinSlot):
            found.setdefault((role.position, role.wager), set()).add(wiring.device)
    for (position, kind), devices in found.items():
        if setup.offer(kind).acknowledged:
            accepted = Indicator(position, Lamp.WAGER_ACCEPTED)
            devices |= {device for device, lamps in _lamps_of_devices(setup).items() if accepted in lamps}
    return {area: frozenset(devices) for area, devices in found.items()}


@lru_cache(maxsize=_SETUPS_KEPT)
def devices_that_close(setup: TableSetup) -> tuple[DeviceId, ...]:
    """Return the devices without which nothing may be accepted anywhere: button, then lock (T46)."""
    buttons = [wiring.device for wiring, role in inputs_of(setup) if isinstance(role, LockOutButton)]
    return tuple(dict.fromkeys([*buttons, *lock_devices(setup)]))


@lru_cache(maxsize=_SETUPS_KEPT)
def lock_devices(setup: TableSetup) -> tuple[DeviceId, ...]:
    """Return the devices with a lock output."""
    return tuple(
        dict.fromkeys(wiring.device for wiring, role in outputs_of(setup) if isinstance(role, LockOutput))
    )


def lamps_of(setup: TableSetup, device: DeviceId) -> frozenset[Indicator]:
    """Return the lamps of a device; none for one that has no lamp, or is not of this table."""
    return _lamps_of_devices(setup).get(device, frozenset())


@lru_cache(maxsize=_SETUPS_KEPT)
def _lamps_of_devices(setup: TableSetup) -> Mapping[DeviceId, frozenset[Indicator]]:
    return {
        wiring.device: frozenset(
            indicator
            for _, role in wiring.outputs
            if isinstance(role, IndicatorOutput)
            for indicator in role.indicators
        )
        for wiring in setup.wiring
    }


@lru_cache(maxsize=_SETUPS_KEPT)
def connected_lamps(setup: TableSetup) -> tuple[Indicator, ...]:
    """Return every lamp that is connected, sorted."""
    return tuple(sorted(frozenset().union(*_lamps_of_devices(setup).values())))
