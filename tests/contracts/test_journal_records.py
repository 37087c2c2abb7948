import json
from typing import get_args

import pytest

from bridge.contracts.journal_records import JournalRecordError, event_from_json, event_to_json
from bridge.domain.awards import AwaitedAct, PayoutAct
from bridge.domain.cards import Card, UnseenCard
from bridge.domain.confirmations import (
    CardIdentified,
    CoinsReturned,
    Confirmation,
    ControllerEnabled,
    CountResolved,
    MeterAdjusted,
    OwnerDeclared,
    PayoutSignedOff,
    ResultOverridden,
)
from bridge.domain.controller import DisabledReason
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.errors import BridgeError
from bridge.domain.events import (
    BridgeStarted,
    BridgeStopped,
    CardDrawn,
    CardUnread,
    ChipTrayRead,
    ControllerDisabled,
    DealerKeyPressed,
    DeviceLost,
    DeviceReady,
    GamingDayBegan,
    HoleCardReaderUsed,
    IndicatorFailed,
    IndicatorReported,
    IndicatorRequested,
    KeySwitchTurned,
    LockFailed,
    LockOutPressed,
    LockReported,
    PersonConfirmed,
    RoundSettled,
    TableEvent,
    WagerAreaObserved,
    WagerPlaced,
    WagerRemoved,
    WagerReportLost,
)
from bridge.domain.identity import DeviceId, PersonId, ProgressiveId, RoundNumber, Sequence
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.meters import AdjustmentReason, Pool
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.people import KeyPrivilege, PersonRole
from bridge.domain.rounds import Game
from bridge.domain.settlements import DecidedWager, Result
from bridge.domain.setup import (
    CardReading,
    ChipTray,
    CoinSlot,
    DealerKeyInput,
    DeviceWiring,
    EffectiveWindow,
    HoleCardReaderInput,
    IndicatorOutput,
    KeySwitchInput,
    LockOutButton,
    LockOutput,
    OfferedWager,
    TableSetup,
    WagerSensor,
)
from bridge.domain.shoe import DealTarget, ShoeFault, ShoeMode, ShoeResult
from bridge.domain.shoe_events import (
    CardDrawnOutOfGame,
    CardRetransmitted,
    CutCardReached,
    ShoeFaultCleared,
    ShoeFaultReported,
    ShoeLockReported,
    ShoePresetChanged,
    ShoeReportLost,
    ShoeResultReported,
    ShoeStarted,
    ShoeStoodBy,
)
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerKind
from tests.contracts.samples import AT, TABLE

_DEVICE = DeviceId("module-1")
_THREE = BettingPosition(3)
_ROUND = RoundNumber(17)
_LAMP = Indicator(_THREE, Lamp.CROWN_TREASURE)
_BLACKJACK = WagerKind.BLACKJACK

_SETUP = TableSetup(
    table=TABLE,
    game=Game.BLACKJACK,
    deal_order=(BettingPosition(1), _THREE),
    offered=(OfferedWager(kind=_BLACKJACK, amount=UnknownAmount.UNKNOWN),),
    wiring=(
        DeviceWiring(
            device=_DEVICE,
            inputs=(
                (1, WagerSensor(position=_THREE, wager=_BLACKJACK)),
                (2, LockOutButton()),
                (3, DealerKeyInput(key=DealerKey.COUNT_AGREED)),
                (4, HoleCardReaderInput()),
                (6, CoinSlot(position=_THREE, wager=_BLACKJACK, amount=Cents(500))),
                (7, ChipTray()),
                (5, KeySwitchInput(privilege=KeyPrivilege.RESET, key=PersonId("reset-key-1"))),
            ),
            outputs=((1, IndicatorOutput(indicators=(_LAMP,))), (2, LockOutput())),
            card_readings=(CardReading.AS_DRAWN,),
            meter_signs=(ProgressiveId("royal-match"),),
        ),
    ),
    submission_digest="ab" * 32,
    window=EffectiveWindow(first_day="2026-01-01", last_day="2026-12-31", refuse_outside=True),
    chip_register_digest="ef" * 32,
    people=((PersonId("floor-1"), PersonRole.FLOORPERSON),),
)

