import subprocess
import sys

import pytest

from bridge.wire.protocols import PROTOCOLS


def test_a_family_is_imported_when_it_is_asked_for() -> None:
    asking = (
        "import sys; from bridge.wire.protocols import PROTOCOLS; before = set(sys.modules); "
        "PROTOCOLS['hid_pos']; print(*(name for name in set(sys.modules) - before if '.protocols.' in name))"
    )
    asked = subprocess.run([sys.executable, "-c", asking], capture_output=True, text=True, check=True)

    assert asked.stdout.split() == ["bridge.wire.protocols.hid_pos"]


@pytest.mark.parametrize("name", ["", "hid_pos.py", "__init__", "HID_POS"])
def test_nothing_is_a_family_that_is_not_listed(name: str) -> None:
    assert name not in PROTOCOLS
    with pytest.raises(KeyError):
        PROTOCOLS[name]
