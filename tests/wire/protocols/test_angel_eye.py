import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from bridge.domain.cards import Card
from bridge.domain.shoe import DealTarget, ShoeFault, ShoeMode, ShoeResult
from bridge.wire.errors import LineSetupError, OrderError
from bridge.wire.messages import (
    EVIDENCE_MAX,
    CardNotRead,
    CardOutOfGame,
    CardRead,
    CardStatedAgain,
    CommandAnswered,
    CutCardSeen,
    FaultCause,
    FaultStated,
    FrameFault,
    KeyTurned,
    PresetChanged,
    ReportLost,
    ResultStated,
    SetOutput,
    UnitAnswering,
    UnitSilent,
    UnitStandingBy,
    UnitStarted,
    WireMessage,
)
from bridge.wire.protocols.angel_eye import ANSWER_WAIT_US, FAMILY, ShoeLine, explain
from bridge.wire.report_splitter import STRETCH_MAX
from bridge.wire.shoe_commands import LOCK, NAK_REASONS, UNLOCK, cancel_fault, encode_command
from bridge.wire.shoe_frames import Letter, encode_report, fault_byte
from bridge.wire.spec import Unit
from tests.wire.cables import deliveries
from tests.wire.shoes import DECK, TIMEOUT_US, WINDOW_US, Bench, card_frame, card_read, shoe_spec

PLAYER, BANKER = DealTarget.PLAYER, DealTarget.BANKER
A, B, C = card_frame("1", "8s"), card_frame("2", "Kh", BANKER), card_frame("3", "2c", PLAYER, 2)
EIGHT, KING, TWO = card_read("8s"), card_read("Kh", BANKER), card_read("2c", PLAYER, 2)
SUIT_AND_RANK = 0x01
FRAMES: dict[str, Any] = json.loads((Path(__file__).parents[2] / "frames" / "angel_eye.json").read_text("utf-8"))
GONE = ReportLost(address=0, reason="bytes arrived of which no report could be made")


def bad(frame: bytes, place: int = 4, mask: int = SUIT_AND_RANK) -> bytes:
    return frame[:place] + bytes((frame[place] ^ mask,)) + frame[place + 1 :]


def lost(number: str, before: str) -> ReportLost:
    return ReportLost(address=0, reason=f"report {number} follows report {before}; in between something was lost")


def said(*reads: bytes, **parameters: int | bool | str) -> list[WireMessage]:
    return Bench(**parameters).hear(*reads).said


# --- what a shoe says ---


def test_a_whole_round_of_three_copies_each_is_six_reports() -> None:
    (stream,) = FRAMES["streams"]
    assert said(bytes.fromhex(stream["hex"])) == [
        UnitStandingBy(address=0),
        card_read("8s", PLAYER, 1),
        card_read("5c", BANKER, 1),
        card_read("Kd", PLAYER, 2),
        card_read("2h", BANKER, 2),
        ResultStated(address=0, result=ShoeResult.PLAYER, player_pair=False, banker_pair=False),
    ]


WAYS = list(deliveries(A * 3, garbage=b"\x00\x81\xff\x03", trailing=b"\x05\x32"))


@pytest.mark.parametrize("reads", [reads for _, reads in WAYS], ids=[way for way, _ in WAYS])
def test_a_card_is_read_once_however_its_three_copies_arrive(reads: list[bytes]) -> None:
    bench = Bench().hear(*reads, every_us=1000)
    assert [message for message in bench.messages if isinstance(message, CardRead | CardNotRead)] == [EIGHT]


def test_two_reports_in_one_read_are_two() -> None:
    assert said(A * 3 + B * 3) == [EIGHT, KING]


@pytest.mark.parametrize("card", DECK, ids=str)
def test_all_fifty_two_cards(card: Card) -> None:
    frame = card_frame("7", str(card), BANKER, 3)
    assert said(frame, frame, frame) == [CardRead(address=0, card=card, target=BANKER, place=3)]


