"""A bad cable: what is said at one end arrives at the other damaged, late, twice, or not at all.

It is one direction of a cable and owns no port, so it goes between any two ends. The same seed, faults
and bytes give the same damage; each chunk of bytes draws once for every kind of fault.
"""

import random
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

_NO_TEXT: Final = 0x80
"""Set in the first byte of junk, or it might be a blank, which is nothing at all to a protocol of text."""


class Fault(StrEnum):
    """What a cable can do to a chunk of bytes."""

    LOSS = "loss"
    UNPLUG = "unplug"
    """The first half arrives, then the plug is out."""
    GARBLE = "garble"
    """One bit is flipped."""
    JUNK_BEFORE = "junk_before"
    JUNK_INSIDE = "junk_inside"
    JUNK_AFTER = "junk_after"
    DUPLICATE = "duplicate"
    SPLIT = "split"
    """The rest arrives after a pause."""
    DELAY = "delay"
    CUT = "cut"
    """The first half arrives, and never the rest: the sender died in mid-frame."""
    TRICKLE = "trickle"
    """Byte by byte, a pause before each."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """Bytes that arrive, so long after they were said."""

    data: bytes
    delay_us: int = 0


@dataclass(frozen=True, slots=True)
class PulledOut:
    """The plug comes out; nothing arrives until it is put in again."""


Arrival = Delivery | PulledOut


class Cable(Protocol):
    """One direction of a cable."""

    def carry(self, data: bytes) -> tuple[Arrival, ...]:
        """Take what is said at one end; return what arrives at the other, in order."""


class SoundCable:
    """Carries everything, at once and as it is."""

    def carry(self, data: bytes) -> tuple[Arrival, ...]:
        """Deliver what was said."""
        return (Delivery(data),)


_SOUND: Final = SoundCable()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cables:
    """Both directions of a cable."""

    to_device: Cable = _SOUND
    to_host: Cable = _SOUND


class FaultyCable:
    """Carries with faults: by chance, reproducibly, or ordered one by one with ``force``."""

    def __init__(
        self,
        *,
        seed: int,
        chances: Mapping[Fault, float] | None = None,
        pause_us: int = 5_000,
        junk_bytes_max: int = 8,
    ) -> None:
        self._random = random.Random(seed)  # noqa: S311 - damage has to be repeatable, not secret
        self._chances: dict[Fault, float] = {}
        self.set_chances(chances or {})
        self._pause_us = pause_us
        self._junk_bytes_max = junk_bytes_max
        self._forced: deque[frozenset[Fault]] = deque()

    def set_chances(self, chances: Mapping[Fault, float]) -> None:
        """Do faults so often from now on; raise ``ValueError`` for what is no chance."""
        for fault, chance in chances.items():
            if not 0 <= chance <= 1:
                raise ValueError(f"{fault}: the chance of a fault is from 0 to 1, not {chance}")
        self._chances = dict(chances)

    def set_pause(self, pause_us: int) -> None:
        """Let faults that take time take so long from now on."""
        self._pause_us = pause_us

    def force(self, *faults: Fault) -> None:
        """Do these faults, and no others, to the next chunk that nothing is forced upon yet."""
        self._forced.append(frozenset(faults))

    def carry(self, data: bytes) -> tuple[Arrival, ...]:
        """Deliver what is left of what was said."""
        drawn = {fault for fault in Fault if self._random.random() < self._chances.get(fault, 0)}
        faults = self._forced.popleft() if self._forced else drawn
        if not data or Fault.LOSS in faults:
            return ()
        if Fault.UNPLUG in faults:
            return (*_unless_empty(data[: len(data) // 2]), PulledOut())
        if Fault.CUT in faults:
            return _unless_empty(data[: len(data) // 2])
        return tuple(self._pieces(self._damage(data, faults), faults))

    def _damage(self, data: bytes, faults: set[Fault] | frozenset[Fault]) -> bytes:
        if Fault.GARBLE in faults:
            at, bit = self._random.randrange(len(data)), self._random.randrange(8)
            data = data[:at] + bytes((data[at] ^ (1 << bit),)) + data[at + 1 :]
        if Fault.JUNK_INSIDE in faults:
            at = self._random.randrange(len(data))
            data = data[:at] + self._junk() + data[at:]
        if Fault.JUNK_BEFORE in faults:
            data = self._junk() + data
        if Fault.JUNK_AFTER in faults:
            data += self._junk()
        return data

    def _pieces(self, data: bytes, faults: set[Fault] | frozenset[Fault]) -> list[Arrival]:
        delay_us = self._pause_us if Fault.DELAY in faults else 0
        pieces = [Delivery(data, delay_us)]
        if Fault.SPLIT in faults and len(data) > 1:
            at = self._random.randrange(1, len(data))
            pieces = [Delivery(data[:at], delay_us), Delivery(data[at:], delay_us + self._pause_us)]
        if Fault.TRICKLE in faults:
            pieces = [
                Delivery(bytes((byte,)), delay_us + place * self._pause_us)
                for place, byte in enumerate(data, start=1)
            ]
        if Fault.DUPLICATE in faults:
            pieces.append(Delivery(data, pieces[-1].delay_us))
        return list[Arrival](pieces)

    def _junk(self) -> bytes:
        junk = self._random.randbytes(self._random.randint(1, self._junk_bytes_max))
        return bytes((junk[0] | _NO_TEXT,)) + junk[1:]


def _unless_empty(data: bytes) -> tuple[Delivery, ...]:
    return (Delivery(data),) if data else ()
