import re
from dataclasses import fields
from typing import get_args

from bridge.domain.events import TableEvent


def test_every_event_says_when_it_was_observed_and_what_it_is() -> None:
    for event in get_args(TableEvent):
        names = {field.name for field in fields(event)}
        assert {"at", "kind"} <= names, event.__name__


def test_the_kind_of_an_event_is_its_name_and_no_two_are_alike() -> None:
    events = get_args(TableEvent)
    kinds = {next(field.default for field in fields(event) if field.name == "kind") for event in events}

    assert len(kinds) == len(events)
    assert kinds == {re.sub(r"(?<!^)(?=[A-Z])", "_", event.__name__).lower() for event in events}
