import pytest
from hypothesis import given, strategies as st

from bridge.wire.errors import LineSetupError, OrderError
from bridge.wire.hid_reports import Report, ReportKind, pack
from bridge.wire.messages import (
    EVIDENCE_MAX,
    FaultCause,
    FrameFault,
    InputChanged,
    SetOutput,
    UnitAnswering,
    UnitRefused,
    UnitSilent,
    UnitStarted,
    WireMessage,
)
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.protocols.xkeys import FAMILY, Panel, explain
from bridge.wire.spec import DeviceSpec, Unit
from tests.wire.cables import MILLISECOND, deliveries
from tests.wire.panels import (
    GENERATE,
    SECOND,
    PanelBench,
    changed,
    record,
    xk3_spec,
    xk12_spec,
    xk24_report,
    xk24_spec,
)

FLASH_RATE, UNIT_ID, SAVE = 0xB4, 0xBD, 0xC7
DARK = [bytes([*start, *bytes(35 - len(start))]) for start in ([0xB6, 0, 0], [0xB6, 1, 0], [0xB3, 6], [0xB3, 7])]


def lamp(place: int, mode: int) -> bytes:
    return bytes([0xB5, place, mode, 1, *bytes(31)])


def reason_of(message: WireMessage) -> str:
    assert isinstance(message, UnitRefused | UnitSilent | FrameFault)
    return message.reason


def test_the_family_says_what_it_is() -> None:
    assert PROTOCOLS["xkeys"] is FAMILY
    assert list(FAMILY.addresses) == [0]
    assert isinstance(FAMILY.codec([Unit(address=0, spec=xk24_spec())]), Panel)
    assert FAMILY.explain is explain


def test_a_panel_that_is_found_is_asked_and_what_is_held_down_then_is_a_level() -> None:
    bench = PanelBench()
    bench.keys = {7, 24}
    bench.run(10 * MILLISECOND)
    assert bench.requests[0] == pack(Report(ReportKind.OUTPUT, GENERATE))
    assert bench.messages == [UnitAnswering(address=0, active_inputs=frozenset({7, 24}))]


def test_keys_are_told_one_by_one_from_reports_of_all_of_them() -> None:
    bench = PanelBench().in_service()
    assert bench.press(1, 6) == [changed(1, active=True), changed(6, active=True)]
    bench.run(50 * MILLISECOND)
    assert bench.press(6, 24) == [changed(1, active=False), changed(24, active=True)]
    assert bench.press(6, 24) == []


WAYS = list(deliveries(record(xk24_report(9)), garbage=b"\x00\xff\xff", trailing=b"\x00"))


@pytest.mark.parametrize("reads", [reads for _, reads in WAYS], ids=[way for way, _ in WAYS])
def test_a_key_is_told_however_its_report_arrives(reads: list[bytes]) -> None:
    bench = PanelBench().in_service()
    bench.hear(*reads)
    assert bench.said(InputChanged) == [changed(9, active=True)]


def test_a_report_of_a_wrong_length_swallows_no_more_than_the_panel_can_be_asked_for() -> None:
    bench = PanelBench().in_service()
    bench.hear(ReportKind.INPUT.value + (4000).to_bytes(2))
    assert bench.press(9) == []
    bench.run(2 * SECOND)
    assert bench.said(InputChanged) == [changed(9, active=True)]
    assert [message.cause for message in bench.messages if isinstance(message, FrameFault)] == [
        FaultCause.TIMEOUT,
        FaultCause.TIMEOUT,
    ]


def test_a_contact_that_bounces_is_told_once() -> None:
    bench = PanelBench().in_service()
    said = bench.press(3) + bench.press() + bench.press(3)
    assert said == [changed(3, active=True)]
    assert bench.run(100 * MILLISECOND) == []


def test_a_press_shorter_than_the_debounce_is_told_whole() -> None:
    bench = PanelBench().in_service()
    assert bench.press(3) + bench.press() == [changed(3, active=True)]
    assert bench.run(25 * MILLISECOND) == [changed(3, active=False)]


def test_keys_beyond_those_of_the_profile_are_not_told() -> None:
    bench = PanelBench(xk24_spec(inputs=6)).in_service()
    assert bench.press(7, 6) == [changed(6, active=True)]


def test_a_panel_is_asked_every_so_often_and_one_that_does_not_answer_is_silent_until_it_does() -> None:
    bench = PanelBench().in_service()
    bench.run(5 * SECOND)
    assert bench.messages == []
    bench.alive = False
    bench.run(5 * SECOND)
    assert [reason_of(message) for message in bench.said(UnitSilent)] == [
        "panel (xk24) does not answer: unplug it and plug it in again"
    ]
    assert len(bench.said(FrameFault)) == 2, "what is known is not counted again"
    bench.alive = True
    bench.keys = {2}
    bench.run(5 * SECOND)
    assert bench.said(UnitAnswering) == [UnitAnswering(address=0, active_inputs=frozenset({2}))]


