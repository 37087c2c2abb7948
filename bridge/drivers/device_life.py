"""The life of one device: what state it is in, and who has been told so."""

from collections import Counter, deque

from bridge.domain.devices import DeviceState, DeviceStatus
from bridge.domain.events import DeviceLost, DeviceReady, TableEvent
from bridge.domain.identity import DeviceId, Timestamp
from bridge.drivers.line import LineDevice
from bridge.wire.messages import FaultCause

Observation = TableEvent | DeviceStatus
"""What a driver tells: facts for the table, and how its devices are doing."""

FAULTS_TOLD_EVERY_US = 1_000_000
"""A noisy line changes its counters with every frame; people need them once a second."""

DEGRADED_FAULTS = 10
"""So many discarded frames within ``DEGRADED_WITHIN_US`` are more than a knock on a plug."""
DEGRADED_WITHIN_US = 10_000_000

_WAITING = "waiting for its first answer"
_WITHOUT_PORT = frozenset({DeviceState.ABSENT, DeviceState.BLOCKED})
_ANSWERING = frozenset({DeviceState.READY, DeviceState.DEGRADED})


class DeviceLife:
    """One device, from the start of the bridge to its end. Every method returns what is to be told.

    ``DeviceLost`` is told once, until the device has answered again.
    """

    def __init__(self, device: LineDevice, port: str) -> None:
        self._device: DeviceId = device.device
        self._profile = device.unit.spec.profile
        self._port = port
        self._state = DeviceState.OPENING
        self._since = Timestamp(0)
        self._reason = ""
        self._faults: Counter[FaultCause] = Counter()
        self._answered_before = False
        self._lost_is_told = False
        self._faults_told_us: int | None = None
        self._faults_due_us: int | None = None
        self._recent_us: deque[int] = deque(maxlen=DEGRADED_FAULTS)
        """When the last frames were discarded."""

    @property
    def ready(self) -> bool:
        """Return whether the device answers."""
        return self._state in _ANSWERING

    @property
    def faults_due_us(self) -> int | None:
        """Return when ``due_faults`` has something to tell, in microseconds of the monotonic clock."""
        if self._state is DeviceState.DEGRADED:
            sound_us = self._recent_us[-1] + DEGRADED_WITHIN_US
            return sound_us if self._faults_due_us is None else min(self._faults_due_us, sound_us)
        return self._faults_due_us

    def opening(self, at: Timestamp) -> tuple[Observation, ...]:
        """Begin: the port is about to be opened for the first time."""
        self._since = at
        self._reason = "its port is being opened"
        return (self._status(),)

    def absent(self, reason: str, at: Timestamp, *, blocked: bool = False) -> tuple[Observation, ...]:
        """Take that the port cannot be opened, or is gone; ``blocked`` if it stays so until a person acts."""
        self._recent_us.clear()
        state = DeviceState.BLOCKED if blocked else DeviceState.ABSENT
        return (*self._lost(reason, at), *self._enter(state, reason, at))

    def probing(self, at: Timestamp) -> tuple[Observation, ...]:
        """Take that the port is open; a silent device stays silent until it answers."""
        if self._state is DeviceState.OPENING or self._state in _WITHOUT_PORT:
            return self._enter(DeviceState.PROBING, _WAITING, at)
        return ()

    def answering(self, at: Timestamp) -> tuple[DeviceReady, tuple[Observation, ...]]:
        """Take that the device answers; return the event, then what is to be told after its levels."""
        self._answered_before = True
        self._lost_is_told = False
        told = () if self._state is DeviceState.DEGRADED else self._enter(DeviceState.READY, "", at)
        return DeviceReady(at=at, device=self._device), told

    def silent(self, reason: str, at: Timestamp) -> tuple[Observation, ...]:
        """Take that the device does not answer, or refuses; without a port that is no news."""
        if self._state in _WITHOUT_PORT:
            return ()
        state = DeviceState.SILENT if self._answered_before else DeviceState.PROBING
        return (*self._lost(reason, at), *self._enter(state, reason, at))

    def count(self, cause: FaultCause, now_us: int) -> None:
        """Count a discarded frame; ``due_faults`` tells of it, at most once a second."""
        self._faults[cause] += 1
        self._recent_us.append(now_us)
        if self._faults_due_us is None:
            told_us = self._faults_told_us
            self._faults_due_us = now_us if told_us is None else max(now_us, told_us + FAULTS_TOLD_EVERY_US)

    def due_faults(self, now_us: int, at: Timestamp) -> tuple[Observation, ...]:
        """Return the status if its counters changed and it is time, or if the device got noisy, or sound again."""
        changed = self._judge_noise(now_us, at)
        if self._faults_due_us is None or now_us < self._faults_due_us:
            return changed
        self._faults_told_us = now_us
        self._faults_due_us = None
        return changed or (self._status(),)

    def _judge_noise(self, now_us: int, at: Timestamp) -> tuple[Observation, ...]:
        recent = self._recent_us
        if self._state is DeviceState.DEGRADED and now_us >= recent[-1] + DEGRADED_WITHIN_US:
            return self._enter(DeviceState.READY, "", at)
        noisy = len(recent) == DEGRADED_FAULTS and now_us - recent[0] <= DEGRADED_WITHIN_US
        if self._state is not DeviceState.READY or not noisy:
            return ()
        worst = self._faults.most_common(1)[0][0].value
        reason = f"much of what it says is discarded ({worst} above all); check cable, plugs and line settings"
        return self._enter(DeviceState.DEGRADED, reason, at)

    def _lost(self, reason: str, at: Timestamp) -> tuple[Observation, ...]:
        if self._lost_is_told:
            return ()
        self._lost_is_told = True
        return (DeviceLost(at=at, device=self._device, reason=reason),)

    def _enter(self, state: DeviceState, reason: str, at: Timestamp) -> tuple[Observation, ...]:
        if (state, reason) == (self._state, self._reason):
            return ()
        if state is not self._state:
            self._state, self._since = state, at
        self._reason = reason
        return (self._status(),)

    def _status(self) -> DeviceStatus:
        return DeviceStatus(
            device=self._device,
            profile=self._profile,
            port=self._port,
            state=self._state,
            since=self._since,
            reason=self._reason,
            faults=tuple((cause.value, self._faults[cause]) for cause in FaultCause if self._faults[cause]),
        )
