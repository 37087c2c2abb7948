"""Say in one line what a ccTalk packet means, for the examples of a profile and for people.

The language; a coin is its number at the acceptor, from 1:

    unit 2 request buffered_credit
    unit 2 request set_master_inhibit: every coin inhibited       otherwise ``coins accepted``
    unit 2 request set_inhibits: 1, 3 accepted                    none: ``none accepted``
    unit 2 request coin_id: 1
    unit 2 request header 200: 01 02
    unit 2 reply: done                                            without data: carried out
    unit 2 reply: counter 3: coin 3 path 2, coin 2 path 1, fault 14 credit sensor blocked
    unit 2 reply: 'Coin Acceptor'
    unit 2 reply: 02 14                                           what a reply answers it does not say
    unit 2 refuses
    unit 2 is busy

Where packets are checked by CRC they do not say whom a reply comes from: ``a unit reply: done``.
"""

from collections.abc import Mapping

from bridge.wire.cctalk_credits import CREDIT_LENGTH, NO_EVENT, Event, read_credit
from bridge.wire.cctalk_frames import ANSWERS, HOST, Check, Header, Packet, decode_packet
from bridge.wire.errors import FrameError, UnknownMessageError
from bridge.wire.spec import DeviceSpec

INHIBITED_COINS = range(128, 160)
"""Codes of coins that are inhibited one by one; the first is coin 1."""
FAULTS: Mapping[int, str] = {
    1: "reject coin",
    2: "inhibited coin",
    3: "multiple window",
    4: "wake-up timeout",
    5: "validation timeout",
    6: "credit sensor timeout",
    7: "sorter opto timeout",
    8: "second close coin",
    9: "accept gate not ready",
    10: "credit sensor not ready",
    11: "sorter not ready",
    12: "reject coin not cleared",
    13: "validation sensor not ready",
    14: "credit sensor blocked",
    15: "sorter opto blocked",
    16: "credit sequence error",
    17: "coin going backwards",
    18: "coin too fast",
    19: "coin too slow",
    20: "coin on string",
    21: "double entry opto timeout",
    22: "double entry opto not seen",
    23: "credit sensor reached too early",
    24: "reject coin, repeated trip",
    25: "reject slug",
    26: "reject sensor blocked",
    27: "games overload",
    28: "coin meter pulses exceeded",
    29: "accept gate open, not closed",
    30: "accept gate closed, not open",
    31: "manifold opto timeout",
    32: "manifold opto blocked",
    33: "manifold not ready",
    34: "security status changed",
    35: "motor exception",
    36: "swallowed coin",
    37: "coin too fast over validation sensor",
    38: "coin too slow over validation sensor",
    39: "coin incorrectly sorted",
    40: "external light attack",
}
"""Generic Specification 4.x, part 3, table of coin acceptor error codes."""


def explain(raw: bytes, spec: DeviceSpec) -> str:
    """Return the line for one whole packet; raise ``FrameError`` for bytes that are none."""
    packet = decode_packet(raw, Check(str(spec.parameters["check"])))
    if packet.destination != HOST:
        return f"unit {packet.destination} request {_request(packet)}"
    unit = f"unit {packet.source}" if packet.source else "a unit"
    match packet.header:
        case Header.REPLY:
            return f"{unit} reply: {_reply(packet.data)}"
        case Header.NAK if not packet.data:
            return f"{unit} refuses"
        case Header.BUSY if not packet.data:
            return f"{unit} is busy"
        case header if header in ANSWERS:
            raise FrameError("a refusal has no data", raw)
        case header:
            raise UnknownMessageError(f"header {header} is no answer to a master", raw)


def header_name(header: int) -> str:
    """Return the name of a header as it is printed: ``buffered_credit``; its number if it has none here."""
    try:
        return Header(header).name.lower()
    except ValueError:
        return f"header {header}"


def fault_name(code: int) -> str:
    """Return the meaning of an error code of an acceptor."""
    if code in INHIBITED_COINS:
        return f"inhibited coin {code - INHIBITED_COINS.start + 1}"
    return FAULTS.get(code, "a code that is not listed")


def coins_of(mask: bytes) -> frozenset[int]:
    """Return the coins of an inhibit mask: coin 1 is bit 0 of the first byte."""
    bits = int.from_bytes(mask, "little")
    return frozenset(coin for coin in range(1, 8 * len(mask) + 1) if bits >> (coin - 1) & 1)


def _request(packet: Packet) -> str:
    name, data = header_name(packet.header), packet.data
    match packet.header, len(data):
        case Header.SET_MASTER_INHIBIT, 1:
            return f"{name}: {'coins accepted' if data[0] & 1 else 'every coin inhibited'}"
        case Header.SET_INHIBITS, 2:
            return f"{name}: {', '.join(map(str, sorted(coins_of(data)))) or 'none'} accepted"
        case Header.COIN_ID, 1:
            return f"{name}: {data[0]}"
        case _:
            return f"{name}: {data.hex(' ').upper()}" if data else name


def _reply(data: bytes) -> str:
    if not data:
        return "done"
    if all(0x20 <= byte < 0x7F for byte in data):  # noqa: PLR2004 - the printing characters of ASCII
        return repr(data.decode("ascii"))
    if len(data) == CREDIT_LENGTH:
        reading = read_credit(data)
        events = [_event(event) for event in reading.events if event != NO_EVENT]
        return f"counter {reading.counter}: {', '.join(events) or 'no event'}"
    return data.hex(" ").upper()


def _event(event: Event) -> str:
    coin, detail = event
    return f"coin {coin} path {detail}" if coin else f"fault {detail} {fault_name(detail)}"
