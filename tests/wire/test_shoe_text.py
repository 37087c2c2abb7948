import pytest

from bridge.wire.errors import FrameError
from bridge.wire.shoe_text import explain
from tests.wire.shoes import shoe_spec


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ("05 31 44 81 B8 03 34 46", "report 1: card 8s, player 1"),
        ("05 34 44 A1 CD 03 31 46", "report 4: card Kh, burn 1"),
        ("05 31 44 81 80 03 37 37", "report 1: no card, player 1"),
        ("05 36 52 81 B1 03 35 37", "report 6: card As again, player 1"),
        ("05 35 64 81 9A 03 34 39", "report 5: card Td out of game, locked"),
        ("05 32 47 91 03 45 37", "report 2: result player, player pair"),
        ("05 38 47 A3 03 44 46", "report 8: result tie, player pair, banker pair"),
        ("05 38 47 F0 03 38 43", "report 8: result forced_end"),
        ("05 34 45 C1 03 42 33", "report 4: fault 1 cannot_read, error mode"),
        ("05 33 65 82 03 44 37", "report 3: cleared fault 2 overdraw"),
        ("05 35 4C 81 03 46 42", "report 5: locked"),
        ("05 36 4C 80 03 46 39", "report 6: unlocked"),
        ("05 43 53 03 31 33", "report C: started"),
        ("05 44 50 03 31 37", "report D: standing by"),
        ("05 33 43 03 37 33", "report 3: cut card"),
        ("05 37 4D 30 31 30 30 30 35 03 37 44", "report 7: preset 01 is 0005"),
        ("02 4F 50 4C 4B 30 32 03 31 42", "command LK 02"),
        ("06", "ACK"),
        ("15 21", "NAK 21: busy; send it again later"),
    ],
)
def test_a_frame_is_said_in_one_line(raw: str, says: str) -> None:
    assert explain(bytes.fromhex(raw), shoe_spec()) == says


def test_what_a_check_covers_is_the_profiles() -> None:
    report, command = bytes.fromhex("05 33 43 03 37 36"), bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 39")
    spec = shoe_spec(bcc_in="include_enq", cmd_bcc_includes_stx=False)
    assert explain(report, spec) == "report 3: cut card"
    assert explain(command, spec) == "command LK 02"
    for raw in (report, command):
        with pytest.raises(FrameError):
            explain(raw, shoe_spec())


@pytest.mark.parametrize("raw", ["", "31", "05", "02", "15", "05 33 43 03 37 33 05 33 43 03 37 33"])
def test_what_is_no_frame_is_refused(raw: str) -> None:
    with pytest.raises(FrameError):
        explain(bytes.fromhex(raw), shoe_spec())
