"""``react``: what the table asks of the world because of an event. Pure; the daemon carries it out."""

from collections.abc import Iterator

from bridge.domain.commands import Command, PublishRound, PublishTable, SetIndicator, SetLock
from bridge.domain.events import BridgeStarted, DeviceReady, TableEvent
from bridge.domain.indicators import LampState
from bridge.table.acceptance import lamps_wanted, lock_wanted
from bridge.table.disclosure import disclose_round
from bridge.table.state import TableState
from bridge.table.view import view
from bridge.table.wiring import connected_lamps, lamps_of, lock_devices


def react(before: TableState, event: TableEvent, after: TableState) -> Iterator[Command]:
    """Yield the commands that an event asks for, the hardware lock before everything else (T43).

    Each is worked out when it is asked for: a lamp does not wait for what is shown of it.
    """
    yield from _lock(before, event, after)
    yield from _lamps(before, event, after)
    yield from _publications(before, event, after)


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


def _publications(before: TableState, event: TableEvent, after: TableState) -> Iterator[Command]:
    started = isinstance(event, BridgeStarted)
    if started or after.round != before.round:
        yield PublishRound(round=disclose_round(after.round))
    seen = view(after)
    if started or seen != view(before):
        yield PublishTable(view=seen)
