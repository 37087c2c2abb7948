"""Faults that come by the clock: lines of the console, each group of them after a pause, in a TOML file.

    seed = 7                      # of all that happens by chance; 1 if left out

    [[step]]
    after_s = 5                   # after the step before, or the start
    say = ["trouble garble 0.1", "trouble split 0.2 host"]

    [[step]]
    after_s = 2.5
    say = ["trouble none", "unplug"]

At a table with several lines each of them begins with the name of one, as at the console.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bridge.documents.document import read_text
from bridge.documents.read_toml import toml_data
from bridge.domain.errors import BridgeError

_SEED = 1


class FaultScriptError(BridgeError):
    """A fault script cannot be used; the message says file, key, what is there and what was expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What is said at one time."""

    after_s: float
    say: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultScript:
    """Everything that is said, in order."""

    seed: int = _SEED
    steps: tuple[Step, ...] = ()

    async def run(self, do: Callable[[str], str], tell: Callable[[str], None]) -> None:
        """Say everything in its time; tell what is said and what is answered, also to what means nothing."""
        for step in self.steps:
            await asyncio.sleep(step.after_s)
            for line in step.say:
                try:
                    answer = do(line)
                except BridgeError as error:
                    answer = str(error)
                tell(f"{line}: {answer}")


def read_fault_script(path: Path) -> FaultScript:
    """Return the script in a file; raise ``FaultScriptError``, or ``DocumentError`` for a file that is no text."""
    try:
        document = toml_data(read_text(path)[1])
    except ValueError as error:
        raise FaultScriptError(f"{path}: not TOML: {error}") from error
    _no_other_keys(document, {"seed", "step"}, str(path))
    seed, steps = document.get("seed", _SEED), document.get("step", [])
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise FaultScriptError(f"{path}: seed: got {seed!r}, expected a whole number")
    if not isinstance(steps, list) or not steps:
        raise FaultScriptError(f"{path}: step: got {steps!r}, expected at least one [[step]]")
    return FaultScript(seed=seed, steps=tuple(_step(step, f"{path}: step[{at}]") for at, step in enumerate(steps)))


def _step(step: object, where: str) -> Step:
    if not isinstance(step, dict):
        raise FaultScriptError(f"{where}: got {step!r}, expected a [[step]]")
    _no_other_keys(step, {"after_s", "say"}, where)
    after_s, say = step.get("after_s"), step.get("say")
    if not isinstance(after_s, int | float) or isinstance(after_s, bool) or not 0 <= after_s < float("inf"):
        raise FaultScriptError(f"{where}.after_s: got {after_s!r}, expected a number of seconds, 0 or more")
    if not isinstance(say, list) or not all(isinstance(line, str) for line in say):
        raise FaultScriptError(f"{where}.say: got {say!r}, expected a list of lines as at the console")
    return Step(after_s=after_s, say=tuple(say))


def _no_other_keys(table: Mapping[str, object], keys: set[str], where: str) -> None:
    for key in table:
        if key not in keys:
            raise FaultScriptError(
                f"{where}: {key}: got an unknown key, expected one of {', '.join(sorted(keys))}"
            )
