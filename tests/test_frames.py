"""Every known frame of the protocols, with its provenance; the frames came from outside and stay as they came."""

import json
from pathlib import Path
from typing import Any

import pytest
from pymodbus.framer import FramerRTU
from pymodbus.pdu import DecodePDU, ExceptionResponse, ModbusPDU

from bridge.domain.cards import Card
from bridge.domain.shoe import DealTarget
from bridge.wire.errors import FrameError
from bridge.wire.messages import CardRead
from bridge.wire.modbus_frames import decode_frame, encode_frame, reply_length, request_length
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.protocols.hid_pos import ReaderLine
from bridge.wire.shoe_commands import decode_command, encode_command
from bridge.wire.shoe_frames import ENQ, Letter, encode_report
from bridge.wire.spec import DeviceSpec, Provenance, Unit
from tests.wire.cables import SRR0, chips_spec, lamps_spec, modbus_spec, reader_spec, sign_spec
from tests.wire.shoes import Bench, card_read, shoe_spec

FILES = {
    "alpha_sign": ("alpha_sign", sign_spec()),
    "blinkstick": ("blinkstick", lamps_spec()),
    "modbus": ("modbus_rtu", modbus_spec()),
    "feig": ("iso15693", chips_spec()),
    "rapidradio": ("iso15693", chips_spec(reader="rrhfoem04")),
    "hid": ("hid_pos", reader_spec()),
    "hid_honeywell": ("hid_pos", reader_spec(mode="honeywell")),
    "hid_keyboard": ("hid_pos", reader_spec(mode="wedge")),
    "hid_newland": ("hid_pos", reader_spec(mode="newland")),
    "angel_eye": ("angel_eye", shoe_spec()),
}
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
    codec = ReaderLine([Unit(address=0, spec=spec)])
    card = Card.parse(entry["decoded"]["card"])
    assert codec.receive_data(bytes.fromhex(entry["hex"]), 0)[1:] == (CardRead(address=0, card=card),)
    assert SRR0[entry["decoded"]["code"]] == card, "the table and its rule agree"


def test_all_fifty_two_cards_have_a_code() -> None:
    assert len({entry["decoded"]["card"] for entry in load("hid")["frames"]}) == 52


@pytest.mark.parametrize(("_protocol", "spec", "entry"), cases("frames", "angel_eye"))
def test_a_shoes_frame_is_encoded_as_it_came(_protocol: str, spec: DeviceSpec, entry: dict[str, Any]) -> None:
    raw = bytes.fromhex(entry["hex"])
    if entry["direction"] == "host->device":
        assert encode_command(decode_command(raw, includes_stx=True), includes_stx=True) == raw
    elif raw[0] == ENQ:
        assert encode_report(chr(raw[1]), Letter(chr(raw[2])), raw[3:-3]) == raw
    else:
        assert PROTOCOLS["angel_eye"].explain(raw, spec) == entry["says"]


SUITS = {"spade": "s", "heart": "h", "diamond": "d", "club": "c"}
CARDS = [case for case in cases("frames", "angel_eye") if case.values[2]["decoded"].get("event") == "card"]


@pytest.mark.parametrize(("_protocol", "_spec", "entry"), CARDS)
def test_a_shoe_that_sends_the_report_twice_has_drawn_the_card(
    _protocol: str, _spec: DeviceSpec, entry: dict[str, Any]
) -> None:
    decoded = entry["decoded"]
    card = decoded["rank"].replace("10", "T") + SUITS[decoded["suit"]]
    told = Bench().hear(bytes.fromhex(entry["hex"]) * 2).said
    assert told == [card_read(card, DealTarget(decoded["target"]), decoded["index"])]
