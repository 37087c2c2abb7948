"""JSON Schemas of envelopes, lines of files and documents, and all topics, for whoever reads or writes them.

``python -m bridge.contracts.publish_schemas`` rewrites the committed files; a test fails when they drift.
"""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter

from bridge.contracts.asyncapi import asyncapi_text
from bridge.contracts.journal_lines import ExportHead, ExportRecord, ExportTail
from bridge.contracts.report_documents import GamingDayDocument, HandPayDocument, MeterSheetDocument
from bridge.contracts.settle_lines import SettleReply, SettleRequest
from bridge.contracts.topics import TOPIC_RULES, TopicRule

DIRECTORY = Path(str(files("bridge.contracts"))) / "schemas"


def schemas() -> dict[str, str]:
    """Return the text of every schema, and of the document of all topics, by file name."""
    envelopes = {_file_name(rule): _schema(rule) for rule in TOPIC_RULES}
    # A request may leave out what has a default; whatever is written is whole.
    lines = {
        "settle_request.json": _text(
            "A line that table-bridge settle reads.", SettleRequest.model_json_schema(mode="validation")
        ),
        "settle_reply.json": _text(
            "A line that table-bridge settle writes.", TypeAdapter(SettleReply).json_schema(mode="serialization")
        ),
    }
    documents = {
        "hand_pay.json": _document("What table-bridge hand-pay prints with --json.", HandPayDocument),
        "meter_sheet.json": _document("What table-bridge meter-sheet prints with --json.", MeterSheetDocument),
        "gaming_day.json": _document("What table-bridge day-report prints with --json.", GamingDayDocument),
    }
    exports = {
        f"journal_export_{name}.json": _text(
            f"The {name} of a gaming day that table-bridge journal export hands over.",
            part.model_json_schema(mode="serialization"),
        )
        for name, part in (("head", ExportHead), ("record", ExportRecord), ("tail", ExportTail))
    }
    return envelopes | lines | documents | exports | {"asyncapi.json": asyncapi_text()}


def publish(directory: Path = DIRECTORY) -> None:
    """Write every schema, and remove those of envelopes that are no more."""
    directory.mkdir(exist_ok=True)
    current = schemas()
    for stale in sorted({path.name for path in directory.glob("*.json")} - set(current)):
        (directory / stale).unlink()
    for name, text in current.items():
        (directory / name).write_text(text, encoding="utf-8")


def _file_name(rule: TopicRule) -> str:
    words = re.findall("[A-Z][a-z]+", rule.envelope.__name__.removesuffix("Envelope"))
    return f"{'_'.join(words).lower()}.json"


def _schema(rule: TopicRule) -> str:
    """Return a schema as what is written, so that everything an envelope carries is required."""
    kept = "retained" if rule.retained else "never retained"
    comment = f"Topic {rule.pattern}: {kept}, written by {rule.writer}."
    return _text(comment, rule.envelope.model_json_schema(mode="serialization"))


def _document(comment: str, document: type[BaseModel]) -> str:
    """Return a schema of a document as it is written, so that everything in it is required."""
    schema = document.model_json_schema(mode="serialization")
    for described in schema["$defs"].values():
        # pydantic says so of every object, but of one whose fields all have a default.
        if "properties" in described:
            described["required"] = list(described["properties"])
    return _text(comment, schema)


def _text(comment: str, schema: dict[str, Any]) -> str:
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$comment": comment}
    return json.dumps(head | schema, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    publish()
