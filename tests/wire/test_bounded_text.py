import pytest
from hypothesis import given, strategies as st

from bridge.wire.bounded_text import BoundedText, Damage, Reading, TextLines
from bridge.wire.messages import FaultCause

LIMIT = 10


def test_a_text_grows_until_it_ends() -> None:
    text = BoundedText(LIMIT, "a text")
    assert text.grow(b" ab") == text.grow(b"cd\x00") == ()
    assert text.held == 6
    assert text.end() == (Reading(b"abcd"),)
    assert text.held == 0
    assert text.end() == ()


def test_a_text_that_is_too_long_is_told_once_and_its_rest_is_thrown_away() -> None:
    text = BoundedText(LIMIT, "a text")
    (damage,) = text.grow(b"x" * 11)
    assert damage == Damage(FaultCause.OVERFLOW, "a text of more than 10 characters", b"x" * 11)
    assert text.grow(b"y" * 100) == ()
    assert text.held == 1
    assert text.end() == ()
    text.grow(b"abc")
    assert text.end() == (Reading(b"abc"),)


def test_what_is_given_up_can_be_shown() -> None:
    text = BoundedText(LIMIT, "a text")
    text.grow(b"abc")
    assert text.give_up() == b"abc"
    assert text.give_up() == b""


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n", b"\r\r\n"])
def test_every_end_of_a_line_ends_one_line(end: bytes) -> None:
    lines = TextLines(LIMIT)
    assert lines.take(b"ab" + end + end + b"cd" + end + b"e") == (Reading(b"ab"), Reading(b"cd"))
    assert lines.held == 1
    assert lines.give_up() == b"e"


@given(st.lists(st.binary(max_size=30), max_size=20))
def test_whatever_arrives_what_is_held_is_bounded(reads: list[bytes]) -> None:
    lines = TextLines(LIMIT)
    for read in reads:
        for found in lines.take(read):
            assert found.data if isinstance(found, Reading) else found.raw
        assert lines.held <= LIMIT
