import pytest
from hypothesis import given, strategies as st

from bridge.domain.cards import Card
from bridge.wire.errors import FrameError, LineSetupError, OrderError
from bridge.wire.generic_frames import LINE_LENGTH_MAX
from bridge.wire.messages import (
    EVIDENCE_MAX,
    CardRead,
    ClearBanner,
    FaultCause,
    FrameFault,
    InputChanged,
    OutputFailed,
    OutputReported,
    ReportLost,
    SetOutput,
    UnitAnswering,
    UnitRefused,
    UnitSilent,
)
from bridge.wire.protocols.generic_line import FAMILY, GenericLine, explain
from bridge.wire.spec import SerialSettings, Unit, reads_cards
from simulators.generic_line import GenericDevice
from tests.wire.boxes import HandMadeBox, line as by_hand
from tests.wire.cables import MILLISECOND, deliveries, generic_spec
from tests.wire.virtual_line import SimulatedEnd

SECOND = 1000 * MILLISECOND
KING = CardRead(address=0, card=Card.parse("Kh"))


def answering(*inputs: int) -> UnitAnswering:
    return UnitAnswering(address=0, active_inputs=frozenset(inputs))


def box(device: HandMadeBox | None = None, **parameters: int | bool) -> SimulatedEnd:
    spec = generic_spec(inputs=3, outputs=2, **parameters)
    return SimulatedEnd(GenericLine([Unit(address=0, spec=spec)]), device or HandMadeBox())


def device_of(line: SimulatedEnd) -> HandMadeBox:
    assert isinstance(line.device, HandMadeBox)
    return line.device


def lamp(channel: int, *, active: bool = True) -> SetOutput:
    return SetOutput(address=0, channel=channel, active=active)


# --- with a device that was built from the document -----------------------------------------------------------


def test_a_device_that_somebody_built_from_the_document_is_understood() -> None:
    line = box(reads_cards=True)
    device_of(line).inputs = "010"
    assert line.run(SECOND)[0] == answering(2)
    device_of(line).tell("!01 IN 110")
    device_of(line).tell("!02 CARD Kh")
    device_of(line).inputs = "110"
    line.order(lamp(2))
    line.messages.clear()
    line.run(SECOND)
    assert line.said(InputChanged, CardRead) == [InputChanged(address=0, channel=1, active=True), KING]
    assert line.said(OutputReported) == [OutputReported(address=0, channel=2, active=True)]
    assert device_of(line).outputs == "01"
    heard = device_of(line).heard
    assert {"=01 OK", "=02 OK"} <= set(heard)
    assert [text[4:] for text in heard if text.startswith("?")][:3] == ["ID", "STATE", "STATE"]


def test_an_event_is_answered_in_the_same_write_whatever_waits_for_an_answer() -> None:
    line = box()
    line.codec.wake(line.now_us)
    asked = line.codec.data_to_send(line.now_us)
    assert asked == by_hand("?01 ID")
    line.codec.receive_data(by_hand("!01 IN 110"), line.now_us)
    assert line.codec.data_to_send(line.now_us) == by_hand("=01 OK")


def test_an_event_that_is_said_again_is_answered_again_and_heard_once() -> None:
    line = box(reads_cards=True)
    line.run(SECOND)
    for _ in range(3):
        device_of(line).tell("!02 CARD Kh")
        line.run(50 * MILLISECOND)
    assert line.said(CardRead) == [KING]
    assert device_of(line).heard.count("=02 OK") == 3


def test_an_event_that_the_profile_does_not_allow_is_answered_no_and_counted() -> None:
    line = box()
    line.run(SECOND)
    device_of(line).tell("!02 CARD Kh")
    device_of(line).tell("!03 IN 1")
    line.run(50 * MILLISECOND)
    assert [message.cause for message in line.said(FrameFault) if isinstance(message, FrameFault)] == [
        FaultCause.UNKNOWN
    ] * 2
    assert "=02 NO CARD, and its profile states that it rea" in device_of(line).heard
    assert "=03 NO '1' is not 3 digits of 0 and 1" in device_of(line).heard
    assert line.said(UnitSilent, UnitRefused) == []


def test_events_that_a_device_had_no_room_for_are_missed() -> None:
    line = box()
    line.run(SECOND)
    device_of(line).tell("!01 IN 000")
    device_of(line).tell("!04 IN 000")
    line.run(50 * MILLISECOND)
    assert line.said(ReportLost) == [ReportLost(address=0, reason="2 event(s) before number 04 did not arrive")]


