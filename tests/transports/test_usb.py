import asyncio
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from bridge.transports import Transport, usb, usb_claim
from bridge.transports.errors import PermanentTransportError, TransientTransportError
from bridge.transports.usb import UsbStream
from bridge.transports.usb_socket_calls import UsbCall, UsbFault
from bridge.wire.hid_reports import Report, ReportKind, ReportReader, ask_feature, pack
from simulators.usb_port import UsbPort
from tests.transports.ports import eventually
from tests.transports.usb_buses import XK24, bus_process, ended, opened, plugged, refused, reports

GENERATE = pack(Report(ReportKind.OUTPUT, bytes([0xB1]).ljust(35, b"\x00")))


def press(port: UsbPort, key: int, *, down: bool = True) -> None:
    port.line.inputs.set(key, active=down)  # type: ignore[attr-defined]


def threads() -> set[str]:
    return {thread.name for thread in threading.enumerate() if " usb:" in thread.name}


async def test_a_device_of_another_process_is_read_and_written(tmp_path: Path) -> None:
    async with bus_process(tmp_path, "xkeys_xk24:A17@1-1.4", "delcom_switch@1-2") as bus:
        panel = await bus.open(f"{XK24}&serial=A17")
        button = await bus.open("usb:0FC5:B080")

        await bus.tell("1-1.4 press 5")
        (pressed,) = await reports(panel, 1)
        panel.write(GENERATE)
        (asked,) = await reports(panel, 1)
        button.write(pack(ask_feature(100, 8)))
        (ports,) = await reports(button, 1)

        await panel.close()
        await button.close()
    assert (pressed.kind, pressed.data[2], asked.data[1:3]) == (ReportKind.INPUT, 0x10, b"\x02\x10")
    assert ports == Report(ReportKind.FEATURE, bytes.fromhex("FF FF 00 FF 00 00 00 00"))
    assert threads() == set()


async def test_a_bus_whose_process_dies_is_a_device_that_is_gone(tmp_path: Path) -> None:
    async with bus_process(tmp_path, "xkeys_xk24:A17") as bus:
        panel = await bus.open(XK24)
        bus.kill()
        assert "gone from the bus" in str(await ended(panel))
        await panel.close()


