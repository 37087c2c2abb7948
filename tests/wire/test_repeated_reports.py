"""Reports here are six characters: a begin, a number, a letter, two of data, a check. They mean nothing."""

from dataclasses import dataclass

import pytest

from bridge.wire.repeated_reports import (
    PIECES_MAX,
    Believed,
    Disbelieved,
    HeardOnce,
    Missing,
    RepeatedReports,
    Verdict,
)

WINDOW = 1000
A, B, C, D = b"#1DaaX", b"#2DbbY", b"#3DccZ", b"#4DddU"
GONE = Missing(reason="bytes arrived of which no report could be made")


@dataclass(frozen=True)
class Bad:
    """Bytes that did not pass their check."""

    raw: bytes


JUNK = Bad(b"\xff\xfe")


def bad(frame: bytes, *places: int) -> Bad:
    return Bad(bytes(byte ^ 0x80 if place in places else byte for place, byte in enumerate(frame)))


def reports(*, copies_to_agree: int = 2, tell_gaps: bool = True) -> RepeatedReports:
    return RepeatedReports(
        copies_to_agree=copies_to_agree,
        window_us=WINDOW,
        tell_gaps=tell_gaps,
        is_restart=lambda frame: frame[2:3] == b"S",
    )


def believed(frame: bytes, *, number_again: bool = False) -> Believed:
    return Believed(frame=frame, number_again=number_again)


def lost(number: str, before: str) -> Missing:
    return Missing(reason=f"report {number} follows report {before}; in between something was lost")


def hear(under_test: RepeatedReports, pieces: list[bytes | Bad], now_us: int = 0) -> list[Verdict]:
    verdicts: list[Verdict] = []
    for piece in pieces:
        if isinstance(piece, Bad):
            verdicts += under_test.damaged(piece.raw, now_us)
        else:
            verdicts += under_test.whole(piece, now_us)
        now_us += 10
    return verdicts


def play(*pieces: bytes | Bad, to: RepeatedReports | None = None) -> list[Verdict]:
    """Let pieces arrive every 10 us, then let the window pass."""
    under_test = to or reports()
    verdicts = hear(under_test, list(pieces))
    verdicts += under_test.wake(10 * len(pieces) + WINDOW)
    assert under_test.deadline() is None
    return verdicts


def test_three_copies_are_one_report_told_at_the_second() -> None:
    under_test = reports()
    assert under_test.whole(A, 0) == ()
    assert under_test.deadline() == WINDOW
    assert under_test.whole(A, 1) == (believed(A),)
    assert under_test.deadline() is None
    assert under_test.whole(A, 2) == ()
    assert under_test.deadline() is None


def test_one_copy_is_enough_only_where_that_is_set() -> None:
    assert play(A, to=reports(copies_to_agree=1)) == [believed(A)]
    assert play(A) == [HeardOnce(frame=A)]


def test_reports_keep_their_order() -> None:
    assert play(A, A, A, B, B, B, C, C, C) == [believed(A), believed(B), believed(C)]
    assert play(A, B, B, B) == [HeardOnce(frame=A), believed(B)]


@pytest.mark.parametrize("pieces", [[A, A, JUNK], [A, JUNK, A], [JUNK, A, A]])
def test_one_damaged_copy_of_three_is_explained_by_the_others(pieces: list[bytes | Bad]) -> None:
    assert play(*pieces) == [believed(A)]


@pytest.mark.parametrize(
    "pieces",
    [
        [A, bad(A, 3), bad(A, 4)],
        [bad(A, 0), A, bad(A, 1)],
        [bad(A, 2, 3), bad(A, 4, 5), A],
        [Bad(A[1:]), bad(A, 3), A],
        [Bad(b"\xff\xff" + A), bad(A, 1), A],
        [Bad(A + b"\xff"), A],
    ],
    ids=["1 and 2", "1 and 3", "two bytes each", "a byte lost", "junk before", "junk after"],
)
def test_a_whole_copy_is_believed_when_damaged_ones_confirm_every_byte_of_it(pieces: list[bytes | Bad]) -> None:
    assert play(*pieces) == [believed(A)]


@pytest.mark.parametrize(
    "pieces",
    [
        [A, JUNK, JUNK],
        [A, bad(A, 3), bad(A, 3)],
        [A, bad(A, 3)],
        [bad(A, 5), bad(A, 5), A],
        [A, bad(A, 0, 1, 2), bad(A, 3, 4, 5)],
    ],
    ids=["nothing left", "both deny a byte", "no third", "both deny the check", "too much damage"],
)
def test_a_whole_copy_that_stands_alone_in_any_byte_is_heard_once(pieces: list[bytes | Bad]) -> None:
    assert play(*pieces) == [HeardOnce(frame=A)]


def test_two_whole_copies_that_differ_are_not_decided_by_damaged_ones() -> None:
    other = b"#5DaaY"
    assert play(A, other, bad(A, 4), bad(A, 3)) == [HeardOnce(frame=A), lost("5", "1"), HeardOnce(frame=other)]


@pytest.mark.parametrize("copies", [1, 3, 4])
def test_damage_that_no_report_explains_is_told(copies: int) -> None:
    assert play(*[bad(A, 4)] * copies) == [GONE]


