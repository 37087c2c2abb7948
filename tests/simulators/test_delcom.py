import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from bridge.domain.commands import SetIndicator
from bridge.domain.events import DeviceLost, DeviceReady, IndicatorReported, LockOutPressed
from bridge.domain.identity import DeviceId
from bridge.domain.indicators import LampState
from bridge.domain.setup import DeviceWiring, IndicatorOutput, LockOutButton
from bridge.profiles import load_installed
from bridge.wire.hid_reports import Report, ReportKind, ReportReader, ask_feature, pack
from simulators.delcom import DelcomButton
from tests.drivers.lines import ACCEPTED_1, AT
from tests.simulators.driven import driven, on_pty, on_tcp

FRAMES = {
    entry["id"]: bytes.fromhex(entry["hex"])
    for entry in json.loads((Path(__file__).parent.parent / "frames" / "delcom.json").read_text())["frames"]
}
COUNT = FRAMES["dl-d-evt-enable"]


def order(button: DelcomButton, *orders: bytes) -> None:
    for data in orders:
        assert button.receive(pack(Report(ReportKind.FEATURE, data)), 0) == ()


def ask(button: DelcomButton, number: int) -> bytes:
    said = b"".join(utterance.data for utterance in button.receive(pack(ask_feature(number, 8)), 0))
    reports, _ = ReportReader().receive_data(said)
    return b"".join(report.data for report in reports)


@pytest.mark.parametrize(
    ("written", "lit"),
    [
        (["dl-green-on"], {1}),
        (["dl-green-on", "dl-blue-on", "dl-blue-off"], {1}),
        (["dl-flash-en-red", "dl-sync", "dl-red-off"], set()),
        (["dl-d-beeper-on", "dl-blue-on"], {3, 4}),
        (["dl-d-beeper-on", "dl-d-beeper-off"], set()),
    ],
)
def test_leds_and_beeper_are_as_published_orders_say(written: list[str], lit: set[int]) -> None:
    button = DelcomButton()
    order(button, *(FRAMES[name] for name in written))
    assert button.outputs.active == lit


def test_ports_are_answered_as_the_documented_rule_has_them() -> None:
    button = DelcomButton()
    order(button, FRAMES["dl-green-on"])
    assert ask(button, 100) == FRAMES["dl-d-ports-idle"][1:]
    button.inputs.set(1, active=True)
    assert ask(button, 100) == FRAMES["dl-d-ports-pressed"][1:]


def test_presses_are_counted_once_it_was_told_to_and_asking_sets_the_count_to_0() -> None:
    button = DelcomButton()
    button.tap()
    order(button, COUNT)
    for _ in range(3):
        button.tap()
    assert ask(button, 8) == FRAMES["dl-d-evt-3"][1:]
    assert ask(button, 8) == bytes(8)


def test_a_count_that_overflows_says_so() -> None:
    button = DelcomButton()
    button.presses = 1 << 32
    assert ask(button, 8) == bytes.fromhex("FF FF FF FF FF 00 00 00")


def test_a_device_says_what_it_is_and_answers_nothing_else() -> None:
    button = DelcomButton(serial_number=12_345_678)
    assert ask(button, 10) == FRAMES["dl-d-firmware"][1:]
    assert ask(button, 99) == b""
    button.hanging = True
    assert ask(button, 10) == b""


def test_answers_may_begin_with_their_number_and_the_switch_be_the_other_way_round() -> None:
    assert ask(DelcomButton(numbered_answers=True), 8) == bytes([8, *bytes(8)])
    assert ask(DelcomButton(active_low=False), 100)[0] == 0xFE


def test_a_press_may_put_out_the_leds_by_itself() -> None:
    button = DelcomButton()
    order(button, bytes([0x65, 72, 0x40, *bytes(5)]), FRAMES["dl-green-on"], FRAMES["dl-d-beeper-on"])
    button.tap()
    assert button.outputs.active == {4}


def test_a_power_cut_puts_everything_out_and_stops_counting() -> None:
    button = DelcomButton()
    order(button, COUNT, FRAMES["dl-green-on"])
    button.tap()
    button.power_cycle()
    button.tap()
    assert ask(button, 8) == bytes(8)
    assert button.outputs.active == frozenset()


