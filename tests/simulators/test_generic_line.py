"""The simulated device, spoken to line by line with a public CRC; and by the bridge over a real port."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from bridge.domain.cards import Card
from bridge.domain.events import CardDrawn, DeviceReady, IndicatorReported, LockOutPressed
from bridge.domain.indicators import LampState
from bridge.wire.messages import SetOutput
from simulators.generic_line import EVENTS_MAX, REPEAT_US, GenericDevice
from tests.drivers.lines import READER_WIRING
from tests.simulators.driven import driven, on_port, on_pty
from tests.wire.boxes import line

KING = Card.parse("Kh")


def heard(device: GenericDevice) -> list[bytes]:
    """Everything it says unasked from now on."""
    said: list[bytes] = []
    device.connect(said.append)
    return said


def ask(device: GenericDevice, *texts: str, now_us: int = 0) -> list[str]:
    """What it answers, without the CRC."""
    raw = b"".join(map(line, texts))
    said = b"".join(utterance.data for utterance in device.receive(raw, now_us)).decode().split("\r\n")[:-1]
    assert [line(text.split("*")[0]).decode().strip() for text in said] == said, "every CRC is right"
    return [text.split("*")[0] for text in said]


def started() -> GenericDevice:
    device = GenericDevice(inputs=3, outputs=2)
    assert ask(device, "=00 OK") == []
    return device


def test_it_says_who_it_is_and_what_its_channels_are() -> None:
    device = started()
    device.inputs.set(2, active=True)
    assert ask(device, "?10 ID", "?11 STATE") == ["=10 ID 3 2 test box", "=11 STATE 010 00"]


def test_outputs_are_set_all_at_once_and_answered_as_they_are() -> None:
    device = started()
    assert ask(device, "?10 SET 11") == ["=10 STATE 000 11"]
    assert device.outputs.active == {1, 2}
    device.stick(1)
    assert ask(device, "?11 SET 10") == ["=11 STATE 000 00"]


def test_what_it_cannot_or_will_not_set_is_refused() -> None:
    device = started()
    assert ask(device, "?10 SET 1") == ["=10 NO '1' is not 2 digits of 0 and 1"]
    device.refuses_to_set = "fuse"
    assert ask(device, "?11 SET 11") == ["=11 NO fuse"]
    assert device.outputs.active == frozenset()


def test_events_are_told_one_at_a_time_each_until_it_is_answered() -> None:
    device = GenericDevice(inputs=3, outputs=0)
    said = heard(device)
    device.inputs.set(1, active=True)
    device.show(KING)
    device.show_unreadable("sm*ared ü")
    assert said == [], "the start is not answered yet"
    assert ask(device, now_us=1000) == []
    assert ask(device, now_us=1000 + REPEAT_US) == ["!00 START"]
    assert ask(device, "=05 OK") == []
    assert ask(device, "=00 OK") == ["!01 IN 100"]
    assert ask(device, "=01 NO") == [], "that is no line"
    assert ask(device, "=01 NO why") == ["!02 CARD Kh"]
    assert ask(device, "=02 OK") == ["!03 UNREAD sm?ared ?"]
    assert ask(device, "=03 OK", "=03 OK") == []
    device.show_unreadable("")
    assert said == [line("!04 UNREAD ?")]


def test_what_it_has_no_room_for_is_lost_and_its_number_too() -> None:
    device = GenericDevice()
    for _ in range(EVENTS_MAX + 4):
        device.show(KING)
    told = [ask(device, f"={number:02} OK") for number in range(EVENTS_MAX)]
    assert told[-1] == []
    said = heard(device)
    device.show(KING)
    assert said == [line(f"!{EVENTS_MAX + 5} CARD Kh")]


def test_a_loss_of_power_begins_anew() -> None:
    device = started()
    ask(device, "?10 SET 11")
    device.show(KING)
    said = heard(device)
    device.power_cycle()
    assert said == [line("!00 START")]
    assert ask(device, "?11 STATE") == ["=11 STATE 000 00"]


def test_a_spoilt_line_is_not_answered() -> None:
    device = started()
    assert device.receive(line("?10 STATE").replace(b"10", b"11"), 0) == ()
    assert device.receive(b"x" * 500 + b"\n", 0) == ()
    assert ask(device, "!10 IN 000") == []


async def test_people_can_wait_for_the_bridge_to_have_looked() -> None:
    device = started()
    async with asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(device.until_polled(2))
        await asyncio.to_thread(bytes)
        ask(device, "?10 STATE")
        assert not waiting.done()
        ask(device, "?11 STATE")


@pytest.mark.parametrize("over_tcp", [False, True], ids=["pty", "tcp"])
async def test_the_bridge_works_with_it_over_a_real_port(over_tcp: bool, tmp_path: Path) -> None:
    device = GenericDevice()
    async with driven("generic_line", on_port(device, tmp_path, over_tcp=over_tcp), poll_ms=10) as run:
        await run.record.until(DeviceReady)
        run.order(SetOutput(address=0, channel=1, active=True))
        await run.record.until(IndicatorReported, lambda seen: seen.state is LampState.ON)
        device.inputs.set(3, active=True)
        await run.record.until(LockOutPressed)
        assert device.outputs.active == {1}


async def test_the_bridge_reads_a_card_from_it_over_a_real_port(tmp_path: Path) -> None:
    device = GenericDevice()
    port = on_pty(device, tmp_path)
    async with driven("generic_line", port, {0: READER_WIRING}, reads_cards=True, poll_ms=10) as run:
        await run.record.until(DeviceReady)
        device.show(KING)
        assert (await run.record.until(CardDrawn)).card == KING


@given(st.lists(st.binary(max_size=120), max_size=8))
def test_arbitrary_bytes_do_no_harm(reads: list[bytes]) -> None:
    device = started()
    for read in reads:
        device.receive(read, 0)
    device.receive(b"\r\n", 0)
    assert "=10 STATE 000 00" in ask(device, "?10 STATE")
