"""What can be wrong with bytes. Each error blames the sender and keeps the evidence."""

from bridge.domain.errors import BridgeError


class FrameError(BridgeError):
    """Bytes that are no frame of the protocol."""

    def __init__(self, reason: str, raw: bytes) -> None:
        super().__init__(f"{reason}: {raw.hex(' ').upper() or 'no bytes'}")
        self.reason = reason
        self.raw = raw


class ChecksumError(FrameError):
    """A frame whose checksum is not that of its bytes."""

    def __init__(self, raw: bytes, *, expected: str, got: str) -> None:
        super().__init__(f"checksum {got}, the bytes give {expected}", raw)
        self.expected = expected
        self.got = got


class UnknownMessageError(FrameError):
    """A sound frame that says something the protocol's documents do not list."""


class OrderError(BridgeError):
    """An order to a unit or an output that the line has not: our own mistake, not the sender's."""


class LineSetupError(BridgeError):
    """Units that cannot share a line, or a model that its protocol can do nothing with."""
