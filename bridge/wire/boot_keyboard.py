"""The boot keyboard of USB HID: eight bytes that say which keys are down, and what was typed with them.

The first byte holds the modifiers, the second is reserved, the rest are the usages of up to six keys. A reader
that is taken for a keyboard types as on one with the layout of the United States. Sources: USB Device Class
Definition for HID 1.11, appendix B; HID Usage Tables, keyboard page.
"""

from bridge.wire.errors import FrameError

REPORT_LENGTH = 8
UNKNOWN_KEY = b"\xff"
"""Stands for a key that types no character here: no code of a card has it, so no card is made of the rest."""
ENTER = 0x28
KEYPAD_ENTER = 0x58
_TOO_MANY = 0x01
_SHIFT = 0x22
"""Either shift key; with any other modifier a key types no character."""
_FIRST_LETTER = 0x04
_PLAIN = b"abcdefghijklmnopqrstuvwxyz1234567890"
_SHIFTED = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ!@#$%^&*()"
_FIRST_SIGN = 0x2C
_PLAIN_SIGNS = b" -=[]\\\\;'`,./"
_SHIFTED_SIGNS = b' _+{}||:"~<>?'
_FIRST_KEYPAD = 0x59
_KEYPAD = b"1234567890"


class Keystrokes:
    """What is typed: a key counts when it goes down."""

    def __init__(self) -> None:
        self._down: frozenset[int] = frozenset()

    def struck(self, report: bytes) -> tuple[bytes | None, ...]:
        """Take a report of eight bytes; return what is typed with it, None for Enter."""
        keys = dict.fromkeys(usage for usage in report[2:] if usage)
        if _TOO_MANY in keys:
            return (UNKNOWN_KEY,)  # more keys at once than the keyboard can tell: something is lost
        struck = [usage for usage in keys if usage not in self._down]
        self._down = frozenset(keys)
        return tuple(None if usage in {ENTER, KEYPAD_ENTER} else _typed(usage, report[0]) for usage in struck)

    def forget(self) -> None:
        """Forget which keys are down: the keyboard may have been exchanged."""
        self._down = frozenset()


def explain_keys(report: bytes) -> str:
    """Say which keys are down; raise ``FrameError`` for what is no report of a keyboard."""
    if len(report) != REPORT_LENGTH:
        raise FrameError(f"a report of a keyboard has {REPORT_LENGTH} bytes", report)
    keys = [usage for usage in report[2:] if usage]
    return f"keys {' '.join(_named(usage, report[0]) for usage in keys)}" if keys else "no key"


def _typed(usage: int, modifiers: int) -> bytes:
    if modifiers & ~_SHIFT:
        return UNKNOWN_KEY
    for first, plain, shifted in (
        (_FIRST_LETTER, _PLAIN, _SHIFTED),
        (_FIRST_SIGN, _PLAIN_SIGNS, _SHIFTED_SIGNS),
        (_FIRST_KEYPAD, _KEYPAD, _KEYPAD),
    ):
        at = usage - first
        if 0 <= at < len(plain):
            return (shifted if modifiers else plain)[at : at + 1]
    return UNKNOWN_KEY


def _named(usage: int, modifiers: int) -> str:
    if usage in {ENTER, KEYPAD_ENTER}:
        return "Enter"
    typed = _typed(usage, modifiers)
    return f"{usage:02X}" if typed == UNKNOWN_KEY else f"'{typed.decode('ascii')}'"
