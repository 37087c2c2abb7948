"""``python -m tests.wire.random_bytes``: random bytes into every codec, whole and in random pieces.

No codec may raise, hold more and more, or be deaf afterwards. The seed is printed, so that whatever is found
is found again.
"""

import argparse
import random
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum

from bridge.wire.codec import Codec
from bridge.wire.errors import FrameError
from bridge.wire.messages import FrameFault, UnitAnswering, UnitRefused, UnitSilent, WireMessage
from tests.wire.subjects import PROFILES, Subject, subject
from tests.wire.virtual_line import SimulatedEnd

HELD_MAX = 64 * 1024
"""Bytes and entries that a codec may hold at any time: fifteen of the longest records."""
_SEED = 20_261_129
_BYTES = 1_000_000
_WHOLE = 4096
_PIECE_MAX = 40
_LOOK_EVERY = 200
"""Chunks between two looks at what is held: a look costs more than a chunk."""
_CALM_US = 10_000_000
"""Of virtual time: as long as the most patient protocol takes to give up what it had begun."""
_LOOK_US = 100_000
_SECOND_US = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What came of it."""

    profile: str
    way: str
    bytes_: int
    faults: Counter[str]
    invented: int
    """Messages that state something that never happened, out of bytes that happened to be a sound frame."""
    held_max: int
    decoded_after_us: int
    """Of virtual time, until the next good frame was decoded."""


def whole(rng: random.Random, total: int) -> Iterator[bytes]:
    """Yield random bytes as a fast port hands them over."""
    for at in range(0, total, _WHOLE):
        yield rng.randbytes(min(_WHOLE, total - at))


def in_pieces(rng: random.Random, total: int) -> Iterator[bytes]:
    """Yield random bytes in random pieces."""
    while total > 0:
        piece = rng.randbytes(min(total, rng.randint(1, _PIECE_MAX)))
        total -= len(piece)
        yield piece


WAYS = {"whole": whole, "in pieces": in_pieces}


def campaign(profile: str, way: str, *, total: int, seed: int) -> Found:
    """Feed a codec; raise ``AssertionError`` for what must not be, and whatever the codec raises."""
    rng = random.Random(f"{seed} {profile} {way}")  # noqa: S311 - repeatable, not secret
    there = subject(profile)
    end = SimulatedEnd(there.codec(), there.line)
    end.order(*there.first_orders)
    end.run(_CALM_US)
    before = len(end.messages)
    held_max = 0
    for number, chunk in enumerate(WAYS[way](rng, total)):
        end.now_us += rng.randint(1, 20_000)
        end.messages += end.codec.receive_data(chunk, end.now_us)
        end.messages += end.codec.wake(end.now_us)
        end.write_what_is_due()
        _explain(there, chunk)
        if number % _LOOK_EVERY == 0:
            held_max = max(held_max, held(end.codec))
            assert held_max <= HELD_MAX, f"{profile}: {held_max} bytes and entries are held"
    said = end.messages[before:]
    return Found(
        profile=profile,
        way=way,
        bytes_=total,
        faults=Counter(message.cause.value for message in said if isinstance(message, FrameFault)),
        invented=sum(_states_something(there, message) for message in said),
        held_max=max(held_max, held(end.codec)),
        decoded_after_us=_decodes_again(there, end),
    )


def _explain(there: Subject, chunk: bytes) -> None:
    try:
        there.family.explain(chunk[:_PIECE_MAX], there.unit.spec)
    except FrameError:
        return


def _states_something(there: Subject, message: WireMessage) -> bool:
    return not isinstance(message, FrameFault | UnitSilent | UnitAnswering | UnitRefused) and bool(
        there.lies([message])
    )


def _decodes_again(there: Subject, end: SimulatedEnd) -> int:
    """Return how long it takes, when it has been calm for a while, until what happens next is told."""
    end.run(_CALM_US)
    last_us = end.now_us
    since = len(end.messages)
    end.order(*there.touch())
    while end.now_us < last_us + _CALM_US:
        end.run(_LOOK_US)
        if there.is_told(end.messages[since:]):
            return end.now_us - last_us
    raise AssertionError(f"{there.unit.spec.profile}: nothing is decoded any more; it said {end.messages[-5:]}")


def held(codec: Codec) -> int:
    """Return how many bytes and entries a codec holds, with everything it is made of."""
    seen: set[int] = set()
    waiting: list[object] = [codec]
    total = 0
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, type | Enum) or callable(one):
            continue
        seen.add(id(one))
        if isinstance(one, bytes | bytearray | str | list | tuple | deque | set | frozenset | dict):
            total += len(one)
        waiting.extend(_parts(one))
    return total


def _parts(one: object) -> Iterable[object]:
    if isinstance(one, str | bytes | bytearray):
        return ()
    if isinstance(one, Mapping):
        return (*one.keys(), *one.values())
    if isinstance(one, list | tuple | deque | set | frozenset):
        return tuple(one)
    if is_dataclass(one):
        return tuple(getattr(one, field.name) for field in fields(one))
    return tuple(vars(one).values()) if hasattr(one, "__dict__") else ()


def main() -> None:
    """Run what the command line asks for, and print a line for each codec and way."""
    parser = argparse.ArgumentParser(prog="python -m tests.wire.random_bytes", description=__doc__)
    parser.add_argument("--bytes", type=int, default=_BYTES, help=f"into each codec, each way ({_BYTES:,})")
    parser.add_argument("--seed", type=int, default=_SEED)
    parser.add_argument("--profile", choices=PROFILES, action="append", help="only this one; may be repeated")
    options = parser.parse_args()
    sys.stdout.write(f"seed {options.seed}, {options.bytes:,} bytes\n")
    for profile in options.profile or PROFILES:
        for way in WAYS:
            found = campaign(profile, way, total=options.bytes, seed=options.seed)
            faults = ", ".join(f"{cause} {times:,}" for cause, times in sorted(found.faults.items()))
            sys.stdout.write(
                f"{profile:<20} {way:<10} held {found.held_max:>6,}  again after "
                f"{found.decoded_after_us / _SECOND_US:4.1f} s  invented {found.invented}  {faults}\n"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
