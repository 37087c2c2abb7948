import logging
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.daemon.process import run
from bridge.stores.latch import LatchError
from tests.one_process import demonstration


async def test_a_port_in_the_order_of_plugging_is_warned_of_before_any_is_opened(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    no_directory = tmp_path / "file"
    no_directory.touch()
    config = replace(demonstration().with_ports({"rs485": "/dev/ttyUSB0"}), storage=no_directory)
    with pytest.raises(LatchError):
        await run(config)
    (warning,) = (record.getMessage() for record in caplog.records if record.levelno == logging.WARNING)
    assert warning.startswith("line rs485: /dev/ttyUSB0 is named in the order of plugging")
