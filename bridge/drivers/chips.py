"""Readers of chips: wagering areas and the chip tray, by what the register says of each chip."""

from bridge.domain.chips import ChipCount
from bridge.domain.events import ChipTrayRead, TableEvent, WagerAreaObserved, WagerPlaced, WagerRemoved
from bridge.domain.identity import Timestamp
from bridge.domain.setup import ChipTray, WagerSensor
from bridge.drivers.line import LineDevice
from bridge.wire.messages import ChipsRead, WireMessage


def chip_events(message: WireMessage, device: LineDevice, at: Timestamp) -> tuple[TableEvent, ...]:
    """Return what an antenna shows at a wagering area or in the tray, with its amount as far as it is known."""
    if not isinstance(message, ChipsRead):
        return ()
    count = device.register.count(message.uids)
    events: list[TableEvent] = []
    for channel, role in device.wiring.inputs:
        if channel != message.antenna:
            continue
        match role:
            case WagerSensor():
                events += _wager(message, role, count, device, at)
            case ChipTray():
                tray = ChipTrayRead(
                    at=at,
                    device=device.device,
                    value=count.value,
                    chips=count.chips,
                    unknown_chips=count.unknown,
                )
                events.append(tray)
            case _:
                pass
    return tuple(events)


def _wager(
    message: ChipsRead, role: WagerSensor, count: ChipCount, device: LineDevice, at: Timestamp
) -> tuple[TableEvent, ...]:
    """Return an edge if a chip was seen being laid, or the last one was taken up; else the level (T45).

    A marker is no chip: laying one, or lifting it, is nothing that happens to a wager.
    """
    moved = message.laid | message.lifted
    if device.register.count(message.laid).chips:
        return (
            WagerPlaced(
                at=at,
                device=device.device,
                position=role.position,
                wager=role.wager,
                amount=count.amount,
                unknown_chips=count.unknown,
            ),
        )
    if moved and not device.register.count(moved).chips:
        return ()
    if moved and not count.chips:
        return (WagerRemoved(at=at, device=device.device, position=role.position, wager=role.wager),)
    return (
        WagerAreaObserved(
            at=at,
            device=device.device,
            position=role.position,
            wager=role.wager,
            covered=count.chips > 0,
            amount=count.amount,
            unknown_chips=count.unknown,
        ),
    )
