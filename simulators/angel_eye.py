"""An Angel Eye II-EX shoe: it says each card three times as it is drawn, and takes commands.

It keeps the state that a real one shows (locked, in error, where the next card goes) and knows no rule of
the game: a card goes where it is told to, or else player and banker in turn. With each way in which a
real shoe or its line goes wrong: copies spoilt, reports without an end, commands refused or not answered.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bridge.domain.cards import Card, UnseenCard
from bridge.domain.errors import BridgeError
from bridge.domain.shoe import DealTarget, ShoeFault, ShoeMode, ShoeResult
from bridge.wire.errors import ChecksumError, FrameError, UnknownMessageError
from bridge.wire.shoe_commands import BCC_REFUSED, COMMAND_LENGTH, CommandType, ShoeCommand, decode_command
from bridge.wire.shoe_frames import (
    ACK,
    FAULT_CODES,
    NAK,
    STX,
    Letter,
    card_byte,
    encode_report,
    fault_byte,
    mode_byte,
    result_byte,
    target_byte,
)
from simulators.device import Utterance

COPIES = 3
NUMBERS = "123456789"
"""How the public simulator counts; a live monitor expects 0 after 9."""
NAK_FORMAT, NAK_TYPE = 0x11, 0x14
NAK_CODE_MAX = 0xFF
UNENDED_BYTES = 140
"""Longer than any receiver waits for an ETX."""
_LOCKED_BIT, _KEY_BYTE = 1, 0x80
_PLACES = tuple((target, place) for place in (1, 2, 3) for target in (DealTarget.PLAYER, DealTarget.BANKER))


class ShoeUseError(BridgeError):
    """The shoe cannot be used like that."""


class AngelEyeShoe:
    """A shoe on a line of its own. Each copy of a report is said by itself, so that a cable can spoil it alone."""

    def __init__(self, *, cmd_bcc_includes_stx: bool = True, bcc_includes_enq: bool = False) -> None:
        self.locked = False
        self.faults: set[int] = set()
        """The codes of the errors that the shoe shows; while there are any, it is in error mode."""
        self.commands: list[ShoeCommand] = []
        """Every command that was accepted, in order."""
        self._includes_stx = cmd_bcc_includes_stx
        self._includes_enq = bcc_includes_enq
        self._say_bytes: Callable[[bytes], None] = _into_the_air
        self._held_back: list[bytes] | None = None
        self._heard = b""
        self._reported = 0
        self._drawn = 0
        self._overdrawn: list[tuple[Card, DealTarget, int]] = []
        self._spoilt: frozenset[int] = frozenset()
        self._cut_after = 0
        self._unended = False
        self._refusal = 0
        self._mute = False

    # --- the line ---

    def connect(self, say: Callable[[bytes], None]) -> None:
        """Speak into this cable from now on."""
        self._say_bytes = say

    def receive(self, data: bytes, now_us: int) -> tuple[Utterance, ...]:  # noqa: ARG002 - the line's contract
        """Take commands; answer each with ACK or NAK and do what it says."""
        answers: list[Utterance] = []
        for byte in data:
            if byte == STX:
                self._heard = b""
            elif not self._heard:
                continue
            self._heard += bytes((byte,))
            if len(self._heard) == COMMAND_LENGTH:
                answers += self._command(self._heard)
                self._heard = b""
        return tuple(answers)

    def power_cycle(self) -> None:
        """Come up again, as after a power cut or a change of the shoe: errors are gone, numbers begin anew."""
        self.faults.clear()
        self._overdrawn.clear()
        self._heard = b""
        self._reported = 0
        self._drawn = 0
        self._report(Letter.STARTED)

    # --- what people do with it ---

    def show(self, card: Card) -> None:
        """Draw a card for whoever comes next in turn: player 1, banker 1, player 2, banker 2, ..."""
        self.draw(card, *self._next_place())

    def show_unreadable(self, text: str) -> None:  # noqa: ARG002 - a shoe says nothing of what it could not read
        """Draw a card that has no code for whoever comes next in turn."""
        self.draw_unreadable(*self._next_place())

    def draw_unreadable(self, target: DealTarget, place: int) -> None:
        """Draw a card that has no code."""
        self._report(Letter.CARD, bytes((_target(target, place), card_byte(UnseenCard.UNREAD))))
        self._drawn += (target, place) in _PLACES

    def draw(self, card: Card, target: DealTarget, place: int) -> None:
        """Draw a card. Locked or in error, it is reported as no part of the game."""
        if self.locked or self.faults:
            self.draw_outside(card, ShoeMode.LOCKED if self.locked else ShoeMode.ERROR)
            return
        self._report(Letter.CARD, bytes((_target(target, place), card_byte(card))))
        self._drawn += (target, place) in _PLACES

    def draw_outside(self, card: Card, mode: ShoeMode) -> None:
        """Draw a card outside the game."""
        self._report(Letter.CARD_OUT_OF_GAME, bytes((mode_byte(mode), card_byte(card))))

    def overdraw(self, card: Card, target: DealTarget = DealTarget.PLAYER, place: int = 1) -> None:
        """Draw a card too many: error 2. When that is cancelled, the card is stated again for the next round."""
        self.report_fault(FAULT_CODES[ShoeFault.OVERDRAW])
        self._overdrawn.append((card, target, place))

    def retransmit(self, card: Card, target: DealTarget, place: int) -> None:
        """State a card again."""
        self._report(Letter.CARD_AGAIN, bytes((_target(target, place), card_byte(card))))

    def report_fault(self, code: int) -> None:
        """Go into error mode with a code."""
        self.faults.add(code)
        self._report(Letter.FAULT, bytes((fault_byte(code, error_mode=True),)))

    def clear_fault(self, code: int) -> None:
        """Cancel an error, at the shoe or by command; cards drawn too many are stated again then."""
        self.faults.discard(code)
        self._report(Letter.FAULT_CLEARED, bytes((fault_byte(code, error_mode=bool(self.faults)),)))
        if code == FAULT_CODES[ShoeFault.OVERDRAW]:
            again, self._overdrawn = self._overdrawn, []
            for card, target, place in again:
                self.retransmit(card, target, place)

    def state_result(self, result: ShoeResult, *, player_pair: bool = False, banker_pair: bool = False) -> None:
        """State how the round ended, and begin with player 1 again."""
        self._drawn = 0
        self._report(
            Letter.RESULT, bytes((result_byte(result, player_pair=player_pair, banker_pair=banker_pair),))
        )

    def stand_by(self) -> None:
        """Wait for the next round."""
        self._report(Letter.STANDBY)

    def reach_cut_card(self) -> None:
        """Draw the cut card."""
        self._report(Letter.CUT_CARD)

    def turn_key(self, *, locked: bool) -> None:
        """Turn the key; that is reported, other than a lock by command."""
        self.locked = locked
        self._report(Letter.LOCK, bytes((_KEY_BYTE | (_LOCKED_BIT if locked else 0),)))

    def change_preset(self, preset: str, value: str) -> None:
        """Change a setting: two characters name it, four are its value."""
        self._report(Letter.PRESET, f"{preset:>02}{value:>04}".encode("ascii"))

    # --- what goes wrong ---

    def spoil(self, *copies: int) -> None:
        """Let copies 1, 2 and 3 of the next report carry a wrong bit, each another one."""
        if not set(copies) <= set(range(1, COPIES + 1)):
            raise ShoeUseError(f"copies are 1 to {COPIES}, not {', '.join(map(str, copies))}")
        self._spoilt = frozenset(copies)

    def cut_next(self, after: int) -> None:
        """Let the next report be said in two parts, all its copies taken together, cut after so many bytes."""
        self._cut_after = after

    def leave_unended(self) -> None:
        """Let the next report have no ETX, and go on for more than 128 bytes."""
        self._unended = True

    @contextmanager
    def in_one_breath(self) -> Iterator[None]:
        """Say everything that is reported in the body at once, so that it arrives in one read."""
        self._held_back = []
        try:
            yield
        finally:
            said, self._held_back = b"".join(self._held_back), None
            self._say_bytes(said)

    def make_noise(self, data: bytes) -> None:
        """Put bytes on the line that are no report."""
        self._say(data)

    def refuse_next(self, code: int) -> None:
        """Answer the next command with NAK and a code, and do not carry it out."""
        if not 0 < code <= NAK_CODE_MAX:
            raise ShoeUseError(f"a NAK code is 1 to {NAK_CODE_MAX}, not {code}")
        self._refusal = code

    def ignore_next(self) -> None:
        """Give no answer to the next command, and do not carry it out."""
        self._mute = True

    # --- inside ---

    def _next_place(self) -> tuple[DealTarget, int]:
        if self._drawn >= len(_PLACES):
            raise ShoeUseError(f"{len(_PLACES)} cards are drawn; state the result, then the next round begins")
        return _PLACES[self._drawn]

    def _report(self, letter: Letter, data: bytes = b"") -> None:
        number = NUMBERS[self._reported % len(NUMBERS)]
        self._reported += 1
        frame = encode_report(number, letter, data, includes_enq=self._includes_enq)
        if self._unended:
            self._unended = False
            self._say(frame[:3] + bytes((0x80,)) * UNENDED_BYTES)
            return
        spoilt, self._spoilt = self._spoilt, frozenset()
        copies = [_spoil(frame, copy) if copy in spoilt else frame for copy in range(1, COPIES + 1)]
        if self._cut_after:
            triple, after = b"".join(copies), self._cut_after
            self._cut_after = 0
            copies = [triple[:after], triple[after:]]
        for copy in copies:
            self._say(copy)

    def _say(self, data: bytes) -> None:
        if self._held_back is None:
            self._say_bytes(data)
        else:
            self._held_back.append(data)

    def _command(self, raw: bytes) -> tuple[Utterance, ...]:
        mute, self._mute = self._mute, False
        refusal, self._refusal = self._refusal, 0
        if mute:
            return ()
        if refusal:
            return (_nak(refusal),)
        try:
            command = decode_command(raw, includes_stx=self._includes_stx)
        except ChecksumError:
            return (_nak(BCC_REFUSED),)
        except UnknownMessageError:
            return (_nak(NAK_TYPE),)
        except FrameError:
            return (_nak(NAK_FORMAT),)
        self.commands.append(command)
        match command.type:
            case CommandType.LOCK:
                self.locked = command.data == "02"
            case CommandType.CANCEL_FAULT:
                # The answer first, then what comes of it: the port says what is returned after what is said.
                self._say(bytes((ACK,)))
                self.clear_fault(int(command.data))
                return ()
            case CommandType.CONFIRM_GAME:
                pass
        return (Utterance(bytes((ACK,))),)


def _target(target: DealTarget, place: int) -> int:
    if target is DealTarget.UNSTATED or not 1 <= place <= 15:  # noqa: PLR2004 - four bits
        raise ShoeUseError(f"{target} {place}: a card goes to a target, at a place from 1 to 15")
    return target_byte(target, place)


def _spoil(frame: bytes, copy: int) -> bytes:
    """Flip a bit of a byte that is another one in each copy."""
    return frame[:copy] + bytes((frame[copy] ^ 1 << copy,)) + frame[copy + 1 :]


def _nak(code: int) -> Utterance:
    return Utterance(bytes((NAK, code)))


def _into_the_air(_data: bytes) -> None:
    """Be heard by nobody: no cable is plugged in yet."""
