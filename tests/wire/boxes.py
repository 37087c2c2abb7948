"""A device that was built from the document alone: its lines are put together by hand, with a public CRC."""

from collections.abc import Callable

from crccheck.crc import CrcModbus

from simulators.device import Utterance


def line(text: str) -> bytes:
    return f"{text}*{CrcModbus.calc(text.encode()):04X}\r\n".encode()


class HandMadeBox:
    """Three inputs, two outputs. It does what a test says, and remembers what it was asked."""

    def __init__(self) -> None:
        self.inputs = "000"
        self.outputs = "00"
        self.identity = "3 2 hand made"
        self.refuses = ""
        """A verb that is answered NO."""
        self.heard: list[str] = []
        self._say: Callable[[bytes], None] = lambda _: None

    def connect(self, say: Callable[[bytes], None]) -> None:
        self._say = say

    def power_cycle(self) -> None:
        self.outputs = "00"

    def tell(self, text: str) -> None:
        self._say(line(text))

    def receive(self, data: bytes, now_us: int) -> tuple[Utterance, ...]:  # noqa: ARG002 - the line's contract
        texts = data.decode("ascii").removesuffix("\r\n").split("\r\n")
        return tuple(Utterance(line(answer)) for text in texts if (answer := self._answer(text)))

    def _answer(self, raw: str) -> str:
        text, crc = raw.split("*")
        assert crc == f"{CrcModbus.calc(text.encode()):04X}"
        self.heard.append(text)
        mark, number, verb, rest = text[0], text[1:3], *(text[4:] + " ").split(" ")[:2]
        if mark == "=":
            return ""
        assert mark == "?"
        if verb == self.refuses:
            return f"={number} NO not today"
        if verb == "ID":
            return f"={number} ID {self.identity}"
        if verb == "SET":
            self.outputs = rest
        return f"={number} STATE {self.inputs} {self.outputs}"
