"""The devices of a table's document, each as far as it is without fault, and the profiles they name."""

from dataclasses import dataclass, replace
from importlib.resources.abc import Traversable
from pathlib import Path

from bridge.documents.document import KeyPath
from bridge.documents.faults import DocumentError, Fault
from bridge.documents.inspection import ABSENT, Absent, Inspection
from bridge.profiles.load import SUFFIX, installed_profiles, load_profile
from bridge.profiles.parameters import check_parameters
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.spec import DeviceSpec, ProtocolFamily, reads_cards


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDevice:
    """A device whose profile is known."""

    place: KeyPath
    spec: DeviceSpec
    """With the parameters that the table sets."""

    @property
    def family(self) -> ProtocolFamily:
        """Return the protocol that the device speaks."""
        return PROTOCOLS[self.spec.protocol]

    @property
    def reads_cards(self) -> bool:
        """Say whether the device reads cards."""
        return reads_cards(self.family, self.spec)


class ProfileShelf:
    """The profiles that a table may name: those installed, and files beside it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._installed = installed_profiles()
        self._loaded: dict[str, DeviceSpec | Absent] = {}
        self.faults: list[Fault] = []
        """What is wrong with the profiles themselves."""

    @property
    def names(self) -> list[str]:
        """Return the names of the installed profiles."""
        return list(self._installed)

    def find(self, name: str) -> Traversable | Absent:
        """Return the file of a profile; absent if the name is neither installed nor a file's."""
        if name.endswith(SUFFIX):
            return self._folder / name
        return self._installed.get(name, ABSENT)

    def load(self, name: str, file: Traversable) -> DeviceSpec | Absent:
        """Return a profile, loaded once; absent if it has faults, which are kept."""
        if name not in self._loaded:
            try:
                self._loaded[name] = load_profile(file)
            except DocumentError as error:
                self._loaded[name] = ABSENT
                self.faults.extend(error.faults)
        return self._loaded[name]


def find_devices(inspection: Inspection, shelf: ProfileShelf) -> list[FoundDevice]:
    """Return the devices whose profile is known, and check each against its profile."""
    found: list[FoundDevice] = []
    for place in inspection.places(("device",)):
        name = inspection.value((*place, "profile"), str)
        if name is ABSENT:
            continue
        file = shelf.find(name)
        if file is ABSENT:
            inspection.fault((*place, "profile"), "the name of a device profile", valid=shelf.names)
            continue
        spec = shelf.load(name, file)
        if spec is ABSENT:
            continue
        family = PROTOCOLS[spec.protocol]
        parameters = check_parameters(inspection, (*place, "parameters"), family)
        found.append(FoundDevice(place=place, spec=replace(spec, parameters={**spec.parameters, **parameters})))
    return found
