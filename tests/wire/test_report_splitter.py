from functools import partial

import pytest
from hypothesis import given, strategies as st

from bridge.wire.messages import FaultCause
from bridge.wire.report_splitter import STRETCH_MAX, Answer, Cut, Damage, ReportSplitter, WholeReport
from bridge.wire.shoe_frames import ENQ, check
from tests.wire.shoes import card_frame

A, B = card_frame("1", "8s"), card_frame("2", "Kh")
JUNK = b"\x00\x81\xff"


def splitter() -> ReportSplitter:
    return ReportSplitter(partial(check, includes_enq=False))


def split(data: bytes, under_test: ReportSplitter | None = None) -> list[Cut]:
    under_test = under_test or splitter()
    return [cut for byte in data for cut in under_test.take(byte)]


def causes(cuts: list[Cut]) -> list[FaultCause | None]:
    return [cut.cause if isinstance(cut, Damage) else None for cut in cuts]


def test_reports_are_found_one_after_the_other_and_after_junk() -> None:
    assert split(A + B) == [WholeReport(A), WholeReport(B)]
    junk, report = split(JUNK + A)
    assert isinstance(junk, Damage)
    assert (junk.raw, junk.cause) == (JUNK, FaultCause.JUNK)
    assert report == WholeReport(A)


@pytest.mark.parametrize("cut", range(1, len(A)))
def test_a_report_that_breaks_off_costs_none_but_itself(cut: int) -> None:
    half, whole = split(A[:cut] + B)
    assert isinstance(half, Damage)
    assert half.raw == A[:cut]
    assert whole == WholeReport(B)


@pytest.mark.parametrize("place", range(len(A)))
def test_one_wrong_byte_costs_one_report_at_most_and_makes_one_fault(place: int) -> None:
    for wrong in set(range(256)) - {A[place]}:
        cuts = split(A[:place] + bytes((wrong,)) + A[place + 1 :] + B)
        assert cuts[-1] == WholeReport(B)
        assert all(isinstance(cut, Damage) for cut in cuts[:-1])
        assert len(cuts) == (3 if wrong == ENQ and place else 2)


def test_a_report_without_its_etx_is_given_up_after_128_bytes() -> None:
    endless = A[:3] + b"\x80" * 200
    first, rest, whole = split(endless + B)
    assert isinstance(first, Damage)
    assert (len(first.raw), first.cause) == (STRETCH_MAX, FaultCause.OVERFLOW)
    assert first.reason == "a report without its ETX, 128 bytes long"
    assert isinstance(rest, Damage)
    assert len(rest.raw) == 3 + 200 - STRETCH_MAX
    assert whole == WholeReport(B)


def test_junk_is_bounded_too() -> None:
    assert causes(split(b"\x80" * 300)) == [FaultCause.OVERFLOW] * 2


@pytest.mark.parametrize("length", [STRETCH_MAX - 1, STRETCH_MAX, STRETCH_MAX + 1])
def test_an_etx_at_the_limit(length: int) -> None:
    data = A[:3] + b"\x80" * (length - 4) + b"\x03" + b"00"
    assert not any(isinstance(cut, WholeReport) for cut in split(data + B)[:-1])
    assert split(data + B)[-1] == WholeReport(B)


def test_an_end_makes_damage_of_what_has_begun_and_of_nothing_else() -> None:
    under_test = splitter()
    assert under_test.end(FaultCause.TIMEOUT, "silence") == ()
    split(A[:4], under_test)
    assert under_test.waiting == 4
    assert under_test.end(FaultCause.TIMEOUT, "silence") == (Damage(A[:4], FaultCause.TIMEOUT, "silence"),)
    assert under_test.waiting == 0
    assert split(A, under_test) == [WholeReport(A)]


def test_the_tail_of_a_report_that_a_false_etx_cut_short_is_part_of_the_same_damage() -> None:
    spoilt = bytes.fromhex("05 31 44 03 B8 03 34 46")
    assert causes(split(spoilt + JUNK + JUNK + A)) == [FaultCause.CHECKSUM, FaultCause.JUNK, None]
    assert causes(split(spoilt + A)) == [FaultCause.CHECKSUM, None]


@pytest.mark.parametrize("answer", [b"\x06", b"\x15\x02", b"\x15\x03", b"\x15\x15", b"\x15\x06"])
def test_an_answer_is_one_only_while_it_is_awaited(answer: bytes) -> None:
    under_test = splitter()
    assert [type(cut) for cut in split(answer + A, under_test)] == [Damage, WholeReport]
    under_test.answer_expected = True
    assert split(answer + A, under_test) == [Answer(answer), WholeReport(A)]
    assert split(A + answer, under_test) == [WholeReport(A), Answer(answer)]
    assert [type(cut) for cut in split(JUNK + answer, under_test)] == [Damage, Answer]


def test_an_answer_inside_a_report_is_none() -> None:
    under_test = splitter()
    under_test.answer_expected = True
    assert causes(split(A[:4] + b"\x06" + B, under_test)) == [FaultCause.JUNK, None]


def test_a_nak_whose_code_is_a_report_is_damage() -> None:
    under_test = splitter()
    under_test.answer_expected = True
    assert causes(split(b"\x15" + A, under_test)) == [FaultCause.JUNK, None]


@given(st.binary(max_size=600))
def test_whatever_arrives_is_bounded_and_the_next_report_is_found(data: bytes) -> None:
    under_test = splitter()
    kept = 0
    for byte in data:
        for cut in under_test.take(byte):
            kept += len(cut.raw)
        assert under_test.waiting <= STRETCH_MAX
    assert kept + under_test.waiting <= len(data)
    assert split(A, under_test)[-1] == WholeReport(A)
