from bridge.contracts.publish_schemas import DIRECTORY
from tests.cli.program import run


def test_all_topics_are_printed_as_they_are_committed() -> None:
    assert run("contract", "asyncapi").output == (DIRECTORY / "asyncapi.json").read_text(encoding="utf-8")
