"""JSON Schemas of the envelopes, for whoever reads or writes them without this program.

``python -m bridge.contracts.publish_schemas`` rewrites the committed files; a test fails when they drift.
"""

import json
import re
from importlib.resources import files
from pathlib import Path

from bridge.contracts.topics import TOPIC_RULES, TopicRule

DIRECTORY = Path(str(files("bridge.contracts"))) / "schemas"


def schemas() -> dict[str, str]:
    """Return the text of every schema by file name."""
    return {_file_name(rule): _schema(rule) for rule in TOPIC_RULES}


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
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": f"Topic {rule.pattern}: {kept}, written by {rule.writer}.",
        **rule.envelope.model_json_schema(mode="serialization"),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    publish()
