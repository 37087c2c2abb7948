import pytest
from hypothesis import given, strategies as st

from bridge.domain.cards import Card
from bridge.wire.errors import FrameError, LineSetupError, OrderError
from bridge.wire.hid_reports import Report, ReportKind, pack
from bridge.wire.messages import (
    EVIDENCE_MAX,
    CardNotRead,
    CardRead,
    FaultCause,
    FrameFault,
    SetOutput,
    UnitAnswering,
    UnitSilent,
    WireMessage,
)
from bridge.wire.protocols.hid_pos import FAMILY, ReaderLine, explain
from bridge.wire.reader_languages import LINE_LENGTH_MAX
from bridge.wire.spec import Unit
from simulators.hid_pos_usb import HoneywellReader, NewlandReader, WedgeReader
from tests.test_frames import load
from tests.wire.cables import MILLISECOND, SRR0, deliveries, feed, reader_spec

KING_OF_HEARTS = CardRead(address=0, card=Card.parse("Kh"))
ACE_OF_SPADES = CardRead(address=0, card=Card.parse("As"))
TIMEOUT = 200 * MILLISECOND


def reader(**parameters: int | bool | str) -> ReaderLine:
    codec = ReaderLine([Unit(address=0, spec=reader_spec(card_codes=None, **parameters))])
    codec.wake(0)
    return codec


def cause(message: WireMessage) -> FaultCause:
    assert isinstance(message, FrameFault)
    return message.cause


WAYS = list(deliveries(b"2130\r", garbage=b"\r\n\x00", trailing=b"\n10"))


@pytest.mark.parametrize("reads", [reads for _, reads in WAYS], ids=[way for way, _ in WAYS])
def test_a_card_is_read_however_its_line_arrives(reads: list[bytes]) -> None:
    assert feed(reader(), reads) == [KING_OF_HEARTS]


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n", b"\r\r\n", b"\n\r"])
def test_every_end_of_a_line_ends_one_line(end: bytes) -> None:
    assert feed(reader(), [b"2130" + end + b"1010" + end]) == [KING_OF_HEARTS, ACE_OF_SPADES]


@pytest.mark.parametrize("code", SRR0)
def test_all_fifty_two_cards_of_the_srr0_code_are_read(code: str) -> None:
    assert feed(reader(), [code.encode() + b"\r"]) == [CardRead(address=0, card=SRR0[code])]


def test_four_reads_make_one_card_and_one_read_makes_two() -> None:
    assert feed(reader(), [b"2", b"13", b"0", b"\r\n"]) == [KING_OF_HEARTS]
    assert feed(reader(), [b"2130\r\n1010\r\n"]) == [KING_OF_HEARTS, ACE_OF_SPADES]


@pytest.mark.parametrize("line", [b"\x022130\x03\r", b"  2130\t\r", b"\x002130\x7f\r"])
def test_control_characters_and_blanks_around_a_code_are_not_part_of_it(line: bytes) -> None:
    assert feed(reader(), [line]) == [KING_OF_HEARTS]


@pytest.mark.parametrize("line", [b"\r", b"\n", b"\r\n", b" \r", b"\x00\x02\r"])
def test_an_empty_line_says_nothing(line: bytes) -> None:
    assert feed(reader(), [line]) == []


@pytest.mark.parametrize(
    ("line", "raw"),
    [
        (b"9999\r", "9999"),
        (b"213\r", "213"),
        (b"NO READ\r", "NO READ"),
        (b"21\x8030\r", r"21\x8030"),
        (b"21\x0030\r", r"21\x0030"),
        (b"2130\xff\r", r"2130\xff"),
    ],
)
def test_t51_a_line_that_is_no_card_is_a_card_not_read_with_what_was_said(line: bytes, raw: str) -> None:
    assert feed(reader(), [line]) == [CardNotRead(address=0, raw=raw)]


def test_a_line_in_which_nothing_is_text_is_junk() -> None:
    (message,) = feed(reader(), [b"\xf0\x80\xff\r"])
    assert cause(message) is FaultCause.JUNK


