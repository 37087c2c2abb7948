"""Makes documents beside the dashboard, so that no stream waits for one: in processes that come after all others.

A report takes seconds of a processor, and a thread would take them from whoever looks at a table. The processes
are those of ``anyio``; each stays for the next document, until it has had nothing to do for minutes.
"""

import asyncio
import os
from dataclasses import dataclass
from typing import Final

from anyio import BrokenWorkerProcess, CapacityLimiter, to_process

from bridge.dashboard import documents_words as say
from bridge.domain.errors import BridgeError
from bridge.reports.formats import Form, Paper
from bridge.reports.wanted import NoSuchFormError, Sources, Wanted

_AT_ONCE: Final = 2
_WAITING_MAX: Final = 8
_NICENESS: Final = 10
"""The table's own processes may live on the same machine, and its lamps come first."""


class NoSuchDocumentError(BridgeError):
    """The files of the table are in order, and do not hold what a document is wanted of."""


class NotMadeError(BridgeError):
    """A document cannot be made now; the message says what to do."""


class PressBusyError(BridgeError):
    """Too many wait for documents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A document that somebody wants, and how it shall be written down."""

    sources: Sources
    wanted: Wanted
    form: Form
    paper: Paper
    zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A document as a file."""

    name: str
    """The document's number, and the ending of its form."""
    content: bytes


class Press:
    """A few documents at a time; whoever comes later waits."""

    def __init__(
        self, closing: asyncio.Event, *, at_once: int = _AT_ONCE, waiting_max: int = _WAITING_MAX
    ) -> None:
        """Take orders until ``closing`` is set: a dashboard that ends waits for no document."""
        self._closing = closing
        self._places = CapacityLimiter(at_once)
        self._orders_max = at_once + waiting_max
        self._orders = 0

    async def print(self, order: Order) -> Printed:
        """Return a document; raise ``NoSuchDocumentError``, ``NotMadeError`` or ``PressBusyError``."""
        if self._orders >= self._orders_max:
            raise PressBusyError(say.BUSY)
        self._orders += 1
        try:
            result = await self._until_closing(order)
        except (BrokenWorkerProcess, MemoryError) as error:
            raise NotMadeError(say.NOT_FINISHED) from error
        finally:
            self._orders -= 1
        if isinstance(result, BridgeError):
            raise result
        return result

    async def _until_closing(self, order: Order) -> Printed | NoSuchDocumentError | NotMadeError:
        apart = to_process.run_sync(_print_apart, order, cancellable=True, limiter=self._places)
        making = asyncio.create_task(apart, name="document")
        closing = asyncio.create_task(self._closing.wait(), name="closing")
        try:
            await asyncio.wait((making, closing), return_when=asyncio.FIRST_COMPLETED)
            return await making if making.done() else NotMadeError(say.STOPPING)
        finally:
            closing.cancel()
            making.cancel()
            await asyncio.wait((making, closing))


def print_document(order: Order) -> Printed:
    """Return a document; raise ``NoSuchDocumentError`` or ``NotMadeError``."""
    # What sets type and draws belongs to the processes that print; the dashboard never does.
    from bridge.reports.documents import made, written  # noqa: PLC0415
    from bridge.reports.hand_pay import NoSuchAwardError  # noqa: PLC0415
    from bridge.reports.journal_day import NoSuchDayError  # noqa: PLC0415
    from bridge.reports.meter_sheet import NoMetersError  # noqa: PLC0415

    try:
        document = made(order.wanted, order.sources)
        content = written(document, order.form, order.paper, order.zone)
    except (NoSuchAwardError, NoSuchDayError, NoMetersError, NoSuchFormError) as error:
        raise NoSuchDocumentError(str(error)) from error
    except BridgeError as error:
        raise NotMadeError(str(error)) from error
    except OSError as error:
        folder = order.sources.journal.parent
        file = error.filename or folder
        raise NotMadeError(say.NOT_READABLE.format(file=file, why=error.strerror, folder=folder)) from error
    return Printed(name=f"{document.document}.{order.form}", content=content)


def _print_apart(order: Order) -> Printed | NoSuchDocumentError | NotMadeError:
    """Return a document, or why there is none: an error comes back from another process as a value."""
    os.setpriority(os.PRIO_PROCESS, 0, max(_NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))
    try:
        return print_document(order)
    except (NoSuchDocumentError, NotMadeError) as error:
        return error
