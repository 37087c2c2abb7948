"""What went wrong at a table, newest first, and what to do about it; and how its devices are."""

from dataclasses import dataclass

from bridge.dashboard import table_words as say
from bridge.dashboard.felt_positions import LampLook, lamp_look
from bridge.dashboard.seen import Seen
from bridge.domain.devices import DeviceState, DeviceStatus
from bridge.domain.identity import DeviceId
from bridge.domain.names import plain
from bridge.domain.table_view import IrregularityKind, TableView, Task, WagerAreaStatus

_ANSWERED_BY = {
    IrregularityKind.COUNT_DIFFERED: Task.RESOLVE_COUNT,
    IrregularityKind.CARD_UNREAD: Task.IDENTIFY_CARD,
    IrregularityKind.CARD_NOT_DUE: Task.RESOLVE_HANDS,
    IrregularityKind.CARD_MISSING: Task.RESOLVE_HANDS,
    IrregularityKind.DEVICE_LOST: Task.REPAIR_DEVICE,
    IrregularityKind.VIGORISH_OPEN: Task.COLLECT_VIGORISH,
    IrregularityKind.COIN_NOT_A_WAGER: Task.RETURN_COINS,
}
"""What somebody still has to do, as long as such an irregularity is open."""


_WHILE_REFUSED = frozenset(
    {
        IrregularityKind.LATE_WAGER,
        IrregularityKind.WAGER_WITHOUT_REQUIRED_WAGER,
        IrregularityKind.WAGER_WHILE_DISABLED,
        IrregularityKind.WAGER_AMOUNT_DIFFERS,
    }
)
"""Open as long as a chip lies where it does not count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownIrregularity:
    """Something that should not have happened."""

    number: int
    """Its place in the round, from 1."""
    text: str
    advice: str
    open: bool
    """Whether somebody still has to answer it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownDevice:
    """One device of the table."""

    name: str
    ready: bool
    state: str
    remedy: str
    """Why it is not ready, and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownDevices:
    """How the devices are: those that are not ready first."""

    ready: int
    devices: tuple[ShownDevice, ...]


def shown_irregularities(now: Seen) -> tuple[ShownIrregularity, ...]:
    """Return what went wrong in the round, those that want an answer before the others, the newest first."""
    shown = [
        ShownIrregularity(
            number=number, text=plain(one.detail), advice=say.ADVICE[one.kind], open=_is_open(one.kind, now.view)
        )
        for number, one in enumerate(now.view.irregularities, 1)
    ]
    return tuple(sorted(shown, key=lambda one: (not one.open, -one.number)))


def shown_devices(now: Seen, known: dict[DeviceId, DeviceStatus]) -> ShownDevices:
    """Return every device of the configuration, with what it says of itself."""
    shown = [_device(wiring.device, known.get(wiring.device)) for wiring in now.setup.wiring]
    ordered = sorted(shown, key=lambda one: (one.ready, one.name))
    return ShownDevices(ready=sum(one.ready for one in shown), devices=tuple(ordered))


def _is_open(kind: IrregularityKind, view: TableView) -> bool:
    if kind in _WHILE_REFUSED:
        return any(area.status is WagerAreaStatus.NOT_RECOGNISED for area in view.areas)
    if kind is IrregularityKind.LAMP_FAILED:
        return any(lamp_look(lamp) in (LampLook.NOT_LIT, LampLook.NOT_DARK) for lamp in view.lamps)
    return kind in _ANSWERED_BY and _ANSWERED_BY[kind] in {one.task for one in view.tasks}


def _device(device: DeviceId, status: DeviceStatus | None) -> ShownDevice:
    if status is None:
        return ShownDevice(name=device, ready=False, state=say.NOTHING_HEARD, remedy="")
    return ShownDevice(
        name=device,
        ready=status.state in {DeviceState.READY, DeviceState.DEGRADED},
        state=say.DEVICE_STATES[status.state],
        remedy=status.reason,
    )
