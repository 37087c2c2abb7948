from bridge.domain.events import (
    CardUnread,
    DealerKeyPressed,
    HoleCardReaderUsed,
    IndicatorReported,
    LockOutPressed,
    LockReported,
    WagerAreaObserved,
)
from bridge.domain.shoe_events import CutCardReached
from bridge.drivers.translation import table_events
from bridge.wire.messages import CardNotRead, CutCardSeen, InputChanged, OutputReported, UnitAnswering
from tests.drivers.lines import AT, READER_WIRING, device

MODULE = device()


def test_t43_a_button_found_held_comes_before_the_chips_found_with_it() -> None:
    found = table_events(UnitAnswering(address=1, active_inputs=frozenset({1, 3, 5})), MODULE, AT)
    assert [type(event) for event in found] == [
        LockOutPressed,
        WagerAreaObserved,
        WagerAreaObserved,
        HoleCardReaderUsed,
    ]


def test_every_role_has_its_translation() -> None:
    assert [
        type(event) for event in table_events(InputChanged(address=1, channel=4, active=True), MODULE, AT)
    ] == [DealerKeyPressed]
    assert [
        type(event) for event in table_events(OutputReported(address=1, channel=1, active=True), MODULE, AT)
    ] == [IndicatorReported]
    assert [
        type(event) for event in table_events(OutputReported(address=1, channel=3, active=True), MODULE, AT)
    ] == [LockReported]
    reader = device(0, READER_WIRING)
    assert [type(event) for event in table_events(CardNotRead(address=0, raw="x"), reader, AT)] == [CardUnread]
    assert [type(event) for event in table_events(CutCardSeen(address=0), reader, AT)] == [CutCardReached]


def test_what_has_no_role_means_nothing() -> None:
    assert list(table_events(InputChanged(address=1, channel=8, active=True), MODULE, AT)) == []
