"""What ``table.toml`` may hold."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from bridge.documents.form import Form, Text, TopicName
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.indicators import Lamp
from bridge.domain.people import KeyPrivilege
from bridge.domain.rounds import Game
from bridge.domain.setup import CardReading, Dealing
from bridge.domain.wagers import WagerKind
from bridge.profiles.form import SerialForm
from bridge.rulebook.submission_form import Position

PORT = (
    "a port: /dev/serial/by-id/..., socket://host:port, rfc2217://host:port, usb:, usb:05F3:0405?serial=A17, or "
    "replay:FILE"
)
"""What a port looks like, for people; ``bridge.transports.addresses`` and ``usb_address`` have all of it."""

_File = Annotated[Text | None, Field(description="the path of a file, relative to this one")]


class WagerSensorForm(Form):
    """An input that is active while a wagering area is covered."""

    role: Literal["wager_sensor"]
    wager: Annotated[WagerKind, Field(strict=False, description="the name of a wager")]
    position: Position


class CoinSlotForm(Form):
    """An input that pulses for each coin that an acceptor has taken for a wager."""

    role: Literal["coin_slot"]
    wager: Annotated[WagerKind, Field(strict=False, description="the name of a wager")]
    position: Position
    cents: Annotated[
        int, Field(ge=1, le=100_000_000, description="a whole number of cents: what the coin is worth")
    ]


class ChipTrayForm(Form):
    """An antenna under the chip tray."""

    role: Literal["chip_tray"]


class LockOutButtonForm(Form):
    """An input that is active while the lock-out button is held down."""

    role: Literal["lock_out_button"]


class DealerKeyForm(Form):
    """An input that is active while a dealer key is held down."""

    role: Literal["dealer_key"]
    key: Annotated[DealerKey, Field(strict=False, description="the name of a dealer key")]


class HoleCardReaderForm(Form):
    """An input that is active while the hole-card reader of § 633a.1 is in use."""

    role: Literal["hole_card_reader"]


class KeySwitchForm(Form):
    """An input that is active while a key is turned."""

    role: Literal["key_switch"]
    privilege: Annotated[KeyPrivilege, Field(strict=False, description="what the key stands for")]
    id: TopicName


class LampForm(Form):
    """An output that lights one or more lamps of a position."""

    role: Literal["lamp"]
    lamps: Annotated[
        list[Annotated[Lamp, Field(strict=False, description="the name of a lamp")]],
        Field(min_length=1, description="a list of lamps"),
    ]
    position: Position


class LockForm(Form):
    """An output that engages the hardware lock-out."""

    role: Literal["lock"]


InputForm = Annotated[
    WagerSensorForm
    | CoinSlotForm
    | ChipTrayForm
    | LockOutButtonForm
    | DealerKeyForm
    | HoleCardReaderForm
    | KeySwitchForm,
    Field(discriminator="role", description='what an input means, as { role = "lock_out_button" }'),
]
OutputForm = Annotated[
    LampForm | LockForm,
    Field(discriminator="role", description='what an output lights or drives, as { role = "lock" }'),
]
INPUT: TypeAdapter[InputForm] = TypeAdapter(InputForm)
OUTPUT: TypeAdapter[OutputForm] = TypeAdapter(OutputForm)


class LayoutForm(Form):
    """The layout of the table."""

    deal_order: Annotated[
        list[Position],
        Field(min_length=1, description="a list of betting positions in the order in which cards are dealt"),
    ]
    dealing: Annotated[
        Dealing | None, Field(strict=False, description="how the first four cards of baccarat are dealt")
    ] = None
    approval_reference: Annotated[Text, Field(description="the reference under which the layout was approved")]


class TlsForm(Form):
    """How the connection to the broker is encrypted; an empty table trusts the system's certificates."""

    ca_file: _File = None
    certificate_file: _File = None
    key_file: _File = None


