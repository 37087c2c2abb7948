import asyncio
import time
from pathlib import Path

import pytest

from bridge.domain.devices import DeviceState
from bridge.domain.events import (
    DeviceLost,
    DeviceReady,
    IndicatorReported,
    LockOutPressed,
    WagerAreaObserved,
    WagerPlaced,
)
from bridge.domain.identity import DeviceId
from bridge.domain.setup import DeviceWiring
from bridge.drivers.backoff import RetryPolicy
from bridge.drivers.device_life import Observation
from bridge.drivers.driver import LineDriver
from bridge.drivers.line import LineDevice
from bridge.transports import Transport
from bridge.transports.errors import PermanentTransportError, TransientTransportError
from bridge.transports.pair import NullModem, PairTransport
from bridge.wire.messages import SetOutput
from bridge.wire.spec import SerialSettings
from tests.drivers.lines import AT, HIDDEN_CARD, IMPATIENT, Record, Scripted, StoppedClock, background, device
from tests.patience import PATIENCE_S
from tests.transports.ports import PseudoTerminal, eventually

LAMP_ON = SetOutput(address=1, channel=1, active=True)


class Cables:
    """Opens a new cable each time, or fails as it is told to; the device's end is the test's."""

    def __init__(self) -> None:
        self.modems: list[NullModem] = []
        self.failures: list[Exception] = []

    async def open(self, url: str, settings: SerialSettings) -> Transport:
        assert (url, settings) == ("pair://cable", SerialSettings())
        if self.failures:
            raise self.failures[0] if len(self.failures) == 1 else self.failures.pop(0)
        self.modems.append(NullModem())
        return self.modems[-1].bridge

    @property
    def device(self) -> PairTransport:
        return self.modems[-1].device

    async def heard(self, expected: bytes) -> None:
        """Wait until the device has heard exactly this."""
        heard = b""
        async with asyncio.timeout(PATIENCE_S):
            while len(heard) < len(expected):
                heard += await self.device.read()
        assert heard == expected


class Table:
    """One driver on cables, and a record of what it tells."""

    def __init__(
        self, *, policy: RetryPolicy = IMPATIENT, devices: tuple[LineDevice, ...] = (), room: int = 1000
    ) -> None:
        self.scripted = Scripted()
        self.cables = Cables()
        self.clock = StoppedClock()
        queue: asyncio.Queue[Observation] = asyncio.Queue(room)
        self.record = Record(queue)
        self.driver = LineDriver(
            self.scripted.line("pair://cable", *devices),
            clock=self.clock,
            observations=queue,
            open_port=self.cables.open,
            policy=policy,
        )

    async def connected(self) -> None:
        """Wait until the device answers."""
        await eventually(lambda: bool(self.cables.modems))
        self.cables.device.write(b"A")
        await self.record.until(DeviceReady)


@pytest.fixture
def table() -> Table:
    return Table()


async def test_a_device_is_ready_before_its_levels_and_its_life_is_told(table: Table) -> None:
    async with background(table.driver.run):
        await table.connected()

    assert [type(event) for event in table.record.events()] == [DeviceReady, WagerAreaObserved, WagerAreaObserved]
    assert {event.at for event in table.record.events()} == {AT}
    assert table.record.states() == [DeviceState.OPENING, DeviceState.PROBING, DeviceState.READY]
    assert table.record.status().reason == ""
    assert table.record.status().port == "pair://cable"


async def test_messages_become_events_in_their_order(table: Table) -> None:
    async with background(table.driver.run):
        await table.connected()
        table.record.forget()
        table.cables.device.write(b"PO?")
        table.cables.device.write(b"B")
        await table.record.until(LockOutPressed)
        await eventually(lambda: len(table.record.events()) == 4)

    assert [type(event) for event in table.record.events()] == [
        WagerPlaced,
        IndicatorReported,
        LockOutPressed,
        WagerPlaced,
    ]


