import logging

import pytest

from bridge.domain.cards import Card, UnseenCard
from bridge.domain.events import TableEvent
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
from bridge.drivers.shoe import shoe_events
from bridge.wire.messages import (
    CardOutOfGame,
    CardRead,
    CardStatedAgain,
    CommandAnswered,
    CutCardSeen,
    FaultStated,
    KeyTurned,
    PresetChanged,
    ReportLost,
    ResultStated,
    UnitStandingBy,
    UnitStarted,
    WireMessage,
)
from tests.drivers.lines import AT, READER_WIRING, device

SHOE = device(0, READER_WIRING)
ID = SHOE.device
KING = Card.parse("Kh")

MEANINGS: list[tuple[WireMessage, TableEvent]] = [
    (
        CardOutOfGame(address=0, card=KING, mode=ShoeMode.LOCKED),
        CardDrawnOutOfGame(at=AT, device=ID, card=KING, mode=ShoeMode.LOCKED),
    ),
    (
        CardStatedAgain(address=0, card=UnseenCard.UNREAD, target=DealTarget.PLAYER, place=1),
        CardRetransmitted(at=AT, device=ID, card=UnseenCard.UNREAD, target=DealTarget.PLAYER, place=1),
    ),
    (CutCardSeen(address=0), CutCardReached(at=AT, device=ID)),
    (
        ResultStated(address=0, result=ShoeResult.TIE, player_pair=True, banker_pair=False),
        ShoeResultReported(at=AT, device=ID, result=ShoeResult.TIE, player_pair=True, banker_pair=False),
    ),
    (
        FaultStated(address=0, fault=ShoeFault.OVERDRAW, code=2, active=True, error_mode=True),
        ShoeFaultReported(at=AT, device=ID, fault=ShoeFault.OVERDRAW, code=2, error_mode=True),
    ),
    (
        FaultStated(address=0, fault=ShoeFault.OVERDRAW, code=2, active=False, error_mode=False),
        ShoeFaultCleared(at=AT, device=ID, fault=ShoeFault.OVERDRAW, code=2),
    ),
    (KeyTurned(address=0, locked=True), ShoeLockReported(at=AT, device=ID, locked=True)),
    (UnitStarted(address=0), ShoeStarted(at=AT, device=ID)),
    (UnitStandingBy(address=0), ShoeStoodBy(at=AT, device=ID)),
    (
        PresetChanged(address=0, preset="01", value="0005"),
        ShoePresetChanged(at=AT, device=ID, preset="01", value="0005"),
    ),
    (ReportLost(address=0, reason="gone"), ShoeReportLost(at=AT, device=ID, reason="gone")),
]


@pytest.mark.parametrize(("message", "event"), MEANINGS, ids=[event.kind for _, event in MEANINGS])
def test_a_report_becomes_its_event(message: WireMessage, event: TableEvent) -> None:
    assert shoe_events(message, SHOE, AT) == (event,)


@pytest.mark.parametrize("message", [message for message, _ in MEANINGS])
def test_a_device_that_is_not_the_tables_card_reader_reports_nothing(message: WireMessage) -> None:
    assert shoe_events(message, device(), AT) == ()


def test_a_card_of_the_game_is_told_elsewhere() -> None:
    assert shoe_events(CardRead(address=0, card=KING), SHOE, AT) == ()


@pytest.mark.parametrize(
    ("accepted", "reason", "says"),
    [
        (True, "", "device reader: command EC 02 accepted"),
        (False, "NAK 21: busy", "device reader: command EC 02 not accepted: NAK 21: busy"),
    ],
)
def test_the_answer_to_a_command_is_logged_and_no_event(
    caplog: pytest.LogCaptureFixture, accepted: bool, reason: str, says: str
) -> None:
    caplog.set_level(logging.INFO, "bridge.drivers.shoe")
    answer = CommandAnswered(address=0, command="EC 02", accepted=accepted, reason=reason)
    assert shoe_events(answer, SHOE, AT) == ()
    assert caplog.messages == [says]
