"""Which reports to believe, of a device that sends each of them three times and is never answered.

A block check of XORed bytes notices every single wrong bit, and misses two that fall on the same bit of
two bytes. So a report is believed when two of its copies agree: two whole ones that are equal, or one
whole one of which every byte has arrived a second time, at its place, in the damaged copies. What arrived
once only is told as such; so is a number that was left out, and damage that no believed report explains.
"""

from collections.abc import Callable
from dataclasses import dataclass

from bridge.wire.report_numbers import ReportNumbers, Succession

COPIES = 3
"""How often the device sends each report."""
PIECES_MAX = 24
"""How many pieces wait for each other; more of them in one window are noise, and are decided at once."""
DAMAGED_BYTES_MAX = 2
"""In how many bytes a damaged copy may differ and still bear witness for the rest: others are no copy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Believed:
    """A report, once, however many copies of it arrive."""

    frame: bytes
    number_again: bool
    """Whether it has the number of the report before, and says something else, or says it much later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardOnce:
    """A report that passed its check, and that no other copy confirmed in time."""

    frame: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Disbelieved:
    """A copy that passed its check and is contradicted, or comes long after its report was told."""

    frame: bytes
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """The device reported something that nothing is known of."""

    reason: str


Verdict = Believed | HeardOnce | Disbelieved | Missing


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of bytes: a whole frame that passed its check, or damage."""

    raw: bytes
    whole: bool
    unexplained: bool = False
    """Damage that is not the third copy of the report before."""


@dataclass(slots=True)
class _Told:
    """The report that was told last."""

    frame: bytes
    at_us: int
    copies: int


class RepeatedReports:
    """Copies in, verdicts out. A frame's second byte is its number, its last two are its check."""

    def __init__(
        self, *, copies_to_agree: int, window_us: int, tell_gaps: bool, is_restart: Callable[[bytes], bool]
    ) -> None:
        self._copies_to_agree = copies_to_agree
        self._window_us = window_us
        self._tell_gaps = tell_gaps
        self._is_restart = is_restart
        self._numbers = ReportNumbers()
        self._pieces: list[_Piece] = []
        self._since_us = 0
        self._told: _Told | None = None
        self._missing_told = False

    def deadline(self) -> int | None:
        """Return when what waits for confirmation is given up, or None if nothing waits."""
        return self._since_us + self._window_us if self._pieces else None

    def wake(self, now_us: int) -> tuple[Verdict, ...]:
        """Give up what has waited too long."""
        due_us = self.deadline()
        return () if due_us is None or now_us < due_us else self._give_up(now_us)

    def whole(self, frame: bytes, now_us: int) -> tuple[Verdict, ...]:
        """Take a frame that passed its check."""
        overdue = self.wake(now_us)
        told = self._told
        if told is not None and told.frame == frame and self._just_told(now_us):
            told.copies += 1
            return overdue
        return overdue + self._take(_Piece(frame, whole=True), now_us)

    def damaged(self, raw: bytes, now_us: int) -> tuple[Verdict, ...]:
        """Take bytes that are no frame, perhaps of a copy."""
        overdue = self.wake(now_us)
        told = self._told
        explained = told is not None and told.copies < COPIES and self._just_told(now_us)
        if told is not None and explained:
            told.copies += 1
        return overdue + self._take(_Piece(raw, whole=False, unexplained=not explained), now_us)

    def forget_half(self) -> None:
        """Forget what waits. What was told, and its number, is remembered: its last copy may still come."""
        self._pieces.clear()

    def _take(self, piece: _Piece, now_us: int) -> tuple[Verdict, ...]:
        if not self._pieces:
            self._since_us = now_us
        self._pieces.append(piece)
        if len(self._pieces) > PIECES_MAX:
            return self._give_up(now_us)
        for frame in self._frames():
            if self._copies_of(frame) >= self._copies_to_agree:
                return self._believe(frame, now_us)
        return self._believe_confirmed(now_us) if len(self._pieces) >= COPIES else ()

    def _believe_confirmed(self, now_us: int) -> tuple[Verdict, ...]:
        """Believe the only whole frame, if the damaged copies confirm it byte by byte."""
        frames = self._frames()
        return self._believe(frames[0], now_us) if len(frames) == 1 and self._is_confirmed(frames[0]) else ()

    def _believe(self, frame: bytes, now_us: int) -> tuple[Verdict, ...]:
        copies = self._copies_of(frame)
        damaged = self._unexplained()
        verdicts: list[Verdict] = []
        seen = False
        for other in self._frames():
            if other == frame:
                seen = True
            elif seen or other[1] == frame[1]:
                verdicts.append(Disbelieved(frame=other, reason="two other copies agree on something else"))
            else:
                verdicts += self._tell_unconfirmed(other, now_us)
        succession = self._tell(frame, verdicts, excess=damaged - (COPIES - copies))
        verdicts.append(Believed(frame=frame, number_again=succession is Succession.SAME))
        self._told = _Told(frame, now_us, min(COPIES, copies + damaged))
        self._missing_told = False
        self._pieces.clear()
        return tuple(verdicts)

    def _give_up(self, now_us: int) -> tuple[Verdict, ...]:
        confirmed = self._believe_confirmed(now_us)
        if confirmed:
            return confirmed
        verdicts: list[Verdict] = []
        frames, damaged = self._frames(), self._unexplained()
        for frame in frames:
            verdicts += self._tell_unconfirmed(frame, now_us)
        if damaged > (COPIES - 1) * len(frames):
            self._missing_told = True
            verdicts.append(Missing(reason="bytes arrived of which no report could be made"))
        self._pieces.clear()
        return tuple(verdicts)

    def _tell_unconfirmed(self, frame: bytes, now_us: int) -> list[Verdict]:
        """Tell of a frame that stands alone, unless it can only be a copy of what was told before."""
        told = self._told
        if told is not None and frame == told.frame:
            return [Disbelieved(frame=frame, reason="a copy of the report before that comes late")]
        if told is not None and frame[1] == told.frame[1] and now_us - told.at_us <= 2 * self._window_us:
            return [Disbelieved(frame=frame, reason="a copy of the report before that says something else")]
        verdicts: list[Verdict] = []
        self._tell(frame, verdicts, excess=0)
        verdicts.append(HeardOnce(frame=frame))
        self._told = _Told(frame, now_us, COPIES)
        return verdicts

    def _tell(self, frame: bytes, verdicts: list[Verdict], *, excess: int) -> Succession:
        """Note the number of a frame that is told; add what is missing before it."""
        number, told = frame[1], self._told
        if self._is_restart(frame):
            self._numbers.restart(number)
            return Succession.UNKNOWN
        succession = self._numbers.take(number)
        gap = succession is Succession.GAP and self._tell_gaps
        unexplained = excess > 0 and succession is not Succession.NEXT
        if (gap or unexplained) and not self._missing_told:
            before = chr(told.frame[1]) if told is not None else "none"
            verdicts.append(
                Missing(reason=f"report {chr(number)} follows report {before}; in between something was lost")
            )
        return succession

    def _frames(self) -> list[bytes]:
        """Return the whole frames that wait, each once, in the order of their first copies."""
        return list(dict.fromkeys(piece.raw for piece in self._pieces if piece.whole))

    def _copies_of(self, frame: bytes) -> int:
        return sum(piece.raw == frame for piece in self._pieces if piece.whole)

    def _unexplained(self) -> int:
        return sum(piece.unexplained for piece in self._pieces)

    def _is_confirmed(self, frame: bytes) -> bool:
        """Say whether each byte has arrived a second time, in damaged copies of this frame.

        The check's digits too: a wrong bit of a card and one of its check would stand alone there.
        """
        alike: set[int] = set()
        for piece in self._pieces:
            if not piece.whole:
                for shift in {0, len(piece.raw) - len(frame)}:
                    same = _same_bytes(frame, piece.raw, shift)
                    if len(same) >= len(frame) - DAMAGED_BYTES_MAX:
                        alike |= same
        return alike.issuperset(range(len(frame)))

    def _just_told(self, now_us: int) -> bool:
        return self._told is not None and now_us - self._told.at_us <= self._window_us


def _same_bytes(frame: bytes, raw: bytes, shift: int) -> set[int]:
    """Return the places of a frame at which bytes that begin ``shift`` later or earlier are the same."""
    return {
        place for place, byte in enumerate(frame) if 0 <= place + shift < len(raw) and raw[place + shift] == byte
    }