@pytest.mark.parametrize("length", [LINE_LENGTH_MAX, LINE_LENGTH_MAX + 1, 1000])
@pytest.mark.parametrize("size", [1, 7, 2000])
def test_a_line_has_its_limit_and_its_end_does_not_become_a_card(length: int, size: int) -> None:
    raw = b"9" * (length - 4) + b"2130\r" + b"1010\r"
    reads = [raw[at : at + size] for at in range(0, len(raw), size)]
    first, *rest = feed(reader(), reads)
    if length == LINE_LENGTH_MAX:
        assert first == CardNotRead(address=0, raw="9" * 60 + "2130")
    else:
        assert isinstance(first, FrameFault)
        assert first.cause is FaultCause.OVERFLOW
        assert len(first.raw) == EVIDENCE_MAX
    assert rest == [ACE_OF_SPADES]


def test_half_a_line_is_given_up_and_not_joined_with_the_next_card() -> None:
    codec = reader()
    assert codec.receive_data(b"21", 1000) == ()
    assert codec.next_wakeup() == 1000 + TIMEOUT
    assert codec.receive_data(b"3", 100 * MILLISECOND) == ()
    assert codec.next_wakeup() == 1000 + TIMEOUT, "it counts from the first character"
    assert codec.wake(TIMEOUT + 999) == ()
    (fault,) = codec.wake(TIMEOUT + 1000)
    assert isinstance(fault, FrameFault)
    assert (fault.cause, fault.raw) == (FaultCause.TIMEOUT, b"213")
    assert codec.next_wakeup() is None
    assert codec.receive_data(b"1010\r", TIMEOUT + 2000) == (ACE_OF_SPADES,)


def test_half_a_line_is_given_up_even_if_nobody_woke_the_codec_in_time() -> None:
    codec = reader()
    codec.receive_data(b"21", 0)
    fault, card = codec.receive_data(b"1010\r", TIMEOUT)
    assert cause(fault) is FaultCause.TIMEOUT
    assert card == ACE_OF_SPADES


def test_the_rest_of_a_line_that_is_too_long_is_waited_for_no_longer_than_for_a_line() -> None:
    codec = reader()
    codec.receive_data(b"9" * 100, 0)
    assert codec.wake(TIMEOUT) == ()
    assert codec.receive_data(b"1010\r", TIMEOUT) == (ACE_OF_SPADES,)


def test_an_open_port_is_all_that_can_be_known_of_a_quiet_reader() -> None:
    codec = ReaderLine([Unit(address=0, spec=reader_spec())])
    assert codec.next_wakeup() == 0
    assert codec.wake(0) == (UnitAnswering(address=0, active_inputs=frozenset()),)
    assert codec.wake(1) == ()
    assert codec.next_wakeup() is None


def test_a_card_before_the_first_wake_comes_after_the_unit() -> None:
    codec = ReaderLine([Unit(address=0, spec=reader_spec())])
    assert codec.receive_data(b"2130\r", 0) == (
        UnitAnswering(address=0, active_inputs=frozenset()),
        KING_OF_HEARTS,
    )


def test_a_lost_line_forgets_half_a_card() -> None:
    codec = reader()
    codec.receive_data(b"21", 0)
    assert codec.line_lost() == (
        UnitSilent(address=0, reason="reader (reader) is out of reach: its line is gone"),
    )
    assert codec.line_lost() == ()
    assert codec.receive_data(b"1010\r", 1000) == (
        UnitAnswering(address=0, active_inputs=frozenset()),
        ACE_OF_SPADES,
    )


def test_a_reader_is_never_asked_anything() -> None:
    codec = reader()
    assert codec.data_to_send(0) == b""
    with pytest.raises(OrderError, match="a card reader has no output 1"):
        codec.order(SetOutput(address=0, channel=1, active=True))
    assert codec.data_to_send(1) == b""


def test_a_reader_has_its_line_to_itself() -> None:
    with pytest.raises(LineSetupError, match="this line has 2 devices"):
        ReaderLine([Unit(address=0, spec=reader_spec())] * 2)


