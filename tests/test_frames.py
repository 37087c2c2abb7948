"""Every known frame of the protocols, with its provenance; the frames came from outside and stay as they came."""

import json
from pathlib import Path
from typing import Any

import pytest
from pymodbus.framer import FramerRTU
from pymodbus.pdu import DecodePDU, ExceptionResponse, ModbusPDU

from bridge.domain.cards import Card
from bridge.domain.shoe import DealTarget
from bridge.wire.cctalk_frames import Check, decode_packet, encode_packet
from bridge.wire.delcom_reports import (
    COMMAND,
    DEVICE,
    LONG_COMMAND,
    PORTS,
    PRESSES,
    read_identity,
    read_order,
    read_ports,
    read_presses,
    write_beeper,
    write_identity,
    write_order,
    write_ports,
    write_presses,
)
from bridge.wire.errors import FrameError
from bridge.wire.messages import CardRead, CoinAccepted, CoinNotAccepted, InputChanged
from bridge.wire.modbus_frames import decode_frame, encode_frame, reply_length, request_length
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.protocols.hid_pos import ReaderLine
from bridge.wire.protocols.xkeys import Panel
from bridge.wire.shoe_commands import decode_command, encode_command
from bridge.wire.shoe_frames import ENQ, Letter, encode_report
from bridge.wire.spec import DeviceSpec, Provenance, Unit
from bridge.wire.xkeys_reports import (
    Command,
    Descriptor,
    Mode,
    layout_of,
    light,
    read_input,
    write_command,
    write_state,
)
from tests.wire.acceptors import SECOND, AcceptorBench, acceptor_spec, crc_packet, packet
from tests.wire.buttons import button_spec
from tests.wire.cables import SRR0, chips_spec, lamps_spec, modbus_spec, reader_spec, sign_spec
from tests.wire.panels import record, xk3_spec, xk12_spec, xk16_spec, xk24_spec
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
    "cctalk": ("cctalk_acceptor", acceptor_spec()),
    "cctalk_crc": ("cctalk_acceptor", acceptor_spec(check="crc16")),
    "delcom": ("delcom_switch", button_spec()),
    "xkeys_xk24": ("xkeys", xk24_spec()),
    "xkeys_xk16": ("xkeys", xk16_spec()),
    "xkeys_xk12": ("xkeys", xk12_spec()),
    "xkeys_xk3": ("xkeys", xk3_spec()),
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


@pytest.mark.parametrize(("_protocol", "_spec", "entry"), cases("frames", "cctalk"))
def test_a_packet_of_an_acceptor_adds_up_and_is_encoded_as_it_came(
    _protocol: str, _spec: DeviceSpec, entry: dict[str, Any]
) -> None:
    raw = bytes.fromhex(entry["hex"])
    read = decode_packet(raw)
    assert encode_packet(read) == raw
    assert packet(read.destination, read.source, read.header, *read.data) == raw, "added up by hand"
    decoded = entry["decoded"]
    assert (read.destination == 1) is (entry["direction"] == "device->host")
    assert read.header == decoded.get("header", read.header)
    for key in ("text", "coin"):
        if key in decoded:
            assert entry["says"].endswith(repr(decoded[key]))


@pytest.mark.parametrize(("_protocol", "_spec", "entry"), cases("frames", "cctalk_crc"))
def test_a_packet_with_a_crc_is_encoded_as_it_was_computed_elsewhere(
    _protocol: str, _spec: DeviceSpec, entry: dict[str, Any]
) -> None:
    raw = bytes.fromhex(entry["hex"])
    read = decode_packet(raw, Check.CRC16)
    assert encode_packet(read, Check.CRC16) == raw == crc_packet(read.destination, read.header, *read.data)


def test_the_events_of_an_acceptors_dialogue_are_told_as_they_were_counted() -> None:
    readings = [entry for entry in load("cctalk")["frames"] if "newest_first" in entry["decoded"]]
    readings += [entry for entry in load("cctalk")["frames"] if entry["id"] == "cc-d-err14"]
    assert len(readings) == 9, "the counter from 0 to 8"
    bench = AcceptorBench().in_service()
    acceptor = bench.acceptor
    for entry in sorted(readings, key=lambda entry: str(entry["decoded"]["event_counter"])):
        data = decode_packet(bytes.fromhex(entry["hex"])).data
        acceptor.counter, acceptor.events = data[0], list(zip(data[1::2], data[2::2], strict=True))
        bench.run(SECOND)
    coins = [(3, 2), (2, 1), (3, 2), (3, 2), (2, 1), (1, 3), (2, 1)]
    assert bench.messages == [
        *(CoinAccepted(address=2, coin=coin, sorter_path=path) for coin, path in coins),
        CoinNotAccepted(address=2, code=14, reason="credit sensor blocked"),
    ]


