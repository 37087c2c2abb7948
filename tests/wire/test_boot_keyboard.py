import string

import pytest
from hypothesis import given, strategies as st

from bridge.wire.boot_keyboard import UNKNOWN_KEY, Keystrokes, explain_keys
from bridge.wire.errors import FrameError

NO_KEY = bytes(8)


def keys(*usages: int, modifiers: int = 0) -> bytes:
    return bytes((modifiers, 0, *usages)).ljust(8, b"\x00")


def typed(*reports: bytes) -> list[bytes | None]:
    keyboard = Keystrokes()
    return [key for report in reports for key in keyboard.struck(report)]


# The tables of the HID usage tables, section 10, as printed: usage, what it types, what it types with shift.
US_LAYOUT = {
    **{0x04 + at: (letter, letter.upper()) for at, letter in enumerate(string.ascii_lowercase)},
    **dict(zip(range(0x1E, 0x28), zip("1234567890", "!@#$%^&*()", strict=True), strict=True)),
    0x2C: (" ", " "),
    0x2D: ("-", "_"),
    0x2E: ("=", "+"),
    0x2F: ("[", "{"),
    0x30: ("]", "}"),
    0x31: ("\\", "|"),
    0x33: (";", ":"),
    0x34: ("'", '"'),
    0x35: ("`", "~"),
    0x36: (",", "<"),
    0x37: (".", ">"),
    0x38: ("/", "?"),
    **dict(zip(range(0x59, 0x63), zip("1234567890", "1234567890", strict=True), strict=True)),
}


@pytest.mark.parametrize("usage", US_LAYOUT)
def test_every_key_types_what_is_printed_on_it(usage: int) -> None:
    plain, shifted = US_LAYOUT[usage]
    assert typed(keys(usage)) == [plain.encode()]
    assert typed(keys(usage, modifiers=0x02)) == typed(keys(usage, modifiers=0x20)) == [shifted.encode()]


def test_a_key_counts_when_it_goes_down() -> None:
    assert typed(keys(0x1E), keys(0x1E), NO_KEY, keys(0x1E)) == [b"1", b"1"]


def test_a_key_may_go_down_before_the_last_one_is_up() -> None:
    assert typed(keys(0x1E), keys(0x1E, 0x1F), keys(0x1F), keys(0x1F, 0x20)) == [b"1", b"2", b"3"]


def test_keys_that_go_down_together_are_typed_in_the_order_of_the_report() -> None:
    assert typed(keys(0x20, 0x1E, 0x1F)) == [b"3", b"1", b"2"]


@pytest.mark.parametrize("usage", [0x28, 0x58])
def test_enter_ends_a_line(usage: int) -> None:
    assert typed(keys(usage)) == [None]


@pytest.mark.parametrize(
    "report", [keys(0x3A), keys(0x2B), keys(0x1E, modifiers=0x01), keys(0x1E, modifiers=0x40), keys(*[0x01] * 6)]
)
def test_a_key_that_types_no_character_leaves_a_mark_that_no_code_has(report: bytes) -> None:
    assert typed(report) == [UNKNOWN_KEY]


def test_after_a_loss_every_key_counts_anew() -> None:
    keyboard = Keystrokes()
    keyboard.struck(keys(0x1E))
    keyboard.forget()
    assert keyboard.struck(keys(0x1E)) == (b"1",)


@pytest.mark.parametrize(
    ("report", "says"),
    [
        (NO_KEY, "no key"),
        (keys(0x1E, 0x28), "keys '1' Enter"),
        (keys(0x04, modifiers=2), "keys 'A'"),
        (keys(0x3A), "keys 3A"),
    ],
)
def test_a_report_is_said_in_one_line(report: bytes, says: str) -> None:
    assert explain_keys(report) == says


def test_a_report_has_eight_bytes() -> None:
    with pytest.raises(FrameError, match="has 8 bytes"):
        explain_keys(bytes(7))


@given(st.lists(st.binary(min_size=8, max_size=8), max_size=20))
def test_whatever_is_pressed_types_one_byte_a_key_or_enter(reports: list[bytes]) -> None:
    assert all(key is None or len(key) == 1 for key in typed(*reports))
