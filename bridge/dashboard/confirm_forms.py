"""What a person fills in to confirm something, and the confirmation that it says."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final, TypeVar

from bridge.dashboard import confirm_words as say
from bridge.domain.awards import PayoutAct
from bridge.domain.cards import Card, Rank, Suit
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
from bridge.domain.controller import DisabledReason
from bridge.domain.errors import BridgeError
from bridge.domain.identity import PersonId, ProgressiveId, RoundNumber
from bridge.domain.meters import AdjustmentReason, Pool
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.settlements import Result
from bridge.domain.wagers import BettingPosition, WagerKind


class FormKind(StrEnum):
    """What a form is about."""

    COUNT = "count"
    CARD = "card"
    PAYOUT = "payout"
    AMOUNT = "amount"
    OVERRIDE = "override"
    OWNER = "owner"
    VIGORISH = "vigorish"
    COINS = "coins"
    VOID = "void"
    ENABLE = "enable"
    ADJUST = "adjust"


OF_NO_ROUND: Final = frozenset({FormKind.ENABLE, FormKind.ADJUST})
"""These mean the same whatever round is on."""
TEXT_LENGTH_MAX: Final = 500


class Widget(StrEnum):
    """How a field is filled in."""

    TEXT = "text"
    LINE = "line"
    AMOUNT = "amount"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Something to be filled in."""

    name: str
    label: str
    widget: Widget
    help: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    """What is sent, and what is read; of a choice."""
    required: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One confirmation that a person may give."""

    kind: FormKind
    title: str
    detail: str = ""
    button: str
    fields: tuple[Field, ...] = ()
    fixed: tuple[tuple[str, str], ...] = ()
    """What is sent and not filled in: about which position, for one."""
    grave: bool = False
    """It takes back, or overrides."""

    @property
    def id(self) -> str:
        """Return what tells it from the others of a page."""
        return "-".join([self.kind, *(re.sub(r"\W+", "-", value) for _, value in self.fixed)])


class FormFault(BridgeError):  # noqa: N818 - as bridge.documents calls what is wrong with a text
    """A form is not filled in so that it says something; for each field at fault what to do."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {words}" for name, words in faults.items()))
        self.faults = faults


_T = TypeVar("_T")
_AMOUNT = re.compile(r"\$?(?:\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.\d{1,2})?", re.ASCII)
_METER_AMOUNT = re.compile(r"-?\$?(?:\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.\d{1,4})?", re.ASCII)
_NUMBER = re.compile(r"\d{1,6}", re.ASCII)
_OWNER_LENGTH_MAX = 64


def confirmation_of(kind: FormKind, said: Mapping[str, str], number: RoundNumber) -> Confirmation:
    """Return what a filled-in form says about a round; raise ``FormFault``."""
    reading = _Reading(said)
    build = _BUILT[kind]
    confirmation = build(reading, number)
    if reading.faults:
        raise FormFault(reading.faults)
    return confirmation


class _Reading:
    """Reads field by field, and notes everything that is wrong."""

    def __init__(self, said: Mapping[str, str]) -> None:
        self._said = said
        self.faults: dict[str, str] = {}

    def text(self, name: str, *, required: bool = True) -> str:
        given = " ".join(self._said.get(name, "").split())[:TEXT_LENGTH_MAX]
        if required and not given:
            self.faults.setdefault(name, say.MISSING)
        return given

    def choice(self, name: str, of: Callable[[str], _T], otherwise: _T) -> _T:
        given = self._said.get(name, "")
        try:
            return of(given)
        except ValueError:
            self.faults.setdefault(name, say.NOT_OFFERED if given else say.MISSING)
            return otherwise

    def number(self, name: str) -> int:
        return self.choice(name, _number, 0)

    def position(self, name: str = "position") -> BettingPosition:
        return BettingPosition(self.number(name))

    def wager(self) -> tuple[BettingPosition, WagerKind]:
        """Return a wager, which is written as its position, a colon, and its kind."""
        return self.choice("wager", _wager, (BettingPosition(0), WagerKind.BLACKJACK))

    def cents(self, name: str, *, required: bool = True) -> Cents:
        given = self._said.get(name, "").strip()
        if not given and not required:
            return Cents(0)
        if not _AMOUNT.fullmatch(given):
            self.faults.setdefault(name, say.NOT_AN_AMOUNT if given else say.MISSING)
            return Cents(0)
        return Cents(int(_dollars(given) * 100))

    def meter_amount(self, name: str) -> MeterAmount:
        given = self._said.get(name, "").strip()
        if not _METER_AMOUNT.fullmatch(given):
            self.faults.setdefault(name, say.NOT_A_METER_AMOUNT if given else say.MISSING)
            return MeterAmount(0)
        return MeterAmount.exactly(_dollars(given) * 100)

    def name(self, name: str) -> PersonId:
        given = self.text(name)
        if len(given) > _OWNER_LENGTH_MAX:
            self.faults.setdefault(name, say.NOT_A_NAME)
        return PersonId(given)


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return int(text)