async def test_a_report_that_is_lost_is_told_also_of_a_device_whose_role_has_no_event_for_it(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    async with background(table.driver.run):
        await table.connected()
        table.cables.device.write(b"LP")
        await table.record.until(WagerPlaced)

    assert "line line: three presses are lost" in caplog.text


async def test_a_button_that_is_held_is_said_again_where_it_is_asked_for(table: Table) -> None:
    async with background(table.driver.run):
        await table.connected()
        table.driver.look_at_buttons_anew()
        table.cables.device.write(b"P")
        await table.record.until(WagerPlaced)
        assert table.record.of(LockOutPressed) == []

        table.cables.device.write(b"H")
        await table.record.until(LockOutPressed)
        table.record.forget()
        table.driver.look_at_buttons_anew()
        await table.record.until(LockOutPressed)


async def test_an_order_is_written_in_the_call_that_gives_it(table: Table) -> None:
    async with background(table.driver.run):
        await table.connected()
        table.driver.order([LAMP_ON])
        assert len(table.cables.device._mailbox) == len(b"o1.1=1;")
        await table.cables.heard(b"o1.1=1;")


async def test_an_answer_that_came_while_the_loop_was_held_up_is_read_before_its_time_is_up(table: Table) -> None:
    modem, loop = NullModem(), asyncio.get_running_loop()
    table.scripted.codecs[0].wakeup_us = table.clock.monotonic_us() + 2_000
    arriving = loop.create_task(table.driver._arriving(modem.bridge))
    await asyncio.sleep(0)
    loop.call_at(0, modem.device.write, b"A")
    time.sleep(0.01)  # noqa: ASYNC251 - holds the loop up, which is the point

    assert await arriving == b"A"


async def test_an_order_given_before_the_port_is_there_is_carried_out_when_it_is(table: Table) -> None:
    table.driver.order([LAMP_ON])
    async with background(table.driver.run):
        await table.connected()
        await table.cables.heard(b"o1.1=1;")


async def test_an_order_that_the_line_cannot_take_is_refused_and_the_others_go_out(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    async with background(table.driver.run):
        await table.connected()
        table.driver.order([SetOutput(address=1, channel=99, active=True), LAMP_ON])
        await table.cables.heard(b"o1.1=1;")

    assert "line line: order refused: no output 99" in caplog.text
    assert not table.record.of(DeviceLost)


async def test_the_codec_is_woken_when_it_asked_to_be(table: Table) -> None:
    async with background(table.driver.run):
        await table.connected()
        codec = table.scripted.codecs[0]
        codec.wakeup_us = StoppedClock().monotonic_us() + 2000
        table.driver.order([])
        await table.cables.heard(b"poll;")
        assert codec.wakeup_us is None


async def test_a_codec_without_wakeups_sleeps(table: Table) -> None:
    async with background(table.driver.run):
        await table.connected()
        woken = table.scripted.codecs[0].woken
        for _ in range(100):
            await asyncio.sleep(0)
        assert table.scripted.codecs[0].woken == woken


async def test_silence_and_refusal_lose_the_device_and_not_the_line(table: Table) -> None:
    async with background(table.driver.run):
        await table.connected()
        table.cables.device.write(b"S")
        lost = await table.record.until(DeviceLost)
        assert lost.reason == "no answer"
        assert table.record.status().state is DeviceState.SILENT
        table.cables.device.write(b"R")
        await eventually(lambda: table.record.status().reason == "output mode 1")
        table.cables.device.write(b"A")
        await eventually(lambda: table.record.status().state is DeviceState.READY)

    assert len(table.record.of(DeviceLost)) == 1
    assert len(table.cables.modems) == 1


async def test_a_port_that_goes_away_is_closed_told_once_and_opened_again(table: Table) -> None:
    async with background(table.driver.run):
        await table.connected()
        table.cables.device.write(b"P")
        table.cables.modems[0].unplug()
        table.cables.failures = [TransientTransportError("pair://cable: no such port; plug it in")]
        lost = await table.record.until(DeviceLost)
        await eventually(lambda: "no such port" in table.record.status().reason)
        assert table.record.status().state is DeviceState.ABSENT
        table.cables.failures = []
        await eventually(lambda: len(table.cables.modems) == 2)
        table.cables.device.write(b"A")
        await eventually(lambda: table.record.status().state is DeviceState.READY)

    assert "the port is gone" in lost.reason
    assert len(table.record.of(DeviceLost)) == 1
    assert [type(event) for event in table.record.events()][3] is WagerPlaced
    assert table.cables.modems[0].bridge.closed
    assert table.record.states() == [
        DeviceState.OPENING,
        DeviceState.PROBING,
        DeviceState.READY,
        DeviceState.ABSENT,
        DeviceState.PROBING,
        DeviceState.READY,
    ]


@pytest.mark.parametrize(
    ("failure", "state"),
    [
        (TransientTransportError("pair://cable: no such port; plug the device in"), DeviceState.ABSENT),
        (
            PermanentTransportError("pair://cable: no permission; add the user to the group dialout"),
            DeviceState.BLOCKED,
        ),
    ],
)
async def test_a_port_that_cannot_be_opened_is_a_state_with_a_remedy_and_tried_again(
    table: Table, failure: Exception, state: DeviceState, caplog: pytest.LogCaptureFixture
) -> None:
    table.cables.failures = [failure, failure, failure, failure]
    async with background(table.driver.run):
        await eventually(lambda: len(table.cables.failures) == 1)
        assert table.record.status().state is state
        assert table.record.status().reason == str(failure)
        table.cables.failures = []
        await table.connected()

    assert [event.reason for event in table.record.of(DeviceLost)] == [str(failure)]
    assert caplog.text.count(str(failure)) == 1


async def test_a_bug_in_the_codec_closes_the_port_starts_afresh_and_tells_no_card(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    async with background(table.driver.run):
        await table.connected()
        table.driver.order([LAMP_ON])
        await table.cables.heard(b"o1.1=1;")
        table.cables.device.write(b"!")
        lost = await table.record.until(DeviceLost)
        assert "KeyError" in lost.reason
        await eventually(lambda: len(table.cables.modems) == 2)
        await table.cables.heard(b"o1.1=1;")
        table.record.forget()
        await table.connected()

    assert table.cables.modems[0].bridge.closed
    assert len(table.scripted.codecs) == 2
    assert "unexpected KeyError" in caplog.text
    assert HIDDEN_CARD not in caplog.text


async def test_a_bug_met_by_an_order_does_not_reach_whoever_gave_it(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    async with background(table.driver.run):
        await table.connected()
        table.driver.order([SetOutput(address=1, channel=98, active=True)])
        await table.record.until(DeviceLost)
        await eventually(lambda: len(table.cables.modems) == 2)
        table.record.forget()
        await table.connected()

    assert "unexpected RuntimeError" in caplog.text


async def test_a_bug_met_by_an_order_while_there_is_no_port_is_dealt_with_when_there_is(table: Table) -> None:
    table.driver.order([SetOutput(address=1, channel=98, active=True)])
    async with background(table.driver.run):
        await eventually(lambda: len(table.scripted.codecs) == 2)
        await eventually(lambda: len(table.cables.modems) == 2)
        await table.connected()


async def test_an_open_that_fails_as_nobody_thought_of_is_tried_again(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    table.cables.failures = [ZeroDivisionError("surprise"), ZeroDivisionError("surprise")]
    async with background(table.driver.run):
        await eventually(lambda: len(table.cables.failures) == 1)
        table.cables.failures = []
        await table.connected()

    assert "unexpected ZeroDivisionError" in caplog.text


async def test_a_port_that_cannot_be_closed_and_a_codec_that_cannot_forget_do_not_end_the_line(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise OSError("stuck")

    async with background(table.driver.run):
        await table.connected()
        monkeypatch.setattr(table.cables.modems[0].bridge, "close", fail)
        monkeypatch.setattr(table.scripted.codecs[0], "line_lost", fail)
        table.cables.modems[0].unplug()
        await eventually(lambda: len(table.cables.modems) == 2)
        table.record.forget()
        await table.connected()

    assert caplog.text.count("unexpected OSError") == 2


async def test_a_port_on_which_nobody_answers_is_opened_anew_without_any_news() -> None:
    policy = RetryPolicy(first_s=60, longest_s=60, reopen_silent_s=0.01)
    table = Table(policy=policy)
    async with background(table.driver.run):
        await table.connected()
        table.cables.device.write(b"S")
        await eventually(lambda: len(table.cables.modems) >= 3)
        told = len(table.record.told())
        reopened = len(table.cables.modems)
        await eventually(lambda: len(table.cables.modems) > reopened)
        assert len(table.record.told()) == told
        assert table.record.status().state is DeviceState.SILENT
        assert all(modem.bridge.closed for modem in table.cables.modems[:reopened])

    assert len(table.record.of(DeviceLost)) == 1


async def test_noise_is_no_answer_and_does_not_keep_a_dead_port_open(table: Table) -> None:
    async with background(table.driver.run):
        await table.connected()
        table.cables.device.write(b"S")
        await table.record.until(DeviceLost)
        table.clock.ahead_us = 3_600_000_000
        table.cables.device.write(b"J")
        await eventually(lambda: len(table.cables.modems) == 2)
        assert table.cables.modems[0].bridge.closed
        table.cables.device.write(b"A")
        await eventually(lambda: table.record.status().state is DeviceState.READY)


async def test_a_port_on_which_somebody_answers_stays_open_however_long_nothing_happens(table: Table) -> None:
    async with background(table.driver.run):
        await table.connected()
        table.clock.ahead_us = 3_600_000_000
        table.cables.device.write(b"P")
        await table.record.until(WagerPlaced)
        table.clock.ahead_us *= 2
        table.cables.device.write(b"S")
        await table.record.until(DeviceLost)
        table.cables.device.write(b"A")
        await eventually(lambda: table.record.status().state is DeviceState.READY)

    assert len(table.cables.modems) == 1


async def test_junk_is_counted_for_its_sender_or_for_everybody() -> None:
    second = DeviceWiring(device=DeviceId("second"))
    table = Table(devices=(device(1), device(2, second)))
    async with background(table.driver.run):
        await table.connected()
        table.cables.device.write(b"JJN")
        await eventually(lambda: dict(table.record.status().faults) == {"junk": 2, "checksum": 1})
        assert dict(table.record.status("second").faults) == {"checksum": 1}


async def test_a_full_queue_makes_the_line_wait_and_orders_still_go_out() -> None:
    table = Table(room=1)
    async with background(table.driver.run):
        await eventually(lambda: bool(table.cables.modems) or bool(table.record.told()))
        await eventually(lambda: bool(table.cables.modems))
        table.cables.device.write(b"APPP")
        await table.record.until(DeviceReady)
        await eventually(table.record._queue.full)
        table.driver.order([LAMP_ON])
        await table.cables.heard(b"o1.1=1;")
        await eventually(lambda: len(table.record.of(WagerPlaced)) == 3)


async def test_a_path_that_appears_is_noticed_long_before_the_next_try(tmp_path: Path) -> None:
    link = tmp_path / "module"
    scripted = Scripted()
    queue: asyncio.Queue[Observation] = asyncio.Queue()
    record = Record(queue)
    policy = RetryPolicy(first_s=60, longest_s=60, presence_poll_s=0.001)
    driver = LineDriver(scripted.line(str(link)), clock=StoppedClock(), observations=queue, policy=policy)
    async with background(driver.run):
        lost = await record.until(DeviceLost)
        assert "no such port" in lost.reason
        for _ in range(2):
            record.forget()
            with PseudoTerminal() as terminal:
                terminal.link(link)
                await eventually(lambda: record.states()[-1:] == [DeviceState.PROBING])
                terminal.write(b"AP")
                await record.until(WagerPlaced)
                link.unlink()
            lost = await record.until(DeviceLost)
            assert "the port is gone" in lost.reason


async def test_a_cancelled_driver_closes_its_port(table: Table) -> None:
    async with background(table.driver.run):
        await table.connected()

    await table.cables.device.close()
    assert not table.cables.modems[0].is_dirty()
