"""The protocol families, one file each, by the name that a profile gives."""

from collections.abc import Mapping
from types import MappingProxyType

from bridge.wire.protocols import (
    alpha_sign,
    angel_eye,
    blinkstick,
    cctalk_acceptor,
    delcom_switch,
    generic_line,
    hid_pos,
    iso15693,
    modbus_rtu,
    xkeys,
)
from bridge.wire.spec import ProtocolFamily

PROTOCOLS: Mapping[str, ProtocolFamily] = MappingProxyType(
    {
        family.name: family
        for family in (
            alpha_sign.FAMILY,
            angel_eye.FAMILY,
            blinkstick.FAMILY,
            cctalk_acceptor.FAMILY,
            delcom_switch.FAMILY,
            generic_line.FAMILY,
            hid_pos.FAMILY,
            iso15693.FAMILY,
            modbus_rtu.FAMILY,
            xkeys.FAMILY,
        )
    }
)
