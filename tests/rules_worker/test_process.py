from dataclasses import replace
from pathlib import Path

import pytest

from bridge import service
from bridge.rules_worker.process import run
from bridge.stores.meter_store import MeterStoreError
from tests.one_process import demonstration


async def test_meters_that_cannot_be_used_end_the_worker_also_where_there_is_no_broker_to_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_LAST_WORD_S", 0.01)
    no_directory = tmp_path / "file"
    no_directory.touch()
    config = demonstration()
    nobody = replace(config.broker, host="127.0.0.1", port=1)
    with pytest.raises(MeterStoreError, match="a part of that path is a file; configure another path"):
        await run(replace(config, broker=nobody, storage=no_directory))
