"""Reports of barcode readers of the HID point-of-sale kind (usage page 8C), in the layouts of two makers.

    honeywell   02 length ]xx data... code 00 more    64 bytes: an identifier of three characters from "]" on,
                                                      up to 56 bytes of data, and whether another report continues
    newland     02 length data... code                up to 56 bytes of data; nothing continues

Some models of the first kind have one more byte before the identifier. Sources: github HenkVanAsselt/
python_hon_usbhid (captures of a Voyager 1602g); github NielsLeenheer/WebHidBarcodeScanner, src/main.js; the table
in a public driver of the Newland FM430.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bridge.wire.errors import FrameError, UnknownMessageError
from bridge.wire.reader_text import UNPRINTED, explain_reading, printable
from bridge.wire.spec import DeviceSpec

REPORT_LENGTH = 64
DATA_LENGTH_MAX = 56
INPUT = 0x02
COMMAND = 0xFD
HID_MODE = b"\xfe\x01"
"""The feature report that makes Honeywell and Youjie readers speak in such reports."""
HONEYWELL = "honeywell"
NEWLAND = "newland"
IDENTIFIER_LENGTH = 3
"""The symbology as AIM names it: ``]C0`` is Code 128."""
_FLAG = ord("]")
_HONEYWELL_CODE_AT = 61
_MORE_AT = 63
_NEWLAND_DATA_AT = 2
_NEWLAND_CODE_AT = 62
_COMMANDS: Mapping[bytes, str] = MappingProxyType({b"\x16\x07\r": "beep", b"\x16T\r": "trigger"})
_MENU = b"\x16M\r"


@dataclass(frozen=True, slots=True)
class ReportPart:
    """What one report holds of a reading."""

    data: bytes
    continued: bool


def decode_honeywell(raw: bytes) -> ReportPart:
    """Return what an input report in the layout of Honeywell holds; raise ``FrameError``."""
    if len(raw) != REPORT_LENGTH:
        raise FrameError(f"a report of a reader has {REPORT_LENGTH} bytes", raw)
    length = _length(raw)
    at = next((at for at in (2, 3) if raw[at] == _FLAG), None)
    if at is None:
        raise FrameError("no identifier from ']' on in the third or fourth byte", raw)
    data_at = at + IDENTIFIER_LENGTH
    if data_at + length > _HONEYWELL_CODE_AT:
        raise FrameError(f"a length of {length} reaches over what follows the data", raw)
    if raw[_MORE_AT] not in {0, 1}:
        raise FrameError(f"{raw[_MORE_AT]:02X} does not say whether another report follows", raw)
    return ReportPart(raw[data_at : data_at + length], raw[_MORE_AT] == 1)


def decode_newland(raw: bytes) -> ReportPart:
    """Return what an input report in the layout of Newland holds; raise ``FrameError``."""
    if not _NEWLAND_CODE_AT < len(raw) <= REPORT_LENGTH:
        raise FrameError(f"a report of a reader has {_NEWLAND_CODE_AT + 1} or {REPORT_LENGTH} bytes", raw)
    length = _length(raw)
    return ReportPart(raw[_NEWLAND_DATA_AT : _NEWLAND_DATA_AT + length], continued=False)


DECODERS: Mapping[str, Callable[[bytes], ReportPart]] = MappingProxyType(
    {HONEYWELL: decode_honeywell, NEWLAND: decode_newland}
)
"""How a report is read, by the layout."""


def explain_report(raw: bytes, layout: str, spec: DeviceSpec) -> str:
    """Say what one report, or a command to the reader, means; raise ``FrameError`` for anything else."""
    if raw == HID_MODE:
        return "feature: speak in HID reports"
    if raw[:1] == bytes((COMMAND,)):
        return _explain_command(raw)
    part = DECODERS[layout](raw)
    if part.continued:
        return f"part of a reading: '{printable(part.data)}'"
    return explain_reading(part.data.strip(UNPRINTED), spec.card_codes)


def _explain_command(raw: bytes) -> str:
    command = raw[2:]
    if command.startswith(_MENU) and len(command) > len(_MENU):
        return f"command: menu {printable(command.removeprefix(_MENU))}"
    if command not in _COMMANDS:
        raise UnknownMessageError("a command that the documents do not list", raw)
    return f"command: {_COMMANDS[command]}"


def _length(raw: bytes) -> int:
    if raw[0] != INPUT:
        raise FrameError(f"report {raw[0]:02X} holds no reading", raw)
    if not 1 <= raw[1] <= DATA_LENGTH_MAX:
        raise FrameError(f"a length of {raw[1]}, which is not 1 to {DATA_LENGTH_MAX}", raw)
    return raw[1]
