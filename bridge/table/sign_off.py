"""What people say: dealer keys, and confirmations of a floorperson with identity and time (T50)."""

from dataclasses import replace

from bridge.domain.cards import UnseenCard
from bridge.domain.confirmations import (
    AwardDocumented,
    CardIdentified,
    Confirmation,
    CountResolved,
    OwnerDeclared,
    PayoutValidated,
    PersonRole,
)
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import DealerKeyPressed, PersonConfirmed
from bridge.domain.identity import Timestamp
from bridge.domain.rounds import CountCheck, Ownership, SignOff
from bridge.domain.table_view import IrregularityKind, Phase
from bridge.domain.wagers import BettingPosition
from bridge.table.closing import blockers, close_round
from bridge.table.dealing import expose_hole_card
from bridge.table.phases import Trigger
from bridge.table.state import TableState, cards_of, follow, hole_card_is_read, record

_COUNT_OPEN = (CountCheck.AWAITED, CountCheck.DIFFERED)


def press_key(state: TableState, event: DealerKeyPressed) -> TableState:
    """Fold in a dealer key. A key that makes no sense now is recorded and does nothing."""
    match event.key:
        case DealerKey.COUNT_AGREED:
            return _count_agreed(state, event.at)
        case DealerKey.COUNT_DIFFERS:
            return _count_differs(state, event.at)
        case DealerKey.HOLE_CARD_EXPOSED:
            return _hole_card_turned(state, event.at)
        case DealerKey.BURN_CARD:
            return replace(state, burn_expected=True)
        case DealerKey.ROUND_COMPLETE:
            return _complete(state, event.at)


def confirm(state: TableState, event: PersonConfirmed) -> TableState:
    """Fold in a confirmation; refuse it on the record if its author may not, or it does not apply."""
    confirmation = event.confirmation
    if event.role is not PersonRole.FLOORPERSON:
        return _refuse(state, event, "only a floorperson or above may confirm this")
    if confirmation.round_number != state.round.number:
        return _refuse(
            state, event, f"it speaks of round {confirmation.round_number}, not of the one on the table"
        )
    confirmed = _apply(state, event, confirmation)
    return _refuse(state, event, "nothing on the table asks for it") if confirmed is None else confirmed


def _apply(state: TableState, event: PersonConfirmed, confirmation: Confirmation) -> TableState | None:
    """Return the state with the confirmation in it, or None if nothing asks for it."""
    round_ = state.round
    match confirmation:
        case CountResolved():
            if round_.count_check is CountCheck.RESOLVED:
                return state
            if round_.count_check is not CountCheck.DIFFERED:
                return None
            state = replace(state, round=replace(round_, count_check=CountCheck.RESOLVED))
            return follow(state, Trigger.COUNT_RESOLVED) if state.phase is Phase.COUNT_DIFFERS else state
        case CardIdentified():
            return _identify(state, confirmation)
        case PayoutValidated():
            signed = _signed(round_.validated, state.settled.awaiting_validation, event, confirmation.position)
            return None if signed is None else replace(state, round=replace(round_, validated=signed))
        case AwardDocumented():
            signed = _signed(round_.documented, state.settled.awaiting_documents, event, confirmation.position)
            return None if signed is None else replace(state, round=replace(round_, documented=signed))
        case OwnerDeclared():
            if round_.hole_card_exposed and any(
                owned.position == confirmation.position for owned in round_.owners
            ):
                return None
            others = tuple(owned for owned in round_.owners if owned.position != confirmation.position)
            owned = Ownership(position=confirmation.position, owner=confirmation.owner)
            return replace(state, round=replace(round_, owners=(*others, owned)))


def _signed(
    signed: tuple[SignOff, ...],
    awaited: tuple[BettingPosition, ...],
    event: PersonConfirmed,
    position: BettingPosition,
) -> tuple[SignOff, ...] | None:
    """Return the sign-offs with one more; the first word on a position stands, because a broker repeats (T54)."""
    if any(sign_off.position == position for sign_off in signed):
        return signed
    if position not in awaited:
        return None
    return (*signed, SignOff(position=position, by=event.by, at=event.at))


def _identify(state: TableState, confirmation: CardIdentified) -> TableState | None:
    meant = [card for card in cards_of(state.round) if card.order == confirmation.order and card.disclosed]
    if meant and meant[0].card == confirmation.card:
        return state
    named = [card for card in meant if card.card is UnseenCard.UNREAD]
    if not named:
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


def _count_agreed(state: TableState, at: Timestamp) -> TableState:
    if state.round.count_check is not CountCheck.AWAITED:
        return _out_of_turn(state, at, "count agreed", "no count is awaited; a floorperson resolves a difference")
    state = replace(state, round=replace(state.round, count_check=CountCheck.AGREED))
    return follow(state, Trigger.COUNT_AGREED) if state.phase is Phase.NO_MORE_BETS else state


def _count_differs(state: TableState, at: Timestamp) -> TableState:
    if state.round.count_check not in _COUNT_OPEN:
        return _out_of_turn(state, at, "count differs", "no count is awaited")
    accepted = sum(state.setup.offer(wager.kind).acknowledged for wager in state.round.accepted)
    state = record(
        state, IrregularityKind.COUNT_DIFFERED, at, f"the dealer's count is not the {accepted} wagers accepted"
    )
    state = replace(state, round=replace(state.round, count_check=CountCheck.DIFFERED))
    return follow(state, Trigger.COUNT_DIFFERED) if state.phase is Phase.NO_MORE_BETS else state


def _hole_card_turned(state: TableState, at: Timestamp) -> TableState:
    if not state.round.initial_deal_complete or state.round.hole_card_exposed:
        return _out_of_turn(state, at, "hole card exposed", "there is no hole card to expose")
    if not hole_card_is_read(state.setup):
        return replace(state, hole_card_expected=True)
    return expose_hole_card(state)


def _complete(state: TableState, at: Timestamp) -> TableState:
    missing = blockers(state)
    if not missing:
        return close_round(state, at)
    if state.phase is Phase.PLAY and state.settled.deferred:
        return follow(state, Trigger.HOLE_CARD_MISSING)
    return _out_of_turn(state, at, "round complete", f"the round is not over: {'; '.join(missing)}")


def _out_of_turn(state: TableState, at: Timestamp, key: str, why: str) -> TableState:
    return record(state, IrregularityKind.KEY_OUT_OF_TURN, at, f"{key}: {why}")


def _refuse(state: TableState, event: PersonConfirmed, why: str) -> TableState:
    detail = f"{event.confirmation.kind} by {event.by} refused: {why}"
    return record(state, IrregularityKind.CONFIRMATION_REFUSED, event.at, detail)
