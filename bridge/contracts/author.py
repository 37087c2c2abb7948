"""Stamps envelopes with who says so, since when, and how many before."""

from typing import TypeVar

from bridge.clock import Clock
from bridge.contracts.codec import filled
from bridge.contracts.envelopes import Envelope
from bridge.contracts.topics import checked_level

_E = TypeVar("_E", bound=Envelope)


class Author:
    """One sending process, from its start to its end."""

    def __init__(self, sender: str, clock: Clock) -> None:
        """``sender`` is the fixed client id; raise ``TopicError`` if it could not be a name in a topic."""
        self.sender = checked_level("client id", sender)
        self.epoch = clock.wall()
        self._clock = clock
        self._number = 0

    def stamp(self, envelope: type[_E], **content: object) -> _E:
        """Return an envelope with this content and the next number.

        Raise pydantic's ``ValidationError`` if the content is not of the envelope's types.
        """
        stamped = filled(
            envelope,
            {
                "sender": self.sender,
                "epoch": self.epoch,
                "number": self._number + 1,
                "sent_at": self._clock.wall(),
                **content,
            },
        )
        self._number += 1
        return stamped
