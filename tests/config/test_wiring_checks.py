"""What a catalogue entry cannot show: what is left unsaid while something else is wrong."""

from pathlib import Path

from bridge.config import load_table
from bridge.domain.setup import LockOutput
from tests.config.writing import faults_of, write_table

ACCEPTOR = """[[line]]
id = "slots"
port = "/dev/ttyUSB1"

[[device]]
id = "slot"
line = "slots"
profile = "cctalk_acceptor"
address = 2
outputs.1 = { role = "lock" }

"""
PEOPLE = '[[people]]\nid = "dealer-1"\n'


def test_a_sensor_that_may_be_a_misspelt_one_is_not_told_as_missing(tmp_path: Path) -> None:
    edits = [('8 = { role = "lock_out_button" }', '8 = { role = "lockout_button" }')]
    assert [fault.split(": got")[0] for fault in faults_of(tmp_path, edits)] == [
        "table.toml:44: device[1].inputs.8.role"
    ]


def test_a_hole_card_that_is_read_as_shown_needs_no_key(tmp_path: Path) -> None:
    edits = [
        ('card_reading = "as_drawn"', 'card_reading = "as_shown"'),
        ('3 = { role = "dealer_key", key = "hole_card_exposed" }\n', ""),
    ]
    assert load_table(write_table(tmp_path, edits)).setup.table == "bj-test"


def test_a_second_lock_out_button_is_welcome(tmp_path: Path) -> None:
    edits = [('8 = { role = "hole_card_reader" }', '8 = { role = "lock_out_button" }')]
    assert load_table(write_table(tmp_path, edits)).setup.table == "bj-test"


def test_without_a_layout_positions_are_not_judged(tmp_path: Path) -> None:
    edits = [
        ("deal_order = [1, 3]", "deal_order = []"),
        ('wager = "blackjack", position = 3', 'wager = "blackjack", position = 9'),
    ]
    assert [fault.split(": got")[0] for fault in faults_of(tmp_path, edits)] == ["table.toml:6: layout.deal_order"]


def test_a_coin_acceptor_that_is_wired_as_a_lock_is_welcome(tmp_path: Path) -> None:
    setup = load_table(write_table(tmp_path, [(PEOPLE, ACCEPTOR + PEOPLE)])).setup
    assert setup.wiring[-1].outputs == ((1, LockOutput()),)


def test_an_acceptors_lock_that_may_be_a_misspelt_one_is_not_told_as_missing(tmp_path: Path) -> None:
    acceptor = ACCEPTOR.replace("lock", "locked")
    assert [fault.split(": got")[0] for fault in faults_of(tmp_path, [(PEOPLE, acceptor + PEOPLE)])] == [
        "table.toml:82: device[3].outputs.1.role"
    ]
