"""One message of each class, filled in as a table would fill it: for whoever reads the contract, and its tests."""

from bridge.contracts.author import Author
from bridge.contracts.envelopes import (
    AdjustmentAnswerEnvelope,
    ConfirmationEnvelope,
    DeviceEnvelope,
    Envelope,
    EventEnvelope,
    HealthEnvelope,
    IndicatorCommandEnvelope,
    MeterEnvelope,
    PositionIndicatorsEnvelope,
    RoundEnvelope,
    SettlementEnvelope,
    TableEnvelope,
)
from bridge.domain.awards import AwaitedAct, AwardStatus, PayoutAct
from bridge.domain.cards import Card, UnseenCard
from bridge.domain.confirmations import PayoutSignedOff
from bridge.domain.devices import DeviceState, DeviceStatus
from bridge.domain.events import CardDrawn
from bridge.domain.identity import DeviceId, PersonId, ProgressiveId, RoundNumber, Sequence, TableId, Timestamp
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.meters import Award, HeldContributions, MeterReading, NoLimit
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.odds import Odds
from bridge.domain.rounds import CountCheck, DealtCard, Game, Hand, HandHolder, House, Round, SignOff
from bridge.domain.settlements import (
    Contribution,
    DealerStep,
    DeferredWager,
    EnvyBonus,
    MeterShare,
    Override,
    Result,
    Settlement,
    StepAction,
    UndecidedWager,
    UnpaidOdds,
    WagerOutcome,
)
from bridge.domain.table_view import (
    Irregularity,
    IrregularityKind,
    LampReport,
    LampView,
    NextTask,
    Phase,
    TableView,
    Task,
    WagerArea,
    WagerAreaStatus,
)
from bridge.domain.wagers import BettingPosition, UnknownAmount, Wager, WagerKind

TABLE = TableId("bj-1")
METER = ProgressiveId("royal-match")
AT = Timestamp(1_790_000_000_000_000)
VALID_UNTIL = Timestamp(AT + 10_000_000)

READER = DeviceId("card-reader")
_THREE = BettingPosition(3)
_FIVE = BettingPosition(5)
_ROYAL = WagerKind.ROYAL_MATCH_PROGRESSIVE
LAMP = Indicator(_THREE, Lamp.ROYAL_MATCH)


def _hand(holder: HandHolder, first: int, *cards: Card | UnseenCard) -> Hand:
    return Hand(
        holder=holder,
        cards=tuple(
            DealtCard(order=order, card=card, device=READER, at=AT, disclosed=not isinstance(card, UnseenCard))
            for order, card in enumerate(cards, first)
        ),
    )


OVERRIDE = Override(
    position=_THREE,
    wager=_ROYAL,
    result=Result.PUSH,
    paid=Cents(0),
    stake_returned=Cents(500),
    by=PersonId("floor-1"),
    at=AT,
    reason="the hand was fouled",
)
ROUND = Round(
    table=TABLE,
    number=RoundNumber(17),
    game=Game.BLACKJACK,
    submission_digest="ab" * 32,
    opened_at=AT,
    locked=True,
    accepted=tuple(
        Wager(position=BettingPosition(position), kind=kind, amount=amount)
        for position in range(1, 8)
        for kind, amount in ((WagerKind.BLACKJACK, UnknownAmount.UNKNOWN), (_ROYAL, Cents(500)))
    ),
    count_check=CountCheck.AGREED,
    hands=(
        *(
            _hand(BettingPosition(position), position, Card.parse("Kh"), Card.parse("Qh"))
            for position in range(1, 8)
        ),
        _hand(House.DEALER, 8, Card.parse("Td"), UnseenCard.HIDDEN),
    ),
    initial_deal_complete=True,
    sign_offs=(
        SignOff(
            position=_THREE,
            act=PayoutAct.REJECTED,
            by=PersonId("floor-1"),
            at=AT,
            reason="the cards were marked",
        ),
    ),
    overrides=(OVERRIDE,),
)

VIEW = TableView(
    table=TABLE,
    round_number=RoundNumber(17),
    phase=Phase.SIDE_WAGERS,
    locked=True,
    acceptance_closed_by=("module-1 is silent",),
    areas=(WagerArea(position=_THREE, wager=_ROYAL, status=WagerAreaStatus.ACCEPTED),),
    lamps=(LampView(indicator=LAMP, wanted=LampState.ON, reported=LampReport.UNKNOWN),),
    irregularities=(Irregularity(kind=IrregularityKind.LATE_WAGER, at=AT, detail="position 5"),),
    tasks=(NextTask(task=Task.SETTLE_SIDE_WAGERS, positions=(_THREE,)),),
    lost_devices=(DeviceId("module-1"),),
)

AWARD = Award(
    progressive=METER,
    table=TABLE,
    round_number=RoundNumber(17),
    position=_THREE,
    amount=Cents(2_500_187),
    among=2,
    win_number=1,
    meter_before=MeterAmount(500_037_500),
    status=AwardStatus.HIT,
)