_CONFIRMATIONS: tuple[Confirmation, ...] = (
    CountResolved(round_number=_ROUND, reason="a chip had slid"),
    CardIdentified(round_number=_ROUND, order=4, card=Card.parse("Td")),
    *(
        PayoutSignedOff(round_number=_ROUND, position=_THREE, act=act, reason="as the cards lie")
        for act in PayoutAct
    ),
    ResultOverridden(
        round_number=_ROUND,
        position=_THREE,
        wager=_BLACKJACK,
        result=Result.WIN,
        paid=Cents(500),
        stake_returned=Cents(0),
        reason="the queen was a king",
    ),
    OwnerDeclared(round_number=_ROUND, position=_THREE, owner=PersonId("guest-2")),
    CoinsReturned(round_number=_ROUND, position=_THREE, amount=Cents(500)),
    ControllerEnabled(reason=DisabledReason.LOST_LINK, why="the cable was in the wrong socket"),
    *(
        MeterAdjusted(
            progressive=ProgressiveId("royal-match"),
            pool=pool,
            reason=reason,
            amount=MeterAmount(-205_075),
            text="report 12",
            counterpart="royal-match-2",
            settles="t/1/contribution/royal_match_progressive/2",
        )
        for reason, pool in zip(AdjustmentReason, [*Pool, Pool.DISPLAY], strict=True)
    ),
)

EVENTS: tuple[TableEvent, ...] = (
    DeviceReady(at=AT, device=_DEVICE),
    DeviceLost(at=AT, device=_DEVICE, reason="no answer"),
    CardDrawn(at=AT, device=_DEVICE, card=Card.parse("Kh")),
    CardDrawn(at=AT, device=_DEVICE, card=Card.parse("Kh"), target=DealTarget.BANKER, place=3),
    CardUnread(at=AT, device=_DEVICE, raw="??\x00é"),
    CardUnread(at=AT, device=_DEVICE, raw="80", target=DealTarget.PLAYER, place=2),
    CardDrawnOutOfGame(at=AT, device=_DEVICE, card=Card.parse("Kh"), mode=ShoeMode.LOCKED),
    CardRetransmitted(
        at=AT, device=_DEVICE, card=UnseenCard.UNREAD, target=DealTarget.FIRST_OF_BURN_COUNT, place=1
    ),
    CutCardReached(at=AT, device=_DEVICE),
    ShoeResultReported(at=AT, device=_DEVICE, result=ShoeResult.TIE, player_pair=True, banker_pair=False),
    ShoeFaultReported(at=AT, device=_DEVICE, fault=ShoeFault.OVERDRAW, code=2, error_mode=True),
    ShoeFaultCleared(at=AT, device=_DEVICE, fault=ShoeFault.UNDOCUMENTED, code=63),
    ShoeLockReported(at=AT, device=_DEVICE, locked=True),
    ShoeStarted(at=AT, device=_DEVICE),
    ShoeStoodBy(at=AT, device=_DEVICE),
    ShoePresetChanged(at=AT, device=_DEVICE, preset="01", value="0005"),
    ShoeReportLost(at=AT, device=_DEVICE, reason="number 3 follows 1"),
    WagerPlaced(at=AT, device=_DEVICE, position=_THREE, wager=_BLACKJACK),
    WagerPlaced(at=AT, device=_DEVICE, position=_THREE, wager=_BLACKJACK, amount=Cents(500), taken=Cents(500)),
    WagerRemoved(at=AT, device=_DEVICE, position=_THREE, wager=_BLACKJACK),
    WagerAreaObserved(at=AT, device=_DEVICE, position=_THREE, wager=_BLACKJACK, covered=True),
    WagerAreaObserved(
        at=AT,
        device=_DEVICE,
        position=_THREE,
        wager=_BLACKJACK,
        covered=True,
        amount=UnknownAmount.UNKNOWN,
        unknown_chips=("E0040100000000FF",),
    ),
    ChipTrayRead(at=AT, device=_DEVICE, value=Cents(12_500), chips=4, unknown_chips=("E0040100000000FF",)),
    WagerReportLost(at=AT, device=_DEVICE, reason="2 events are lost"),
    LockOutPressed(at=AT, device=_DEVICE),
    DealerKeyPressed(at=AT, device=_DEVICE, key=DealerKey.COUNT_AGREED),
    HoleCardReaderUsed(at=AT, device=_DEVICE),
    KeySwitchTurned(at=AT, device=_DEVICE, key=PersonId("reset-key-1")),
    IndicatorReported(at=AT, device=_DEVICE, indicator=_LAMP, state=LampState.ON),
    IndicatorFailed(at=AT, device=_DEVICE, indicator=_LAMP, commanded=LampState.ON),
    LockReported(at=AT, device=_DEVICE, engaged=True),
    LockFailed(at=AT, device=_DEVICE, commanded=True),
    RoundSettled(
        at=AT,
        round_number=_ROUND,
        answers=Sequence(12),
        side_wagers_settled=True,
        deferred=(_THREE,),
        undecided=(),
        awaiting=(AwaitedAct(position=_THREE, act=PayoutAct.VALIDATED),),
        decided=(DecidedWager(position=_THREE, kind=_BLACKJACK),),
        complete=False,
    ),
    IndicatorRequested(at=AT, round_number=_ROUND, indicator=_LAMP, state=LampState.OFF),
    *(
        PersonConfirmed(at=AT, by=PersonId("floor-1"), role=PersonRole.FLOORPERSON, confirmation=confirmation)
        for confirmation in _CONFIRMATIONS
    ),
    BridgeStarted(at=AT, version="0.1.0", setup=_SETUP, software="cd" * 32, boot_id="0b5e"),
    BridgeStopped(at=AT),
    *(ControllerDisabled(at=AT, reason=reason, detail="as found") for reason in DisabledReason),
    GamingDayBegan(at=AT, day="2026-11-29"),
)


