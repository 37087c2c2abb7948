"""What the codec of a line makes of a capture, without a port and in no time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bridge.transports.capture_file import Event
from bridge.transports.errors import PermanentTransportError, TransientTransportError
from bridge.transports.playback import Playback
from bridge.wire.codec import Codec
from bridge.wire.messages import WireMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """A message, and the event of the capture after which the codec gave it."""

    event: Event
    message: WireMessage


def decoded(playback: Playback, first: Event, codec: Codec) -> Iterator[Decoded]:
    """Play a capture to its end; yield what the codec says, in order.

    ``first`` is the event that messages go with which the codec gives before anything arrived.
    """
    now_us = 0
    is_open = False

    def told(messages: Sequence[WireMessage]) -> Iterator[Decoded]:
        return (Decoded(event=playback.last or first, message=message) for message in messages)

    while True:
        try:
            if not is_open:
                playback.open(now_us)
                is_open = True
            codec_writes = codec.data_to_send(now_us)
            if codec_writes:
                playback.heard(codec_writes, now_us)
            data = playback.take(now_us)
        except PermanentTransportError:
            return
        except TransientTransportError:
            if not playback.gone:
                # The capture ends, of which the devices knew nothing. Half a frame is told of all the same.
                yield from told(codec.wake(codec.next_wakeup() or now_us))
                return
            if is_open:
                yield from told(codec.line_lost())
            is_open = False
            now_us = max(now_us, playback.next_due_us() or now_us)
            continue
        if data:
            yield from told(codec.receive_data(data, now_us))
        yield from told(codec.wake(now_us))
        if not data:
            due = (codec.next_wakeup(), playback.next_due_us())
            now_us = max(now_us, min((due_us for due_us in due if due_us is not None), default=now_us))