PANELS = ("xkeys_xk24", "xkeys_xk16", "xkeys_xk12", "xkeys_xk3")


@pytest.mark.parametrize("file", PANELS)
def test_a_recording_of_a_panel_is_told_key_by_key_as_it_was_touched(file: str) -> None:
    _, spec = FILES[file]
    recorded = [entry for entry in load(file)["frames"] if entry["direction"] == "device->host"]
    panel = Panel([Unit(address=0, spec=spec)])
    began_ms = recorded[0]["decoded"]["timestamp_ms"]
    told: list[str] = []
    for entry in recorded:
        now_us = (entry["decoded"]["timestamp_ms"] - began_ms) * 1000
        told += [
            f"Button {message.channel} {'pressed' if message.active else 'released'}."
            for message in panel.receive_data(record(bytes.fromhex(entry["hex"])), now_us)
            if isinstance(message, InputChanged)
        ]
    assert told == [entry["decoded"]["meaning"] for entry in recorded[1:]]


@pytest.mark.parametrize(("_protocol", "spec", "entry"), cases("frames", *PANELS))
def test_a_report_of_a_panel_is_written_as_it_was_recorded(
    _protocol: str, spec: DeviceSpec, entry: dict[str, Any]
) -> None:
    raw = bytes.fromhex(entry["hex"])
    layout = layout_of(spec)
    if entry["direction"] == "device->host":
        state = read_input(raw, layout)
        assert not isinstance(state, Descriptor)
        decoded = entry["decoded"]
        assert (state.unit_id, state.timestamp_ms) == (decoded["unit_id"], decoded["timestamp_ms"])
        written = write_state(state, layout)
        untold = {6, 35} if layout.report_length == 36 else set[int]()
        assert all(new == old for at, (new, old) in enumerate(zip(written, raw, strict=True)) if at not in untold)
        return
    assert raw[0] == 0, "the report number that there is not"
    said = entry["says"]
    match said.split():
        case ["lamp", lamp, mode]:
            assert light(int(lamp), Mode[mode.upper()], layout) == raw[1:]
        case ["green" | "red" as colour, "indicator", mode]:
            assert light(49 if colour == "green" else 50, Mode[mode.upper()], layout) == raw[1:]
        case ["blue" | "red" as colour, "lamps", "at", level]:
            assert write_command(Command.BACKLIGHTS, int(colour == "red"), int(level)) == raw[1:]
        case ["tell", *what]:
            command = Command.GENERATE if what == ["the", "state"] else Command.DESCRIPTOR
            assert write_command(command) == raw[1:]
        case _:
            assert raw[1] in {0xB3, 0xB4, 0xBB, 0xBD, 0xEE}, "what the bridge never sends"


@pytest.mark.parametrize(("_protocol", "_spec", "entry"), cases("frames", "delcom"))
def test_a_report_of_a_button_is_written_as_it_came(
    _protocol: str, _spec: DeviceSpec, entry: dict[str, Any]
) -> None:
    raw = bytes.fromhex(entry["hex"])
    number, answer = raw[0], raw[1:]
    assert (number in {COMMAND, LONG_COMMAND}) is (entry["direction"] == "host->device")
    match number:
        case 100:
            assert number == PORTS
            assert write_ports(read_ports(answer)) == answer
        case 8:
            assert number == PRESSES
            assert write_presses(read_presses(answer)) == answer
        case 10:
            assert number == DEVICE
            assert write_identity(read_identity(answer)) == answer
        case 102:
            order = read_order(raw)
            assert write_beeper(on=order.low == 1, pitch=order.high) == raw
        case _:
            order = read_order(raw)
            assert write_order(order.command, order.low, order.high) == raw


def test_what_a_button_answers_was_put_together_by_the_documented_rule() -> None:
    answers = {
        "dl-d-ports-idle": [0x64, 0xFF, 0xFF & ~1, 0, 0xFF, 0, 0, 0, 0],
        "dl-d-ports-pressed": [0x64, 0xFF & ~1, 0xFF & ~1, 0, 0xFF, 0, 0, 0, 0],
        "dl-d-evt-3": [8, 3, 0, 0, 0, 0, 0, 0, 0],
        "dl-d-firmware": [10, *(12_345_678 >> 8 * place & 0xFF for place in range(4)), 58, 5, 11, 19],
    }
    frames = {entry["id"]: entry["hex"] for entry in load("delcom")["frames"]}
    assert {name: list(bytes.fromhex(frames[name])) for name in answers} == answers
