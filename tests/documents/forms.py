"""A form with one of everything, for the tests of this folder."""

from datetime import date
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from bridge.documents.form import Form


class Colour(StrEnum):
    RED = "red"
    GREEN = "green"


class Disc(Form):
    shape: Literal["disc"]
    radius: Annotated[int, Field(ge=1, description="a radius from 1")]


class Box(Form):
    shape: Literal["box"]
    sides: list[Annotated[int, Field(ge=1, description="a side from 1")]]


class Inner(Form):
    speed: Annotated[int | None, Field(description="a speed")] = None


class Outer(Form):
    name: Annotated[str, Field(description="a name")]
    colour: Annotated[
        Colour,
        Field(strict=False, description="a colour", json_schema_extra={"asks": "nobody can guess a colour"}),
    ]
    tone: Annotated[Colour | None, Field(strict=False)] = None
    day: Annotated[date, Field(description="a day")]
    undescribed: int = 0
    inner: Annotated[Inner, Field(description="a table of speed")] = Inner()
    shapes: dict[str, Annotated[Disc | Box, Field(discriminator="shape", description="a shape")]] = Field(
        default_factory=dict
    )
