"""How the hardware lock-out was last driven, and what its devices have said about it since."""

from bridge.domain.commands import SetLock
from bridge.domain.events import DeviceLost, LockReported
from bridge.domain.identity import DeviceId
from bridge.domain.setup import LockOutput
from bridge.drivers.device_life import Observation
from bridge.table.state import TableState, outputs_of


class LockWatch:
    """What each lock was last seen to be since it was last driven the other way."""

    def __init__(self) -> None:
        self._driven: SetLock | None = None
        self._seen: dict[DeviceId, bool] = {}

    def drive(self, command: SetLock) -> None:
        """Take note of how the lock is driven from now on."""
        if command != self._driven:
            self._driven = command
            self._seen.clear()

    def observe(self, observed: Observation) -> None:
        """Take note of what a lock's device says."""
        match observed:
            case LockReported():
                self._seen[observed.device] = observed.engaged
            case DeviceLost():
                self._seen.pop(observed.device, None)
            case _:
                pass

    def is_engaged(self, state: TableState) -> bool:
        """Return whether every lock that answers is seen engaged; all of them, if none answers."""
        wired = {wiring.device for wiring, role in outputs_of(state.setup) if isinstance(role, LockOutput)}
        return all(self._seen.get(device, False) for device in wired - state.lost or wired)
