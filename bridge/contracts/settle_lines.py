"""The lines of ``table-bridge settle``: finished rounds in, settlements out. JSON, one object a line."""

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import BaseModel, BeforeValidator, Field, TypeAdapter, ValidationError

from bridge.contracts.strict_json import (
    INTEGER_MAX,
    STRICT,
    ContractError,
    StrictJson,
    refuse_keys_given_twice,
)
from bridge.domain.cards import Card, CardTextError, Rank, Suit
from bridge.domain.identity import PersonId
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.settlements import Settlement
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerAmount, WagerKind

REQUEST_BYTES_MAX: Final = 65_536
"""Of a line with its end: dozens of times a round with every wager at every position."""

_DECK: Final = {str(card): card for card in (Card(rank, suit) for rank in Rank for suit in Suit)}


def _card(text: object) -> object:
    if not isinstance(text, str):
        return text
    try:
        return _DECK.get(text) or Card.parse(text)
    except CardTextError as error:
        raise ValueError(str(error)) from None


CardText = Annotated[Card, BeforeValidator(_card, json_schema_input_type=str)]
"""Rank, then suit: ``Kh``, ``TD``."""


class SettleRequest(BaseModel):
    """A round that is over, as far as its money needs it."""

    model_config = STRICT

    cards: Annotated[
        dict[str, tuple[CardText, ...]],
        Field(description='cards in the order they came, by hand: "player", "banker", "dealer", or a position'),
    ]
    wagers: Annotated[
        dict[str, dict[WagerKind, Annotated[Cents, Field(gt=0, le=INTEGER_MAX)] | UnknownAmount]],
        Field(description='cents, or "unknown", by position and wager'),
    ]
    submission: Annotated[
        str,
        Field(description="path of the rules submission, relative to this file; else that of the command line"),
    ] = ""
    hole_card_exposed: Annotated[
        bool, Field(description="blackjack: whether the dealer's second card was shown")
    ] = True
    voided: Annotated[bool, Field(description="whether a floorperson voided the round")] = False
    owners: Annotated[
        dict[str, PersonId],
        Field(
            default_factory=dict,
            description="who plays a position, where persons are counted",
            json_schema_extra={"default": {}},
        ),
    ]
    meter_cents: Annotated[
        Annotated[int, Field(ge=0, le=INTEGER_MAX)] | Literal["seed"],
        Field(description="the meter before this round's contributions"),
    ] = "seed"


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardPaid:
    """A winner's equal share of the meter, in whole cents."""

    __pydantic_config__ = STRICT

    position: BettingPosition
    amount: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleReply:
    """What should have been paid."""

    __pydantic_config__ = STRICT

    line: int
    """Of the file, counted from 1."""
    settlement: Settlement
    awards: tuple[AwardPaid, ...]
    meter_after: MeterAmount
    """With contributions, awards, the reset and corrections; 0 where no wager feeds a meter."""
    net: dict[BettingPosition, WagerAmount]
    """What each position is richer by; unknown where an amount is."""


_REQUEST: Final = TypeAdapter(SettleRequest)
_OUR_OWN: Final = "Value error, "
"""What pydantic puts before the words of an error that we raised."""
_REPLY: Final[StrictJson[SettleReply]] = StrictJson(TypeAdapter(SettleReply).core_schema, "a SettleReply")


def read_request(line: bytes) -> SettleRequest:
    """Return the round of a line; raise ``ContractError`` with the key and what is wrong with it."""
    if len(line) > REQUEST_BYTES_MAX:
        raise ContractError(f"longer than the {REQUEST_BYTES_MAX} bytes of a round; write one round a line")
    try:
        request = _REQUEST.validate_json(line)
    except ValidationError as error:
        faults = tuple(error.errors(include_url=False))
        told = "; ".join(
            f"{'.'.join(map(str, fault['loc'])) or 'the line'}: {fault['msg'].removeprefix(_OUR_OWN)}"
            for fault in faults[:3]
        )
        raise ContractError(told, faults) from None
    # Behind each key stands a colon. Where there are no more of them than keys were read, none was given twice.
    if line.count(b":") > _keys_read(request):
        refuse_keys_given_twice(line)
    return request


def _keys_read(request: SettleRequest) -> int:
    of_wagers = sum(map(len, request.wagers.values()))
    named = len(request.cards) + len(request.wagers) + of_wagers + len(request.owners)
    return len(request.model_fields_set) + named


def write_reply(reply: SettleReply) -> bytes:
    """Return the line of a settlement, without its end."""
    return _REPLY.encode(reply)
