"""What is still to be sent: a tree of retained messages, and a bounded queue of the others.

Everything is sent in the order in which it was published. A retained message that is superseded before it
was sent is sent once, in its newest form and in the newest one's place. After a connection is lost, and in
front of a broker that may have lost everything, the whole tree is sent again, and whatever was not confirmed.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """One message on its way."""

    place: int
    """Its place among all that was published; a message that is sent again keeps it."""
    topic: str
    payload: bytes
    retained: bool


class Outbox:
    """Messages between being published and being confirmed by the broker."""

    def __init__(self, *, unretained_max: int) -> None:
        """Keep at most ``unretained_max`` messages that are not retained; there are as many others as topics."""
        self._unretained_max = unretained_max
        self._places = 0
        self._tree: dict[str, Outgoing] = {}
        self._waiting: dict[int, Outgoing] = {}
        self._in_flight: dict[int, Outgoing] = {}
        self._unretained = 0

    @property
    def in_flight(self) -> int:
        """How many messages are sent and not confirmed."""
        return len(self._in_flight)

    @property
    def empty(self) -> bool:
        """Whether everything published was confirmed."""
        return not self._waiting and not self._in_flight

    def put(self, topic: str, payload: bytes, *, retained: bool) -> int:
        """Take a message; return how many older ones had to be dropped for it: 0 or 1."""
        self._places += 1
        message = Outgoing(place=self._places, topic=topic, payload=payload, retained=retained)
        if retained:
            superseded = self._tree.get(topic)
            if superseded is not None:
                self._waiting.pop(superseded.place, None)
            self._tree[topic] = message
            self._waiting[message.place] = message
            return 0
        self._waiting[message.place] = message
        self._unretained += 1
        return self._drop_oldest() if self._unretained > self._unretained_max else 0

    def _drop_oldest(self) -> int:
        for place, message in self._waiting.items():
            if not message.retained:
                del self._waiting[place]
                self._unretained -= 1
                break
        return 1

    def repeat(self, topic: str) -> bool:
        """Send the newest retained message of a topic again; return whether there is one."""
        message = self._tree.get(topic)
        if message is None:
            return False
        self.put(topic, message.payload, retained=True)
        return True

    def repeat_all(self) -> None:
        """Send the whole tree again, in its order."""
        for topic in tuple(self._tree):
            self.repeat(topic)

    def take(self) -> Outgoing | None:
        """Return the next message to send, now in flight; None if nothing waits."""
        for place, message in self._waiting.items():
            del self._waiting[place]
            self._in_flight[place] = message
            return message
        return None

    def confirm(self, message: Outgoing) -> bool:
        """Strike out a message that the broker has; return False if it is not in flight (any more)."""
        if self._in_flight.pop(message.place, None) is None:
            return False
        if not message.retained:
            self._unretained -= 1
        return True

    def start_over(self) -> None:
        """Forget what was in flight; the tree and all that is not confirmed wait again, in their order."""
        unsent = (*self._waiting.values(), *self._in_flight.values(), *self._tree.values())
        current = {
            message.place: message
            for message in unsent
            if not message.retained or self._tree[message.topic].place == message.place
        }
        self._in_flight.clear()
        self._waiting = dict(sorted(current.items()))