def test_a_third_copy_is_explained_by_the_report_before_and_a_fourth_is_not() -> None:
    assert play(A, A, JUNK) == [believed(A)]
    assert play(A, A, JUNK, JUNK) == [believed(A), GONE]
    assert play(A, A, A, JUNK) == [believed(A), GONE]


def test_damage_long_after_a_report_is_not_its_third_copy() -> None:
    under_test = reports()
    assert hear(under_test, [A, A]) == [believed(A)]
    assert under_test.damaged(b"?", 5 * WINDOW) == ()
    assert under_test.wake(6 * WINDOW) == (GONE,)


def test_damage_between_numbers_that_follow_was_noise() -> None:
    assert play(A, A, A, JUNK, JUNK, JUNK, B, B, B) == [believed(A), believed(B)]


def test_damage_between_numbers_of_which_nothing_is_known_is_told() -> None:
    nine, one = b"#9DaaX", b"#1DbbX"
    assert play(nine, nine, nine, JUNK, JUNK, JUNK, one, one) == [believed(nine), lost("1", "9"), believed(one)]
    assert play(JUNK, JUNK, JUNK, A, A) == [lost("1", "none"), believed(A)]
    assert play(nine, nine, nine, one, one, one) == [believed(nine), believed(one)]


def test_a_number_left_out_is_told_once() -> None:
    assert play(A, A, A, C, C, C, D, D, D) == [believed(A), lost("3", "1"), believed(C), believed(D)]
    assert play(A, A, A, D) == [believed(A), lost("4", "1"), HeardOnce(frame=D)]
    assert play(A, A, A, C, C, C, to=reports(tell_gaps=False)) == [believed(A), believed(C)]


def test_what_was_told_when_it_was_given_up_is_not_told_again_by_the_number_after_it() -> None:
    under_test = reports()
    assert play(A, A, A, bad(B, 4), bad(B, 4), bad(B, 4), to=under_test) == [believed(A), GONE]
    assert hear(under_test, [C, C], 3 * WINDOW) == [believed(C)]
    assert hear(under_test, [b"#5DeeV", b"#5DeeV"], 4 * WINDOW)[0] == lost("5", "3")


def test_a_restart_explains_everything() -> None:
    started = b"#7S__X"
    after = b"#8D__Y"
    assert play(A, A, A, JUNK, JUNK, JUNK, started, started, after, after) == [
        believed(A),
        believed(started),
        believed(after),
    ]


def test_another_report_with_the_same_number_is_told_and_flagged() -> None:
    other = b"#1DeeX"
    assert play(A, A, A, other, other) == [believed(A), believed(other, number_again=True)]


@pytest.mark.parametrize("pieces", [[b"#1DeeX", A, A], [A, b"#1DeeX", A], [A, b"#7DeeX", A], [A, A, b"#1DeeX"]])
def test_a_whole_copy_that_two_others_contradict_is_not_told(pieces: list[bytes | Bad]) -> None:
    verdicts = play(*pieces)
    assert [type(verdict) for verdict in verdicts if not isinstance(verdict, Disbelieved)] == [Believed]
    assert len(verdicts) == 2
    assert believed(A) in verdicts


def test_the_same_report_after_the_window_is_another_one() -> None:
    under_test = reports()
    assert hear(under_test, [A, A, A]) == [believed(A)]
    assert hear(under_test, [A, A, A], 2 * WINDOW) == [believed(A, number_again=True)]


def test_a_copy_that_comes_long_after_its_report_was_told_is_late_and_no_report() -> None:
    under_test = reports()
    hear(under_test, [A, A])
    assert under_test.whole(A, 5 * WINDOW) == ()
    assert under_test.wake(6 * WINDOW) == (
        Disbelieved(frame=A, reason="a copy of the report before that comes late"),
    )


def test_copies_that_come_after_a_report_was_given_up_do_not_make_it_twice() -> None:
    under_test = reports()
    assert under_test.whole(A, 0) == ()
    assert under_test.whole(A, WINDOW) == (HeardOnce(frame=A),)
    assert hear(under_test, [A], WINDOW + 10) == []
    assert under_test.deadline() is None


def test_a_lone_copy_with_the_number_of_a_report_of_long_ago_is_heard() -> None:
    under_test = reports()
    hear(under_test, [A, A, A])
    other = b"#1DeeX"
    assert under_test.whole(other, 5 * WINDOW) == ()
    assert under_test.wake(6 * WINDOW) == (HeardOnce(frame=other),)


def test_a_lost_line_forgets_what_waits_and_remembers_what_was_told() -> None:
    under_test = reports()
    hear(under_test, [A, A, B])
    under_test.forget_half()
    assert under_test.deadline() is None
    assert hear(under_test, [A], 40) == []
    assert hear(under_test, [C, C], 50) == [lost("3", "1"), believed(C)]


def test_what_waits_is_bounded() -> None:
    under_test = reports()
    verdicts = hear(under_test, [Bad(bytes((number,))) for number in range(PIECES_MAX)])
    assert verdicts == []
    assert under_test.damaged(b"?", 300) == (GONE,)
    assert under_test.deadline() is None
