import pytest

from bridge.domain.events import WagerAreaObserved, WagerPlaced, WagerRemoved, WagerReportLost
from bridge.domain.identity import DeviceId
from bridge.domain.money import Cents
from bridge.domain.setup import CoinSlot, DeviceWiring
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.drivers.wagering_devices import wager_events
from bridge.wire.messages import (
    CoinAccepted,
    CoinNotAccepted,
    InputChanged,
    OutputReported,
    ReportLost,
    UnitAnswering,
)
from tests.drivers.lines import AT, device

MODULE = device()
ONE, TWO = BettingPosition(1), BettingPosition(2)
SLOT = CoinSlot(position=TWO, wager=WagerKind.ROYAL_MATCH_PROGRESSIVE, amount=Cents(500))
ACCEPTOR = device(1, DeviceWiring(device=DeviceId("slot"), inputs=((2, SLOT),)))


def lost(reason: str) -> WagerReportLost:
    return WagerReportLost(at=AT, device=ACCEPTOR.device, reason=reason)


def test_a_sensor_that_is_covered_is_a_wager_placed() -> None:
    (event,) = wager_events(InputChanged(address=1, channel=2, active=True), MODULE, AT)
    assert event == WagerPlaced(at=AT, device=MODULE.device, position=TWO, wager=WagerKind.BLACKJACK)


def test_a_sensor_that_is_emptied_is_a_wager_removed() -> None:
    (event,) = wager_events(InputChanged(address=1, channel=1, active=False), MODULE, AT)
    assert event == WagerRemoved(at=AT, device=MODULE.device, position=ONE, wager=WagerKind.BLACKJACK)


def test_t45_what_is_found_is_a_level_of_every_sensor_and_no_edge() -> None:
    assert wager_events(UnitAnswering(address=1, active_inputs=frozenset({2, 3})), MODULE, AT) == tuple(
        WagerAreaObserved(
            at=AT, device=MODULE.device, position=position, wager=WagerKind.BLACKJACK, covered=covered
        )
        for position, covered in ((ONE, False), (TWO, True))
    )


def test_inputs_of_other_roles_and_outputs_place_no_wager() -> None:
    assert wager_events(InputChanged(address=1, channel=3, active=True), MODULE, AT) == ()
    assert wager_events(InputChanged(address=1, channel=8, active=True), MODULE, AT) == ()
    assert wager_events(OutputReported(address=1, channel=1, active=True), MODULE, AT) == ()


def test_a_coin_that_was_taken_is_a_wager_placed_and_money_that_is_gone() -> None:
    (event,) = wager_events(CoinAccepted(address=1, coin=2, sorter_path=1), ACCEPTOR, AT)
    assert event == WagerPlaced(
        at=AT,
        device=ACCEPTOR.device,
        position=TWO,
        wager=WagerKind.ROYAL_MATCH_PROGRESSIVE,
        amount=Cents(500),
        taken=Cents(500),
    )


def test_t46_an_acceptor_that_is_found_takes_no_wager_back() -> None:
    found = UnitAnswering(address=1, active_inputs=frozenset(), shows_levels=False)
    assert wager_events(found, MODULE, AT) == ()


def test_a_coin_that_is_no_wager_and_coins_that_cannot_be_told_are_somebodys_money() -> None:
    assert wager_events(CoinAccepted(address=1, coin=8, sorter_path=1), ACCEPTOR, AT) == (
        lost("it took a coin 8, which is no wager at this table"),
    )
    assert wager_events(ReportLost(address=1, reason="2 events are lost"), ACCEPTOR, AT) == (
        lost("2 events are lost"),
    )


def test_a_report_that_a_device_without_a_slot_lost_is_no_money() -> None:
    assert wager_events(ReportLost(address=1, reason="2 events are lost"), MODULE, AT) == ()


def test_a_coin_that_was_not_taken_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert wager_events(CoinNotAccepted(address=1, code=20, reason="coin on string"), ACCEPTOR, AT) == ()
    assert caplog.messages == ["device slot did not take a coin: 20, coin on string"]