class BrokerForm(Form):
    """The MQTT broker."""

    host: Annotated[Text, Field(description="the name or address of the broker's machine")]
    port: Annotated[
        int | None,
        Field(ge=1, le=65_535, description="a TCP port, 1 to 65535 (1883, or 8883 with tls, if left out)"),
    ] = None
    username: Annotated[Text | None, Field(description="the name to log in with")] = None
    password_file: _File = None
    people_log_in: Annotated[bool, Field(description="whether people confirm over logins of their own")] = False
    tls: Annotated[TlsForm | None, Field(description="a table of TLS files, which may be empty")] = None


class StorageForm(Form):
    """Where the records are kept."""

    directory: Annotated[Text, Field(description="the directory of journal and meters, relative to this file")]


Role = Literal["dealer", "floorperson", "reset_holder", "parameter_holder", "auditor"]
_Credential = Annotated[
    str | None,
    Field(pattern=r"^\$argon2id\$", description="the hash that table-bridge people set-credential writes"),
]


class PersonForm(Form):
    """Somebody who may confirm things at the table."""

    id: TopicName
    role: Annotated[Role, Field(description="what the person is")]
    credential: _Credential = None


class FiledPersonForm(Form):
    """Somebody in the people file; what the table's own document says of the person is not repeated."""

    id: TopicName
    role: Annotated[Role | None, Field(description="what the person is")] = None
    credential: _Credential = None


class PeopleFileForm(Form):
    """The people of a table in a file of their own, which only its owner may read."""

    people: Annotated[
        list[Annotated[FiledPersonForm, Field(description="a table [[people]] of id, role and credential")]],
        Field(description="tables [[people]] of id, role and credential"),
    ] = Field(default_factory=list)


class LineForm(Form):
    """One port, with one or more devices on it."""

    id: TopicName
    port: Annotated[Text, Field(description=PORT)]
    serial: Annotated[SerialForm, Field(description="a table of serial settings")] = SerialForm()


class DeviceForm(Form):
    """One device at its address, and what its channels mean."""

    id: TopicName
    line: Annotated[str, Field(description="the name of a line")]
    profile: Annotated[
        str, Field(description="the name of a device profile, or the path of one that ends in .yaml")
    ]
    address: Annotated[int, Field(ge=0, description="the address of the device on its line")] = 0
    card_reading: Annotated[
        CardReading | None, Field(strict=False, description="when the card reader sees the cards")
    ] = None
    meter_sign: Annotated[TopicName | None, Field(description="the progressive whose meter the sign shows")] = None
    parameters: Annotated[
        dict[str, object], Field(description="a table of parameters that differ from the profile's")
    ] = Field(default_factory=dict)
    inputs: Annotated[dict[str, InputForm], Field(description="a table of input channels and what each means")] = (
        Field(default_factory=dict)
    )
    outputs: Annotated[
        dict[str, OutputForm], Field(description="a table of output channels and what each lights or drives")
    ] = Field(default_factory=dict)


class TableForm(Form):
    """A table, its devices, and where it reports to."""

    table: TopicName
    game: Annotated[Game, Field(strict=False, description="the game of the table")]
    rules_submission: Annotated[Text, Field(description="the path of the rules submission, relative to this file")]
    layout: Annotated[LayoutForm, Field(description="a table [layout] of deal_order and approval_reference")]
    broker: Annotated[BrokerForm, Field(description="a table [broker] of host and port")]
    storage: Annotated[StorageForm, Field(description="a table [storage] of directory")]
    people: Annotated[
        list[Annotated[PersonForm, Field(description="a table [[people]] of id and role")]],
        Field(description="tables [[people]] of id and role"),
    ] = Field(default_factory=list)
    people_file: _File = None
    chip_register: _File = None
    line: Annotated[
        list[Annotated[LineForm, Field(description="a table [[line]] of id and port")]],
        Field(min_length=1, description="at least one table [[line]] of id and port"),
    ]
    device: Annotated[
        list[Annotated[DeviceForm, Field(description="a table [[device]] of id, line and profile")]],
        Field(min_length=1, description="at least one table [[device]] of id, line and profile"),
    ]


def config_schema() -> dict[str, object]:
    """Return the JSON Schema of ``table.toml``, for editors."""
    schema = TableForm.model_json_schema(mode="validation")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "table.toml"}
