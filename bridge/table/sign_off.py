"""What people confirm, with identity and time (T50)."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from bridge.domain.awards import MAY
from bridge.domain.cards import UnseenCard
from bridge.domain.confirmations import (
    AmountDeclared,
    CardIdentified,
    CoinsReturned,
    Confirmation,
    ControllerEnabled,
    CountResolved,
    MeterAdjusted,
    OwnerDeclared,
    PayoutSignedOff,
    ResultOverridden,
    RoundVoided,
    VigorishCollected,
)
from bridge.domain.events import PersonConfirmed
from bridge.domain.meters import MAY_ADJUST
from bridge.domain.people import PersonRole
from bridge.domain.rounds import CountCheck, Ownership
from bridge.domain.setup import TableSetup
from bridge.domain.table_view import IrregularityKind, Phase
from bridge.domain.wagers import UnknownAmount, Wager
from bridge.table.controller import enable, may_enable
from bridge.table.overrides import override
from bridge.table.payouts import sign_off
from bridge.table.phases import Trigger
from bridge.table.state import TableState, cards_of, follow, record

_OfRound = (
    RoundVoided
    | AmountDeclared
    | VigorishCollected
    | CoinsReturned
    | CountResolved
    | CardIdentified
    | PayoutSignedOff
    | ResultOverridden
    | OwnerDeclared
)
_FLOORPERSON = frozenset({PersonRole.FLOORPERSON})
_DEALER_TOO = frozenset({PersonRole.FLOORPERSON, PersonRole.DEALER})


MAY_CONFIRM: Final[Mapping[type[Confirmation], frozenset[PersonRole]]] = MappingProxyType(
    {
        RoundVoided: _FLOORPERSON,
        AmountDeclared: _DEALER_TOO,
        VigorishCollected: _DEALER_TOO,
        CoinsReturned: _FLOORPERSON,
        CountResolved: _FLOORPERSON,
        CardIdentified: _FLOORPERSON,
        ResultOverridden: _FLOORPERSON,
        OwnerDeclared: _FLOORPERSON,
        MeterAdjusted: MAY_ADJUST,
    }
)
"""Who may confirm what, where it does not matter what is said. What dealers count anyway, they may."""


def confirm(state: TableState, event: PersonConfirmed) -> TableState:
    """Fold in a confirmation; refuse it on the record if its author may not, or it does not apply."""
    confirmation = event.confirmation
    if event.role not in (may := may_confirm(state.setup, confirmation)):
        who = " or ".join(f"a {role.replace('_', ' ')}" for role in sorted(may))
        return _refuse(state, event, f"only {who} may confirm this")
    if isinstance(confirmation, MeterAdjusted):
        return state  # the rules worker's to do, and to answer
    if isinstance(confirmation, ControllerEnabled):
        return _or_refuse(enable(state, confirmation), state, event)
    if confirmation.round_number != state.round.number:
        return _refuse(
            state, event, f"it speaks of round {confirmation.round_number}, not of the one on the table"
        )
    return _or_refuse(_apply(state, event, confirmation), state, event)


def _or_refuse(confirmed: TableState | str | None, state: TableState, event: PersonConfirmed) -> TableState:
    if isinstance(confirmed, TableState):
        return confirmed
    return _refuse(state, event, confirmed or "nothing on the table asks for it")


def may_confirm(setup: TableSetup, confirmation: Confirmation) -> frozenset[PersonRole]:
    """Return who may confirm this at a table."""
    match confirmation:
        case ControllerEnabled():
            return may_enable(setup, confirmation.reason)
        case PayoutSignedOff():
            return MAY[confirmation.act]
        case _:
            return MAY_CONFIRM.get(type(confirmation), _FLOORPERSON)


def _apply(state: TableState, event: PersonConfirmed, confirmation: _OfRound) -> TableState | str | None:
    """Return the state with the confirmation in it, or why it is refused, None if nothing asks for it."""
    round_ = state.round
    match confirmation:
        case RoundVoided():
            if round_.voided:
                return state
            if not round_.locked:
                return None
            return follow(replace(state, round=replace(round_, voided=True)), Trigger.ROUND_VOIDED)
        case AmountDeclared():
            return _declare_amount(state, confirmation)
        case VigorishCollected():
            owed = tuple(entry for entry in state.vigorish if entry[0] != confirmation.position)
            return None if owed == state.vigorish else replace(state, vigorish=owed)
        case CoinsReturned():
            returned = (confirmation.position, confirmation.amount)
            still = tuple(entry for entry in state.coins_owed if entry != returned)
            return None if still == state.coins_owed else replace(state, coins_owed=still)
        case CountResolved():
            if round_.count_check is CountCheck.RESOLVED:
                return state
            if round_.count_check is not CountCheck.DIFFERED:
                return None
            state = replace(state, round=replace(round_, count_check=CountCheck.RESOLVED))
            return follow(state, Trigger.COUNT_RESOLVED) if state.phase is Phase.COUNT_DIFFERS else state
        case CardIdentified():
            return _identify(state, confirmation)
        case PayoutSignedOff():
            return sign_off(state, event, confirmation)
        case ResultOverridden():
            return override(state, event, confirmation)
        case OwnerDeclared():
            if confirmation.position not in state.setup.deal_order:
                return None
            if round_.hole_card_exposed and any(
                owned.position == confirmation.position for owned in round_.owners
            ):
                return None
            others = tuple(owned for owned in round_.owners if owned.position != confirmation.position)
            owned = Ownership(position=confirmation.position, owner=confirmation.owner)
            return replace(state, round=replace(round_, owners=(*others, owned)))


def _declare_amount(state: TableState, confirmation: AmountDeclared) -> TableState | None:
    """Say what an accepted wager is worth, where that is not known, not late, and not returned already."""
    round_ = state.round
    meant = Wager(position=confirmation.position, kind=confirmation.wager, amount=confirmation.amount)
    if meant in round_.accepted:
        return state
    unknown = replace(meant, amount=UnknownAmount.UNKNOWN)
    if round_.voided or round_.initial_deal_complete or unknown not in round_.accepted or confirmation.amount <= 0:
        return None
    accepted = tuple(meant if wager == unknown else wager for wager in round_.accepted)
    return replace(state, round=replace(round_, accepted=accepted))


def _identify(state: TableState, confirmation: CardIdentified) -> TableState | None:
    """Name an unread card; not in a voided round, whose wagers are returned as undecided (T50)."""
    meant = [card for card in cards_of(state.round) if card.order == confirmation.order and card.disclosed]
    if meant and meant[0].card == confirmation.card:
        return state
    named = [card for card in meant if card.card is UnseenCard.UNREAD]
    if not named or state.round.voided:
        return None
    known = replace(named[0], card=confirmation.card)
    round_ = state.round
    return replace(
        state,
        round=replace(
            round_,
            hands=tuple(
                replace(hand, cards=tuple(known if card is named[0] else card for card in hand.cards))
                for hand in round_.hands
            ),
            unassigned=tuple(known if card is named[0] else card for card in round_.unassigned),
        ),
    )


def _refuse(state: TableState, event: PersonConfirmed, why: str) -> TableState:
    detail = f"{event.confirmation.kind} by {event.by} refused: {why}"
    return record(state, IrregularityKind.CONFIRMATION_REFUSED, event.at, detail)
