"""Ctrl-C while a program starts, when there is nothing yet that would have to be taken down."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interrupted_at_once() -> Iterator[None]:
    """Let Ctrl-C end the process as it ends any other, without a traceback of what was being imported.

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
