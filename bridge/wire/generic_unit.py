"""A device on a generic line: what to ask it next, and what its answers and events mean.

The device is *in service* once it has said who it is, as its profile states it, and what its inputs show.
"""

from bridge.domain.cards import Card, CardTextError
from bridge.wire.errors import LineSetupError, UnknownMessageError
from bridge.wire.generic_events import EventLog, Hearing
from bridge.wire.generic_frames import (
    NUMBERS,
    Line,
    Mark,
    Verb,
    decode_channels,
    decode_state,
    encode_channels,
    encode_line,
)
from bridge.wire.messages import (
    EVIDENCE_MAX,
    CardNotRead,
    CardRead,
    FaultCause,
    FrameFault,
    InputChanged,
    ReportLost,
    UnitAnswering,
    UnitSilent,
    WireMessage,
)
from bridge.wire.outputs import OutputBank
from bridge.wire.silence import out_of_reach
from bridge.wire.spec import READS_CARDS, Unit
from bridge.wire.unit_service import Out, UnitService

CHANNELS_MAX = 32
"""As many inputs and as many outputs as one line has room for."""


class GenericUnit:
    """The state of the device, as its lines tell it."""

    def __init__(self, unit: Unit) -> None:
        spec, parameters = unit.spec, unit.spec.parameters
        if max(spec.inputs, spec.outputs) > CHANNELS_MAX:
            raise LineSetupError(f"profile {spec.profile}: a line has room for {CHANNELS_MAX} inputs and outputs")
        self.address = unit.address
        self.name = f"device ({spec.profile})"
        self._inputs, self._outputs = spec.inputs, spec.outputs
        self._reads_cards = parameters[READS_CARDS] is True
        self._poll_us = int(parameters["poll_ms"]) * 1000
        retries = int(parameters["retries"])
        self._service = UnitService(retries=retries, silent_us=int(parameters["silent_poll_ms"]) * 1000)
        self.outputs = OutputBank(unit.address, spec.outputs, retries)
        self._events = EventLog()
        self._heard_any = False
        """Whether the device has told an event since its line was opened."""
        self._number = 0
        self._ask_at_us = 0
        self._identified = False
        self._active: frozenset[int] = frozenset()

    @property
    def due_us(self) -> int:
        """From when on the device is to be asked something."""
        if not self._service.in_service:
            return max(self._ask_at_us, self._service.contact_us)
        return 0 if self.outputs.write_due or self.outputs.read_due else self._ask_at_us

    def request(self, now_us: int) -> Line:
        """Return what is to be asked next."""
        self._ask_at_us = now_us + self._poll_us
        self._number = (self._number + 1) % NUMBERS
        if not self._identified:
            return Line(Mark.REQUEST, self._number, Verb.ID)
        if self._service.in_service and self.outputs.write_due:
            shown = encode_channels(self.outputs.take_write(), self._outputs)
            return Line(Mark.REQUEST, self._number, Verb.SET, shown)
        return Line(Mark.REQUEST, self._number, Verb.STATE)

    def answered(self, asked: Verb, answer: Line, now_us: int) -> tuple[WireMessage, ...]:
        """Take the answer to a request; raise ``FrameError`` for one that it must not have."""
        self._service.ask_at_once()
        match asked, answer.verb:
            case (_, Verb.NO):
                raise UnknownMessageError(f"it says {answer.rest!r}", b"")
            case (Verb.ID, Verb.ID):
                self._identify(answer.rest)
                self._ask_at_us = now_us
                return ()
            case (Verb.STATE | Verb.SET, Verb.STATE):
                return self._state(*decode_state(answer.rest, self._inputs, self._outputs))
            case _:
                raise UnknownMessageError(f"it answers {answer.verb}", b"")

    def event(self, event: Line) -> tuple[WireMessage, ...]:
        """Take an event, each once; raise ``FrameError`` for one that the profile's model cannot say."""
        heard = self._events.take(event)
        if heard.hearing is Hearing.REPEATED:
            return ()
        first, self._heard_any = not self._heard_any, True
        messages = self._said_in(event, first=first)
        if heard.hearing is Hearing.NUMBER_AGAIN:
            reason = f"{self.name} gives another event the number of the one before"
            raw = encode_line(event)[:EVIDENCE_MAX]
            fault = FrameFault(address=self.address, cause=FaultCause.UNKNOWN, reason=reason, raw=raw)
            messages = (fault, *messages)
        if heard.missing:
            reason = f"{heard.missing} event(s) before number {event.number:02} did not arrive"
            messages = (ReportLost(address=self.address, reason=reason), *messages)
        return messages

    def failed(self, fault: FrameFault, out: Out, now_us: int) -> tuple[WireMessage, ...]:
        """Take that a request got no answer that can be used; after some the device is out of service."""
        messages: list[WireMessage] = [*self._service.news_of(fault)]
        if self._service.in_service:
            messages += self.outputs.unreadable()
        self._ask_at_us = now_us
        if self._service.failed():
            self._forget()
            messages += self._service.leave(out, now_us)
        return tuple(messages)

    def line_lost(self) -> tuple[UnitSilent, ...]:
        """Go out of service with the line. The last event stays known, so that lost ones are missed."""
        self._forget()
        self._heard_any = False
        self._ask_at_us = 0
        return self._service.lose_line(out_of_reach(self.address, self.name))

    def _identify(self, identity: str) -> None:
        if identity.split(" ")[:2] != [str(self._inputs), str(self._outputs)]:
            raise UnknownMessageError(
                f"it is {identity!r}, and its profile states {self._inputs} inputs and {self._outputs} outputs; "
                "correct the profile",
                b"",
            )
        self._identified = True

    def _state(self, inputs: frozenset[int], outputs: frozenset[int]) -> tuple[WireMessage, ...]:
        self._service.answered()
        if self._service.in_service:
            return (*self._inputs_are(inputs), *self.outputs.read_back(outputs))
        self._service.enter()
        self._active = inputs
        self.outputs.restore()
        return (UnitAnswering(address=self.address, active_inputs=inputs),)

    def _said_in(self, event: Line, *, first: bool) -> tuple[WireMessage, ...]:
        match event.verb:
            case Verb.IN:
                inputs = decode_channels(event.rest, self._inputs)
                is_known = self._service.in_service  # or else what they show is asked for before it is
                return self._inputs_are(inputs) if is_known else ()
            case Verb.START:
                return self._started(first=first)
            case _ if not self._reads_cards:
                raise UnknownMessageError(f"{event.verb}, and its profile states that it reads no cards", b"")
            case Verb.CARD:
                try:
                    return (CardRead(address=self.address, card=Card.parse(event.rest)),)
                except CardTextError:
                    return (CardNotRead(address=self.address, raw=event.rest),)
            case _:
                return (CardNotRead(address=self.address, raw=event.rest),)

    def _started(self, *, first: bool) -> tuple[WireMessage, ...]:
        """Take that the device has come up: its outputs are off, and what its inputs show is not known.

        As the first event on an open line it tells of a start before it was asked who it is, which is no news.
        """
        if first and self._service.in_service:
            self.outputs.restore()
            return ()
        self._forget()
        self._ask_at_us = 0
        if not self._service.in_service:
            self._service.ask_at_once()
            return ()
        reason = f"{self.name} has started anew; its outputs were off meanwhile"
        return self._service.lose_line(UnitSilent(address=self.address, reason=reason))

    def _inputs_are(self, inputs: frozenset[int]) -> tuple[WireMessage, ...]:
        changed, self._active = sorted(inputs ^ self._active), inputs
        return tuple(
            InputChanged(address=self.address, channel=channel, active=channel in inputs) for channel in changed
        )

    def _forget(self) -> None:
        """Ask who the device is from the beginning."""
        self._identified = False
        self.outputs.forget()
