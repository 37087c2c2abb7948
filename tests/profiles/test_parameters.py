from dataclasses import replace
from pathlib import Path

import pytest

from bridge.documents.inspection import Inspection
from bridge.documents.read_toml import read_toml
from bridge.profiles.parameters import check_parameters
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.spec import ParameterRule

FAMILY = replace(
    PROTOCOLS["modbus_rtu"],
    parameters={
        "count": ParameterRule(default=1, meaning="how many", minimum=1, maximum=9),
        "low": ParameterRule(default=False, meaning="which way"),
        "mode": ParameterRule(default="a", meaning="which one", choices=("a", "b")),
        "label": ParameterRule(default="", meaning="any words"),
    },
)


def checked(tmp_path: Path, text: str) -> Inspection:
    file = tmp_path / "f"
    file.write_text(f"[parameters]\n{text}")
    return Inspection(read_toml(file))


def test_parameters_of_the_right_kind_and_range_are_taken(tmp_path: Path) -> None:
    inspection = checked(tmp_path, 'count = 9\nlow = true\nmode = "b"\nlabel = "any"')
    assert check_parameters(inspection, ("parameters",), FAMILY) == {
        "count": 9,
        "low": True,
        "mode": "b",
        "label": "any",
    }
    assert inspection.faults == ()


@pytest.mark.parametrize(
    ("text", "got", "expected", "hint"),
    [
        ("count = 0", "0", "1 to 9 (how many)", ""),
        ("count = 10", "10", "1 to 9 (how many)", ""),
        ("count = true", "true", "1 to 9 (how many)", ""),
        ("count = 1.0", "1.0", "1 to 9 (how many)", ""),
        ("low = 1", "1", "true or false (which way)", ""),
        ('mode = "B"', "'B'", "one of a, b (which one)", "did you mean 'b'?"),
        ("label = 1", "1", "a text (any words)", ""),
        ("label = []", "[]", "a text (any words)", ""),
        ("cuont = 1", "an unknown parameter", "one of count, low, mode, label", "did you mean 'count'?"),
    ],
)
def test_any_other_parameter_is_a_fault(tmp_path: Path, text: str, got: str, expected: str, hint: str) -> None:
    inspection = checked(tmp_path, text)
    assert check_parameters(inspection, ("parameters",), FAMILY) == {}
    assert [(fault.line, fault.got, fault.expected, fault.hint) for fault in inspection.faults] == [
        (2, got, expected, hint)
    ]


def test_a_protocol_without_parameters_takes_none(tmp_path: Path) -> None:
    inspection = checked(tmp_path, "count = 1")
    check_parameters(inspection, ("parameters",), replace(FAMILY, parameters={}))
    assert inspection.faults[0].expected == "no parameters, as modbus_rtu takes none"
