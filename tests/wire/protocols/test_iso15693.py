from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from bridge.wire.errors import LineSetupError, OrderError
from bridge.wire.feig_frames import explain_feig
from bridge.wire.messages import (
    EVIDENCE_MAX,
    ChipsRead,
    FaultCause,
    FrameFault,
    SetOutput,
    UnitAnswering,
    UnitRefused,
    UnitSilent,
)
from bridge.wire.protocols.iso15693 import FAMILY, ChipReaderLine, explain
from bridge.wire.spec import Parity, SerialSettings, Unit
from simulators.feig_reader import FeigLine, FeigReader
from simulators.rapidradio_reader import RapidRadioReader
from tests.wire.cables import MILLISECOND, chips_spec, deliveries
from tests.wire.chips import UID, uid
from tests.wire.virtual_line import SimulatedEnd

SECOND = 1000 * MILLISECOND
RAPIDRADIO = ["rrhfoem04", "rrhfoem04_tcp"]


def answering(address: int = 0) -> UnitAnswering:
    return UnitAnswering(address=address, active_inputs=frozenset(), shows_levels=False)


def chips(*uids: str, address: int = 0, laid: str = "", lifted: str = "") -> ChipsRead:
    return ChipsRead(
        address=address,
        antenna=1,
        uids=frozenset(uids),
        laid=frozenset(laid.split()),
        lifted=frozenset(lifted.split()),
    )


def feig(*readers: FeigReader, **parameters: int | bool | str) -> SimulatedEnd:
    units = [Unit(address=reader.address, spec=chips_spec(**parameters)) for reader in readers]
    return SimulatedEnd(ChipReaderLine(units), FeigLine(readers))


def rapidradio(reader: RapidRadioReader, *, usb: bool = True, **parameters: int | bool | str) -> SimulatedEnd:
    spec = chips_spec(reader="rrhfoem04" if usb else "rrhfoem04_tcp", **parameters)
    return SimulatedEnd(ChipReaderLine([Unit(address=0, spec=spec)]), reader)


@pytest.mark.parametrize("form", ["advanced", "standard"])
def test_the_chips_on_the_antenna_are_told_and_every_change_of_them(form: str) -> None:
    reader = FeigReader()
    reader.antenna.place(UID)
    line = feig(reader, frame=form, gone_after=3)
    assert line.run(SECOND) == [answering(), chips(UID)]
    reader.antenna.place(uid(1))
    assert line.run(SECOND) == [chips(UID, uid(1), laid=uid(1))]
    reader.antenna.lift(UID)
    assert line.run(350 * MILLISECOND) == [], "missed twice, which a chip in the hand of a dealer may be"
    assert line.run(SECOND) == [chips(uid(1), lifted=UID)]


def test_more_chips_than_one_answer_lists_are_one_inventory() -> None:
    reader = FeigReader(chips_at_once=3)
    stack = [uid(number) for number in range(20)]
    reader.antenna.place(*stack)
    assert feig(reader).run(SECOND) == [answering(), chips(*stack)]


def test_a_reader_that_tells_only_new_chips_is_believed_only_after_a_reset() -> None:
    reader = FeigReader(only_new=True)
    reader.antenna.place(UID)
    assert chips(lifted=UID) in feig(reader).run(3 * SECOND), "set up like this it must not be used"
    reader.power_cycle()
    assert feig(reader, rf_reset=True).run(3 * SECOND) == [answering(), chips(UID)]


def test_readers_of_one_line_are_told_apart() -> None:
    first, second = FeigReader(1), FeigReader(7)
    second.antenna.place(UID)
    line = feig(first, second)
    messages = line.run(SECOND)
    assert sorted(messages, key=str) == sorted(
        [answering(1), chips(address=1), answering(7), chips(UID, address=7)], key=str
    )
    first.antenna.place(uid(1))
    assert line.run(SECOND) == [chips(uid(1), address=1, laid=uid(1))]


