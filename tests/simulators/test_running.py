import asyncio

import pytest

from simulators.running import running


async def test_a_fault_in_what_runs_beside_the_body_is_raised() -> None:
    async def fail() -> None:
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        async with running(fail(), name="failing"):
            await asyncio.sleep(0)