@pytest.mark.parametrize(
    ("letter", "data", "message"),
    [
        (Letter.STARTED, "", UnitStarted(address=0)),
        (Letter.STANDBY, "", UnitStandingBy(address=0)),
        (Letter.CUT_CARD, "", CutCardSeen(address=0)),
        (Letter.LOCK, "81", KeyTurned(address=0, locked=True)),
        (Letter.LOCK, "80", KeyTurned(address=0, locked=False)),
        (Letter.PRESET, "30 31 30 30 30 35", PresetChanged(address=0, preset="01", value="0005")),
        (Letter.CARD_OUT_OF_GAME, "80 9A", CardOutOfGame(address=0, card=Card.parse("Td"), mode=ShoeMode.LOCKED)),
        (
            Letter.CARD_AGAIN,
            "81 B1",
            CardStatedAgain(address=0, card=Card.parse("As"), target=PLAYER, place=1),
        ),
        (
            Letter.FAULT,
            "C1",
            FaultStated(address=0, fault=ShoeFault.CANNOT_READ, code=1, active=True, error_mode=True),
        ),
        (
            Letter.FAULT_CLEARED,
            "BF",
            FaultStated(address=0, fault=ShoeFault.UNDOCUMENTED, code=63, active=False, error_mode=False),
        ),
        (
            Letter.RESULT,
            "A3",
            ResultStated(address=0, result=ShoeResult.TIE, player_pair=True, banker_pair=True),
        ),
    ],
)
def test_every_report_has_its_message(letter: Letter, data: str, message: WireMessage) -> None:
    frame = encode_report("4", letter, bytes.fromhex(data))
    assert said(frame, frame, frame) == [message]
    lone = said(frame)
    assert lone == [
        ReportLost(
            address=0,
            reason=f"report 4, {letter.name.lower().replace('_', ' ')}, "
            "arrived and was confirmed by no second copy",
        )
    ]


def test_a_card_stated_again_is_never_a_card_of_the_game() -> None:
    again = encode_report("2", Letter.CARD_AGAIN, bytes((0x81, 0xB1)))
    assert said(A * 3, again * 3) == [
        EIGHT,
        CardStatedAgain(address=0, card=Card.parse("As"), target=PLAYER, place=1),
    ]


def test_the_burn_count_of_a_new_shoe() -> None:
    first = card_frame("2", "5d", DealTarget.FIRST_OF_BURN_COUNT, 1)
    burned = card_frame("3", "Kc", DealTarget.BURN_COUNT, 5)
    assert said(first * 3, burned * 3) == [
        card_read("5d", DealTarget.FIRST_OF_BURN_COUNT, 1),
        card_read("Kc", DealTarget.BURN_COUNT, 5),
    ]


# --- copies that are damaged, lost, late ---


@pytest.mark.parametrize("which", [0, 1, 2])
def test_one_of_three_copies_corrupted_in_any_bit_leaves_the_card_right(which: int) -> None:
    for place in range(len(A)):
        for bit in range(8):
            copies = [A, A, A]
            copies[which] = bad(A, place, 1 << bit)
            assert said(*copies) == [EIGHT]


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (1, 2, 0)])
def test_two_of_three_copies_corrupted_leave_the_card_right_unless_both_deny_the_same_byte(
    order: tuple[int, int, int],
) -> None:
    for first in range(len(A)):
        for second in range(len(A)):
            copies = [A, bad(A, first), bad(A, second)]
            told = said(*(copies[number] for number in order))
            unread = CardNotRead(address=0, raw=A.hex(" ").upper(), target=PLAYER, place=1)
            assert told == [unread if first == second else EIGHT]


@pytest.mark.parametrize("place", range(len(A)))
def test_all_three_copies_corrupted_is_no_card_and_is_told(place: int) -> None:
    bench = Bench().hear(bad(A, place), bad(A, place), bad(A, place))
    assert bench.said == [GONE]
    assert len(bench.faults) >= 1


def test_t51_a_card_that_only_one_copy_tells_of_is_for_a_supervisor() -> None:
    assert said(A) == [CardNotRead(address=0, raw="05 31 44 81 B8 03 34 46", target=PLAYER, place=1)]
    assert said(A, copies_to_agree=1) == [EIGHT]


