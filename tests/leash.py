"""Processes that end when the test that started them does, however it ends."""

import shutil

_SETPRIV = shutil.which("setpriv")


def leashed(*command: str) -> tuple[str, ...]:
    """Return a command that Linux kills when the thread that starts it is gone; elsewhere, the command itself."""
    return command if _SETPRIV is None else (_SETPRIV, "--pdeathsig", "KILL", "--", *command)
