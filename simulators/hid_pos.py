"""A barcode reader for cards, held before it by people; in line mode it says the code, then a carriage return.

Nothing can be asked of it. What is printed on the cards is the card maker's matter, so the codes are
handed in, as the profile states them. The reader's languages on USB are in ``hid_pos_usb``.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping

from bridge.domain.cards import Card
from bridge.domain.errors import BridgeError
from simulators.device import Utterance

TERMINATOR = b"\r"


class CardWithoutCodeError(BridgeError):
    """The profile has no code for a card."""


class CardScanner(ABC):
    """A card reader on a line of its own, whatever its language."""

    def __init__(self, codes: Mapping[Card, str]) -> None:
        self._codes = dict(codes)
        self._say: Callable[[bytes], None] = _into_the_air

    def connect(self, say: Callable[[bytes], None]) -> None:
        """Speak into this cable from now on."""
        self._say = say

    def receive(self, data: bytes, now_us: int) -> tuple[Utterance, ...]:  # noqa: ARG002 - the line's contract
        """Hear the host and say nothing: a scanner takes no orders."""
        return ()

    def power_cycle(self) -> None:  # noqa: B027 - for those that remember something
        """Start afresh: a reader remembers nothing."""

    def show(self, card: Card) -> None:
        """Hold a card before the reader; raise ``CardWithoutCodeError`` if the profile has no code for it."""
        code = self._codes.get(card)
        if code is None:
            raise CardWithoutCodeError(f"no code for {card}; add it to card_codes of the reader's profile")
        self._read(code)

    def show_unreadable(self, text: str) -> None:
        """Read something that is printed where a card's code should be."""
        self._read(text)

    def make_noise(self, data: bytes) -> None:
        """Put bytes on the line that are no reading at all."""
        self._say(data)

    def _read(self, printed: str) -> None:
        for said in self._spoken(printed.encode("ascii", errors="replace")):
            self._say(said)

    @abstractmethod
    def _spoken(self, reading: bytes) -> list[bytes]:
        """Return what is said of a reading, piece by piece."""


class LineModeReader(CardScanner):
    """A reader switched to line mode."""

    def __init__(self, codes: Mapping[Card, str], *, terminator: bytes = TERMINATOR) -> None:
        super().__init__(codes)
        self._terminator = terminator

    def _spoken(self, reading: bytes) -> list[bytes]:
        return [reading + self._terminator]


def _into_the_air(_data: bytes) -> None:
    """Be heard by nobody: no cable is plugged in yet."""
