"""How a program starts, whatever whoever starts it does or leaves out."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_STREAMS: Final = (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w"))


@contextmanager
def interrupted_at_once() -> Iterator[None]:
    """Let Ctrl-C end the process as it ends any other, while there is nothing yet that has to be taken down.

    Nobody wants a traceback of what was being imported.
    Who was started without a terminal, and so with Ctrl-C ignored, goes on ignoring it.
    """
    heeded = signal.getsignal(signal.SIGINT)
    if heeded is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, heeded)


def open_missing_streams() -> None:
    """Give whoever was started without a standard stream one that says nothing, or that nobody reads."""
    for name, descriptor, mode in _STREAMS:
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != descriptor:
                os.dup2(nowhere, descriptor)
                os.close(nowhere)
            setattr(sys, name, os.fdopen(descriptor, mode, closefd=False))