def test_t51_a_card_report_that_makes_no_sense_is_for_a_supervisor() -> None:
    nowhere = encode_report("1", Letter.CARD, bytes((0x80, 0xB8)))
    no_card = encode_report("1", Letter.CARD, bytes((0x92, 0x08)))
    assert said(nowhere * 3) == [CardNotRead(address=0, raw=nowhere.hex(" ").upper())]
    assert said(no_card * 3) == [CardNotRead(address=0, raw=no_card.hex(" ").upper(), target=BANKER, place=2)]
    assert Bench().hear(nowhere * 3).faults == [FaultCause.UNKNOWN]


def test_a_letter_that_no_source_lists_is_told_as_lost() -> None:
    frame = bytes.fromhex("05 31 58 03 36 41")
    assert said(frame * 3) == [
        ReportLost(address=0, reason="report 1, letter 'X', arrived and says what no source lists")
    ]


def test_a_copy_with_two_wrong_bits_that_pass_the_check_is_not_another_card() -> None:
    forged = card_frame("1", "9s")
    for reads in ([forged, A, A], [A, forged, A], [A, A, forged]):
        bench = Bench().hear(*reads)
        assert bench.said == [EIGHT]
        assert bench.faults == [FaultCause.CHECKSUM]


@pytest.mark.parametrize("forged", [card_frame("1", "9s"), card_frame("5", "8s"), card_frame("1", "8s", BANKER)])
def test_a_forged_copy_beside_a_damaged_one_is_never_believed(forged: bytes) -> None:
    for reads in ([forged, A, bad(A)], [bad(A), forged, A], [A, bad(A), forged]):
        assert not [message for message in said(*reads) if isinstance(message, CardRead) and message != EIGHT]


def test_a_report_with_the_number_of_the_one_before_and_other_content_is_told_and_flagged() -> None:
    bench = Bench().hear(A * 3, card_frame("1", "Kd") * 3)
    assert bench.said == [EIGHT, card_read("Kd")]
    assert bench.faults == [FaultCause.UNKNOWN]


def test_the_same_card_after_a_full_count_is_a_card() -> None:
    bench = Bench().hear(A * 3)
    for number in "23456789":
        bench.hear(encode_report(number, Letter.STANDBY) * 3)
    bench.hear(A * 3)
    assert [message for message in bench.said if isinstance(message, CardRead)] == [EIGHT, EIGHT]
    assert bench.faults == []


def test_the_same_report_after_the_window_is_told_again() -> None:
    bench = Bench().hear(A * 3).wait(WINDOW_US).hear(A * 3)
    assert bench.said == [EIGHT, EIGHT]
    assert bench.faults == [FaultCause.UNKNOWN]


def test_a_card_of_which_all_copies_are_lost_is_missed_at_the_next_report() -> None:
    assert said(A * 3, C * 3) == [EIGHT, lost("3", "1"), TWO]
    assert said(A * 3, C * 3, tell_gaps=False) == [EIGHT, TWO]


def test_nothing_is_missed_when_a_shoe_starts_anew() -> None:
    started = encode_report("1", Letter.STARTED)
    assert said(C * 3, b"\x00\xff\x80\x00", started * 3, B * 3) == [TWO, UnitStarted(address=0), KING]


# --- bytes that are no report ---


def test_junk_before_a_report_is_counted_and_costs_nothing() -> None:
    bench = Bench().hear(A * 3, b"\x00\xff\x44\x03" + B, b"\x31" + B, B)
    assert bench.said == [EIGHT, KING]
    assert bench.faults == [FaultCause.JUNK, FaultCause.JUNK]


def test_junk_between_reports_is_forgiven_if_no_number_is_missing_and_told_if_nothing_follows() -> None:
    assert said(A * 3, b"\x00\xff\x44", B * 3) == [EIGHT, KING]
    assert said(A * 3, b"\x00\xff\x44") == [EIGHT, GONE]


def test_a_report_without_its_etx_is_given_up_and_the_next_one_is_read() -> None:
    bench = Bench().hear(A * 3, B[:3] + b"\x80" * 140, C * 3)
    assert bench.said == [EIGHT, lost("3", "1"), TWO]
    assert bench.faults == [FaultCause.OVERFLOW, FaultCause.JUNK]


