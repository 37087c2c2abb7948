import pytest

from bridge.domain.commands import SetLock
from bridge.domain.events import LockFailed, LockOutPressed, LockReported
from bridge.drivers.lock_out import HeldButtons, lock_orders, lock_out_events, presses_first
from bridge.wire.messages import (
    InputChanged,
    OutputFailed,
    OutputReported,
    SetOutput,
    UnitAnswering,
    UnitSilent,
    WireMessage,
)
from tests.drivers.lines import AT, READER_WIRING, device

MODULE = device()


def changed(channel: int, *, active: bool = True, address: int = 1) -> InputChanged:
    return InputChanged(address=address, channel=channel, active=active)


@pytest.mark.parametrize("message", [changed(3), UnitAnswering(address=1, active_inputs=frozenset({1, 3}))])
def test_t46_a_button_that_is_pressed_or_found_held_locks(message: WireMessage) -> None:
    assert lock_out_events(message, MODULE, AT) == (LockOutPressed(at=AT, device=MODULE.device),)


@pytest.mark.parametrize(
    "message",
    [
        changed(3, active=False),
        changed(1),
        UnitAnswering(address=1, active_inputs=frozenset({1})),
        OutputReported(address=1, channel=1, active=True),
        UnitSilent(address=1, reason=""),
    ],
)
def test_letting_go_and_everything_else_is_no_press(message: WireMessage) -> None:
    assert lock_out_events(message, MODULE, AT) == ()


@pytest.mark.parametrize("engaged", [True, False])
def test_the_lock_is_reported_as_it_reads_back(engaged: bool) -> None:
    report = (LockReported(at=AT, device=MODULE.device, engaged=engaged),)
    assert lock_out_events(OutputReported(address=1, channel=3, active=engaged), MODULE, AT) == report
    failed = (LockFailed(at=AT, device=MODULE.device, commanded=engaged),)
    assert lock_out_events(OutputFailed(address=1, channel=3, commanded=engaged), MODULE, AT) == failed
    assert lock_out_events(OutputFailed(address=1, channel=1, commanded=engaged), MODULE, AT) == ()


def test_a_lock_goes_to_every_lock_output() -> None:
    devices = (device(1), device(0, READER_WIRING), device(4))
    assert lock_orders(SetLock(engaged=True), devices) == (
        SetOutput(address=1, channel=3, active=True),
        SetOutput(address=4, channel=3, active=True),
    )
    assert lock_orders(SetLock(engaged=False), devices[1:2]) == ()


def test_t43_of_a_button_and_chips_seen_together_the_button_came_first() -> None:
    devices = {1: MODULE, 2: device(2)}
    found = UnitAnswering(address=1, active_inputs=frozenset())
    earlier, later = changed(1, address=2), changed(3, address=2)
    assert presses_first(
        [
            changed(1),
            found,
            changed(1),
            changed(2, active=False),
            changed(3),
            earlier,
            later,
            changed(3, active=False),
        ],
        devices,
    ) == (
        changed(1),
        found,
        changed(3),
        changed(1),
        changed(2, active=False),
        later,
        earlier,
        changed(3, active=False),
    )


def test_a_device_that_is_not_configured_has_no_button() -> None:
    messages = (changed(1, address=9), changed(3, address=9))
    assert presses_first(messages, {1: MODULE}) == messages


@pytest.mark.parametrize(
    ("messages", "held"),
    [
        ((), False),
        ((changed(3),), True),
        ((changed(3), changed(1), changed(1, active=False)), True),
        ((changed(3), changed(3, active=False)), False),
        ((changed(1),), False),
        ((UnitAnswering(address=1, active_inputs=frozenset({3})),), True),
        ((changed(3), UnitAnswering(address=1, active_inputs=frozenset())), False),
        ((changed(3, address=7),), False),
    ],
)
def test_t43_a_button_that_is_held_is_pressed_in_the_next_round_too(
    messages: tuple[WireMessage, ...], held: bool
) -> None:
    buttons = HeldButtons({1: MODULE})
    for message in messages:
        buttons.observe(message)

    again = (LockOutPressed(at=AT, device=MODULE.device),) if held else ()
    assert tuple(buttons.pressed_again(AT)) == again
    assert tuple(buttons.pressed_again(AT)) == again