def test_too_many_leds_at_full_power_on_a_long_cable_reset_it() -> None:
    button = DelcomButton()
    button.brown_out_above = 2
    full = [bytes([0x65, 34, pin, 100, *bytes(4)]) for pin in range(3)]
    every = bytes([0x65, 12, 7, 0, *bytes(4)])
    order(button, every)
    assert button.outputs.active == {1, 2, 3}, "at 80 per cent the cable carries them"
    order(button, *full, every)
    assert button.outputs.active == frozenset()


def test_what_is_no_order_changes_nothing() -> None:
    button = DelcomButton()
    order(button, b"", b"\x65", bytes([0x65, 99, *bytes(6)]), bytes([0x65, 34, 9, 9, *bytes(4)]))
    assert button.receive(pack(Report(ReportKind.FEATURE_REQUEST, b"")), 0) == ()
    assert button.receive(pack(Report(ReportKind.INPUT, b"\x01")), 0) == ()


@given(st.lists(st.binary(max_size=60), max_size=8))
def test_whatever_a_computer_sends_the_button_survives(chunks: list[bytes]) -> None:
    button = DelcomButton()
    for chunk in chunks:
        button.receive(chunk, 0)
        button.receive(pack(Report(ReportKind.FEATURE, chunk)), 0)
    button.power_cycle()
    assert len(ask(button, 100)) == 8


async def test_looks_at_the_ports_are_counted() -> None:
    button = DelcomButton()
    waiting = asyncio.ensure_future(button.until_polled(2))
    for expected in (False, True):
        await asyncio.sleep(0)
        ask(button, 100)
        ask(button, 8)
        await asyncio.sleep(0)
        assert waiting.done() is expected


# --- with the bridge at the other end ---------------------------------------------------------------------

WIRING = DeviceWiring(
    device=DeviceId("module"),
    inputs=((1, LockOutButton()),),
    outputs=((2, IndicatorOutput(indicators=(ACCEPTED_1,))),),
)


async def test_a_tap_between_two_looks_is_a_press_of_the_lock_out(tmp_path: Path) -> None:
    button = DelcomButton()
    async with driven("delcom_switch", on_pty(button, tmp_path), {0: WIRING}) as (_, record, _port):
        await record.until(DeviceReady)
        button.tap()
        await record.until(LockOutPressed)
        await button.until_polled(3)
        assert len(record.of(LockOutPressed)) == 1


async def test_a_lamp_is_lit_reported_and_lit_again_after_a_replug() -> None:
    button = DelcomButton()
    async with driven("delcom_switch", on_tcp(button), {0: WIRING}) as (fleet, record, port):
        await record.until(DeviceReady)
        fleet.perform(SetIndicator(indicator=ACCEPTED_1, state=LampState.ON))
        lit = IndicatorReported(at=AT, device=WIRING.device, indicator=ACCEPTED_1, state=LampState.ON)
        assert await record.until(IndicatorReported, lambda event: event.state is LampState.ON) == lit
        assert button.outputs.active == {2}
        port.unplug()
        await record.until(DeviceLost)
        button.power_cycle()
        record.forget()
        port.plug_in()
        assert await record.until(IndicatorReported, lambda event: event.state is LampState.ON) == lit


async def test_a_button_that_hangs_is_lost_and_found_again(tmp_path: Path) -> None:
    button = DelcomButton()
    async with driven(
        "delcom_switch", on_pty(button, tmp_path), {0: WIRING}, reply_timeout_ms=20, silent_poll_ms=20
    ) as (_, record, _port):
        await record.until(DeviceReady)
        button.hanging = True
        await record.until(DeviceLost)
        record.forget()
        button.hanging = False
        await record.until(DeviceReady)


def test_the_profile_has_the_channels_of_the_device() -> None:
    spec = load_installed("delcom_switch")
    button = DelcomButton()
    assert (spec.inputs, spec.outputs) == (button.inputs.count, button.outputs.count)
