"""What a reader of chips is asked, and what its answers say, whoever made it."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from bridge.wire.polling import Request


class Asking(Enum):
    """What a reader is asked."""

    PROBE = auto()
    """Whether it is there. Its answer cannot be taken for that of an inventory, nor the other way round."""
    RESET = auto()
    """To let the chips on its antenna forget that they were read."""
    INVENTORY = auto()
    MORE = auto()
    """Chips of the last inventory that one answer had no room for."""


@dataclass(frozen=True, slots=True)
class Done:
    """The reader is there, or has done what it was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Some of the chips of an inventory."""

    uids: frozenset[str]
    more: bool
    """Whether the reader has to be asked for more of them."""
    total: int = 0
    """How many there are in all, as far as the reader says so."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The reader would not or could not."""

    reason: str


ChipAnswer = Done | Page | Refused


class ChipRequest(Request, Protocol):
    """One request to a reader."""

    @property
    def kind(self) -> Asking:
        """What is asked."""

    def read(self, raw: bytes) -> ChipAnswer:
        """Return what an answer says that ``find_answer`` has found."""