def test_what_changed_without_a_report_is_told_after_the_next_question() -> None:
    bench = PanelBench().in_service()
    bench.keys = {5}
    bench.run(SECOND)
    assert bench.messages == [changed(5, active=True)]


def test_a_panel_that_is_unplugged_is_out_until_it_is_back() -> None:
    bench = PanelBench().in_service()
    bench.codec.receive_data(record(xk24_report(1))[:9], bench.now_us)
    said = bench.codec.line_lost()
    assert [reason_of(message) for message in said] == ["panel (xk24) is out of reach: its line is gone"]
    bench.run(10 * MILLISECOND)
    assert bench.messages == [UnitAnswering(address=0, active_inputs=frozenset())]


# --- lamps ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("channel", "place"), [(1, 0x00), (5, 0x04), (6, 0x05), (7, 0x08), (24, 0x1D), (25, 0x20), (48, 0x3D)]
)
def test_a_lamp_is_written_by_its_place_blue_first_then_red(channel: int, place: int) -> None:
    bench = PanelBench().in_service()
    bench.switch(0, channel, active=True)
    bench.switch(0, channel, active=False)
    bench.write_what_is_due()
    assert bench.outputs == [lamp(place, 1), lamp(place, 0)]


def test_an_order_is_written_without_delay() -> None:
    bench = PanelBench().in_service()
    bench.switch(0, 1, active=True)
    assert bench.codec.next_wakeup() == 0
    bench.write_what_is_due()
    wakeup_us = bench.codec.next_wakeup()
    assert wakeup_us is not None
    assert wakeup_us > bench.now_us


def test_the_indicator_lamps_are_the_last_two() -> None:
    bench = PanelBench().in_service()
    bench.switch(0, 49, active=True)
    bench.switch(0, 50, active=True)
    bench.write_what_is_due()
    assert bench.outputs == [bytes([0xB3, led, 1, *bytes(32)]) for led in (6, 7)]


def test_a_panel_that_is_found_has_its_lamps_put_out_and_those_that_were_ordered_lit() -> None:
    bench = PanelBench()
    bench.switch(0, 2, active=True)
    bench.switch(0, 3, active=True)
    bench.switch(0, 3, active=False)
    bench.run(10 * MILLISECOND)
    assert bench.outputs == [*DARK, lamp(1, 1)]
    bench.outputs.clear()
    bench.codec.line_lost()
    bench.run(10 * MILLISECOND)
    assert bench.outputs == [*DARK, lamp(1, 1)], "after a replug the whole state is sent again"


def test_a_panel_that_has_restarted_by_itself_gets_its_lamps_again() -> None:
    bench = PanelBench()
    bench.booted_us = -3_600 * SECOND
    bench.in_service()
    bench.switch(0, 1, active=True)
    bench.write_what_is_due()
    bench.outputs.clear()
    bench.booted_us = bench.now_us
    said = bench.press(4)
    assert said == [UnitStarted(address=0), changed(4, active=True)]
    assert bench.outputs == [*DARK, lamp(0, 1)]


@pytest.mark.parametrize("uptime_s", [30, 2_200_000, 4_000_000])
def test_a_restart_is_noticed_whatever_the_uptime(uptime_s: int) -> None:
    bench = PanelBench()
    bench.booted_us = -uptime_s * SECOND
    bench.in_service()
    bench.booted_us = bench.now_us
    assert bench.press()[:1] == [UnitStarted(address=0)]


def test_a_clock_that_begins_anew_after_49_days_is_no_restart() -> None:
    bench = PanelBench()
    bench.booted_us = -(1 << 32) * 1000 + 3 * SECOND
    bench.in_service()
    bench.run(10 * SECOND)
    assert bench.clock_ms < 10_000
    assert bench.messages == []


def test_a_panel_without_lamps_is_told_nothing_about_them() -> None:
    bench = PanelBench(xk24_spec(outputs=0))
    bench.run(10 * MILLISECOND)
    assert bench.outputs == []
    with pytest.raises(OrderError, match=r"panel \(xk24\) has no output 1; it has 0"):
        bench.switch(0, 1, active=True)


def test_nothing_is_ever_written_to_the_eeprom() -> None:
    bench = PanelBench()
    for channel in range(1, 51):
        bench.switch(0, channel, active=True)
    bench.run(3 * SECOND)
    bench.codec.line_lost()
    bench.run(3 * SECOND)
    assert {report[0] for report in bench.outputs} == {0xB3, 0xB5, 0xB6}


# --- tampering, and panels that are not the right one --------------------------------------------------------


