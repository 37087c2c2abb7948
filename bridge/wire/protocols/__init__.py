"""The protocol families, one file each, by the name that a profile gives."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Final

from bridge.wire.spec import ProtocolFamily

_FILES: Final = (
    "alpha_sign",
    "angel_eye",
    "blinkstick",
    "cctalk_acceptor",
    "delcom_switch",
    "generic_line",
    "hid_pos",
    "iso15693",
    "modbus_rtu",
    "xkeys",
)


class _Families(Mapping[str, ProtocolFamily]):
    """All families. A table speaks two or three of them, so a file is imported when its family is asked for."""

    def __getitem__(self, name: str) -> ProtocolFamily:
        if name not in _FILES:
            raise KeyError(name)
        family: ProtocolFamily = import_module(f"{__name__}.{name}").FAMILY
        return family

    def __iter__(self) -> Iterator[str]:
        return iter(_FILES)

    def __len__(self) -> int:
        return len(_FILES)


PROTOCOLS: Final[Mapping[str, ProtocolFamily]] = _Families()
