from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import given, strategies as st

from bridge.domain.cards import Card, UnseenCard
from bridge.domain.shoe import DealTarget, ShoeFault, ShoeMode, ShoeResult
from bridge.wire.errors import ChecksumError, FrameError, UnknownMessageError
from bridge.wire.messages import (
    CardNotRead,
    CardOutOfGame,
    CardStatedAgain,
    CutCardSeen,
    FaultStated,
    KeyTurned,
    PresetChanged,
    ResultStated,
    UnitStandingBy,
    UnitStarted,
)
from bridge.wire.shoe_frames import (
    DATA_LENGTHS,
    ENQ,
    FAULT_CODES,
    Letter,
    card_byte,
    check,
    encode_report,
    fault_byte,
    mode_byte,
    read_report,
    result_byte,
    target_byte,
    target_heard,
)
from tests.wire.shoes import DECK, card_frame, card_read

EIGHT_OF_SPADES = bytes.fromhex("05 31 44 81 B8 03 34 46")
TARGETS = [target for target in DealTarget if target is not DealTarget.UNSTATED]


def report(letter: str, data: str = "") -> bytes:
    return encode_report("1", Letter(letter), bytes.fromhex(data))


def flips(raw: bytes, *, count: int) -> Iterator[bytes]:
    """Every way in which so many bits may be wrong."""
    if count == 0:
        yield raw
        return
    for place in range(8 * len(raw)):
        spoilt = bytearray(raw)
        spoilt[place // 8] ^= 1 << place % 8
        yield from flips(bytes(spoilt), count=count - 1)


def is_sound(raw: bytes) -> bool:
    try:
        check(raw, includes_enq=False)
    except FrameError:
        return False
    return True


def test_a_report_is_encoded_as_a_public_test_has_it() -> None:
    assert card_frame("1", "8s") == EIGHT_OF_SPADES


@pytest.mark.parametrize("card", DECK, ids=str)
@pytest.mark.parametrize("target", TARGETS)
def test_every_card_for_every_target_reads_as_it_was_written(card: Card, target: DealTarget) -> None:
    for place in (1, 2, 3, 15):
        frame = card_frame("9", str(card), target, place)
        check(frame, includes_enq=False)
        assert read_report(frame, 0) == card_read(str(card), target, place)


def test_the_check_may_include_enq() -> None:
    with_enq = encode_report("1", Letter.CUT_CARD, includes_enq=True)
    check(with_enq, includes_enq=True)
    with pytest.raises(ChecksumError, match="checksum '74', the bytes give 71"):
        check(with_enq, includes_enq=False)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        EIGHT_OF_SPADES[1:],
        EIGHT_OF_SPADES[:-1],
        EIGHT_OF_SPADES + b"0",
        EIGHT_OF_SPADES[:2],
        bytes.fromhex("05 31 03 33 32"),
        bytes.fromhex("05 31 44 03 B8 03 34 46"),
        bytes.fromhex("05 31 05 81 B8 03 34 46"),
        EIGHT_OF_SPADES.replace(b"F", b"f"),
    ],
)
def test_what_is_no_report_is_refused(raw: bytes) -> None:
    with pytest.raises(FrameError):
        check(raw, includes_enq=False)


@pytest.mark.parametrize("card", ["8s", "Ad", "Kh", "Tc"])
def test_no_single_wrong_bit_passes_the_check(card: str) -> None:
    for target in TARGETS:
        frame = card_frame("5", card, target, 3)
        assert not any(is_sound(spoilt) for spoilt in flips(frame, count=1))


def test_two_wrong_bits_may_pass_it_and_make_another_card_which_is_why_two_copies_must_agree() -> None:
    pairs = [spoilt for spoilt in flips(EIGHT_OF_SPADES, count=2) if spoilt != EIGHT_OF_SPADES]
    passing = [spoilt for spoilt in pairs if is_sound(spoilt)]
    cards = [spoilt for spoilt in passing if spoilt[2] == ord("D") and spoilt[3:5] != EIGHT_OF_SPADES[3:5]]

    assert len(pairs) == 64 * 63
    assert len(passing) * 45 > len(pairs)
    assert len(cards) * 80 > len(pairs)


@pytest.mark.parametrize(
    "data", ["80 B8", "01 B8", "81 38", "B1 B8", "E1 B8", "F1 B8", "81 9E", "81 DF", "81 D1", "81 F1"]
)
def test_a_card_that_no_source_lists_is_refused(data: str) -> None:
    frame = report("D", data)
    check(frame, includes_enq=False)
    with pytest.raises(UnknownMessageError):
        read_report(frame, 0)


@pytest.mark.parametrize("card_bits", ["80", "81", "B0"])
def test_suit_or_rank_nought_is_no_card(card_bits: str) -> None:
    assert read_report(report("D", f"92 {card_bits}"), 0) == CardNotRead(
        address=0, raw="no card", target=DealTarget.BANKER, place=2
    )
    assert read_report(report("R", f"92 {card_bits}"), 0) == CardStatedAgain(
        address=0, card=UnseenCard.UNREAD, target=DealTarget.BANKER, place=2
    )
    assert read_report(report("d", f"90 {card_bits}"), 0) == CardOutOfGame(
        address=0, card=UnseenCard.UNREAD, mode=ShoeMode.ERROR
    )