def test_half_a_report_is_given_up_after_its_time() -> None:
    bench = Bench().hear(A * 3, B[:5]).wait(TIMEOUT_US)
    assert bench.faults[:1] == [FaultCause.TIMEOUT]
    assert bench.hear(B[5:] + B).said == [
        EIGHT,
        GONE,
        CardNotRead(address=0, raw=B.hex(" ").upper(), target=BANKER, place=1),
    ]


def test_parts_that_come_within_the_time_are_one_report() -> None:
    assert Bench().hear(A, A[:5], A[5:], every_us=TIMEOUT_US - 1000).said == [EIGHT]


def test_a_late_wake_dates_what_it_gives_up_by_when_it_was_due() -> None:
    bench = Bench()
    bench.messages += bench.codec.receive_data(A + A + A[:5], bench.now_us)
    bench.now_us += 10 * WINDOW_US
    bench.messages += bench.codec.wake(bench.now_us)
    assert bench.said == [EIGHT]


# --- the line ---


def test_an_open_port_is_all_that_can_be_known_of_a_quiet_shoe() -> None:
    codec = ShoeLine([Unit(address=0, spec=shoe_spec())])
    assert codec.next_wakeup() == 0
    assert codec.wake(0) == (UnitAnswering(address=0, active_inputs=frozenset()),)
    assert codec.wake(10**9) == ()
    assert codec.next_wakeup() is None
    assert codec.data_to_send(10**9) == b""


def test_a_lost_line_forgets_half_a_report_and_misses_what_was_said_meanwhile() -> None:
    bench = Bench().hear(A * 3, B[:4])
    assert bench.codec.line_lost() == (
        UnitSilent(address=0, reason="shoe (shoe) is out of reach: its line is gone"),
    )
    assert bench.codec.line_lost() == ()
    assert bench.hear(A, C * 3).said == [
        EIGHT,
        UnitAnswering(address=0, active_inputs=frozenset()),
        lost("3", "1"),
        TWO,
    ]


def test_a_shoe_has_no_outputs_and_its_line_to_itself() -> None:
    with pytest.raises(OrderError, match="a shoe has no output 1"):
        Bench().codec.order(SetOutput(address=0, channel=1, active=True))
    with pytest.raises(LineSetupError, match="this line has 2 devices"):
        ShoeLine([Unit(address=0, spec=shoe_spec())] * 2)


def test_the_check_of_a_report_is_the_profiles() -> None:
    with_enq = encode_report("1", Letter.CUT_CARD, includes_enq=True)
    assert said(with_enq * 3, bcc_in="include_enq") == [CutCardSeen(address=0)]
    assert said(with_enq * 3) == [GONE]


# --- commands ---


def test_no_command_is_sent_unless_the_profile_allows_it() -> None:
    codec = Bench().codec
    with pytest.raises(OrderError, match=r"LK 02: commands to the shoe are off; set allow_commands = true"):
        codec.command(LOCK)
    assert codec.data_to_send(0) == b""


def commanding(**parameters: int | bool | str) -> Bench:
    bench = Bench(allow_commands=True, **parameters)
    bench.codec.command(LOCK)
    return bench


def answered(reason: str = "", command: str = "LK 02") -> CommandAnswered:
    return CommandAnswered(address=0, command=command, accepted=not reason, reason=reason)


@pytest.mark.parametrize("includes_stx", [True, False])
def test_a_command_is_sent_once_and_one_at_a_time(includes_stx: bool) -> None:
    bench = commanding(cmd_bcc_includes_stx=includes_stx)
    with pytest.raises(OrderError, match="LK 01: LK 02 is not answered yet"):
        bench.codec.command(UNLOCK)
    assert bench.codec.data_to_send(bench.now_us) == encode_command(LOCK, includes_stx=includes_stx)
    assert bench.codec.data_to_send(bench.now_us) == b""
    with pytest.raises(OrderError):
        bench.codec.command(UNLOCK)
    assert bench.hear(b"\x06").said == [answered()]
    bench.codec.command(cancel_fault(2))
    assert bench.codec.data_to_send(bench.now_us) == encode_command(cancel_fault(2), includes_stx=includes_stx)


