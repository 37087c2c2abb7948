import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from bridge.transports.capture_file import (
    CapturedUnit,
    CaptureError,
    Event,
    Happening,
    print_event,
    print_head,
    read_capture,
)
from tests.transports.captures import AS_HEAD, GONE, HEAD, POLLED, capture


def test_a_capture_is_read_as_it_is_documented(tmp_path: Path) -> None:
    read = read_capture(capture(tmp_path, f"# at the table\n\n{GONE}"))

    assert read.head == AS_HEAD
    assert [(event.at_us, event.what, event.data, event.reason) for event in read.events[:4]] == [
        (0, Happening.OPENED, b"", ""),
        (1000, Happening.FROM_DEVICE, b"\x01", ""),
        (2000, Happening.GONE, b"", "pulled out"),
        (2100, Happening.CLOSED, b"", ""),
    ]
    assert read.events[0].place == 8


def test_what_is_printed_is_what_is_read(tmp_path: Path) -> None:
    assert print_head(AS_HEAD) == HEAD
    read = read_capture(capture(tmp_path, POLLED))
    assert "".join(map(print_event, read.events)) == POLLED


def test_parameters_of_any_text_come_back(tmp_path: Path) -> None:
    head = replace(AS_HEAD, units=(CapturedUnit(address=0, profile="p", parameters={"a": "it's 1 = 2", "b": ""}),))
    assert read_capture(capture(tmp_path, POLLED, print_head(head))).head == head


@given(
    st.lists(
        st.one_of(
            st.tuples(st.sampled_from([Happening.TO_DEVICE, Happening.FROM_DEVICE]), st.binary(min_size=1)),
            st.tuples(st.sampled_from([Happening.OPENED, Happening.CLOSED]), st.just(b"")),
        )
    )
)
def test_every_chunk_of_bytes_comes_back(
    tmp_path_factory: pytest.TempPathFactory, told: list[tuple[Happening, bytes]]
) -> None:
    events = [Event(at_us=at_us, what=what, data=data) for at_us, (what, data) in enumerate(told)]
    path = capture(tmp_path_factory.mktemp("capture"), "".join(map(print_event, events)))
    assert [replace(event, place=0) for event in read_capture(path).events] == events


def test_a_reason_stays_on_its_line() -> None:
    gone = Event(at_us=1, what=Happening.GONE, reason="pulled\nout\r\n")
    assert print_event(gone) == "1 gone pulled out\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", ":1: got '', expected 'table-bridge capture 1'"),
        ("table-bridge capture 2\n", ":1: got 'table-bridge capture 2', expected 'table-bridge capture 1'"),
        (HEAD + "17 < 0", ":6: got '17 < 0', expected bytes in hexadecimal behind <"),
        (HEAD + "17 < 01", ":6: got '17 < 01', expected a whole line; the file ends inside it"),
        (HEAD + "17 <\n", ":6: got '17 <', expected bytes"),
        (HEAD + "9" * 5_000 + " opened\n", ":6: got '9+.*', expected microseconds"),
        (HEAD.replace("9600 8N1", "9" * 5_000 + " 8N1"), ":3: got 'serial 9+.*', expected serial settings"),
        (HEAD + "17 ? 01\n", r":6: got '17 \? 01', expected microseconds, then <, >, opened, closed or gone"),
        (HEAD + "9" * 5_000 + " < 01\n", r":6: got '9{80}\.\.\.', expected microseconds, then <, >, opened"),
        (HEAD + "17 opened\n16 closed\n", ":7: got '16 closed', expected a time that is not before 17"),
        (HEAD + "17 opened\nline b\n", ":7: got 'line b', expected what happened"),
        (HEAD.replace("9600 8N1", "9600"), ":3: got 'serial 9600', expected serial settings"),
        (HEAD.replace("Z\n", "\n"), ":5: got 'started 2026-11-29T20:15:00.250000', expected a time"),
        (HEAD.replace("started 2026", "started x2026"), ":5: .* expected a time"),
        (HEAD.replace("unit 1", "unit one"), ":4: got 'unit one .* expected a unit such as"),
        (HEAD.replace("unit 1 modbus_io8", "unit 1 'modbus_io8"), ":4: .* expected a unit such as"),
        (HEAD.replace("line rs485", "line"), ":2: got 'line', expected the name of the line"),
        (
            HEAD.replace("line rs485", "baud 9600"),
            ":2: got 'baud 9600', expected line, serial, unit or started",
        ),
        (re.sub("unit.*\n", "", HEAD), "got no line that begins with unit"),
        (re.sub("serial.*\n", "", HEAD), "got no line that begins with serial"),
    ],
)
def test_a_faulty_capture_is_told_with_its_line_and_what_was_expected(
    tmp_path: Path, text: str, complaint: str
) -> None:
    with pytest.raises(CaptureError, match=complaint) as caught:
        read_capture(capture(tmp_path, text, head=""))
    assert str(tmp_path) in str(caught.value)


def test_a_long_faulty_line_is_shown_as_far_as_it_helps(tmp_path: Path) -> None:
    with pytest.raises(CaptureError, match=r"got '1 < AA AA") as caught:
        read_capture(capture(tmp_path, f"1 < {'AA ' * 500}X\n"))
    assert len(str(caught.value)) < len(str(tmp_path)) + 250


def test_a_file_that_is_not_there_or_no_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(CaptureError, match="No such file"):
        read_capture(tmp_path / "none")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CaptureError, match="it is no text"):
        read_capture(tmp_path / "bytes")


def test_what_has_no_end_is_told_by_its_beginning() -> None:
    with pytest.raises(CaptureError, match=r"/dev/zero:1: got '.*\.\.\.', expected 'table-bridge capture 1'"):
        read_capture(Path("/dev/zero"))
