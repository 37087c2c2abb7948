"""``react``: what the table asks of the world because of an event. Pure; the daemon carries it out."""

from bridge.domain.commands import Command, PublishRound, PublishTable, SetIndicator, SetLock
from bridge.domain.events import BridgeStarted, DeviceReady, TableEvent
from bridge.domain.indicators import LampState
from bridge.table.acceptance import lamps_wanted, lock_wanted
from bridge.table.disclosure import disclose_round
from bridge.table.state import TableState
from bridge.table.view import view
from bridge.table.wiring import connected_lamps, lamps_of, lock_devices


def react(before: TableState, event: TableEvent, after: TableState) -> tuple[Command, ...]:
    """Return the commands that an event asks for, the hardware lock before everything else (T43)."""
    return (*_lock(before, event, after), *_lamps(before, event, after), *_publications(before, event, after))


def _lock(before: TableState, event: TableEvent, after: TableState) -> tuple[Command, ...]:
    """Drive the lock when it changes, and when its device answers, which may have forgotten it."""
    returned = isinstance(event, DeviceReady) and event.device in lock_devices(after.setup)
    if returned or isinstance(event, BridgeStarted) or lock_wanted(before) != lock_wanted(after):
        return (SetLock(engaged=lock_wanted(after)),)
    return ()


def _lamps(before: TableState, event: TableEvent, after: TableState) -> tuple[Command, ...]:
    """Drive the lamps that change, and every lamp of a device that answers, which may have forgotten them.

    At a start all of them are ordered with the lock: a device that writes its outputs together would put
    out the lamps of accepted wagers until it is found to answer.
    """
    was, is_ = lamps_wanted(before), lamps_wanted(after)
    changed = was ^ is_
    match event:
        case DeviceReady():
            changed |= lamps_of(after.setup, event.device)
        case BridgeStarted():
            changed |= frozenset(connected_lamps(after.setup))
        case _:
            pass
    return tuple(
        SetIndicator(indicator=indicator, state=LampState.ON if indicator in is_ else LampState.OFF)
        for indicator in sorted(changed)
    )


def _publications(before: TableState, event: TableEvent, after: TableState) -> tuple[Command, ...]:
    started = isinstance(event, BridgeStarted)
    commands: list[Command] = []
    public = disclose_round(after.round)
    if started or public != disclose_round(before.round):
        commands.append(PublishRound(round=public))
    seen = view(after)
    if started or seen != view(before):
        commands.append(PublishTable(view=seen))
    return tuple(commands)
