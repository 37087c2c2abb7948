"""The bridge on a machine whose clock is set while it runs.

``python -m tests.faults.skewed COMMAND ...`` runs ``table-bridge COMMAND ...`` with its wall clock put forward, or
back, by the microseconds that a file says; the file is named in the environment, and is looked at each time.
"""

import os
from pathlib import Path

from bridge.cli import main
from bridge.clock import SystemClock
from bridge.domain.identity import Timestamp

OFFSET_FILE = "TABLE_BRIDGE_TEST_CLOCK"
DAY_US = 86_400_000_000


class SkewedClock:
    """The wall clock of everything in this process, from now on; ``restore`` puts the machine's own back."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._right = SystemClock.wall

    def install(self) -> None:
        """Skew every system clock of this process."""
        right, file = self._right, self._file

        def wall(self: SystemClock) -> Timestamp:
            return Timestamp(right(self) + int(file.read_text()))

        SystemClock.wall = wall  # type: ignore[method-assign]

    def restore(self) -> None:
        """Let the clock be right again."""
        SystemClock.wall = self._right  # type: ignore[method-assign]

    def set_off(self, microseconds: int) -> None:
        """Step the clock: from now on it is off by so much."""
        step = self._file.with_suffix(".new")
        step.write_text(str(microseconds))
        step.replace(self._file)


if __name__ == "__main__":
    SkewedClock(Path(os.environ[OFFSET_FILE])).install()
    main()
