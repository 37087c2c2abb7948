"""The progressive controller as its table sees it: what disables it, what that closes, and who clears it."""

from collections.abc import Iterator
from dataclasses import replace

from bridge.domain.confirmations import ControllerEnabled
from bridge.domain.controller import MAY_ENABLE, Disabled, DisabledReason
from bridge.domain.events import BridgeStarted, ControllerDisabled
from bridge.domain.people import PersonRole
from bridge.domain.setup import TableSetup
from bridge.table.state import TableState


def disable(state: TableState, event: ControllerDisabled) -> TableState:
    """Fold in a reason; the first time that it was found stands."""
    if is_disabled_by(state, event.reason):
        return state
    found = Disabled(reason=event.reason, since=event.at, detail=event.detail)
    return replace(state, disabled=(*state.disabled, found))


def enable(state: TableState, said: ControllerEnabled) -> TableState | str:
    """Return the state without a reason, or why it is refused to clear it."""
    if not is_disabled_by(state, said.reason):
        return f"the controller is not disabled by a {words(said.reason)}"
    if not said.why.strip():
        return "it needs a reason: what was found, and what was done about it"
    return replace(state, disabled=tuple(one for one in state.disabled if one.reason is not said.reason))


def may_enable(setup: TableSetup, reason: DisabledReason) -> frozenset[PersonRole]:
    """Return who may clear a reason. A table without a meter needs no parameter holder."""
    may = {MAY_ENABLE[reason]}
    return frozenset(may if setup.has_progressive else {*may, PersonRole.FLOORPERSON})


def is_disabled_by(state: TableState, reason: DisabledReason) -> bool:
    """Return whether a reason disables the controller now."""
    return any(one.reason is reason for one in state.disabled)


def progressive_closed_by(state: TableState) -> tuple[str, ...]:
    """Return why no progressive wager is recognised, in words of a display; empty if one may be."""
    if not state.disabled or not state.setup.has_progressive:
        return ()
    return tuple(f"no progressive wagers: {words(one.reason)}" for one in state.disabled)


def found_at_start(before: TableState, started: BridgeStarted) -> Iterator[ControllerDisabled]:
    """Yield what a start shows of the time since the state before it was the newest.

    A process that was killed while its machine ran on has lost nothing. What is filed and configured may change
    only between rounds, and somebody has to accept it; the first start of a journal has nothing to compare with.
    """
    if before.sequence == 0:
        return
    if before.bridge.running and before.bridge.boot_id != started.boot_id:
        detail = "the machine was started anew, and this table had not been stopped before"
        yield ControllerDisabled(at=started.at, reason=DisabledReason.POWER_FAILURE, detail=detail)
    if changed := _changed(before.setup, started.setup):
        detail = f"not as at the last start: {', '.join(changed)}"
        yield ControllerDisabled(at=started.at, reason=DisabledReason.WRONG_CONFIGURATION, detail=detail)


def words(reason: DisabledReason) -> str:
    """Return a reason as people say it."""
    return reason.replace("_", " ")


def _changed(before: TableSetup, now: TableSetup) -> list[str]:
    """Return what differs between two setups, in words."""
    compared = {
        "the rules submission": (before.submission_digest, now.submission_digest),
        "the wagers offered": (before.offered, now.offered),
        "the layout": (
            (before.table, before.game, before.dealing, before.deal_order),
            (now.table, now.game, now.dealing, now.deal_order),
        ),
        "the dates of the rules submission": (before.window, now.window),
        "the wiring of the devices": (before.wiring, now.wiring),
        "the people": (before.people, now.people),
    }
    return [what for what, (one, other) in compared.items() if one != other]
