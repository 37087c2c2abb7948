"""What is laid, taken up or dropped: chips in wagering areas, coins in acceptors, chips in a tray."""

from dataclasses import replace

from bridge.domain.events import ChipTrayRead, WagerAreaObserved, WagerPlaced, WagerRemoved
from bridge.domain.identity import Timestamp
from bridge.domain.money import Cents
from bridge.domain.table_view import IrregularityKind, TrayView
from bridge.domain.wagers import UnknownAmount
from bridge.table.acceptance import area_is_served, is_open_to, owe_coin
from bridge.table.state import Area, TableState, cards_of, change_area, record


def place(state: TableState, event: WagerPlaced) -> TableState:
    """Fold in a chip that was laid down, or a coin; a place the layout does not have means nothing."""
    areas = [area for area in state.areas if (area.position, area.wager) == (event.position, event.wager)]
    if not areas:
        return state
    if event.taken:
        return _take_coin(state, areas[0], event)
    state = _tell_unknown(state, areas[0], event)
    fresh = False
    if state.round.locked:
        state = _record_late(state, event)
    else:
        fresh = _is_recognised_now(state, event)
    return change_area(
        state,
        event.position,
        event.wager,
        lambda a: replace(a, covered=True, fresh=fresh, amount=event.amount, unknown_chips=event.unknown_chips),
    )


def remove(state: TableState, event: WagerRemoved) -> TableState:
    """Fold in that an area is empty: a withdrawal before lock-out, the dealer collecting after it (T44)."""
    return change_area(state, event.position, event.wager, Area.emptied)


def observe(state: TableState, event: WagerAreaObserved) -> TableState:
    """Fold in what lies in an area without that it was seen being laid: it is as fresh as it was (T45)."""
    for area in state.areas:
        if (area.position, area.wager) == (event.position, event.wager):
            state = _tell_unknown(state, area, event)
    return change_area(
        state,
        event.position,
        event.wager,
        lambda a: replace(
            a,
            covered=event.covered,
            fresh=a.fresh and event.covered,
            amount=event.amount if event.covered else UnknownAmount.UNKNOWN,
            unknown_chips=event.unknown_chips,
        ),
    )


def read_tray(state: TableState, event: ChipTrayRead) -> TableState:
    """Fold in what lies in a chip tray. It decides nothing; an award never comes from it (R39)."""
    others = tuple(tray for tray in state.trays if tray.device != event.device)
    known = {uid for tray in state.trays if tray.device == event.device for uid in tray.unknown_chips}
    if new := [uid for uid in event.unknown_chips if uid not in known]:
        state = _record_unknown(state, new, f"the chip tray {event.device}", event.at)
    tray = TrayView(device=event.device, value=event.value, chips=event.chips, unknown_chips=event.unknown_chips)
    return replace(state, trays=tuple(sorted((*others, tray), key=lambda one: one.device)))


def _take_coin(state: TableState, area: Area, event: WagerPlaced) -> TableState:
    """Fold in a coin. It is gone, so it is the wager of the round, or owed to whoever dropped it."""
    filed = state.setup.offer(event.wager).amount
    second = bool(area.taken) and not isinstance(filed, UnknownAmount)
    if state.round.locked:
        state = _record_late(state, event)
    elif not second and _is_recognised_now(state, event):
        taken = Cents(area.taken + event.taken)
        return change_area(
            state,
            event.position,
            event.wager,
            lambda a: replace(a, covered=True, fresh=True, amount=taken, taken=taken),
        )
    return owe_coin(state, event.position, event.taken, event.at)


def _is_recognised_now(state: TableState, event: WagerPlaced) -> bool:
    return is_open_to(state, event.wager) and area_is_served(state, event.position, event.wager)


def _record_late(state: TableState, event: WagerPlaced) -> TableState:
    """Record a wager after lock-out; once cards are out, chips beside a Blackjack wager are doubles and splits."""
    if not state.setup.offer(event.wager).acknowledged and cards_of(state.round) and not event.taken:
        return state
    detail = f"{event.wager} at position {event.position} after lock-out: not accepted"
    return record(state, IrregularityKind.LATE_WAGER, event.at, detail)


def _tell_unknown(state: TableState, area: Area, event: WagerPlaced | WagerAreaObserved) -> TableState:
    """Record chips that are in no register, once for as long as they lie there."""
    new = [uid for uid in event.unknown_chips if uid not in area.unknown_chips]
    if not new:
        return state
    return _record_unknown(state, new, f"{event.wager} at position {event.position}", event.at)


def _record_unknown(state: TableState, uids: list[str], where: str, at: Timestamp) -> TableState:
    chips = f"chip {uids[0]} is" if len(uids) == 1 else f"{len(uids)} chips are"
    detail = f"{where}: {chips} in no register, so what lies there is not known"
    return record(state, IrregularityKind.CHIP_UNKNOWN, at, detail)
