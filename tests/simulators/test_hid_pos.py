import pytest

from bridge.domain.cards import Card
from bridge.profiles import load_installed
from bridge.wire.protocols.hid_pos import FAMILY
from bridge.wire.spec import Unit
from simulators.hid_pos import CardScanner, CardWithoutCodeError, LineModeReader
from simulators.models import simulate_reader

KING, TEN = Card.parse("Kh"), Card.parse("Td")


def heard(reader: CardScanner) -> bytearray:
    """Everything the reader says from now on."""
    said = bytearray()
    reader.connect(said.extend)
    return said


def test_a_card_is_said_as_its_code_and_a_carriage_return() -> None:
    reader = LineModeReader({KING: "2130", TEN: "4100"})
    said = heard(reader)
    reader.show(KING)
    reader.show(TEN)
    assert said == b"2130\r4100\r"


def test_a_reader_that_ends_lines_otherwise() -> None:
    reader = LineModeReader({KING: "2130"}, terminator=b"\r\n")
    said = heard(reader)
    reader.show(KING)
    assert said == b"2130\r\n"


def test_a_card_that_the_profile_does_not_list_is_refused() -> None:
    reader = LineModeReader({KING: "2130"})
    with pytest.raises(CardWithoutCodeError, match="no code for Td; add it to card_codes"):
        reader.show(TEN)


def test_what_is_no_card_is_said_as_it_is_printed_and_noise_as_it_is() -> None:
    reader = LineModeReader({})
    said = heard(reader)
    reader.show_unreadable("99é9")
    reader.make_noise(b"\x00\xff")
    assert said == b"99?9\r\x00\xff"


def test_a_reader_takes_no_orders_and_remembers_nothing() -> None:
    reader = LineModeReader({KING: "2130"})
    said = heard(reader)
    assert reader.receive(b"anything", 0) == ()
    reader.power_cycle()
    reader.show(KING)
    assert said == b"2130\r"


def test_without_a_cable_nobody_hears_the_card() -> None:
    LineModeReader({KING: "2130"}).show(KING)


def test_the_published_codes_of_the_profile_are_said() -> None:
    spec = load_installed("hid_pos_reader")
    reader = simulate_reader(Unit(address=0, spec=spec))
    said = heard(reader)
    reader.show(KING)
    reader.show(TEN)
    assert said == b"2130\r4100\r"
    assert FAMILY.explain(b"2130\r", spec) == "card Kh"
