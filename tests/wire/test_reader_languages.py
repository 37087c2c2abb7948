from collections.abc import Iterable

import pytest
from hypothesis import given, strategies as st

from bridge.wire.bounded_text import Damage, Reading
from bridge.wire.hid_pos_reports import decode_honeywell
from bridge.wire.hid_reports import Report, ReportKind, pack
from bridge.wire.messages import FaultCause
from bridge.wire.reader_languages import (
    JOINED_LENGTH_MAX,
    LINE_LENGTH_MAX,
    Language,
    LineLanguage,
    PosLanguage,
    WedgeLanguage,
)
from tests.wire.test_boot_keyboard import NO_KEY, keys
from tests.wire.test_hid_pos_reports import honeywell


def pos(*, hid_mode_report: bool = False) -> PosLanguage:
    return PosLanguage(decode_honeywell, hid_mode_report=hid_mode_report)


def record(report: bytes) -> bytes:
    return pack(Report(ReportKind.INPUT, report))


def strokes(text: str) -> bytes:
    usages = [0x28 if character == "\n" else 0x1E + "1234567890".index(character) for character in text]
    return b"".join(record(keys(usage)) + record(NO_KEY) for usage in usages)


def heard(language: Language, stream: bytes, size: int = 1) -> list[Reading | Damage]:
    pieces: Iterable[bytes] = (stream[at : at + size] for at in range(0, len(stream), size))
    return [one for piece in pieces for one in language.take(piece)]


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
@pytest.mark.parametrize(
    ("language", "stream"),
    [
        (LineLanguage, b"2130\r\n\r\n1010\n"),
        (pos, record(honeywell(b"2130\r")) + record(honeywell(b"10", more=1)) + record(honeywell(b"10"))),
        (WedgeLanguage, strokes("2130\n\n1010\n")),
    ],
    ids=["line", "reports", "keystrokes"],
)
def test_readings_come_however_the_stream_is_cut(language: type[Language], stream: bytes, size: int) -> None:
    one = language()
    assert heard(one, stream, size) == [Reading(b"2130"), Reading(b"1010")]
    assert one.held == 0


def test_only_a_reader_that_needs_it_is_told_to_speak_in_reports() -> None:
    assert pos(hid_mode_report=True).opening() == b"F\x00\x02\xfe\x01"
    assert pos().opening() == LineLanguage().opening() == WedgeLanguage().opening() == b""


def test_what_has_begun_is_held_until_it_is_given_up() -> None:
    for language, half, kept in (
        (LineLanguage(), b"21", b"21"),
        (pos(), record(honeywell(b"21", more=1)), b"21"),
        (pos(), record(honeywell(b"21"))[:20], record(honeywell(b"21"))[:20]),
        (WedgeLanguage(), strokes("21"), b"21"),
        (WedgeLanguage(), strokes("2")[:5], strokes("2")[:5]),
    ):
        assert language.take(half) == ()
        assert language.held > 0
        assert language.give_up() == kept
        assert language.held == 0


@pytest.mark.parametrize(
    ("language", "piece", "end", "limit"),
    [
        (LineLanguage(), b"9", b"\r", LINE_LENGTH_MAX),
        (pos(), record(honeywell(b"9", more=1)), record(honeywell(b"9")), JOINED_LENGTH_MAX),
        (WedgeLanguage(), strokes("9"), strokes("\n"), LINE_LENGTH_MAX),
    ],
    ids=["line", "reports", "keystrokes"],
)
def test_a_reading_has_its_limit_and_its_rest_does_not_become_a_card(
    language: Language, piece: bytes, end: bytes, limit: int
) -> None:
    (damage,) = heard(language, piece * (limit + 50), len(piece))
    assert isinstance(damage, Damage)
    assert damage.cause is FaultCause.OVERFLOW
    assert f"of more than {limit} characters" in damage.reason
    assert language.held == 1, "its end is awaited"
    assert language.take(end) == ()
    assert language.held == 0


def test_a_report_that_is_spoilt_takes_with_it_what_it_continued() -> None:
    language = pos()
    spoilt = honeywell(b"13", length=0)
    assert heard(language, record(honeywell(b"2", more=1)) + record(spoilt), 67) == [
        Damage(FaultCause.JUNK, "a length of 0, which is not 1 to 56", spoilt)
    ]
    assert heard(language, record(honeywell(b"1010")), 67) == [Reading(b"1010")]


@pytest.mark.parametrize("language", [pos(), WedgeLanguage()], ids=["reports", "keystrokes"])
def test_what_is_no_report_of_a_reader_is_junk(language: Language) -> None:
    other = pack(Report(ReportKind.FEATURE, b"hello"))
    found = language.take(b"\x00" + other + record(b"short"))
    assert [one.cause for one in found if isinstance(one, Damage)] == [FaultCause.JUNK] * 3
    assert [one.raw for one in found if isinstance(one, Damage)] == [b"\x00", b"hello", b"short"]


def test_a_key_that_types_nothing_leaves_a_mark_in_the_line() -> None:
    language = WedgeLanguage()
    stream = strokes("2") + record(keys(0x3A)) + record(NO_KEY) + strokes("130\n")
    assert heard(language, stream, 11) == [Reading(b"2\xff130")]


@given(st.lists(st.binary(max_size=200), max_size=12), st.sampled_from([LineLanguage, pos, WedgeLanguage]))
def test_whatever_arrives_what_is_held_is_bounded(reads: list[bytes], language: type[Language]) -> None:
    one = language()
    for read in reads:
        for found in one.take(read):
            assert found.data if isinstance(found, Reading) else found.reason
        assert one.held <= 4200
