"""What runs beside something else, and ends with it."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager


@asynccontextmanager
async def running(work: Coroutine[object, object, None], *, name: str) -> AsyncIterator[None]:
    """Run something beside the body and end it with the body; if it fails, end the body and raise what failed."""
    try:
        async with asyncio.TaskGroup() as tasks:
            task = tasks.create_task(work, name=name)
            yield
            task.cancel()
    except BaseExceptionGroup as group:
        if len(group.exceptions) == 1:
            raise group.exceptions[0] from None
        raise
