"""The chips of a house that name themselves, and what they are worth.

Exact or unknown, never guessed: a chip that is in no register may be worth anything, or nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from bridge.domain.money import Cents
from bridge.domain.wagers import UnknownAmount, WagerAmount


class ChipKind(StrEnum):
    """What a registered chip is."""

    VALUE = "value"
    """A value chip: money."""
    MARKER = "marker"
    """A button or marker of the house: no money and no wager, wherever it lies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """A chip that is in the register."""

    kind: ChipKind
    value: Cents
    """What it is worth; 0 of a marker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipCount:
    """What lies on an antenna, markers left out."""

    value: Cents
    """Of the chips that are in the register."""
    chips: int
    """How many lie there, the unknown ones included."""
    unknown: tuple[str, ...]
    """UIDs that are in no register, sorted."""

    @property
    def amount(self) -> WagerAmount:
        """What all of it is worth; unknown with any chip that is."""
        return UnknownAmount.UNKNOWN if self.unknown else self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipRegister:
    """The chips that a house has registered, by UID."""

    chips: Mapping[str, Chip] = field(default_factory=lambda: MappingProxyType({}))
    digest: str = ""
    """SHA-256 of the register's document, in hexadecimal; empty where there is none."""

    def count(self, uids: Iterable[str]) -> ChipCount:
        """Return what chips with these UIDs come to."""
        known = {uid: self.chips.get(uid) for uid in uids}
        money = {uid: chip for uid, chip in known.items() if chip is None or chip.kind is ChipKind.VALUE}
        return ChipCount(
            value=Cents(sum(chip.value for chip in money.values() if chip is not None)),
            chips=len(money),
            unknown=tuple(sorted(uid for uid, chip in money.items() if chip is None)),
        )


NO_CHIPS = ChipRegister()
"""Of a house that has registered none."""
