"""Forms filled in: what a browser sends for each confirmation that there is."""

from bridge.dashboard.confirm_forms import Form, FormKind, Widget
from bridge.domain.awards import PayoutAct
from bridge.domain.cards import Card
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
from bridge.domain.identity import PersonId, ProgressiveId, RoundNumber
from bridge.domain.meters import AdjustmentReason, Pool
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.settlements import Result
from bridge.domain.wagers import BettingPosition, WagerKind

SEVEN, THREE = RoundNumber(7), BettingPosition(3)
SAID: tuple[tuple[FormKind, dict[str, str], Confirmation], ...] = (
    (FormKind.COUNT, {"reason": " re \n counted "}, CountResolved(round_number=SEVEN, reason="re counted")),
    (
        FormKind.CARD,
        {"order": "4", "rank": "T", "suit": "h"},
        CardIdentified(round_number=SEVEN, order=4, card=Card.parse("Th")),
    ),
    *(
        (
            FormKind.PAYOUT,
            {"act": act.value, "position": "3", "reason": "marked"},
            PayoutSignedOff(round_number=SEVEN, position=THREE, act=act, reason="marked"),
        )
        for act in PayoutAct
    ),
    (
        FormKind.AMOUNT,
        {"wager": "3:blackjack", "amount": "$1,250.5"},
        AmountDeclared(round_number=SEVEN, position=THREE, wager=WagerKind.BLACKJACK, amount=Cents(125_050)),
    ),
    (
        FormKind.OVERRIDE,
        {"wager": "3:royal_match_21", "result": "win", "paid": "25", "stake": "5.00", "reason": "misread"},
        ResultOverridden(
            round_number=SEVEN,
            position=THREE,
            wager=WagerKind.ROYAL_MATCH_21,
            result=Result.WIN,
            paid=Cents(2500),
            stake_returned=Cents(500),
            reason="misread",
        ),
    ),
    (
        FormKind.OWNER,
        {"position": "3", "owner": "ann"},
        OwnerDeclared(round_number=SEVEN, position=THREE, owner=PersonId("ann")),
    ),
    (FormKind.VIGORISH, {"position": "3"}, VigorishCollected(round_number=SEVEN, position=THREE)),
    (
        FormKind.COINS,
        {"position": "3", "amount": "5.00"},
        CoinsReturned(round_number=SEVEN, position=BettingPosition(3), amount=Cents(5_00)),
    ),
    (FormKind.VOID, {"reason": "misdeal"}, RoundVoided(round_number=SEVEN, reason="misdeal")),
    *(
        (
            FormKind.ENABLE,
            {"disabled": reason.value, "why": "looked into"},
            ControllerEnabled(reason=reason, why="looked into"),
        )
        for reason in DisabledReason
    ),
    (
        FormKind.ADJUST,
        {
            "progressive": "royal-match",
            "pool": "reserve",
            "for": "transfer",
            "amount": "-20.5075",
            "text": "report 12",
            "counterpart": "silver",
        },
        MeterAdjusted(
            progressive=ProgressiveId("royal-match"),
            pool=Pool.RESERVE,
            reason=AdjustmentReason.TRANSFER,
            amount=MeterAmount(-205_075),
            text="report 12",
            counterpart="silver",
        ),
    ),
)
"""Kind of form, what is filled in, and what it says in round 7."""
_FILLED = {Widget.TEXT: "as it was", Widget.LINE: "ann", Widget.AMOUNT: "5.00"}
_OF_FIELD = {"result": "win", "paid": "5.00", "stake": "0", "amount": "5.00"}


def filled_in(form: Form) -> dict[str, str]:
    """Return a form as somebody fills it in who takes the first of everything."""
    said = dict(form.fixed)
    for field in form.fields:
        given = field.choices[0][0] if field.choices else _FILLED[field.widget]
        said[field.name] = _OF_FIELD.get(field.name, given)
    return said