async def test_unplugged_and_plugged_in_again(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17") as (port,):
        panel = await opened(port.url)
        assert isinstance(panel, UsbStream)
        press(port, 1)
        await eventually(lambda: panel._unread > 0)
        port.unplug()
        (last,) = await reports(panel, 1)
        assert isinstance(await ended(panel), TransientTransportError)
        panel.write(GENERATE)
        await panel.close()
        assert isinstance(await refused(port.url), TransientTransportError)

        port.plug_in()
        again = await opened(port.url)
        press(port, 2)
        assert [report.data[2] for report in (last, *await reports(again, 1))] == [0b01, 0b11]
        await again.close()


async def test_a_read_that_is_cancelled_loses_no_report(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17") as (port,):
        panel = await opened(port.url)
        reader = ReportReader()
        seen: list[Report] = []
        for key in range(1, 25):
            reading = asyncio.create_task(panel.read())
            press(port, key)
            await asyncio.sleep(0)
            reading.cancel()
            with suppress(asyncio.CancelledError):
                seen += reader.receive_data(await reading)[0]
        seen += await reports(panel, 24 - len(seen), reader)
        await panel.close()
    assert [sum(byte.bit_count() for byte in report.data[2:6]) for report in seen] == list(range(1, 25))


async def test_what_was_written_before_the_close_is_sent(tmp_path: Path) -> None:
    async with plugged(tmp_path, "blinkstick") as (port,):
        lamps = await opened(port.url)
        lamps.write(pack(Report(ReportKind.FEATURE, bytes((5, 0, 2, 0, 255, 0)))))
        await lamps.close()
        assert port.line.outputs.active == {3}  # type: ignore[attr-defined]


async def test_a_close_does_not_wait_for_a_device_that_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(usb, "CLOSE_TIMEOUT_S", 0.05)
    async with plugged(tmp_path, "delcom_switch") as (port,):
        button = await opened(port.url)
        port.line.hanging = True  # type: ignore[attr-defined]
        button.write(pack(ask_feature(100, 8)))
        began = time.monotonic()
        await button.close()
        assert time.monotonic() - began < usb.CLOSE_TIMEOUT_S + 0.9
        assert "does not let go" in caplog.text
        await eventually(lambda: not threads())


async def test_a_stall_now_and_then_costs_nothing(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17") as (port,):
        panel = await opened(port.url)
        port.fail(UsbCall.READ, UsbFault.STALL, times=usb.FAILURES_MAX - 1)
        await eventually(lambda: port.failing == {})
        press(port, 3)
        assert (await reports(panel, 1))[0].data[2] == 0b100
        await panel.close()


@pytest.mark.parametrize(
    ("fault", "remedy"),
    [
        (UsbFault.STALL, "stalls.*it is read from"),
        (UsbFault.OVERFLOW, "sent more"),
        (UsbFault.IO, "check cable and hub"),
        (UsbFault.NO_DEVICE, "gone from the bus"),
    ],
)
async def test_a_device_that_cannot_be_read_is_given_up_with_the_reason(
    fault: UsbFault, remedy: str, tmp_path: Path
) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17") as (port,):
        panel = await opened(port.url)
        port.fail(UsbCall.READ, fault)
        with pytest.raises(TransientTransportError, match=remedy):
            raise await ended(panel)
        await panel.close()


async def test_an_endpoint_that_cannot_be_resumed_is_given_up(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17") as (port,):
        panel = await opened(port.url)
        port.fail(UsbCall.CLEAR_HALT, UsbFault.STALL)
        port.fail(UsbCall.READ, UsbFault.STALL)
        assert "stalls" in str(await ended(panel))
        await panel.close()


@pytest.mark.parametrize("fault", [UsbFault.STALL, UsbFault.TIMEOUT])
async def test_a_request_that_is_refused_leaves_the_device_open_and_three_do_not(
    fault: UsbFault, tmp_path: Path
) -> None:
    question = pack(ask_feature(100, 8))
    async with plugged(tmp_path, "delcom_switch") as (port,):
        button = await opened(port.url)
        port.fail(UsbCall.CONTROL, fault, times=2)
        button.write(question * 3)
        assert len(await reports(button, 1)) == 1
        port.fail(UsbCall.CONTROL, fault)
        button.write(question * 3)
        assert "when something is sent to it, or asked of it" in str(await ended(button))
        await button.close()


async def test_a_device_that_takes_nothing_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usb_claim, "TRANSFER_TIMEOUT_MS", 20)
    async with plugged(tmp_path, "delcom_switch") as (port,):
        button = await opened(port.url)
        port.line.hanging = True  # type: ignore[attr-defined]
        button.write(pack(ask_feature(100, 8)) * (usb.SEND_LIMIT + 2))
        assert "takes none" in str(await ended(button))
        await button.close()


async def test_a_device_that_never_speaks_is_missed_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usb, "_PRESENCE_S", 0.01)
    async with plugged(tmp_path, "alpha_sign") as (port,):
        sign = await opened(port.url)
        sign.write(b"\x00" * 5)
        port.unplug()
        assert "gone from the bus" in str(await ended(sign))
        await sign.close()


async def test_bytes_that_nobody_takes_wait_in_the_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usb, "RECEIVE_LIMIT", 64)
    async with plugged(tmp_path, "xkeys_xk24:A17") as (port,):
        panel = await opened(port.url)
        assert isinstance(panel, UsbStream)
        for key in range(1, 13):
            press(port, key)
        await eventually(panel._is_full)
        assert len(await reports(panel, 12)) == 12
        await panel.close()


async def test_what_is_no_record_is_not_sent(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17") as (port,):
        panel = await opened(port.url)
        panel.write(b"junk" + pack(Report(ReportKind.INPUT, b"\x00")) + GENERATE)
        assert len(await reports(panel, 1)) == 1
        await panel.close()
    assert "are no report" in caplog.text


async def test_an_open_that_is_cancelled_gives_the_device_back(tmp_path: Path) -> None:
    async with plugged(tmp_path, "xkeys_xk24:A17") as (port,):
        opening = asyncio.create_task(opened(port.url))
        await asyncio.sleep(0)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening

        async def free() -> Transport | None:
            try:
                return await opened(port.url)
            except PermanentTransportError:
                return None

        async with asyncio.timeout(60):
            while (panel := await free()) is None:
                pass
        await panel.close()


async def test_opening_what_is_not_allowed_says_which_rule_to_write(tmp_path: Path) -> None:
    async with plugged(tmp_path, "delcom_switch") as (port,):
        port.fail(UsbCall.OPEN, UsbFault.ACCESS)
        error = await refused(port.url)
        assert isinstance(error, PermanentTransportError)
        assert 'ATTR{idVendor}=="0fc5", ATTR{idProduct}=="b080"' in str(error)
