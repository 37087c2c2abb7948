from pathlib import Path

import pytest

from bridge.transports.errors import PermanentTransportError, TransientTransportError
from bridge.transports.playback import DIFFERENCES_MAX, MISSING_AFTER_US, Playback
from tests.transports.captures import GONE, POLLED, SAID, playback

A, B, C = b"\x0a", b"\x0b", b"\x0c"


def played(playing: Playback, now_us: int) -> bytes:
    """Return everything that is due."""
    said = b""
    while data := playing.take(now_us):
        said += data
    return said


def test_what_was_said_unasked_comes_when_it_did(tmp_path: Path) -> None:
    playing = playback(tmp_path, SAID)

    assert playing.take(999_999) == b""
    assert playing.next_due_us() == 1_000_000
    assert playing.take(1_000_000) == b"\x01"
    assert playing.take(2_999_999) == b""
    assert playing.take(3_000_000) == b"\x02\x03"
    assert playing.ended


@pytest.mark.parametrize(("speed", "due_us"), [(10, 100_000), (0.5, 2_000_000), (0, 0)])
def test_speed_divides_the_pauses(tmp_path: Path, speed: float, due_us: int) -> None:
    playing = playback(tmp_path, SAID, speed=speed)
    assert playing.take(0) == (b"\x01" if due_us == 0 else b"")
    assert due_us == 0 or playing.next_due_us() == due_us


def test_an_answer_comes_after_its_request_however_late_that_is(tmp_path: Path) -> None:
    playing = playback(tmp_path, POLLED)

    assert playing.take(5_000) == b""
    playing.heard(A, 20_000)
    assert playing.take(20_999) == b""
    assert playing.take(21_000) == b"\x1a"
    playing.heard(B, 21_000)
    assert playing.take(22_000) == b"\x1b"
    playing.heard(A, 22_000)
    assert playing.take(23_000) == b"\x2a"
    assert playing.differences == []
    assert playing.ended


def test_a_request_that_comes_early_gets_its_own_answer_and_the_others_wait(tmp_path: Path) -> None:
    playing = playback(tmp_path, POLLED)

    assert playing.take(0) == b""
    playing.heard(B, 0)
    assert playing.next_due_us() == 1000
    assert playing.take(1000) == b"\x1b"
    playing.heard(A, 2000)
    assert playing.take(3000) == b"\x1a"
    playing.heard(A, 4000)
    assert playing.take(5000) == b"\x2a"
    assert [str(difference) for difference in playing.differences] == [
        "rs485.capture:7: 0A was written then, 0B now"
    ]


def test_a_request_that_is_never_made_again_is_passed_over_with_its_answer(tmp_path: Path) -> None:
    playing = playback(tmp_path, POLLED)

    playing.heard(A, 0)
    assert playing.take(1000) == b"\x1a"
    playing.heard(A, 2000)
    assert played(playing, 3000) == b"\x2a"
    with pytest.raises(TransientTransportError, match="played to its end"):
        playing.take(10_000 + MISSING_AFTER_US)
    assert len(playing.differences) == 1


def test_a_request_that_is_repeated_is_answered_again(tmp_path: Path) -> None:
    playing = playback(tmp_path, POLLED)
    playing.heard(A, 0)
    assert playing.take(1000) == b"\x1a"
    playing.heard(B, 1000)
    assert playing.take(2000) == b"\x1b"

    playing.heard(B, 3000)
    assert playing.take(4000) == b"\x1b"
    assert [(told.place, told.expected, told.got) for told in playing.differences] == [(11, A, B)]


def test_what_was_never_written_gets_no_answer_and_is_told_once(tmp_path: Path) -> None:
    playing = playback(tmp_path, POLLED)
    for _ in range(3):
        playing.heard(C, 0)
    assert played(playing, 1000) == b""
    assert [(told.place, told.expected, told.got) for told in playing.differences] == [(7, A, C)]


def test_what_is_written_behind_the_last_line_is_told_as_such(tmp_path: Path) -> None:
    playing = playback(tmp_path, SAID)
    playing.heard(C, 0)
    assert str(playing.differences[0]) == ("rs485.capture, after its last line: nothing was written then, 0C now")


def test_what_is_not_written_now_holds_nothing_up_for_long(tmp_path: Path) -> None:
    playing = playback(tmp_path, "0 opened\n1000 > 0A\n2000 < 1A\n3000 < 1B\n")

    assert playing.take(1000) == b""
    assert playing.next_due_us() == 1000 + MISSING_AFTER_US
    assert playing.take(1000 + MISSING_AFTER_US) == b""
    assert playing.take(2000 + MISSING_AFTER_US) == b"\x1a"
    assert playing.take(3000 + MISSING_AFTER_US) == b"\x1b"
    assert str(playing.differences[0]) == "rs485.capture:7: 0A was written then, nothing now"


def test_a_device_that_went_goes_again_and_comes_back_after_as_long(tmp_path: Path) -> None:
    playing = playback(tmp_path, GONE)
    assert playing.take(1000) == b"\x01"
    with pytest.raises(TransientTransportError, match=r"gone as at line 8 \(pulled out\)"):
        playing.take(2000)

    with pytest.raises(TransientTransportError, match="comes back as at line 10"):
        playing.open(499_999)
    assert playing.next_due_us() == 500_000
    playing.open(500_000)
    assert playing.take(501_000) == b"\x02"


def test_a_device_that_never_came_back_does_not_now(tmp_path: Path) -> None:
    playing = playback(tmp_path, "0 opened\n10 gone pulled out\n")
    with pytest.raises(TransientTransportError, match="pulled out"):
        playing.take(10)
    assert playing.next_due_us() is None
    with pytest.raises(PermanentTransportError, match="played to its end; give the line another port"):
        playing.open(10)


def test_a_host_that_opens_the_port_anew_goes_on_where_it_was(tmp_path: Path) -> None:
    playing = playback(tmp_path, SAID)
    assert playing.take(1_000_000) == b"\x01"
    playing.open(1_500_000)
    assert playing.take(3_000_000) == b"\x02\x03"


def test_differences_are_bounded(tmp_path: Path) -> None:
    playing = playback(tmp_path, POLLED)
    for number in range(2 * DIFFERENCES_MAX):
        playing.heard(number.to_bytes(4), 0)
    assert len(playing.differences) == DIFFERENCES_MAX


def test_a_capture_of_nothing_is_at_its_end() -> None:
    with pytest.raises(PermanentTransportError, match="played to its end"):
        Playback("empty.capture", ()).open(0)
