"""Connections of browsers, and of those who only hold them open: nobody keeps others from the dashboard."""

import asyncio
import contextlib
import resource
import sys
from typing import Any, Final, cast

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

_REQUEST_S: Final = 10.0
"""How long a request may take to say what is asked for."""
_SPARE: Final = 160
"""Descriptors that are kept for brokers, the history and documents, and for whoever is being turned away."""
ACCEPTED_AT_ONCE: Final = 32
"""The event loop takes no more of those who wait before it looks at them."""


class Connection(H11Protocol):
    """One connection: ended when nothing is asked for over it, or when there are more than the system allows."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - uvicorn's
        super().__init__(*args, **kwargs)
        self._late: asyncio.TimerHandle | None = None
        self._making = asyncio.current_task()
        """What agrees with the other end on TLS, which may never happen; over when the connection is made."""
        if self._making is not None:
            _BEING_MADE.add(self)
            self._making.add_done_callback(lambda _: _BEING_MADE.discard(self))
            if len(self.connections) + len(_BEING_MADE) > connections_max():
                self._making.cancel()
        self._watch()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection."""
        self._making = None
        _BEING_MADE.discard(self)
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Take what was sent."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that it is over."""
        self._forget()
        super().connection_lost(exc)

    def _watch(self) -> None:
        if self._is_answering():
            self._forget()
        elif self._late is None:
            self._late = self.loop.call_later(_REQUEST_S, self._hang_up)

    def _forget(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _hang_up(self) -> None:
        self._late = None
        if self._making is not None:
            self._making.cancel()
        elif not self._is_answering():
            self.transport.abort()

    def _is_answering(self) -> bool:
        cycle = cast("RequestResponseCycle | None", self.cycle)  # there is none before the first request
        return cycle is not None and not cycle.response_complete


_BEING_MADE: Final[set[Connection]] = set()
"""Those who have not agreed on TLS yet: the server does not count them, and the system does."""


def connections_max() -> int:
    """Return how many browsers may be connected, by how many files this process may have open."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if allowed == resource.RLIM_INFINITY else max(allowed - _SPARE, 1)


def allow_many() -> None:
    """Let this process have as many files open as the system lets it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # of a system that says more than it gives
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
