"""What the frames on an Angel Eye II-EX line say, in one line of text.

report 1: card 8s, player 1                  05 31 44 81 B8 03 34 46
report 2: result player, player pair         05 32 47 91 03 45 37
report 4: fault 1 cannot_read, error mode    05 34 45 C1 03 42 33
command LK 02                                02 4F 50 4C 4B 30 32 03 31 42
NAK 02: the shoe computes another BCC ...    15 02
"""

from typing import assert_never

from bridge.wire.errors import FrameError
from bridge.wire.messages import (
    CardNotRead,
    CardOutOfGame,
    CardRead,
    CardStatedAgain,
    CutCardSeen,
    FaultStated,
    KeyTurned,
    PresetChanged,
    ResultStated,
    UnitStandingBy,
    UnitStarted,
)
from bridge.wire.shoe_commands import decode_answer, decode_command
from bridge.wire.shoe_frames import ENQ, STX, ShoeMessage, check, read_report
from bridge.wire.spec import DeviceSpec

INCLUDE_ENQ = "include_enq"


def explain(raw: bytes, spec: DeviceSpec) -> str:
    """Say what one whole frame means, of either end; raise ``FrameError`` for bytes that are none."""
    match raw[:1]:
        case b"":
            raise FrameError("no frame", raw)
        case start if start[0] == ENQ:
            check(raw, includes_enq=spec.parameters["bcc_in"] == INCLUDE_ENQ)
            return f"report {chr(raw[1])}: {_said(read_report(raw, 0))}"
        case start if start[0] == STX:
            includes_stx = spec.parameters["cmd_bcc_includes_stx"] is True
            return f"command {decode_command(raw, includes_stx=includes_stx)}"
        case _:
            return decode_answer(raw) or "ACK"


def _said(message: ShoeMessage) -> str:
    match message:
        case CardRead():
            return f"card {message.card}, {message.target} {message.place}"
        case CardNotRead():
            return f"{message.raw}, {message.target} {message.place}"
        case CardStatedAgain():
            return f"card {message.card} again, {message.target} {message.place}"
        case CardOutOfGame():
            return f"card {message.card} out of game, {message.mode}"
        case ResultStated():
            pairs = [
                name
                for name, is_one in (("player", message.player_pair), ("banker", message.banker_pair))
                if is_one
            ]
            return ", ".join([f"result {message.result}", *(f"{name} pair" for name in pairs)])
        case FaultStated():
            what = f"{message.code} {message.fault}" + (", error mode" if message.error_mode else "")
            return f"fault {what}" if message.active else f"cleared fault {what}"
        case KeyTurned():
            return "locked" if message.locked else "unlocked"
        case UnitStarted():
            return "started"
        case UnitStandingBy():
            return "standing by"
        case CutCardSeen():
            return "cut card"
        case PresetChanged():
            return f"preset {message.preset} is {message.value}"
        case _:
            assert_never(message)
