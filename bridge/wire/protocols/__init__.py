"""The protocol families, one file each, by the name that a profile gives."""

from collections.abc import Mapping
from types import MappingProxyType

from bridge.wire.protocols import angel_eye, cctalk_acceptor, delcom_switch, hid_pos, modbus_rtu, xkeys
from bridge.wire.spec import ProtocolFamily

PROTOCOLS: Mapping[str, ProtocolFamily] = MappingProxyType(
    {
        family.name: family
        for family in (
            angel_eye.FAMILY,
            cctalk_acceptor.FAMILY,
            delcom_switch.FAMILY,
            hid_pos.FAMILY,
            modbus_rtu.FAMILY,
            xkeys.FAMILY,
        )
    }
)
