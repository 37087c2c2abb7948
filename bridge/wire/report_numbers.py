"""Whether the numbers that a device gives to its reports leave one out.

The range of the numbers is not documented: one public implementation counts 1 to 9 and begins again with
1, another expects 0 after 9, and its test frames have letters. So a step from one digit to the next is
certain, and where the count begins again is learned from what is heard.
"""

from enum import StrEnum

_FIRST_LETTER, _LAST_LETTER = ord("A"), ord("F")
_ZERO, _ONE, _NINE = ord("0"), ord("1"), ord("9")


class Succession(StrEnum):
    """How a report's number stands to that of the report before."""

    NEXT = "next"
    GAP = "gap"
    """At least one report is missing."""
    SAME = "same"
    UNKNOWN = "unknown"


class ReportNumbers:
    """The numbers of one device's reports, each one character."""

    def __init__(self) -> None:
        self._last: int | None = None
        self._starts: set[int] = set()

    def take(self, number: int) -> Succession:
        """Note the number of the next report; say whether one is missing before it."""
        last, self._last = self._last, number
        if number in {_ZERO, _FIRST_LETTER}:
            self._starts.add(number)
        if last is None:
            return Succession.UNKNOWN
        if number == last:
            return Succession.SAME
        followers = self._followers(last)
        if number not in followers:
            return Succession.GAP if followers else Succession.UNKNOWN
        return Succession.NEXT if len(followers) == 1 else Succession.UNKNOWN

    def restart(self, number: int) -> None:
        """Note the number of a report after which the device counts anew."""
        self._last = number
        self._starts.clear()

    def _followers(self, last: int) -> set[int]:
        """Return the numbers that may come next; none where nothing is known."""
        if _ZERO <= last < _NINE or _FIRST_LETTER <= last < _LAST_LETTER:
            return {last + 1}
        if last == _NINE:
            if _FIRST_LETTER in self._starts:
                return {_FIRST_LETTER}
            return {_ZERO} if _ZERO in self._starts else {_ZERO, _ONE, _FIRST_LETTER}
        if last == _LAST_LETTER:
            return {_ZERO} if _ZERO in self._starts else {_ZERO, _ONE}
        return set()
