"""What a document may hold: a pydantic model whose every field says in words what is expected.

``description`` of a field is the phrase after "expected" in a fault, and stands in the JSON Schema that
editors use. A field whose absence is a trap says why under ``asks``.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints


class Form(BaseModel):
    """A table of a document: no key beyond its fields, no value converted."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


TopicName = Annotated[
    str,
    StringConstraints(pattern=r"^[^/+#\s\x00-\x1f]{1,64}$"),
    Field(
        description="a name without spaces, '/', '+' and '#', of at most 64 characters (it is part of MQTT topics)"
    ),
]
"""A name that is one level of an MQTT topic."""

Text = Annotated[str, StringConstraints(pattern=r"^[^\x00]*[^\s\x00][^\x00]*$")]
"""A text that says something, and may be a path, so it has no NUL in it; the field describes what."""