def test_every_kind_of_event_is_tried() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(TableEvent))


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: str(event.kind))
def test_an_event_comes_back_equal_and_of_its_own_class(event: TableEvent) -> None:
    back = event_from_json(event_to_json(event))
    assert back == event
    assert type(back) is type(event)


def test_a_hidden_card_of_the_journal_is_not_told_by_an_error() -> None:
    with pytest.raises(JournalRecordError) as refused:
        event_from_json(b'{"at":1.5,"device":"d","card":{"rank":"K","suit":"h"},"kind":"card_drawn"}')
    assert "K" not in str(refused.value)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"at": "1"}, "card_drawn.at"),
        ({"at": 1.0}, "card_drawn.at"),
        ({"at": True}, "card_drawn.at"),
        ({"seen_by": "eye"}, "card_drawn.seen_by"),
        ({"kind": "card_burnt"}, "'card_burnt'"),
        ({"card": {"rank": "1", "suit": "h"}}, "card_drawn.card.Card.rank"),
    ],
)
def test_a_malformed_record_is_refused_with_its_place(change: dict[str, object], place: str) -> None:
    record = json.loads(event_to_json(CardDrawn(at=AT, device=_DEVICE, card=Card.parse("Kh"))))
    with pytest.raises(JournalRecordError, match="not a table event") as refused:
        event_from_json(json.dumps({**record, **change}).encode())
    assert place in str(refused.value)
    assert "a later release" in str(refused.value)


def test_which_confirmation_it_was_is_never_guessed() -> None:
    owner = next(e for e in EVENTS if isinstance(e, PersonConfirmed) and isinstance(e.confirmation, OwnerDeclared))
    record = event_to_json(owner).replace(b',"kind":"owner_declared"', b"")
    with pytest.raises(JournalRecordError, match="not a table event"):
        event_from_json(record)


def test_what_an_input_is_for_is_never_guessed() -> None:
    started = event_to_json(BridgeStarted(at=AT, version="0.1.0", setup=_SETUP))
    with pytest.raises(JournalRecordError, match=r"setup\.wiring\.0\.inputs\.1"):
        event_from_json(started.replace(b'{"kind":"lock_out_button"}', b"{}"))


@pytest.mark.parametrize("data", [b"", b"null", b"[]", b"\xff", b'{"kind":"card_drawn"'])
def test_a_torn_record_is_refused(data: bytes) -> None:
    with pytest.raises(BridgeError, match="not a table event"):
        event_from_json(data)


def test_what_is_no_event_is_not_written() -> None:
    with pytest.raises(JournalRecordError, match="cannot be written as a table event"):
        event_to_json("card drawn")  # type: ignore[arg-type]