SETTLEMENT = Settlement(
    table=TABLE,
    round_number=RoundNumber(17),
    contributions=(
        Contribution(
            progressive=METER, position=_THREE, kind=_ROYAL, amount=MeterAmount(7_500), hidden=MeterAmount(500)
        ),
    ),
    outcomes=(
        WagerOutcome(
            position=_THREE,
            kind=_ROYAL,
            amount=Cents(500),
            result=Result.WIN,
            outcome="royal_match",
            odds=Odds.for_one(60),
            paid=Cents(30_000),
            stake_returned=Cents(0),
        ),
        WagerOutcome(
            position=_FIVE,
            kind=_ROYAL,
            amount=Cents(500),
            result=Result.LOSE,
            outcome="no_match",
            odds=UnpaidOdds.NONE,
            paid=Cents(0),
            stake_returned=Cents(0),
        ),
    ),
    overrides=(OVERRIDE,),
    rejected=(_FIVE,),
    deferred=(DeferredWager(position=_THREE, kind=_ROYAL),),
    undecided=(UndecidedWager(position=_FIVE, kind=_ROYAL, reason="card 9 is not read"),),
    envy_bonuses=(EnvyBonus(position=_FIVE, for_hand_of=_THREE, amount=Cents(250_000)),),
    lamps=((_THREE, Lamp.CROWN_TREASURE),),
    steps=(
        DealerStep(
            action=StepAction.HOLD_FOR_AWARD,
            position=_THREE,
            kind=_ROYAL,
            amount=MeterShare(progressive=METER, odds=Odds.for_one(1), among=2),
            outcome="crown_treasure",
        ),
    ),
    awaiting=(AwaitedAct(position=_THREE, act=PayoutAct.HAND_VERIFIED),),
)

READING = MeterReading(
    progressive=METER,
    exact=MeterAmount(500_037_500),
    displayed=Cents(5_000_375),
    overflow=MeterAmount(0),
    reserve=MeterAmount(2_500),
    base_amount=Cents(5_000_000),
    reset_amount=Cents(5_000_000),
    limit=NoLimit.NO_LIMIT,
    in_meter=5,
    hits=1,
    wins=Cents(5_000_000),
    device_paid=Cents(0),
    attendant_paid=Cents(0),
    cumulative_paid=Cents(0),
    pending=(AWARD,),
    held=HeldContributions(count=1, amount=MeterAmount(750_000)),
    records=8,
)


def examples(author: Author, valid_until: Timestamp = VALID_UNTIL) -> tuple[Envelope, ...]:
    """Return one message of each class, as this author stamps them; commands may be obeyed until then."""
    return (
        author.stamp(
            EventEnvelope,
            table=TABLE,
            round_number=RoundNumber(17),
            sequence=Sequence(1),
            event=CardDrawn(at=AT, device=READER, card=Card.parse("Kh")),
        ),
        author.stamp(RoundEnvelope, table=TABLE, sequence=Sequence(2), round=ROUND),
        author.stamp(TableEnvelope, table=TABLE, sequence=Sequence(2), view=VIEW),
        author.stamp(
            SettlementEnvelope,
            table=TABLE,
            sequence=Sequence(2),
            settlement=SETTLEMENT,
            awards=(AWARD,),
            complete=False,
        ),
        author.stamp(MeterEnvelope, reading=READING),
        author.stamp(
            AdjustmentAnswerEnvelope,
            table=TABLE,
            progressive=METER,
            person=PersonId("p.meier"),
            answers="bj-7-confirm-p.meier/1700000000000000/1",
            made=False,
            words="no limit is filed for royal-match, so nothing is above it",
        ),
        author.stamp(
            IndicatorCommandEnvelope,
            table=TABLE,
            round_number=RoundNumber(17),
            indicator=LAMP,
            state=LampState.ON,
            valid_until=valid_until,
        ),
        author.stamp(PositionIndicatorsEnvelope, table=TABLE, position=_THREE, lamps=VIEW.lamps),
        author.stamp(
            DeviceEnvelope,
            table=TABLE,
            status=DeviceStatus(
                device=READER,
                profile="hid_pos_reader",
                port="/dev/ttyUSB0",
                state=DeviceState.SILENT,
                since=AT,
                reason="no answer for 3 s; check the cable",
                faults=(("junk", 3),),
            ),
        ),
        author.stamp(HealthEnvelope, table=TABLE, service="daemon", online=True, detail=""),
        author.stamp(
            ConfirmationEnvelope,
            table=TABLE,
            person=PersonId("floor-1"),
            confirmation=PayoutSignedOff(round_number=RoundNumber(17), position=_THREE, act=PayoutAct.PAID),
            valid_until=valid_until,
        ),
    )