def test_a_panel_with_another_unit_id_is_refused() -> None:
    bench = PanelBench(xk24_spec(unit_id=3))
    bench.run(10 * MILLISECOND)
    assert [reason_of(message) for message in bench.messages] == [
        "panel (xk24) has the unit id 10, and 3 belongs here: swap the cables back, or correct unit_id"
    ]
    bench.unit_id = 3
    bench.run(2 * SECOND)
    assert bench.said(UnitAnswering)


def xk3_report(keys: int, *, answered: bool = False) -> bytes:
    return record(bytes([15, 2 if answered else 0, keys, *bytes(33)]))


def switch_interface(spec: DeviceSpec, first: bytes) -> tuple[Panel, tuple[WireMessage, ...]]:
    panel = Panel([Unit(address=0, spec=spec)])
    panel.data_to_send(0)
    return panel, panel.receive_data(first, 0)


def test_an_interface_whose_plug_is_pulled_is_out_of_service_until_it_is_put_in_again() -> None:
    panel, found = switch_interface(xk3_spec(), xk3_report(0x0C, answered=True))
    assert found == (UnitAnswering(address=0, active_inputs=frozenset({3, 4})),)
    assert panel.receive_data(xk3_report(0x0D), 100_000) == (changed(1, active=True),)
    (refused,) = panel.receive_data(xk3_report(0x00), 200_000)
    assert reason_of(refused) == "panel (xk3) has no plug in its socket: whatever was connected to it is cut off"
    assert panel.receive_data(xk3_report(0x00), 300_000) == ()
    assert panel.receive_data(xk3_report(0x0C), 400_000) == found


def test_twelve_contacts_are_inputs_in_two_bytes() -> None:
    panel, _ = switch_interface(xk12_spec(), record(bytes([1, 2, *bytes(34)])))
    said = panel.receive_data(record(bytes([1, 0, 0x81, 0x08, *bytes(32)])), 0)
    assert said == (changed(1, active=True), changed(8, active=True), changed(12, active=True))


# --- what cannot be understood -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("read", "cause", "reason"),
    [
        (b"\x00\x01\x02", FaultCause.JUNK, "bytes that are no record of a report"),
        (record(bytes(33)), FaultCause.JUNK, "an input report of this model has 32 bytes, not 33"),
        (record(bytes([0, 0xD8, *bytes(30)])), FaultCause.UNKNOWN, "a special report D8 holds no switches"),
        (pack(Report(ReportKind.FEATURE, b"\x01")), FaultCause.UNKNOWN, "feature is not what a panel sends"),
    ],
)
def test_what_is_no_report_of_switches_is_told(read: bytes, cause: FaultCause, reason: str) -> None:
    bench = PanelBench().in_service()
    (fault,) = bench.hear(read)
    assert isinstance(fault, FrameFault)
    assert (fault.cause, fault.reason) == (cause, reason)


def test_firmware_and_product_are_no_switches() -> None:
    bench = PanelBench().in_service()
    assert bench.hear(record(bytes([10, 0xD6, 255, 255, *bytes(6), 17, 5, 4, *bytes(19)]))) == []


@given(st.lists(st.tuples(st.integers(0, 300_000), st.binary(max_size=300)), max_size=15))
def test_whatever_arrives_is_bounded_and_the_next_good_report_is_taken(reads: list[tuple[int, bytes]]) -> None:
    bench = PanelBench().in_service()
    codec = bench.codec
    for wait_us, data in reads:
        bench.now_us += wait_us
        messages = codec.receive_data(data, bench.now_us) + codec.wake(bench.now_us)
        assert len(messages) <= 3 * len(data) + 3
        for message in messages:
            assert not isinstance(message, FrameFault) or len(message.raw) <= EVIDENCE_MAX
        codec.data_to_send(bench.now_us)
    assert isinstance(codec, Panel)
    assert codec._reader.held <= 3 + 4096
    while codec._reader.held >= 3:  # a record that noise has begun, of 4096 bytes at most
        bench.hear(bytes(256))
    bench.hear(bytes(2), record(xk24_report()))
    bench.run(SECOND)
    bench.messages.clear()
    assert bench.press(8)[-1:] == [changed(8, active=True)]


def test_a_panel_has_its_port_to_itself() -> None:
    unit = Unit(address=0, spec=xk24_spec())
    with pytest.raises(LineSetupError, match="this line has 2 devices"):
        Panel([unit, unit])


def test_a_plug_input_that_is_none_is_refused() -> None:
    with pytest.raises(LineSetupError, match="plug_input must be one of its 24 inputs"):
        Panel([Unit(address=0, spec=xk24_spec(plug_input=25))])


def test_an_order_for_another_address_is_our_mistake() -> None:
    with pytest.raises(OrderError):
        PanelBench().codec.order(SetOutput(address=1, channel=1, active=True))
