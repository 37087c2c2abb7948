from contextlib import suppress

import pytest
from hypothesis import given, strategies as st

from bridge.wire.errors import ChecksumError, FrameError, UnknownMessageError
from bridge.wire.modbus_frames import encode_frame
from bridge.wire.modbus_text import exception_name, explain, function_name
from tests.wire.cables import modbus_spec

SPEC = modbus_spec()
LANGUAGE = [
    ("01 02 0000 0008", "unit 1 request read_discrete_inputs: 1-8"),
    ("01 02 01 20", "unit 1 reply read_discrete_inputs: 6 on"),
    ("01 02 01 21", "unit 1 reply read_discrete_inputs: 1, 6 on"),
    ("01 02 01 00", "unit 1 reply read_discrete_inputs: none on"),
    ("01 01 02 00 01", "unit 1 reply read_coils: 9 on"),
    ("01 01 03 00 00 80", "unit 1 reply read_coils: 24 on"),
    ("01 0F 0000 0008 01 42", "unit 1 request write_multiple_coils: 1-8, 2, 7 on"),
    ("01 0F 0000 0008 01 00", "unit 1 request write_multiple_coils: 1-8, none on"),
    ("01 0F 0004 0002 01 03", "unit 1 request write_multiple_coils: 5-6, 5, 6 on"),
    ("01 0F 0000 0008", "unit 1 reply write_multiple_coils: 1-8"),
    ("01 05 0005 FF00", "unit 1 write_single_coil: 6 on"),
    ("01 05 0005 0000", "unit 1 write_single_coil: 6 off"),
    ("01 05 0200 0007", "unit 1 write_single_coil: address 0200 value 0007"),
    ("01 05 0000 5500", "unit 1 write_single_coil: address 0000 value 5500"),
    ("01 05 00FF FF00", "unit 1 write_single_coil: address 00FF value FF00"),
    ("01 03 1000 0008", "unit 1 request read_holding_registers: 8 from 1000"),
    ("01 03 0300 0008", "unit 1 request read_holding_registers: 8 from 0300"),
    ("01 03 04 0000 0001", "unit 1 reply read_holding_registers: 0, 1"),
    ("01 10 1000 0002 04 0001 0001", "unit 1 request write_multiple_registers: 1, 1 from 1000"),
    ("01 10 1000 0002", "unit 1 reply write_multiple_registers: 2 from 1000"),
    ("01 04 0081 0004", "unit 1 request read_input_registers: 4 from 0081"),
    ("01 04 02 0005", "unit 1 reply read_input_registers: 5"),
    ("01 85 03", "unit 1 refuses write_single_coil: illegal data value"),
    ("07 82 0B", "unit 7 refuses read_discrete_inputs: exception 11"),
]
NO_SENSE = [
    "01 02",
    "01 02 01",
    "01 02 05 00",
    "01 05 0005",
    "01 0F 0000",
    "01 0F 0000 0008 02 00",
    "01 0F 0000 0008 02 0000",
    "01 10 1000 0002 02 0001",
    "01 85",
    "01 85 03 03",
]


def whole(text: str) -> bytes:
    body = bytes.fromhex(text)
    return encode_frame(body[0], body[1], body[2:])


@pytest.mark.parametrize(("frame", "says"), LANGUAGE, ids=[says for _, says in LANGUAGE])
def test_a_frame_is_said_in_one_line(frame: str, says: str) -> None:
    assert explain(whole(frame), SPEC) == says


@pytest.mark.parametrize(
    ("frame", "says"),
    [
        ("01 02 0020 0004", "unit 1 request read_discrete_inputs: 1-4"),
        ("01 02 0022 0002", "unit 1 request read_discrete_inputs: 3-4"),
        ("01 02 0000 0008", "unit 1 request read_discrete_inputs: 8 from 0000"),
        ("01 01 0010 0004", "unit 1 request read_coils: 1-4"),
        ("01 0F 0010 0004 01 05", "unit 1 request write_multiple_coils: 1-4, 1, 3 on"),
        ("01 0F 0010 0004", "unit 1 reply write_multiple_coils: 1-4"),
        ("01 05 0013 FF00", "unit 1 write_single_coil: 4 on"),
        ("01 05 0014 FF00", "unit 1 write_single_coil: address 0014 value FF00"),
        ("01 05 0003 FF00", "unit 1 write_single_coil: address 0003 value FF00"),
    ],
)
def test_channels_are_counted_from_where_the_profile_has_them(frame: str, says: str) -> None:
    spec = modbus_spec(inputs=4, outputs=4, inputs_from=32, outputs_from=16)
    assert explain(whole(frame), spec) == says


@pytest.mark.parametrize("frame", NO_SENSE)
def test_a_sound_frame_that_makes_no_sense_is_refused(frame: str) -> None:
    with pytest.raises(FrameError):
        explain(whole(frame), SPEC)


def test_an_unknown_function_is_refused() -> None:
    with pytest.raises(UnknownMessageError, match="function 43 is not one that is spoken here"):
        explain(whole("01 2B 00"), SPEC)


def test_a_wrong_crc_is_refused() -> None:
    with pytest.raises(ChecksumError):
        explain(bytes.fromhex("01020120A051"), SPEC)


@given(st.integers(0, 255), st.binary(max_size=20))
def test_a_sound_frame_is_one_line_or_a_frame_error(function: int, data: bytes) -> None:
    with suppress(FrameError):
        assert "\n" not in explain(encode_frame(1, function, data), SPEC)


def test_names_without_an_entry_are_numbers() -> None:
    assert (function_name(2), function_name(43)) == ("read_discrete_inputs", "function 43")
    assert (exception_name(2), exception_name(99)) == ("illegal data address", "exception 99")
