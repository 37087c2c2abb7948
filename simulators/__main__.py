"""``python -m simulators``; see ``simulators/command.py``."""

import sys

from bridge.starting import interrupted_at_once

if __name__ == "__main__":
    with interrupted_at_once():
        from simulators.command import main
    sys.exit(main())
