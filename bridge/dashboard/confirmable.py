"""What somebody may confirm about a table at this moment, by what is known of it and by what he is there."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from bridge.config import TableConfig
from bridge.dashboard import confirm_words as say
from bridge.dashboard.confirm_forms import Field, Form, FormKind, Widget
from bridge.domain.awards import AWARD_LIFE, MAY, PayoutAct, award_status
from bridge.domain.cards import UnseenCard
from bridge.domain.confirmations import (
    AmountDeclared,
    CardIdentified,
    CoinsReturned,
    CountResolved,
    MeterAdjusted,
    OwnerDeclared,
    ResultOverridden,
    RoundVoided,
    VigorishCollected,
)
from bridge.domain.controller import DisabledReason
from bridge.domain.money import format_cents
from bridge.domain.names import RESULTS, WAGERS
from bridge.domain.people import PersonRole
from bridge.domain.rounds import Round
from bridge.domain.settlements import MeterShare, Result, WagerOutcome
from bridge.domain.table_view import TableView, Task
from bridge.domain.wagers import BettingPosition, UnknownAmount
from bridge.known_table import KnownTable
from bridge.table.controller import may_enable
from bridge.table.sign_off import MAY_CONFIRM
from bridge.table.state import cards_of
from bridge.table.tasks import TASK_OF_ACT
from bridge.words import cents

_ACT_OF_TASK: Final = {task: act for act, task in TASK_OF_ACT.items()}
_WHY: Final = Field(name="reason", label=say.REASON, widget=Widget.TEXT, help=say.REASON_STAYS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmable:
    """What one person may confirm now."""

    asked: tuple[Form, ...] = ()
    """The table waits for it."""
    besides: tuple[Form, ...] = ()
    """Nobody waits for it, and it may be done."""


def confirmable(known: KnownTable, config: TableConfig, role: PersonRole) -> Confirmable:
    """Return what somebody of a role may confirm; nothing before table and round have been heard of."""
    if known.view is None or known.round is None or known.round.number != known.view.round_number:
        return Confirmable()
    view, round_ = known.view, known.round
    asked = [
        *_controller(view, config),
        *_count(view),
        *_cards(round_),
        *_payouts(view, known),
        *_vigorish(view),
        *_coins(view),
    ]
    besides = [
        *_rejections(view, round_),
        *_overrides(known),
        *_amounts(round_),
        *_owners(round_, config),
        *_void(round_),
        *_meters(config),
    ]
    return Confirmable(
        asked=tuple(form for form, may in asked if role in may),
        besides=tuple(form for form, may in besides if role in may),
    )


_Forms = Iterator[tuple[Form, frozenset[PersonRole]]]
"""Forms, and who may send them."""


def _controller(view: TableView, config: TableConfig) -> _Forms:
    for one in view.disabled:
        filed = one.reason is DisabledReason.WRONG_CONFIGURATION
        what = Field(
            name="why", label=say.CHANGED if filed else say.FOUND, widget=Widget.TEXT, help=say.REASON_STAYS
        )
        form = Form(
            kind=FormKind.ENABLE,
            title=say.PARAMETERS if filed else say.ENABLE.format(reason=say.DISABLED[one.reason]),
            detail=one.detail,
            button=say.PARAMETERS_DONE if filed else say.ENABLE_DONE,
            fields=(what,),
            fixed=(("disabled", one.reason),),
        )
        yield form, may_enable(config.setup, one.reason)


def _count(view: TableView) -> _Forms:
    if any(task.task is Task.RESOLVE_COUNT for task in view.tasks):
        form = Form(kind=FormKind.COUNT, title=say.COUNT, button=say.COUNT_DONE, fields=(_WHY,))
        yield form, MAY_CONFIRM[CountResolved]


def _cards(round_: Round) -> _Forms:
    for card in cards_of(round_):
        if card.card is UnseenCard.UNREAD and card.disclosed and not round_.voided:
            form = Form(
                kind=FormKind.CARD,
                title=say.CARD,
                detail=say.CARD_OF_ROUND.format(order=card.order),
                button=say.CARD_DONE,
                fields=(_choice("rank", say.RANK, say.RANKS), _choice("suit", say.SUIT, say.SUITS)),
                fixed=(("order", str(card.order)),),
            )
            yield form, MAY_CONFIRM[CardIdentified]


def _payouts(view: TableView, known: KnownTable) -> _Forms:
    for act, position in _awaited(view):
        title, button = say.ACTS[act]
        form = Form(
            kind=FormKind.PAYOUT,
            title=title,
            detail=_where(position, known),
            button=button,
            fixed=(("act", act), ("position", str(position))),
        )
        yield form, MAY[act]


def _vigorish(view: TableView) -> _Forms:
    for position, owed in view.vigorish_owed:
        form = Form(
            kind=FormKind.VIGORISH,
            title=say.VIGORISH.format(owed=cents(owed)),
            detail=say.AT_POSITION.format(position=position),
            button=say.VIGORISH_DONE,
            fixed=(("position", str(position)),),
        )
        yield form, MAY_CONFIRM[VigorishCollected]


def _coins(view: TableView) -> _Forms:
    for position, owed in view.coins_owed:
        form = Form(
            kind=FormKind.COINS,
            title=say.COINS.format(owed=format_cents(owed)),
            detail=say.AT_POSITION.format(position=position),
            button=say.COINS_DONE,
            fixed=(("position", str(position)), ("amount", format_cents(owed))),
        )
        yield form, MAY_CONFIRM[CoinsReturned]


def _rejections(view: TableView, round_: Round) -> _Forms:
    """Yield the claims that may be rejected: those of awards, which are verified before they are validated."""
    for act, position in _awaited(view):
        done = round_.acts_at(position)
        of_award = act is not PayoutAct.VALIDATED or PayoutAct.HAND_VERIFIED in done
        if of_award and PayoutAct.REJECTED in AWARD_LIFE[award_status(done)]:
            title, button = say.ACTS[PayoutAct.REJECTED]
            form = Form(
                kind=FormKind.PAYOUT,
                title=title,
                detail=say.AT_POSITION.format(position=position),
                button=button,
                fields=(_WHY,),
                fixed=(("act", PayoutAct.REJECTED), ("position", str(position))),
                grave=True,
            )
            yield form, MAY[PayoutAct.REJECTED]


def _overrides(known: KnownTable) -> _Forms:
    settlement = known.settlement.settlement if known.settlement else None
    if settlement is None or known.round is None or settlement.round_number != known.round.number:
        return
    decided = {
        f"{end.position}:{end.kind}": _ended(end)
        for end in settlement.outcomes
        if not isinstance(end.paid, MeterShare)
    }
    if decided:
        fields = (
            _choice("wager", say.WAGER, decided),
            _choice("result", say.RESULT, say.RESULTS),
            Field(name="paid", label=say.PAID, widget=Widget.AMOUNT, help=say.DOLLARS, required=False),
            Field(name="stake", label=say.STAKE, widget=Widget.AMOUNT, help=say.DOLLARS, required=False),
            _WHY,
        )
        form = Form(
            kind=FormKind.OVERRIDE, title=say.OVERRIDE, button=say.OVERRIDE_DONE, fields=fields, grave=True
        )
        yield form, MAY_CONFIRM[ResultOverridden]


def _amounts(round_: Round) -> _Forms:
    unknown = {
        f"{wager.position}:{wager.kind}": _wager(wager.position, WAGERS[wager.kind])
        for wager in round_.accepted
        if isinstance(wager.amount, UnknownAmount)
    }
    if unknown and not round_.voided and not round_.initial_deal_complete:
        worth = Field(name="amount", label=say.WORTH, widget=Widget.AMOUNT, help=say.DOLLARS)
        fields = (_choice("wager", say.WAGER, unknown), worth)
        form = Form(kind=FormKind.AMOUNT, title=say.AMOUNT_TITLE, button=say.AMOUNT_DONE, fields=fields)
        yield form, MAY_CONFIRM[AmountDeclared]


def _owners(round_: Round, config: TableConfig) -> _Forms:
    fixed = {owned.position for owned in round_.owners} if round_.hole_card_exposed else set()
    open_ = {
        str(position): say.AT_POSITION.format(position=position)
        for position in config.setup.deal_order
        if position not in fixed
    }
    if open_:
        fields = (
            _choice("position", say.POSITION, open_),
            Field(name="owner", label=say.OWNER, widget=Widget.LINE),
        )
        form = Form(kind=FormKind.OWNER, title=say.OWNER_TITLE, button=say.OWNER_DONE, fields=fields)
        yield form, MAY_CONFIRM[OwnerDeclared]


def _void(round_: Round) -> _Forms:
    if round_.locked and not round_.voided:
        form = Form(kind=FormKind.VOID, title=say.VOID, button=say.VOID_DONE, fields=(_WHY,), grave=True)
        yield form, MAY_CONFIRM[RoundVoided]


def _meters(config: TableConfig) -> _Forms:
    filed = {str(one.id): str(one.id) for one in config.submission.progressives()}
    if filed:
        fields = (
            _choice("progressive", say.METER, filed),
            _choice("pool", say.POOL, say.POOLS),
            _choice("for", say.FOR_WHAT, say.ADJUSTMENTS),
            Field(name="amount", label=say.METER_AMOUNT, widget=Widget.LINE, help=say.METER_DOLLARS),
            Field(name="text", label=say.HAPPENED, widget=Widget.TEXT, help=say.REASON_STAYS),
            Field(
                name="counterpart",
                label=say.COUNTERPART,
                widget=Widget.LINE,
                help=say.COUNTERPART_HELP,
                required=False,
            ),
            Field(name="settles", label=say.SETTLES, widget=Widget.LINE, help=say.SETTLES_HELP, required=False),
        )
        form = Form(kind=FormKind.ADJUST, title=say.ADJUST, button=say.ADJUST_DONE, fields=fields, grave=True)
        yield form, MAY_CONFIRM[MeterAdjusted]


def _awaited(view: TableView) -> Iterator[tuple[PayoutAct, BettingPosition]]:
    for task in view.tasks:
        act = _ACT_OF_TASK.get(task.task)
        if act is not None:
            for position in task.positions:
                yield act, position


def _where(position: BettingPosition, known: KnownTable) -> str:
    """Return which payout it is: its position, and what is won there where a meter says so."""
    where = say.AT_POSITION.format(position=position)
    won = [
        format_cents(award.amount)
        for reading in known.meters.values()
        for award in reading.pending
        if known.view is not None
        and (award.table, award.round_number, award.position)
        == (known.view.table, known.view.round_number, position)
    ]
    return ", ".join([where, *won])


def _ended(end: WagerOutcome) -> str:
    paid = "" if isinstance(end.paid, MeterShare) or end.result is not Result.WIN else f" {cents(end.paid)}"
    return f"{_wager(end.position, WAGERS[end.kind])}: {RESULTS[end.result]}{paid}"


def _wager(position: BettingPosition, name: str) -> str:
    return f"{say.AT_POSITION.format(position=position)}, {name}"


_Value = TypeVar("_Value", bound=str)


def _choice(name: str, label: str, choices: Mapping[_Value, str]) -> Field:
    offered = tuple((str(value), words) for value, words in choices.items())
    return Field(name=name, label=label, widget=Widget.CHOICE, choices=offered)