def test_a_profile_without_codes_reads_no_card() -> None:
    with pytest.raises(LineSetupError, match="profile reader lists no card codes"):
        ReaderLine([Unit(address=0, spec=reader_spec(card_codes={}))])


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"2130\r", "card Kh"),
        (b"\x024100\x03\r\n", "card Td"),
        (b"9999\n", "not a card: '9999'"),
        (b"21\x8030\r", r"not a card: '21\x8030'"),
    ],
)
def test_a_line_is_said_in_one_line(raw: bytes, says: str) -> None:
    assert explain(raw, reader_spec()) == says


@pytest.mark.parametrize("raw", [b"", b"2130", b"2130\r1010\r", b"\r", b"\xff\r", b"9" * 65 + b"\r"])
def test_what_is_no_line_is_refused(raw: bytes) -> None:
    with pytest.raises(FrameError):
        explain(raw, reader_spec())


def test_the_family_says_what_it_is() -> None:
    assert FAMILY.name == "hid_pos"
    assert FAMILY.reads_cards
    assert list(FAMILY.addresses) == [0]
    assert isinstance(FAMILY.codec([Unit(address=0, spec=reader_spec())]), ReaderLine)
    assert FAMILY.explain is explain


@given(st.lists(st.tuples(st.integers(0, TIMEOUT), st.binary(max_size=100)), max_size=20))
def test_whatever_arrives_is_bounded_and_the_next_good_card_is_read(reads: list[tuple[int, bytes]]) -> None:
    codec = reader()
    now_us = 0
    for wait_us, data in reads:
        now_us += wait_us
        for message in codec.receive_data(data, now_us):
            match message:
                case FrameFault(raw=raw):
                    assert len(raw) <= EVIDENCE_MAX
                case CardNotRead(raw=text):
                    assert text.isprintable()
                    assert len(text) <= 4 * LINE_LENGTH_MAX
                case _:
                    assert isinstance(message, CardRead)
        assert codec._language.held <= LINE_LENGTH_MAX
    assert codec.receive_data(b"2130\r", now_us + TIMEOUT)[-1] == KING_OF_HEARTS


@given(st.lists(st.sampled_from(sorted(SRR0)), min_size=1, max_size=10), st.data())
def test_cards_are_read_in_order_wherever_the_stream_is_cut(codes: list[str], draw: st.DataObject) -> None:
    stream = "".join(f"{code}\r\n" for code in codes).encode()
    cuts = sorted(draw.draw(st.sets(st.integers(0, len(stream)))))
    reads = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert feed(reader(), reads) == [CardRead(address=0, card=SRR0[code]) for code in codes]


# --- the languages of USB ---------------------------------------------------------------------------------------

USB = {"honeywell": HoneywellReader, "newland": NewlandReader, "wedge": WedgeReader}
CARD_OF = {card: code for code, card in SRR0.items()}


def spoken(mode: str, *cards: str) -> list[bytes]:
    """What a reader says of these cards, record by record."""
    said: list[bytes] = []
    device = USB[mode](CARD_OF)
    device.connect(said.append)
    for card in cards:
        device.show(Card.parse(card))
    return said


@pytest.mark.parametrize("mode", USB)
@pytest.mark.parametrize("code", SRR0)
def test_all_fifty_two_cards_are_read_in_every_language(mode: str, code: str) -> None:
    assert feed(reader(mode=mode), spoken(mode, str(SRR0[code]))) == [CardRead(address=0, card=SRR0[code])]


@pytest.mark.parametrize("mode", USB)
@pytest.mark.parametrize("size", [1, 5, 64, 100_000])
def test_cards_are_read_however_the_records_arrive(mode: str, size: int) -> None:
    stream = b"".join(spoken(mode, "Kh", "As"))
    reads = [stream[at : at + size] for at in range(0, len(stream), size)]
    assert feed(reader(mode=mode), reads) == [KING_OF_HEARTS, ACE_OF_SPADES]


