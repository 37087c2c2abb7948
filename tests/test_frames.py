"""Every known frame of the protocols, with its provenance; the frames came from outside and stay as they came."""

import json
from pathlib import Path
from typing import Any

import pytest
from pymodbus.framer import FramerRTU
from pymodbus.pdu import DecodePDU, ExceptionResponse, ModbusPDU

from bridge.domain.cards import Card
from bridge.wire.errors import FrameError
from bridge.wire.messages import CardRead
from bridge.wire.modbus_frames import decode_frame, encode_frame, reply_length, request_length
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.protocols.hid_pos import LineReader
from bridge.wire.spec import DeviceSpec, Provenance, Unit
from tests.wire.cables import SRR0, modbus_spec, reader_spec

FILES = {"modbus": ("modbus_rtu", modbus_spec()), "hid": ("hid_pos", reader_spec())}
FOLDER = Path(__file__).parent / "frames"


def load(file: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((FOLDER / f"{file}.json").read_text("utf-8"))
    return loaded


def label(entry: dict[str, Any]) -> str:
    return f"{entry.get('provenance', 'refused')}-{entry['id']}"


def cases(key: str, *files: str) -> list[Any]:
    return [
        pytest.param(*FILES[file], entry, id=label(entry)) for file in files or FILES for entry in load(file)[key]
    ]


@pytest.mark.parametrize("file", FILES)
def test_every_frame_names_its_provenance_and_source(file: str) -> None:
    loaded = load(file)
    assert loaded["frames"]
    for entry in loaded["frames"]:
        assert Provenance(entry["provenance"])
        assert entry["source"] in loaded["sources"]


@pytest.mark.parametrize(("protocol", "spec", "entry"), cases("frames"))
def test_a_known_frame_says_what_it_is_known_to_say(
    protocol: str, spec: DeviceSpec, entry: dict[str, Any]
) -> None:
    assert PROTOCOLS[protocol].explain(bytes.fromhex(entry["hex"]), spec) == entry["says"]


@pytest.mark.parametrize(("protocol", "spec", "entry"), cases("refused"))
def test_a_frame_known_to_be_wrong_is_refused(protocol: str, spec: DeviceSpec, entry: dict[str, Any]) -> None:
    with pytest.raises(FrameError):
        PROTOCOLS[protocol].explain(bytes.fromhex(entry["hex"]), spec)


@pytest.mark.parametrize(("_protocol", "_spec", "entry"), cases("frames", "modbus"))
def test_a_modbus_frame_is_encoded_as_it_came(_protocol: str, _spec: DeviceSpec, entry: dict[str, Any]) -> None:
    raw = bytes.fromhex(entry["hex"])
    frame = decode_frame(raw)
    assert encode_frame(frame.unit, frame.function, frame.data) == raw
    length = request_length if entry["direction"] == "host->device" else reply_length
    assert length(raw) == len(raw)


@pytest.mark.parametrize(("_protocol", "_spec", "entry"), cases("frames", "modbus"))
def test_pymodbus_reads_the_same_out_of_a_modbus_frame(
    _protocol: str, _spec: DeviceSpec, entry: dict[str, Any]
) -> None:
    raw = bytes.fromhex(entry["hex"])
    is_request = entry["direction"] == "host->device"
    framer = FramerRTU(DecodePDU(is_server=is_request))
    used, pdu = framer.handleFrame(raw, 0, 0)
    assert used == len(raw)
    assert isinstance(pdu, ModbusPDU)
    frame = decode_frame(raw)
    assert (pdu.dev_id, pdu.function_code) == (frame.unit, frame.function)
    decoded = entry["decoded"]
    if isinstance(pdu, ExceptionResponse):
        assert pdu.exception_code == decoded["exception"]
        return
    assert pdu.function_code == decoded["fc"]
    bits = decoded.get("inputs", decoded.get("coils"))
    if bits is not None:
        assert pdu.bits[: len(bits)] == [bool(bit) for bit in bits]
        on = ", ".join(str(channel) for channel, bit in enumerate(bits, start=1) if bit)
        assert entry["says"].endswith(f": {on or 'none'} on")
    if "value" in decoded:
        assert pdu.registers == [decoded["value"]]
        assert entry["says"].endswith(f": {decoded['value']}")
    if is_request and "count" in decoded:
        assert pdu.count == decoded["count"]


@pytest.mark.parametrize(("_protocol", "spec", "entry"), cases("frames", "hid"))
def test_a_reader_that_sends_the_line_has_read_the_card(
    _protocol: str, spec: DeviceSpec, entry: dict[str, Any]
) -> None:
    codec = LineReader([Unit(address=0, spec=spec)])
    card = Card.parse(entry["decoded"]["card"])
    assert codec.receive_data(bytes.fromhex(entry["hex"]), 0)[1:] == (CardRead(address=0, card=card),)
    assert SRR0[entry["decoded"]["code"]] == card, "the table and its rule agree"


def test_all_fifty_two_cards_have_a_code() -> None:
    assert len({entry["decoded"]["card"] for entry in load("hid")["frames"]}) == 52
