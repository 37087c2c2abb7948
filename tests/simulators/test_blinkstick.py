"""The lamps' end of the cable, driven by their maker's own driver."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from bridge.domain.events import IndicatorReported
from bridge.domain.indicators import LampState
from bridge.wire.blinkstick_reports import DARK, Colour
from bridge.wire.hid_reports import Report, ReportKind, ask_feature, pack
from bridge.wire.messages import SetOutput
from simulators.blinkstick import BlinkStick
from simulators.device import NoSuchChannelError
from tests.simulators.driven import driven, on_port
from tests.wire.lamp_makers_driver import Device, Transfer, driver_of

RED = Colour(255, 0, 0)


def plugged(device: BlinkStick) -> Device:
    """The device behind the transfers of the maker's driver; accepts those of a strict host too."""

    def answer(transfer: Transfer) -> bytes:
        report = transfer.value & 0xFF
        if transfer.data:
            told = bytes((report,)) + transfer.data[1:]
            assert device.receive(pack(Report(ReportKind.FEATURE, told)), 0) == ()
            return b""
        (said,) = device.receive(pack(ask_feature(report, transfer.length)), 0)
        return said.data[3:]

    return Device(answer)


def test_the_makers_driver_sets_and_reads_colours() -> None:
    device = BlinkStick()
    driver = driver_of(plugged(device))
    driver.set_color(0, 0, 1, 2, 3)
    driver.set_color(0, 7, 255, 0, 0)
    assert device.colours == (Colour(1, 2, 3), *[DARK] * 6, RED)
    assert device.outputs.active == {1, 8}
    assert driver._get_color_rgb(0) == [1, 2, 3]
    assert driver._get_color_rgb(7) == [255, 0, 0]
    driver.set_led_data(0, [0, 255, 0] * 2)
    assert device.colours == (RED, RED, *[DARK] * 6)
    assert list(driver.get_led_data(6)[:6]) == [0, 255, 0] * 2


def test_the_makers_driver_reads_mode_and_count() -> None:
    device = BlinkStick(5, mode=1)
    driver = driver_of(plugged(device))
    assert (driver.get_mode(), driver.get_led_count()) == (1, 5)
    driver.set_mode(2)
    driver.set_led_count(7)
    assert (driver.get_mode(), driver.get_led_count()) == (2, 5)
    device.power_cycle()
    assert device.mode == 2


def test_a_loss_of_power_leaves_the_lamps_dark() -> None:
    device = BlinkStick(2)
    driver_of(plugged(device)).set_color(0, 0, 255, 0, 0)
    device.power_cycle()
    assert device.colours == (DARK, DARK)
    assert device.outputs.active == frozenset()


def test_a_broken_led_stays_as_it_is() -> None:
    device = BlinkStick(2)
    device.stick(1)
    device.stick(2, RED)
    driver_of(plugged(device)).set_color(0, 0, 255, 0, 0)
    assert device.colours == (DARK, RED)
    with pytest.raises(NoSuchChannelError, match="LEDs 1 to 2"):
        device.stick(3)


async def test_people_can_wait_for_the_lamps_to_have_been_read_back() -> None:
    device = BlinkStick()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(device.until_polled(1))
        await asyncio.to_thread(bytes)
        driver_of(plugged(device)).get_led_data(6)


def test_another_program_may_set_a_colour() -> None:
    device = BlinkStick(2)
    device.set_by_another(2, RED)
    assert device.outputs.active == {2}


@pytest.mark.parametrize(
    "record",
    [
        pack(ask_feature(2, 33)),
        pack(Report(ReportKind.FEATURE_REQUEST, b"")),
        pack(Report(ReportKind.FEATURE, b"")),
        pack(Report(ReportKind.FEATURE, b"\x06\x00")),
        pack(Report(ReportKind.FEATURE, b"\x05\x00\xff\xff\xff\xff")),
        pack(Report(ReportKind.OUTPUT, b"\x01\xff\xff\xff")),
    ],
)
def test_what_the_device_has_not_is_met_with_silence(record: bytes) -> None:
    device = BlinkStick()
    device.connect(lambda _: None)
    assert device.receive(record, 0) == ()
    assert device.colours == (DARK,) * 8


@pytest.mark.parametrize("over_tcp", [False, True], ids=["pty", "tcp"])
async def test_the_bridge_lights_a_lamp_and_reads_it_back_over_a_real_port(tmp_path: Path, over_tcp: bool) -> None:
    device = BlinkStick()
    async with driven("blinkstick", on_port(device, tmp_path, over_tcp=over_tcp)) as run:
        run.order(SetOutput(address=0, channel=1, active=True))
        await device.outputs.until(lambda lit: lit == {1})
        await run.record.until(IndicatorReported, lambda seen: seen.state is LampState.ON)
        run.port.unplug()
        device.power_cycle()
        run.port.plug_in()
        await device.outputs.until(lambda lit: lit == {1})


@given(st.lists(st.binary(max_size=120), max_size=6))
def test_arbitrary_bytes_do_no_harm(reads: list[bytes]) -> None:
    device = BlinkStick()
    for read in reads:
        device.receive(read, 0)
    device.power_cycle()
    driver_of(plugged(device)).set_color(0, 0, 255, 0, 0)
    assert device.colours[0] == RED
