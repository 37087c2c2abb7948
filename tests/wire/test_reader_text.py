import pytest

from bridge.domain.cards import Card
from bridge.wire.errors import FrameError
from bridge.wire.reader_text import explain_reading, printable

CODES = {"2130": Card.parse("Kh")}


@pytest.mark.parametrize(
    ("reading", "text"), [(b"2130", "2130"), (b"21\x8030", r"21\x8030"), (b"\x06A~ ", r"\x06A~ ")]
)
def test_t51_what_prints_nothing_is_shown_in_hexadecimal(reading: bytes, text: str) -> None:
    assert printable(reading) == text


@pytest.mark.parametrize("reading", [b"", b"\xff\x00", b"\x7f"])
def test_a_reading_in_which_nothing_is_text_is_none(reading: bytes) -> None:
    with pytest.raises(FrameError, match="nothing is text"):
        printable(reading)


def test_a_reading_is_a_card_if_the_codes_say_so() -> None:
    assert explain_reading(b"2130", CODES) == "card Kh"
    assert explain_reading(b"2131", CODES) == "not a card: '2131'"