@pytest.mark.parametrize("mode", ShoeMode)
def test_a_card_out_of_game_says_why(mode: ShoeMode) -> None:
    frame = report("d", bytes((mode_byte(mode), card_byte(Card.parse("Td")))).hex())
    assert read_report(frame, 0) == CardOutOfGame(address=0, card=Card.parse("Td"), mode=mode)


@pytest.mark.parametrize("result", ShoeResult)
@pytest.mark.parametrize("pairs", [(False, False), (True, False), (False, True), (True, True)])
def test_a_result_with_its_pairs(result: ShoeResult, pairs: tuple[bool, bool]) -> None:
    data = result_byte(result, player_pair=pairs[0], banker_pair=pairs[1])
    assert read_report(report("G", f"{data:02X}"), 0) == ResultStated(
        address=0, result=result, player_pair=pairs[0], banker_pair=pairs[1]
    )


def test_the_documented_faults_have_their_names_and_no_other_has_one() -> None:
    named = {}
    for code in range(64):
        stated = read_report(report("E", f"{fault_byte(code, error_mode=True):02X}"), 0)
        assert isinstance(stated, FaultStated)
        assert (stated.code, stated.active, stated.error_mode) == (code, True, True)
        named[code] = stated.fault
    assert {code: fault for code, fault in named.items() if fault is not ShoeFault.UNDOCUMENTED} == {
        1: ShoeFault.CANNOT_READ,
        2: ShoeFault.OVERDRAW,
        3: ShoeFault.BUTTON_MISHANDLED,
        4: ShoeFault.REVERSE_RUN_AT_EXIT,
        5: ShoeFault.REVERSE_RUN_MIDWAY,
        6: ShoeFault.CARD_CODE_ERROR,
        7: ShoeFault.DRAW_TIME_OUT,
    }
    assert {fault: code for code, fault in named.items() if code in FAULT_CODES.values()} == FAULT_CODES
    assert read_report(report("e", "82"), 0) == FaultStated(
        address=0, fault=ShoeFault.OVERDRAW, code=2, active=False, error_mode=False
    )


@pytest.mark.parametrize("data", ["80", "B0", "D0", "E0"])
def test_a_result_that_no_source_lists_is_refused(data: str) -> None:
    with pytest.raises(UnknownMessageError, match="which no source lists"):
        read_report(report("G", data), 0)


def test_a_mode_that_no_source_lists_is_refused() -> None:
    with pytest.raises(UnknownMessageError, match="mode 3"):
        read_report(report("d", "B0 B8"), 0)


def test_a_letter_or_a_length_that_no_source_lists_is_refused() -> None:
    with pytest.raises(UnknownMessageError, match="letter 'X'"):
        read_report(bytes.fromhex("05 31 58 03 36 41"), 0)
    for letter, length in DATA_LENGTHS.items():
        with pytest.raises(UnknownMessageError, match=f"report {letter} with {length + 1} bytes"):
            read_report(encode_report("1", letter, b"\x91" * (length + 1)), 0)


def test_reports_without_data_and_the_key() -> None:
    assert read_report(report("S"), 0) == UnitStarted(address=0)
    assert read_report(report("P"), 0) == UnitStandingBy(address=0)
    assert read_report(report("C"), 0) == CutCardSeen(address=0)
    assert read_report(report("L", "81"), 0) == KeyTurned(address=0, locked=True)
    assert read_report(report("L", "80"), 0) == KeyTurned(address=0, locked=False)


def test_a_preset_is_text_and_what_prints_nothing_is_hexadecimal() -> None:
    assert read_report(encode_report("7", Letter.PRESET, b"010005"), 0) == PresetChanged(
        address=0, preset="01", value="0005"
    )
    odd = read_report(encode_report("7", Letter.PRESET, b"\x00\xff0005"), 0)
    assert isinstance(odd, PresetChanged)
    assert odd.preset == r"\x00\xff"


def test_the_target_of_a_card_that_cannot_be_read_is_what_was_heard_of_it() -> None:
    assert target_heard(report("D", "92 38")) == (DealTarget.BANKER, 2)
    assert target_heard(report("D", "90 B8")) == (DealTarget.UNSTATED, 0)
    assert target_heard(report("D")) == (DealTarget.UNSTATED, 0)


def test_an_unseen_card_is_no_card_and_an_unstated_target_cannot_be_written() -> None:
    assert card_byte(UnseenCard.UNREAD) == 0x80
    with pytest.raises(KeyError):
        target_byte(DealTarget.UNSTATED, 1)


@given(st.binary(max_size=20))
def test_whatever_passes_the_check_is_read_or_refused(data: bytes) -> None:
    raw = bytes((ENQ,)) + data
    if is_sound(raw):
        with suppress(UnknownMessageError):
            assert read_report(raw, 7).address == 7
