"""``python -m bridge`` is the command ``table-bridge``."""

from bridge.starting import interrupted_at_once

with interrupted_at_once():
    from bridge.cli import main

if __name__ == "__main__":
    main()
