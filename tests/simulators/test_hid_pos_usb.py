"""The reader's end of a USB cable, against reports that others captured."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from bridge.domain.cards import Card
from bridge.domain.events import CardDrawn, DeviceReady
from bridge.profiles import load_installed
from bridge.wire.hid_reports import Report, ReportKind, pack
from bridge.wire.spec import Unit
from simulators.hid_pos import CardScanner, LineModeReader
from simulators.hid_pos_usb import HoneywellReader, NewlandReader, WedgeReader
from simulators.models import simulate_reader
from tests.drivers.lines import READER_WIRING
from tests.simulators.driven import driven, on_pty
from tests.test_frames import label, load
from tests.transports.ports import eventually

KING, TEN = Card.parse("Kh"), Card.parse("Td")
CODES = {KING: "2130", TEN: "4100"}
HID_MODE = pack(Report(ReportKind.FEATURE, b"\xfe\x01"))
PROFILES = ["hid_pos_honeywell", "hid_pos_newland", "hid_pos_wedge"]


def heard(reader: CardScanner) -> list[bytes]:
    """Everything the reader says from now on, record by record."""
    said: list[bytes] = []
    reader.connect(said.append)
    return said


@pytest.mark.parametrize(
    "entry", [entry for entry in load("hid_honeywell")["frames"] if "card" in entry["decoded"]], ids=label
)
def test_a_card_is_said_in_the_known_report(entry: dict[str, Any]) -> None:
    reader = HoneywellReader({KING: entry["decoded"]["code"]})
    said = heard(reader)
    reader.show(KING)
    assert said == [pack(Report(ReportKind.INPUT, bytes.fromhex(entry["hex"])))]


def test_a_long_reading_is_cut_as_the_captured_one_is() -> None:
    captured = [bytes.fromhex(entry["hex"]) for entry in load("hid_honeywell")["frames"][:6]]
    text = "".join(entry["decoded"]["data"] for entry in load("hid_honeywell")["frames"][:6])
    reader = HoneywellReader({})
    said = heard(reader)
    reader.show_unreadable(text)
    reports = [record[3:] for record in said]
    assert [(report[:2], report[5:61], report[63]) for report in reports] == [
        (report[:2], report[5:61], report[63]) for report in captured
    ]


def test_a_reader_that_needs_it_says_nothing_before_it_was_told_to() -> None:
    reader = HoneywellReader(CODES, needs_hid_mode=True)
    said = heard(reader)
    reader.show(KING)
    assert said == []
    assert reader.receive(HID_MODE[:3], 0) == ()
    assert reader.receive(HID_MODE[3:], 0) == ()
    reader.show(KING)
    assert len(said) == 1
    reader.power_cycle()
    reader.show(KING)
    assert len(said) == 1


def test_the_last_report_of_one_reading_may_be_lost() -> None:
    reader = HoneywellReader({})
    said = heard(reader)
    reader.lose_last_report()
    reader.show_unreadable("X" * 60)
    reader.show_unreadable("X" * 60)
    assert [record[-1] for record in said] == [1, 1, 0]


def test_some_models_put_a_byte_before_the_identifier() -> None:
    reader = HoneywellReader(CODES, filler_before_identifier=True)
    said = heard(reader)
    reader.show(KING)
    assert said[0][3:14] == b"\x02\x04\x00]C02130\x00"


def test_the_other_layout_begins_with_its_data_and_cuts_what_is_longer() -> None:
    reader = NewlandReader(CODES)
    said = heard(reader)
    reader.show(TEN)
    reader.show_unreadable("X" * 60)
    assert said[0] == b"I\x00\x40\x02\x044100" + bytes(58)
    assert said[1] == b"I\x00\x40\x02\x38" + b"X" * 56 + bytes(6)


def test_a_wedge_types_each_key_down_and_up_and_enter_at_the_end() -> None:
    known = {entry["id"]: bytes.fromhex(entry["hex"]) for entry in load("hid_keyboard")["frames"]}
    reader = WedgeReader({KING: "201"})
    said = heard(reader)
    reader.show(KING)
    downs = [known[f"kb-d-{key}"] for key in ("2", "0", "1", "enter")]
    assert [record[3:] for record in said[::2]] == downs
    assert {record[3:] for record in said[1::2]} == {known["kb-d-release"]}


def test_what_a_wedge_has_no_key_for_is_typed_as_a_question() -> None:
    reader = WedgeReader({})
    said = heard(reader)
    reader.show_unreadable("é")
    assert said[0][3:] == b"\x02\x00\x38" + bytes(5)


@pytest.mark.parametrize(
    ("mode", "kind"),
    [("line", LineModeReader), ("honeywell", HoneywellReader), ("newland", NewlandReader), ("wedge", WedgeReader)],
)
def test_a_reader_is_simulated_in_the_language_of_its_profile(mode: str, kind: type[CardScanner]) -> None:
    spec = load_installed("hid_pos_reader")
    spec = replace(spec, parameters={**spec.parameters, "mode": mode})
    assert type(simulate_reader(Unit(address=0, spec=spec))) is kind


@pytest.mark.parametrize("profile", PROFILES)
async def test_the_bridge_reads_a_card_over_a_real_port(profile: str, tmp_path: Path) -> None:
    reader = simulate_reader(Unit(address=0, spec=load_installed(profile)))
    async with driven(profile, on_pty(reader, tmp_path), {0: READER_WIRING}) as run:
        await run.record.until(DeviceReady)
        await eventually(lambda: not isinstance(reader, HoneywellReader) or reader.speaks)
        reader.show(KING)
        assert (await run.record.until(CardDrawn)).card == KING


@given(st.lists(st.binary(max_size=80), max_size=6))
def test_arbitrary_bytes_do_no_harm(reads: list[bytes]) -> None:
    reader = HoneywellReader(CODES)
    said = heard(reader)
    for read in reads:
        assert reader.receive(read, 0) == ()
    reader.show(KING)
    assert len(said) == 1
