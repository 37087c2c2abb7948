import json

from bridge.config import config_schema
from bridge.config.form import PORT, TableForm
from bridge.transports.addresses import ReplayFile, Rfc2217Address, SerialPath, SocketAddress, parse_url
from bridge.transports.usb_address import UsbAddress
from tests.documents.described import undescribed


def test_every_key_of_a_table_says_what_is_expected() -> None:
    assert undescribed(TableForm) == []


def test_the_schema_for_editors_is_json_and_names_the_keys_of_the_file() -> None:
    schema = json.loads(json.dumps(config_schema()))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["title"] == "table.toml"
    assert {"table", "layout", "broker", "line", "device"} <= set(schema["properties"])
    assert schema["additionalProperties"] is False


def test_every_way_to_write_a_port_is_told_and_is_one() -> None:
    told = [word.strip(",") for word in PORT.removeprefix("a port: ").replace("host:port", "box:1").split()]
    kinds = {type(parse_url(word)) for word in told if word != "or"}
    assert kinds == {SerialPath, SocketAddress, Rfc2217Address, UsbAddress, ReplayFile}