@pytest.mark.parametrize("filler", [False, True])
def test_a_reading_of_several_reports_is_one_reading(filler: bool) -> None:
    said: list[bytes] = []
    device = HoneywellReader({}, filler_before_identifier=filler)
    device.connect(said.append)
    device.show_unreadable("X" * 130)
    assert len(said) == 3
    codec = reader(mode="honeywell")
    assert feed(codec, said) == [CardNotRead(address=0, raw="X" * 130)]


def test_the_captured_transfer_is_one_reading_and_the_status_after_it_another() -> None:
    captured = [entry for entry in load("hid_honeywell")["frames"] if entry["provenance"] == "captured"]
    records = [pack(Report(ReportKind.INPUT, bytes.fromhex(entry["hex"]))) for entry in captured]
    first, second = feed(reader(mode="honeywell"), records)
    assert isinstance(first, CardNotRead)
    assert first.raw.startswith("Product Name: Voyager 1602g")
    assert second == CardNotRead(address=0, raw=r"REVINF\x06.")


def test_a_report_that_is_never_continued_is_given_up_and_not_joined_with_the_next_card() -> None:
    said: list[bytes] = []
    device = HoneywellReader(CARD_OF)
    device.connect(said.append)
    device.lose_last_report()
    device.show_unreadable("9" * 60)
    codec = reader(mode="honeywell")
    assert feed(codec, said) == []
    assert codec.next_wakeup() == TIMEOUT
    (fault,) = codec.wake(TIMEOUT)
    assert cause(fault) is FaultCause.TIMEOUT
    assert feed(codec, spoken("honeywell", "As"), TIMEOUT + 1) == [ACE_OF_SPADES]


def test_half_a_record_is_given_up_too() -> None:
    codec = reader(mode="newland")
    (record,) = spoken("newland", "Kh")
    codec.receive_data(record[:30], 0)
    (fault,) = codec.wake(TIMEOUT)
    assert isinstance(fault, FrameFault)
    assert (fault.cause, fault.raw) == (FaultCause.TIMEOUT, record[:30])
    assert codec.receive_data(record, TIMEOUT) == (KING_OF_HEARTS,)


def test_a_reader_is_told_to_speak_in_reports_whenever_its_line_is_opened() -> None:
    codec = reader(mode="honeywell", hid_mode_report=True)
    told = b"F\x00\x02\xfe\x01"
    assert [codec.data_to_send(0), codec.data_to_send(1)] == [told, b""]
    codec.line_lost()
    assert codec.data_to_send(2) == b""
    codec.wake(3)
    assert codec.data_to_send(3) == told


@pytest.mark.parametrize("mode", ["line", "wedge"])
def test_that_report_is_refused_where_nobody_speaks_in_reports(mode: str) -> None:
    with pytest.raises(LineSetupError, match=f"hid_mode_report is for HID reports, and the mode is {mode}"):
        reader(mode=mode, hid_mode_report=True)


@pytest.mark.parametrize("mode", USB)
def test_a_frame_is_explained_in_the_language_of_the_profile(mode: str) -> None:
    says = "card Kh" if mode != "wedge" else "keys '2'"
    assert explain(spoken(mode, "Kh")[0][3:], reader_spec(mode=mode)) == says


@given(
    st.sampled_from(sorted(USB)),
    st.lists(st.tuples(st.integers(0, TIMEOUT), st.binary(max_size=100)), max_size=12),
)
def test_whatever_arrives_on_usb_the_next_good_card_is_read(mode: str, reads: list[tuple[int, bytes]]) -> None:
    codec = reader(mode=mode)
    now_us = 0
    for wait_us, data in reads:
        now_us += wait_us
        for message in codec.receive_data(data, now_us):
            assert isinstance(message, CardNotRead | FrameFault)
            assert not isinstance(message, FrameFault) or len(message.raw) <= EVIDENCE_MAX
    assert feed(codec, spoken(mode, "Kh"), now_us + TIMEOUT)[-1] == KING_OF_HEARTS