@pytest.mark.parametrize(
    ("raw", "cause"),
    [
        (by_hand("!00 HELLO"), FaultCause.UNKNOWN),
        (b"!00 START*0000\r\n", FaultCause.CHECKSUM),
        (b"hello\r\n", FaultCause.JUNK),
    ],
)
def test_a_line_that_says_nothing_is_counted_by_its_cause(raw: bytes, cause: FaultCause) -> None:
    (fault,) = GenericLine([Unit(address=0, spec=generic_spec())]).receive_data(raw, 0)
    assert isinstance(fault, FrameFault)
    assert (fault.cause, fault.raw) == (cause, raw[:-2])


WAYS = list(deliveries(by_hand("!02 CARD Kh"), garbage=b"\x00\xff\r\n", trailing=b"!0"))


@pytest.mark.parametrize("reads", [reads for _, reads in WAYS], ids=[way for way, _ in WAYS])
def test_an_event_is_heard_however_its_line_arrives(reads: list[bytes]) -> None:
    line = box(reads_cards=True)
    line.run(SECOND)
    told = [message for read in reads for message in line.codec.receive_data(read, line.now_us)]
    assert [message for message in told if not isinstance(message, FrameFault)] == [KING]


def test_a_device_of_another_size_is_refused_with_what_to_do() -> None:
    device = HandMadeBox()
    device.identity = "4 2 hand made"
    line = box(device, retries=2)
    messages = line.run(3 * SECOND)
    assert [type(message) for message in messages] == [FrameFault, FrameFault, UnitRefused]
    assert "its profile states 3 inputs and 2 outputs; correct the profile" in str(messages[-1])
    device.identity = "3 2 hand made"
    assert line.run(SECOND)[0] == answering()


def test_t49_a_device_that_will_not_set_its_outputs_is_told() -> None:
    device = HandMadeBox()
    line = box(device, retries=2)
    line.run(SECOND)
    device.refuses = "SET"
    line.order(lamp(1))
    line.run(100 * MILLISECOND)
    assert OutputFailed(address=0, channel=1, commanded=True) in line.messages
    assert [type(message) for message in line.said(UnitRefused)] == [UnitRefused]
    assert "refuses SET: it says 'not today'" in str(line.said(UnitRefused)[0])


def test_an_answer_that_comes_too_late_is_not_taken_for_that_to_a_later_request() -> None:
    line = box()
    line.run(SECOND)
    line.messages.clear()
    line.say(by_hand("=99 STATE 111 11"))
    line.say(by_hand("?01 STATE"))
    messages = line.run(SECOND)
    assert [message.cause for message in messages if isinstance(message, FrameFault)] == [FaultCause.UNKNOWN] * 2
    assert line.said(InputChanged) == []


def test_a_spoilt_answer_is_asked_for_again() -> None:
    line = box()
    line.run(SECOND)
    line.to_host = lambda raw: raw.replace(b"STATE 0", b"STATE 1")
    line.run(210 * MILLISECOND)
    line.to_host = bytes
    line.run(SECOND)
    assert {message.cause for message in line.said(FrameFault) if isinstance(message, FrameFault)} <= {
        FaultCause.CHECKSUM,
        FaultCause.TIMEOUT,
    }
    assert line.said(InputChanged, UnitSilent) == []


def test_a_device_that_does_not_answer_is_silent_and_comes_back_with_its_outputs() -> None:
    line = box(retries=2)
    line.order(lamp(1))
    line.run(SECOND)
    line.to_device = lambda _: by_hand("=55 OK")
    line.run(3 * SECOND)
    (silent,) = line.said(UnitSilent)
    assert isinstance(silent, UnitSilent)
    assert "does not answer: check its power, the line and the speed of both ends" in silent.reason
    device_of(line).power_cycle()
    line.to_device = bytes
    line.messages.clear()
    assert line.run(2 * SECOND)[0] == answering()
    assert device_of(line).outputs == "10"


def test_a_device_that_starts_anew_was_away_and_its_outputs_are_set_again() -> None:
    line = box()
    line.order(lamp(2))
    line.run(SECOND)
    device_of(line).tell("!41 IN 000")
    line.run(SECOND)
    device_of(line).power_cycle()
    device_of(line).tell("!00 START")
    messages = line.run(SECOND)
    assert [type(message) for message in messages][:2] == [UnitSilent, UnitAnswering]
    assert device_of(line).outputs == "01"


def test_half_a_line_is_given_up_and_not_joined_with_the_next() -> None:
    codec = GenericLine([Unit(address=0, spec=generic_spec())])
    codec.receive_data(b"!02 IN", 0)
    assert codec.next_wakeup() == 0
    codec.data_to_send(0)
    (fault, *_) = [one for one in codec.wake(200 * MILLISECOND) if isinstance(one, FrameFault)]
    assert (fault.cause, fault.raw) == (FaultCause.TIMEOUT, b"!02 IN")
    assert codec.wake(201 * MILLISECOND) == ()


