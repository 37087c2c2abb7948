import dataclasses

import pytest

from tests.drivers.lines import Scripted, device


def test_a_line_is_a_value_and_its_family_makes_its_codec() -> None:
    scripted = Scripted()
    line = scripted.line("/dev/ttyUSB0", device(1), device(2))
    line.family.codec([each.unit for each in line.devices])

    assert [unit.address for unit in scripted.codecs[0].units] == [1, 2]
    with pytest.raises(dataclasses.FrozenInstanceError):
        line.url = "/dev/ttyUSB1"  # type: ignore[misc]
