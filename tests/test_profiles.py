"""What is shipped in ``device_profiles/``: every profile, and its README."""

import re
from pathlib import Path

import pytest

from bridge.profiles import installed_profiles, load_installed
from bridge.profiles.form import ExampleForm, ProfileForm, SerialForm, UsbForm
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.spec import ProtocolFamily, Provenance

README = (Path(__file__).parent.parent / "device_profiles" / "README.md").read_text()


def rows(text: str) -> dict[str, str]:
    """Return the rows of the tables in a text, by the key that each begins with."""
    return {key: row for row in text.splitlines() if (key := "".join(re.findall(r"^\| `([^`]+)`", row)))}


def section(family: ProtocolFamily) -> str:
    """Return what the README says of a family's parameters."""
    return README.split(f"### Parameters of `{family.name}`\n")[1].split("\n#")[0]


ROWS = rows(README)


@pytest.mark.parametrize("name", installed_profiles())
def test_every_shipped_profile_loads_and_its_examples_mean_what_it_says(name: str) -> None:
    spec = load_installed(name)
    family = PROTOCOLS[spec.protocol]
    assert [family.explain(example.data, spec) for example in spec.examples] == [
        example.means for example in spec.examples
    ]


def test_the_module_is_proved_by_frames_from_outside() -> None:
    outside = {Provenance.CAPTURED, Provenance.PUBLISHED}
    assert sum(example.provenance in outside for example in load_installed("modbus_io8").examples) >= 5


@pytest.mark.parametrize("name", ["xkeys_xk24", "xkeys_xk16", "xkeys_xk12", "xkeys_xk3"])
def test_the_panels_are_proved_by_recordings(name: str) -> None:
    assert [example.provenance for example in load_installed(name).examples].count(Provenance.CAPTURED) >= 3


def test_the_shoe_says_that_nobody_has_captured_one() -> None:
    text = installed_profiles()["angel_eye_ii_ex"].read_text()
    assert "no captured traffic was found" in text
    assert "receive-only" in text
    provenances = {example.provenance for example in load_installed("angel_eye_ii_ex").examples}
    assert Provenance.CAPTURED not in provenances
    assert Provenance.IMPLEMENTATION_TEST in provenances


def test_the_readme_tells_every_key() -> None:
    keys = [key for key in ProfileForm.model_fields if key not in {"serial", "usb", "examples"}]
    keys += [f"serial.{key}" for key in SerialForm.model_fields]
    keys += [f"usb.{key}" for key in UsbForm.model_fields]
    keys += ["examples", *(f"examples[].{key}" for key in ExampleForm.model_fields)]
    assert [key for key in keys if key not in rows(README)] == []


@pytest.mark.parametrize("family", PROTOCOLS.values(), ids=lambda family: family.name)
def test_the_readme_tells_every_parameter_with_its_default(family: ProtocolFamily) -> None:
    told = rows(section(family))
    assert told.keys() == family.parameters.keys()
    for name, rule in family.parameters.items():
        default = str(rule.default).lower() if isinstance(rule.default, bool) else str(rule.default)
        cell = f"`{default}` " if default else ""
        assert told[name].startswith(f"| `{name}` | {cell}| {rule.meaning}")
        if not isinstance(rule.default, bool | str):
            assert told[name].endswith(f"({rule.minimum} to {rule.maximum}) |")