def test_the_rest_of_a_line_that_is_too_long_is_waited_for_no_longer_than_for_a_line() -> None:
    codec = GenericLine([Unit(address=0, spec=generic_spec(reply_timeout_ms=1000))])
    codec.data_to_send(0)
    (fault,) = codec.receive_data(b"x" * 200, 0)
    assert isinstance(fault, FrameFault)
    assert (fault.cause, len(fault.raw)) == (FaultCause.OVERFLOW, EVIDENCE_MAX)
    assert codec.next_wakeup() == 200 * MILLISECOND
    assert codec.wake(200 * MILLISECOND) == ()
    assert codec.next_wakeup() == 1000 * MILLISECOND


def test_a_flood_of_events_is_answered_within_bounds() -> None:
    codec = GenericLine([Unit(address=0, spec=generic_spec())])
    codec.receive_data(by_hand("!01 IN 00000000") * 1000, 0)
    assert codec.data_to_send(0).count(b"OK") == 32


def test_what_a_device_has_not_is_refused() -> None:
    line = box()
    with pytest.raises(OrderError, match="unit 0 has no output 3"):
        line.order(lamp(3))
    with pytest.raises(OrderError, match="a generic device shows no text"):
        line.order(ClearBanner(address=0))


def test_a_device_has_its_line_to_itself() -> None:
    with pytest.raises(LineSetupError, match="this line has 2 devices"):
        GenericLine([Unit(address=0, spec=generic_spec())] * 2)


def test_a_lost_line_is_told_and_orders_are_carried_out_when_it_is_back() -> None:
    line = box()
    line.run(SECOND)
    assert line.lose() == [UnitSilent(address=0, reason="device (box) is out of reach: its line is gone")]
    line.order(lamp(1))
    line.run(SECOND)
    assert device_of(line).outputs == "10"


# --- with the simulated device --------------------------------------------------------------------------------


def test_every_event_arrives_in_order_over_a_line_that_loses_half_of_them() -> None:
    device = GenericDevice(inputs=3, outputs=2)
    spec = generic_spec(inputs=3, outputs=2, reads_cards=True, retries=20)
    line = SimulatedEnd(GenericLine([Unit(address=0, spec=spec)]), device)
    line.run(SECOND)
    turn = iter(range(10_000))
    line.to_host = lambda data: data if next(turn) % 2 else b""
    cards = [Card.parse(text) for text in ("Kh", "As", "As", "2c", "Td")]
    for card in cards:
        device.show(card)
    line.run(60 * SECOND)
    assert line.said(CardRead) == [CardRead(address=0, card=card) for card in cards]
    assert line.said(ReportLost, UnitSilent) == []


def test_t49_a_broken_output_is_told_once_and_tried_again() -> None:
    device = GenericDevice(inputs=3, outputs=2)
    device.stick(2)
    line = SimulatedEnd(GenericLine([Unit(address=0, spec=generic_spec(inputs=3, outputs=2))]), device)
    line.run(SECOND)
    line.order(lamp(1), lamp(2))
    line.run(5 * SECOND)
    assert line.said(OutputFailed) == [OutputFailed(address=0, channel=2, commanded=True)]
    assert device.outputs.active == {1}


# --- the family ------------------------------------------------------------------------------------------------


def test_the_family_says_what_it_is() -> None:
    assert FAMILY.name == "generic_line"
    assert FAMILY.names_cards
    assert list(FAMILY.addresses) == [0]
    assert FAMILY.serial == SerialSettings(baud=115_200)
    assert explain(by_hand("!00 START"), generic_spec()) == "event 00: the device has come up"


def test_only_a_model_whose_profile_says_so_reads_cards() -> None:
    assert reads_cards(FAMILY, generic_spec(reads_cards=True))
    assert not reads_cards(FAMILY, generic_spec())


@given(st.lists(st.tuples(st.integers(1, 700_000), st.binary(max_size=300)), max_size=10))
def test_whatever_arrives_is_bounded_and_the_next_event_is_heard(reads: list[tuple[int, bytes]]) -> None:
    line = box(reads_cards=True)
    for wait_us, data in reads:
        line.run(wait_us)
        line.say(data)
        assert line.codec._lines.held <= LINE_LENGTH_MAX  # type: ignore[attr-defined]
    line.run(3 * SECOND)
    for message in line.messages:
        assert not isinstance(message, FrameFault) or len(message.raw) <= EVIDENCE_MAX
    device_of(line).tell("!50 CARD Kh")
    assert line.run(SECOND)[-1] == KING


@given(st.binary(max_size=90))
def test_arbitrary_bytes_explain_to_something_or_a_frame_error(raw: bytes) -> None:
    try:
        assert explain(raw, generic_spec())
    except FrameError:
        return
