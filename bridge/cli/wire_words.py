"""What a codec says, printed: for people on a line, for programs as fields."""

import re
from dataclasses import fields
from enum import Enum

from bridge.domain.cards import Card
from bridge.wire.messages import WireMessage


def message_fields(message: WireMessage) -> dict[str, object]:
    """Return the name of a message and what it says, as JSON can hold it."""
    said = {field.name: _plain(getattr(message, field.name)) for field in fields(message)}
    return {"message": re.sub(r"(?<!^)([A-Z])", r"_\1", type(message).__name__).lower(), **said}


def message_words(message: WireMessage) -> str:
    """Return a message on a line."""
    (_, name), *said = message_fields(message).items()
    return " ".join((f"{name}", *(f"{field}={_word(value)}" for field, value in said)))


def _plain(value: object) -> object:
    match value:
        case Card():
            return str(value)
        case Enum():
            return value.value
        case bytes():
            return value.hex(" ").upper()
        case frozenset():
            return sorted(value)
        case _:
            return value


def _word(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case list():
            return ",".join(map(str, value)) or "none"
        case str() if not value or " " in value:
            return f'"{value}"'
        case _:
            return str(value)