@pytest.mark.parametrize("code", NAK_REASONS)
def test_a_refusal_says_why_and_what_to_do(code: int) -> None:
    bench = commanding()
    bench.codec.data_to_send(bench.now_us)
    assert bench.hear(b"\x15", bytes((code,))).said == [answered(f"NAK {code:02X}: {NAK_REASONS[code]}")]
    bench.codec.command(LOCK)


def test_a_report_between_command_and_answer_is_read() -> None:
    bench = commanding()
    bench.codec.data_to_send(bench.now_us)
    assert bench.hear(A * 2 + b"\x06" + A).said == [EIGHT, answered()]


def test_no_answer_is_told_after_three_seconds_and_a_late_one_is_junk() -> None:
    bench = commanding()
    bench.codec.data_to_send(bench.now_us)
    assert bench.codec.next_wakeup() == bench.now_us + ANSWER_WAIT_US
    assert bench.wait(ANSWER_WAIT_US).messages == [answered("no answer: is the shoe set up to take commands?")]
    assert bench.hear(b"\x06").faults == [FaultCause.TIMEOUT]


def test_an_answer_to_nothing_is_junk() -> None:
    bench = commanding()
    assert bench.hear(b"\x06", A * 3).said == [EIGHT]
    assert bench.faults == [FaultCause.JUNK]


def test_a_command_is_not_sent_again_after_a_lost_line() -> None:
    bench = commanding()
    assert bench.codec.line_lost()[0] == answered("the line was lost before the answer")
    assert bench.codec.data_to_send(bench.now_us) == b""


def test_the_family_says_what_it_is() -> None:
    assert FAMILY.name == "angel_eye"
    assert FAMILY.reads_cards
    assert FAMILY.names_cards
    assert list(FAMILY.addresses) == [0]
    assert FAMILY.serial.baud == 4800
    assert FAMILY.explain is explain


# --- whatever arrives ---


@given(st.lists(st.tuples(st.integers(0, WINDOW_US), st.binary(max_size=200)), max_size=20))
def test_whatever_arrives_is_bounded_and_the_next_card_is_read(reads: list[tuple[int, bytes]]) -> None:
    bench = Bench()
    for wait_us, data in reads:
        bench.hear(data, every_us=wait_us)
        assert bench.codec._splitter.waiting <= STRETCH_MAX
    bench.wait(3 * WINDOW_US)
    for message in bench.messages:
        if isinstance(message, FrameFault):
            assert len(message.raw) <= EVIDENCE_MAX
    before = len(bench.messages)
    bench.hear(A, A, A)
    assert bench.messages[before:][-1] == EIGHT


@given(st.lists(st.sampled_from([A, B, C]), min_size=1, max_size=3, unique=True), st.data())
def test_reports_are_read_in_order_wherever_the_stream_is_cut(frames: list[bytes], draw: st.DataObject) -> None:
    stream = b"".join(frame * 3 for frame in frames)
    cuts = sorted(draw.draw(st.sets(st.integers(0, len(stream)))))
    reads = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert Bench(tell_gaps=False).hear(*reads, every_us=1000).said == [
        {A: EIGHT, B: KING, C: TWO}[frame] for frame in frames
    ]


@given(
    st.sampled_from(DECK),
    st.lists(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 255)), max_size=4), min_size=3, max_size=3),
)
def test_however_the_copies_of_a_card_are_corrupted_it_is_this_card_or_an_irregularity(
    card: Card, damage: list[list[tuple[int, int]]]
) -> None:
    frame = card_frame("4", str(card))
    copies = []
    for one in damage:
        copy = bytearray(frame)
        for place, byte in one:
            copy[place] = byte
        copies.append(bytes(copy))
    told = Bench().hear(*copies).said
    assert told, "a card has passed and nobody was told"
    assert {message for message in told if isinstance(message, CardRead)} <= {card_read(str(card))}


def test_a_fault_byte_says_that_it_is_error_mode() -> None:
    assert fault_byte(1, error_mode=True) == 0xC1
