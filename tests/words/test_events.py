import types
import typing
from dataclasses import fields, is_dataclass
from enum import StrEnum
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from bridge.domain.awards import PayoutAct
from bridge.domain.cards import Card, UnseenCard
from bridge.domain.confirmations import Confirmation, PayoutSignedOff
from bridge.domain.events import CardDrawn, CardUnread, PersonConfirmed, RoundSettled, TableEvent, WagerPlaced
from bridge.domain.identity import DeviceId, PersonId, RoundNumber, Sequence, Timestamp
from bridge.domain.money import Cents
from bridge.domain.people import PersonRole
from bridge.domain.shoe import DealTarget
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.words.events import confirmed, happened, source

AT, DEVICE = Timestamp(1), DeviceId("reader-1")


def members(union: object) -> tuple[type, ...]:
    """Return the classes of a union of unions."""
    parts = get_args(union)
    return tuple(one for part in parts for one in members(part)) if parts else (typing.cast("type", union),)


EVENTS = members(TableEvent)
PLAIN: dict[object, list[Any]] = {int: [0, 25_00], str: ["as it was"], bool: [False, True]}


def values(kind: Any) -> list[Any]:
    """Return values of a type: every one of an enumeration, of a class so many that every field has all of its."""
    if isinstance(kind, typing.NewType):
        return values(kind.__supertype__)
    if kind in PLAIN:
        return PLAIN[kind]
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return list(kind)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal:
        return list(parts)
    if origin is tuple and Ellipsis in parts:
        return [(), *((one,) for one in values(parts[0]))]
    if origin is tuple:
        return list(zip(*(values(part) for part in parts), strict=False))
    if parts:
        return [one for part in parts for one in values(part)]
    hints = get_type_hints(kind)
    of_fields = {one.name: values(hints[one.name]) for one in fields(kind)}
    count = max(len(found) for found in of_fields.values())
    return [
        kind(**{name: found[place % len(found)] for name, found in of_fields.items()}) for place in range(count)
    ]


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
def test_every_event_whatever_it_says_has_words_and_a_source(kind: type) -> None:
    for event in values(kind):
        text, who = happened(event), source(event)

        assert text[0].isupper()
        assert who
        assert not text.endswith((".", ":", ", "))
        assert not any(name in text for name in typed_names(event)), text


def typed_names(value: object) -> set[str]:
    """Return the names of values in a value that only a programmer would call them by: with underscores."""
    match value:
        case StrEnum():
            return {str(value)} if "_" in value else set()
        case tuple():
            return {name for one in value for name in typed_names(one)}
        case _ if is_dataclass(value):
            return {
                name
                for one in fields(value)
                if one.name != "kind"
                for name in typed_names(getattr(value, one.name))
            }
        case _:
            return set()


@pytest.mark.parametrize("kind", members(Confirmation), ids=lambda kind: kind.__name__)
def test_every_confirmation_has_words(kind: type) -> None:
    for said in values(kind):
        text = confirmed(said)

        assert "as it was" in text or not any(one.name in {"reason", "why", "text"} for one in fields(kind))
        assert not any(name in text for name in typed_names(said)), text


def test_the_union_of_events_is_looked_at_whole() -> None:
    assert len(EVENTS) > 30
    assert all(is_dataclass(kind) for kind in EVENTS)
    assert isinstance(TableEvent, types.UnionType)


def test_a_card_is_spoken_and_one_that_lies_face_down_is_not_named() -> None:
    open_ = CardDrawn(at=AT, device=DEVICE, card=Card.parse("Kh"))
    face_down = CardDrawn(at=AT, device=DEVICE, card=UnseenCard.HIDDEN, target=DealTarget.BANKER, place=2)
    unread = CardUnread(at=AT, device=DEVICE, raw="NOREAD")

    assert happened(open_) == "Card drawn: King of hearts"
    assert happened(face_down) == "Card drawn: card face down, for the Banker's Hand, card 2 of it"
    assert happened(unread) == "Card not read: the reader said NOREAD"
    assert source(open_) == "reader-1"


def test_a_wager_is_told_with_its_amount_and_the_chips_nobody_knows() -> None:
    placed = WagerPlaced(
        at=AT,
        device=DEVICE,
        position=BettingPosition(3),
        wager=WagerKind.ROYAL_MATCH_PROGRESSIVE,
        amount=Cents(5_00),
        unknown_chips=("E004", "E005"),
    )
    coin = WagerPlaced(
        at=AT,
        device=DEVICE,
        position=BettingPosition(3),
        wager=WagerKind.ROYAL_MATCH_PROGRESSIVE,
        taken=Cents(1_00),
    )

    assert happened(placed) == (
        "Wager placed, position 3, Royal Match progressive: 5.00; in no register: E004, E005"
    )
    assert happened(coin) == "Coin of 1.00 taken, position 3, Royal Match progressive"


def test_what_a_person_confirms_is_told_with_his_role_and_his_reason() -> None:
    said = PersonConfirmed(
        at=AT,
        by=PersonId("floor-1"),
        role=PersonRole.FLOORPERSON,
        confirmation=PayoutSignedOff(
            round_number=RoundNumber(7), position=BettingPosition(4), act=PayoutAct.REJECTED, reason="marked"
        ),
    )

    assert source(said) == "floor-1, floorperson"
    assert happened(said) == "Confirmed: claim rejected, position 4: marked"


def test_a_settlement_says_what_is_still_open() -> None:
    settled = RoundSettled(
        at=AT,
        round_number=RoundNumber(7),
        answers=Sequence(63),
        side_wagers_settled=True,
        deferred=(BettingPosition(4),),
        undecided=(),
        awaiting=(),
        decided=(),
        complete=False,
    )

    assert happened(settled) == "Settled as of record 63: position 4 waits for the hole card"
    assert source(settled) == "rules worker"
