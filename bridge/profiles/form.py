"""What a profile may hold."""

from typing import Annotated

from pydantic import Field

from bridge.documents.form import Form, Text
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.spec import Parity, Provenance, UsbPipe

CHANNELS_MAX = 256
"""More inputs or outputs than any module on the market has; a figure beyond it is a slip of the key."""


class SerialForm(Form):
    """How the line is opened; what is left out is as the protocol's documents have it."""

    baud: Annotated[int | None, Field(ge=50, le=4_000_000, description="a speed in baud, such as 9600")] = None
    data_bits: Annotated[int | None, Field(ge=5, le=8, description="a number of data bits, 5 to 8")] = None
    parity: Annotated[Parity | None, Field(strict=False, description="a parity")] = None
    stop_bits: Annotated[int | None, Field(ge=1, le=2, description="a number of stop bits, 1 or 2")] = None


_Id = Annotated[int, Field(ge=0, le=0xFFFF, description="a number of 16 bits, such as 0x05F3")]


class UsbForm(Form):
    """By what the model is known on USB, and which of its interfaces speaks the protocol."""

    vendors: Annotated[list[_Id], Field(description="a list of vendor ids, such as [0x05F3]")] = Field(
        default_factory=list
    )
    products: Annotated[list[_Id], Field(description="a list of product ids, such as [0x0405]")] = Field(
        default_factory=list
    )
    usage_page: Annotated[_Id | None, Field(description="the usage page of the interface, such as 0x000C")] = None
    usage: Annotated[_Id | None, Field(description="the usage of the interface, such as 0x0001")] = None
    pipe: Annotated[UsbPipe, Field(strict=False, description="how the device is spoken to")] = UsbPipe.HID


class ExampleForm(Form):
    """Bytes and what they mean."""

    bytes: Annotated[
        str,
        Field(
            pattern=r"^\s*[0-9A-Fa-f]{2}(\s*[0-9A-Fa-f]{2})*\s*$",
            description='bytes in hexadecimal, in quotation marks, as "01 02 01 20 A0 50"',
        ),
    ]
    provenance: Annotated[Provenance, Field(strict=False, description="where the bytes come from")]
    source: Annotated[Text, Field(description="the document, project or session that the bytes come from")]
    means: Annotated[Text, Field(description="what the frame means, as 'profile decode' prints it")]


class ProfileForm(Form):
    """A device model."""

    title: Annotated[Text, Field(description="the make and model, for people")]
    protocol: Annotated[str, Field(description="the name of a protocol family")]
    serial: Annotated[SerialForm, Field(description="a table of serial settings")] = SerialForm()
    usb: Annotated[UsbForm | None, Field(description="a table of vendors, products, usage_page, usage, pipe")] = (
        None
    )
    inputs: Annotated[int, Field(ge=0, le=CHANNELS_MAX, description="a number of inputs, 0 to 256")] = 0
    outputs: Annotated[int, Field(ge=0, le=CHANNELS_MAX, description="a number of outputs, 0 to 256")] = 0
    parameters: Annotated[dict[str, object], Field(description="a table of the protocol's parameters")] = Field(
        default_factory=dict
    )
    card_codes: Annotated[
        dict[str, Annotated[str, Field(description="a card such as Kh")]],
        Field(description="a table of what the reader says, and the card it means"),
    ] = Field(default_factory=dict)
    examples: Annotated[list[ExampleForm], Field(min_length=1, description="a list of at least one example frame")]


def profile_schema() -> dict[str, object]:
    """Return the JSON Schema of a device profile, for editors; what a protocol takes is checked by ``load``."""
    schema = ProfileForm.model_json_schema(mode="validation")
    schema["properties"]["protocol"]["enum"] = sorted(PROTOCOLS)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "device profile"}
