"""What a HID report descriptor says that a transport has to know, and no more.

It is a list of items: a byte that says what the item is and how many bytes follow, then its value, low byte first.
Source: Device Class Definition for HID 1.11, section 6.2.2.
"""

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum

from bridge.wire.errors import FrameError

_LENGTHS = (0, 1, 2, 4)
_LONG_ITEM = 0xFE
_LONG_HEAD = 3
_EXTENDED_USAGE_BYTES = 4


class _Item(IntEnum):
    """Items that are looked at; the length in the low two bits is left out."""

    USAGE_PAGE = 0x04
    REPORT_SIZE = 0x74
    REPORT_ID = 0x84
    REPORT_COUNT = 0x94
    PUSH = 0xA4
    POP = 0xB4
    USAGE = 0x08
    INPUT = 0x80
    OUTPUT = 0x90
    FEATURE = 0xB0
    COLLECTION = 0xA0
    END_COLLECTION = 0xC0


_MAIN = frozenset({_Item.INPUT, _Item.OUTPUT, _Item.FEATURE, _Item.COLLECTION, _Item.END_COLLECTION})


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportDescriptor:
    """The interface as it describes itself."""

    usages: frozenset[tuple[int, int]]
    """Usage page and usage of every top-level collection."""
    numbered: bool
    """Whether reports begin with their number."""
    input_length: int
    """Bytes of the longest input report, its number included."""

    def has(self, usage_page: int | None, usage: int | None) -> bool:
        """Say whether there is a top-level collection of a usage; None is any."""
        return any(usage_page in {None, page} and usage in {None, collection} for page, collection in self.usages)


@dataclass(slots=True)
class _Globals:
    page: int = 0
    size: int = 0
    count: int = 0
    report: int = 0


def read_report_descriptor(data: bytes) -> ReportDescriptor:
    """Return what a report descriptor says; raise ``FrameError`` for bytes that are none."""
    state, pushed, usage = _Globals(), list[_Globals](), None
    usages: set[tuple[int, int]] = set()
    input_bits: Counter[int] = Counter()
    depth = 0
    for tag, value, length in _items(data):
        match tag:
            case _Item.USAGE_PAGE:
                state.page = value
            case _Item.REPORT_SIZE:
                state.size = value
            case _Item.REPORT_COUNT:
                state.count = value
            case _Item.REPORT_ID:
                state.report = value
            case _Item.PUSH:
                pushed.append(_Globals(state.page, state.size, state.count, state.report))
            case _Item.POP if pushed:
                state = pushed.pop()
            case _Item.USAGE if usage is None:
                usage = divmod(value, 1 << 16) if length == _EXTENDED_USAGE_BYTES else (state.page, value)
            case _Item.INPUT:
                input_bits[state.report] += state.size * state.count
            case _Item.COLLECTION:
                if depth == 0 and usage is not None:
                    usages.add(usage)
                depth += 1
            case _Item.END_COLLECTION:
                depth -= 1
            case _:
                pass
        usage = None if tag in _MAIN else usage
    if not usages:
        raise FrameError("a report descriptor has a collection with a usage", data)
    numbered = state.report != 0 or any(input_bits[report] for report in input_bits if report)
    longest = max((-(-bits // 8) for bits in input_bits.values()), default=0)
    return ReportDescriptor(
        usages=frozenset(usages), numbered=numbered, input_length=longest + (numbered and longest > 0)
    )


def _items(data: bytes) -> list[tuple[int, int, int]]:
    """Return tag, value and length of each item; long items are skipped, as none is defined."""
    items = []
    at = 0
    while at < len(data):
        if data[at] == _LONG_ITEM:
            begins, length = at + _LONG_HEAD, data[at + 1] if at + 1 < len(data) else 0
        else:
            begins, length = at + 1, _LENGTHS[data[at] & 3]
        if begins + length > len(data):
            raise FrameError("an item of the report descriptor is cut off", data)
        if data[at] != _LONG_ITEM:
            value = int.from_bytes(data[begins : begins + length], "little")
            items.append((data[at] & ~3, value, length))
        at = begins + length
    return items
