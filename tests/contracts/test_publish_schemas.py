import json
from pathlib import Path
from typing import Any

import pytest

from bridge.contracts.publish_schemas import DIRECTORY, publish, schemas
from bridge.contracts.topics import TOPIC_RULES

COMMITTED = {path.name: path.read_text(encoding="utf-8") for path in DIRECTORY.iterdir()}


def test_committed_schemas_are_those_of_the_envelopes() -> None:
    assert schemas() == COMMITTED, "run python -m bridge.contracts.publish_schemas, and tell the change log"


LINES = {
    "settle_request.json",
    "settle_reply.json",
    "journal_export_head.json",
    "journal_export_record.json",
    "journal_export_tail.json",
}
DOCUMENTS = {"hand_pay.json", "gaming_day.json", "meter_sheet.json"}
TOPICS = {"asyncapi.json"}


def test_every_envelope_has_its_schema_and_so_have_the_lines_of_files_and_the_documents() -> None:
    assert len(set(COMMITTED) - LINES - DOCUMENTS - TOPICS) == len(TOPIC_RULES)
    assert set(COMMITTED) >= LINES | DOCUMENTS | TOPICS


def _objects(node: Any) -> list[dict[str, Any]]:
    nested = list(node.values()) if isinstance(node, dict) else node if isinstance(node, list) else []
    found = [node] if isinstance(node, dict) and "properties" in node else []
    return found + [item for value in nested for item in _objects(value)]


@pytest.mark.parametrize("name", sorted(COMMITTED))
def test_a_schema_is_as_strict_as_the_program(name: str) -> None:
    objects = _objects(json.loads(COMMITTED[name]))
    assert objects
    for described in objects:
        # A request is written by people, who leave out what has a default.
        assert described["required"] == list(described["properties"]) or name == "settle_request.json"
        assert described["additionalProperties"] is False


def test_publishing_rewrites_what_drifted_and_removes_what_is_no_more(tmp_path: Path) -> None:
    directory = tmp_path / "schemas"
    publish(directory)
    (directory / "bygone.json").write_text("{}")
    (directory / "round.json").write_text("{}")
    publish(directory)
    assert {path.name: path.read_text(encoding="utf-8") for path in directory.iterdir()} == COMMITTED