def test_a_reader_that_is_gone_does_not_take_the_others_with_it() -> None:
    first, second = FeigReader(1), FeigReader(2)
    line = feig(first, second, retries=2, reply_timeout_ms=300)
    line.run(SECOND)
    del line.device.readers[1]  # type: ignore[attr-defined]
    line.run(5 * SECOND)
    second.antenna.place(UID)
    line.run(SECOND)
    assert [message.address for message in line.said(UnitSilent)] == [1]
    assert line.messages[-1] == chips(UID, address=2, laid=UID)


@pytest.mark.parametrize("usb", [True, False])
@pytest.mark.parametrize("rest_is_counted", [True, False])
@pytest.mark.parametrize("count", [0, 1, 6, 7, 8, 14, 15, 40])
def test_a_rapidradio_reader_tells_any_number_of_chips(usb: bool, rest_is_counted: bool, count: int) -> None:
    reader = RapidRadioReader(usb=usb, rest_is_counted=rest_is_counted)
    stack = [uid(number) for number in range(count)]
    reader.antenna.place(*stack)
    assert rapidradio(reader, usb=usb).run(SECOND) == [answering(), chips(*stack)]


@pytest.mark.parametrize("inventory", ["full", "16_slots", "single_slot"])
def test_a_rapidradio_reader_is_asked_for_the_inventory_of_its_profile(inventory: str) -> None:
    reader = RapidRadioReader()
    reader.antenna.place(UID)
    line = rapidradio(reader, inventory=inventory)
    assert line.run(SECOND) == [answering(), chips(UID)]
    command = {"full": b"\x1f\x01", "16_slots": b"\x10\x02", "single_slot": b"\x10\x01"}[inventory]
    assert {data[4:6] for data in line.requests[1:]} == {command}


def test_chips_that_are_counted_and_not_named_are_not_gone() -> None:
    reader = RapidRadioReader()
    reader.antenna.place(UID, uid(1))
    line = rapidradio(reader, gone_after=1)
    line.run(SECOND)
    reader.misses_last = 1
    messages = line.run(3 * SECOND)
    assert [type(message) for message in messages] == [FrameFault, FrameFault, FrameFault, UnitRefused]
    reader.misses_last = 0
    assert line.run(10 * SECOND) == [answering(), chips(UID, uid(1))]


def test_requests_keep_the_silence_that_a_reader_needs() -> None:
    line = feig(FeigReader(1), FeigReader(2), gap_ms=5, poll_ms=0)
    line.run(SECOND)
    times = line.asked_at
    assert min(after - before for before, after in pairwise(times)) >= 5 * MILLISECOND


ANSWER = bytes.fromhex("02 00 13 00 B0 00 01 03 00 E0 04 01 00 12 34 56 78 03 71")
WAYS = list(deliveries(ANSWER, garbage=b"\xff\x00\x02", trailing=b"\x02\x00"))


@pytest.mark.parametrize("reads", [reads for _, reads in WAYS], ids=[way for way, _ in WAYS])
def test_the_derived_answer_is_understood_however_it_arrives(reads: list[bytes]) -> None:
    line = feig(FeigReader())
    line.run(SECOND)
    line.to_device = lambda _: b""
    line.run_until_just_asked()
    told = [message for read in reads for message in line.codec.receive_data(read, line.now_us)]
    assert [message for message in told if not isinstance(message, FrameFault)] == [chips(UID, laid=UID)]


def test_a_reader_that_refuses_is_told_with_its_reason() -> None:
    reader = FeigReader()
    reader.refuses_with = 0x05
    line = feig(reader, retries=2)
    messages = line.run(3 * SECOND)
    assert [type(message) for message in messages] == [FrameFault, FrameFault, UnitRefused]
    assert "wrong transponder type" in str(messages[-1])
    reader.refuses_with = None
    assert answering() in line.run(10 * SECOND)