def _wager(text: str) -> tuple[BettingPosition, WagerKind]:
    position, _, kind = text.partition(":")
    return BettingPosition(_number(position)), WagerKind(kind)


def _dollars(text: str) -> Fraction:
    return Fraction(text.replace("$", "").replace(",", ""))


def _payout(read: _Reading, number: RoundNumber) -> PayoutSignedOff:
    act = read.choice("act", PayoutAct, PayoutAct.VALIDATED)
    reason = read.text("reason", required=act is PayoutAct.REJECTED)
    return PayoutSignedOff(round_number=number, position=read.position(), act=act, reason=reason)


def _card(read: _Reading, number: RoundNumber) -> CardIdentified:
    card = Card(read.choice("rank", Rank, Rank.ACE), read.choice("suit", Suit, Suit.CLUBS))
    return CardIdentified(round_number=number, order=read.number("order"), card=card)


def _amount(read: _Reading, number: RoundNumber) -> AmountDeclared:
    position, wager = read.wager()
    return AmountDeclared(round_number=number, position=position, wager=wager, amount=read.cents("amount"))


def _override(read: _Reading, number: RoundNumber) -> ResultOverridden:
    position, wager = read.wager()
    return ResultOverridden(
        round_number=number,
        position=position,
        wager=wager,
        result=read.choice("result", Result, Result.PUSH),
        paid=read.cents("paid", required=False),
        stake_returned=read.cents("stake", required=False),
        reason=read.text("reason"),
    )


def _adjust(read: _Reading, _: RoundNumber) -> MeterAdjusted:
    return MeterAdjusted(
        progressive=ProgressiveId(read.text("progressive")),
        pool=read.choice("pool", Pool, Pool.DISPLAY),
        reason=read.choice("for", AdjustmentReason, AdjustmentReason.CORRECTION),
        amount=read.meter_amount("amount"),
        text=read.text("text"),
        counterpart=read.text("counterpart", required=False),
        settles=read.text("settles", required=False),
    )


_BUILT: Final[Mapping[FormKind, Callable[[_Reading, RoundNumber], Confirmation]]] = {
    FormKind.COUNT: lambda read, number: CountResolved(round_number=number, reason=read.text("reason")),
    FormKind.CARD: _card,
    FormKind.PAYOUT: _payout,
    FormKind.AMOUNT: _amount,
    FormKind.OVERRIDE: _override,
    FormKind.OWNER: lambda read, number: OwnerDeclared(
        round_number=number, position=read.position(), owner=read.name("owner")
    ),
    FormKind.VIGORISH: lambda read, number: VigorishCollected(round_number=number, position=read.position()),
    FormKind.COINS: lambda read, number: CoinsReturned(
        round_number=number, position=read.position(), amount=read.cents("amount")
    ),
    FormKind.VOID: lambda read, number: RoundVoided(round_number=number, reason=read.text("reason")),
    FormKind.ENABLE: lambda read, _: ControllerEnabled(
        reason=read.choice("disabled", DisabledReason, DisabledReason.LOST_LINK), why=read.text("why")
    ),
    FormKind.ADJUST: _adjust,
}
