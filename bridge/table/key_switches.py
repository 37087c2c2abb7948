"""What a key switch says when it is turned: the same words as its holder could say by ``table-bridge confirm``."""

from bridge.domain.awards import PayoutAct
from bridge.domain.confirmations import Confirmation, ControllerEnabled, PayoutSignedOff
from bridge.domain.controller import DisabledReason
from bridge.domain.events import KeySwitchTurned, PersonConfirmed
from bridge.domain.people import KeyPrivilege
from bridge.domain.setup import KeySwitchInput, TableSetup
from bridge.domain.table_view import IrregularityKind
from bridge.domain.wagers import BettingPosition
from bridge.table.controller import is_disabled_by
from bridge.table.payouts import positions_awaiting
from bridge.table.state import TableState, inputs_of, record


def turn_key(state: TableState, event: KeySwitchTurned) -> TableState:
    """Fold in that a key was turned; what it says comes as an event of its own, and saying nothing is recorded."""
    if said_by_key(state, event):
        return state
    return record(state, IrregularityKind.KEY_OUT_OF_TURN, event.at, f"{event.key}: nothing waits for this key")


def said_by_key(state: TableState, event: KeySwitchTurned) -> tuple[PersonConfirmed, ...]:
    """Return what a turned key confirms, in the name of the key.

    The reset key resets the meter, whoever shared its award; a floorperson's key validates one payout a turn.
    """
    privilege = _privileges(state.setup).get(event.key)
    said: list[Confirmation] = []
    match privilege:
        case KeyPrivilege.RESET:
            said = [
                _signed(state, position, PayoutAct.RESET)
                for position in positions_awaiting(state, PayoutAct.RESET)
            ]
        case KeyPrivilege.FLOORPERSON:
            waiting = positions_awaiting(state, PayoutAct.VALIDATED)
            said = [_signed(state, position, PayoutAct.VALIDATED) for position in waiting[:1]]
        case KeyPrivilege.PARAMETER if is_disabled_by(state, DisabledReason.WRONG_CONFIGURATION):
            said = [
                ControllerEnabled(
                    reason=DisabledReason.WRONG_CONFIGURATION, why="accepted with the parameter key at the table"
                )
            ]
        case _:
            pass
    return tuple(
        PersonConfirmed(at=event.at, by=event.key, role=privilege.role, confirmation=confirmation)
        for confirmation in said
        if privilege is not None
    )


def _signed(state: TableState, position: BettingPosition, act: PayoutAct) -> PayoutSignedOff:
    return PayoutSignedOff(round_number=state.round.number, position=position, act=act)


def _privileges(setup: TableSetup) -> dict[str, KeyPrivilege]:
    return {role.key: role.privilege for _, role in inputs_of(setup) if isinstance(role, KeySwitchInput)}
