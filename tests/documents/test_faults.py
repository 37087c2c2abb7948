import pytest

from bridge.documents.faults import WHOLE_FILE, DocumentError, Fault, did_you_mean, one_of
from bridge.domain.errors import BridgeError

FAULT = Fault(
    file="table.toml",
    line=31,
    key="device[1].profile",
    got="'modbus_io9'",
    expected="the name of a device profile",
    hint="did you mean 'modbus_io8'?",
)
BARE = Fault(file="table.toml", line=WHOLE_FILE, key="", got="no such file", expected="a file")


def test_a_fault_is_one_line_that_says_where_what_and_what_to_do() -> None:
    assert str(FAULT) == (
        "table.toml:31: device[1].profile: got 'modbus_io9', expected the name of a device profile;"
        " did you mean 'modbus_io8'?"
    )


def test_a_fault_of_the_whole_file_names_no_line_and_no_key() -> None:
    assert str(BARE) == "table.toml: got no such file, expected a file"


def test_the_error_says_all_faults_a_line_each() -> None:
    error = DocumentError([FAULT, BARE])
    assert isinstance(error, BridgeError)
    assert error.faults == (FAULT, BARE)
    assert str(error).splitlines() == [str(FAULT), str(BARE)]


@pytest.mark.parametrize(
    ("got", "valid", "hint"),
    [
        ("modbus_io9", ["modbus_io8", "hid_pos_reader"], "did you mean 'modbus_io8'?"),
        ("Modbus_IO8", ["modbus_io8"], "did you mean 'modbus_io8'?"),
        ("a", ["A", "B"], "did you mean 'A'?"),
        ("xyz", ["modbus_io8"], ""),
        ("xyz", [], ""),
        (7, ["7a"], "did you mean '7a'?"),
    ],
)
def test_the_nearest_name_is_offered_only_if_it_is_near(got: object, valid: list[str], hint: str) -> None:
    assert did_you_mean(got, valid) == hint


def test_a_choice_among_one_is_that_one() -> None:
    assert one_of(["a"]) == "a"
    assert one_of(["a", "b"]) == "one of a, b"