def test_a_lost_line_is_told_and_the_chips_are_told_anew_when_it_is_back() -> None:
    reader = FeigReader()
    reader.antenna.place(UID)
    line = feig(reader)
    line.run(SECOND)
    assert line.lose() == [UnitSilent(address=0, reason="reader 0 (tray) is out of reach: its line is gone")]
    assert line.run(SECOND) == [answering(), chips(UID)]


def test_bytes_that_nobody_asked_for_are_counted_and_disturb_nothing() -> None:
    reader = FeigReader()
    line = feig(reader)
    line.run(SECOND)
    line.say(b"\x55" * 100)
    messages = line.run(SECOND)
    assert {message.cause for message in messages if isinstance(message, FrameFault)} == {FaultCause.JUNK}
    assert line.said(UnitSilent) == []


def test_a_reader_takes_no_orders() -> None:
    with pytest.raises(OrderError, match="a chip reader has no output 1"):
        feig(FeigReader()).order(SetOutput(address=0, channel=1, active=True))


@pytest.mark.parametrize("addresses", [(), (1, 1)])
def test_readers_that_could_not_be_told_apart_are_refused(addresses: tuple[int, ...]) -> None:
    with pytest.raises(LineSetupError, match="no two with the same address"):
        ChipReaderLine([Unit(address=address, spec=chips_spec()) for address in addresses])


@pytest.mark.parametrize("reader", RAPIDRADIO)
def test_a_rapidradio_reader_is_alone_without_address_and_without_reset(reader: str) -> None:
    alone = Unit(address=0, spec=chips_spec(reader=reader))
    with pytest.raises(LineSetupError, match="has its line to itself"):
        ChipReaderLine([alone, Unit(address=1, spec=chips_spec())])
    with pytest.raises(LineSetupError, match="set its address to 0 instead of 1"):
        ChipReaderLine([Unit(address=1, spec=chips_spec(reader=reader))])
    with pytest.raises(LineSetupError, match="rf_reset is for FEIG readers"):
        ChipReaderLine([Unit(address=0, spec=chips_spec(reader=reader, rf_reset=True))])


def test_a_frame_is_explained_as_that_of_the_profiles_reader() -> None:
    published = bytes.fromhex("02 00 09 FF B0 01 00 18 43")
    assert explain(published, chips_spec()) == explain_feig(published) == "to reader 255: inventory"
    assert explain(bytes.fromhex("03 F0 00 89 2F"), chips_spec(reader="rrhfoem04")) == "request: info"


def test_the_family_says_what_it_is() -> None:
    assert FAMILY.name == "iso15693"
    assert not FAMILY.reads_cards
    assert FAMILY.addresses == range(255)
    assert FAMILY.serial == SerialSettings(baud=38_400, data_bits=8, parity=Parity.EVEN, stop_bits=1)


@settings(max_examples=40)
@given(
    st.sampled_from(["feig", *RAPIDRADIO]),
    st.lists(st.tuples(st.integers(1, 700_000), st.binary(max_size=300)), max_size=8),
)
def test_whatever_arrives_is_bounded_and_the_chip_is_read_in_the_end(
    kind: str, reads: list[tuple[int, bytes]]
) -> None:
    if kind == "feig":
        device = FeigReader()
        line = feig(device)
    else:
        device = RapidRadioReader(usb=kind == "rrhfoem04")  # type: ignore[assignment]
        line = rapidradio(device, usb=kind == "rrhfoem04")  # type: ignore[arg-type]
    for wait_us, data in reads:
        line.run(wait_us)
        line.say(data)
    device.antenna.place(UID)
    line.run(12 * SECOND)
    for message in line.messages:
        assert not isinstance(message, FrameFault) or len(message.raw) <= EVIDENCE_MAX
    told = line.said(ChipsRead)[-1]
    assert isinstance(told, ChipsRead)
    assert told.uids == {UID}
