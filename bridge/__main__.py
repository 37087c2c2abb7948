"""``python -m bridge`` is the command ``table-bridge``."""

from bridge.cli import main

if __name__ == "__main__":
    main()
