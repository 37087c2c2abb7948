from bridge.domain.events import WagerAreaObserved, WagerPlaced, WagerRemoved
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.drivers.wagering_devices import wager_events
from bridge.wire.messages import InputChanged, OutputReported, UnitAnswering
from tests.drivers.lines import AT, device

MODULE = device()
ONE, TWO = BettingPosition(1), BettingPosition(2)


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
