"""One reader of chips on a line: what to ask it next, and what its answers mean.

A reader is *in service* once it has answered and told what lies on its antenna. An inventory of many chips takes
several answers; it counts when it is complete, or not at all.
"""

from collections.abc import Callable, Iterator
from typing import assert_never

from bridge.wire.chip_presence import ChipPresence
from bridge.wire.chip_requests import Asking, ChipAnswer, ChipRequest, Done, Page, Refused
from bridge.wire.messages import (
    ChipsRead,
    FaultCause,
    FrameFault,
    SetOutput,
    UnitAnswering,
    UnitRefused,
    UnitSilent,
    WireMessage,
)
from bridge.wire.orders import refusal
from bridge.wire.polled_units import Urgency, Want
from bridge.wire.polling import Answered, Unanswered
from bridge.wire.silence import no_answer, out_of_reach
from bridge.wire.spec import Unit
from bridge.wire.unit_service import Out, UnitService

ANTENNA = 1
"""Readers of these models have one antenna."""
PAGES_MAX = 64
"""Answers that one inventory may take: more chips than any antenna has room for."""


class ChipReader:
    """The state of one reader, as its answers tell it."""

    def __init__(self, unit: Unit, request: Callable[[Asking], ChipRequest]) -> None:
        parameters = unit.spec.parameters
        self.address = unit.address
        self._name = f"reader {unit.address} ({unit.spec.profile})"
        self._request = request
        self._begin = Asking.RESET if parameters["rf_reset"] is True else Asking.INVENTORY
        self._poll_us = int(parameters["poll_ms"]) * 1000
        self.service = UnitService(
            retries=int(parameters["retries"]), silent_us=int(parameters["silent_poll_ms"]) * 1000
        )
        self._presence = ChipPresence(int(parameters["gone_after"]))
        self._collected: set[str] = set()
        self._total = 0
        self._pages = 0
        self._next = Asking.PROBE
        self._at_us = 0
        self._begun_us = 0

    def order(self, order: SetOutput) -> None:
        """Raise ``OrderError``: a reader has no outputs."""
        raise refusal(order, "a chip reader")

    def wants(self) -> Iterator[Want[Asking]]:
        """Say what the reader is to be asked next."""
        at_us = self._at_us if self.service.in_service else max(self._at_us, self.service.contact_us)
        yield Want(urgency=Urgency.ROUND, at_us=at_us, question=self._next)

    def ask(self, want: Want[Asking], now_us: int) -> ChipRequest:
        """Return the request for what is wanted."""
        if want.question is self._begin:
            self._begun_us = now_us
        return self._request(want.question)

    def answered(self, answer: Answered[ChipRequest], now_us: int) -> tuple[WireMessage, ...]:
        """Take the answer to a request; return what is new."""
        self.service.ask_at_once()
        said = answer.request.read(answer.raw)
        if isinstance(said, Page):
            said = self._collect(said)
        return self._heard(answer.request.kind, said, answer.raw, now_us)

    def unanswered(self, outcome: Unanswered[ChipRequest], now_us: int) -> tuple[WireMessage, ...]:
        """Take that a request got no answer, or none that can be understood."""
        check = "speed, parity and wiring, and that no two have one address"
        out = no_answer(self.address, self._name, outcome.cause, check=check)
        messages = self._failed(outcome.cause, outcome.reason, outcome.raw, out, now_us)
        # Not the same again: the late answer to what was asked would be taken for the answer to it.
        self._next = Asking.PROBE
        return messages

    def line_lost(self) -> tuple[UnitSilent, ...]:
        """Go out of service with the line; be asked at once when it is back."""
        self._start_over()
        self._at_us = 0
        return self.service.lose_line(out_of_reach(self.address, self._name))

    def _collect(self, page: Page) -> ChipAnswer:
        """Add a page to the inventory; return it whole when it is complete."""
        self._pages += 1
        self._collected |= page.uids
        self._total = max(self._total, page.total)
        more = page.more and not 0 < self._total <= len(self._collected)
        if more and self._pages < PAGES_MAX:
            return page
        if more:
            return Refused(f"it does not come to the end of its list in {PAGES_MAX} answers")
        if self._total > len(self._collected):
            return Refused(f"it counts {self._total} chips and names {len(self._collected)}")
        return Page(uids=frozenset(self._collected), more=False)

    def _heard(self, kind: Asking, said: ChipAnswer, raw: bytes, now_us: int) -> tuple[WireMessage, ...]:
        match said:
            case Done() if kind is Asking.PROBE:
                self._start_inventory(0)
            case Done():
                self._next = Asking.INVENTORY
            case Page(more=True):
                self._next = Asking.MORE
            case Page(uids=uids):
                self.service.answered()
                self._start_inventory(self._begun_us + self._poll_us)
                return self._complete(uids)
            case Refused(reason=why):
                reason = f"{self._name} refuses its {kind.name.lower()}: {why}"
                out = UnitRefused(address=self.address, reason=f"{reason}; see the reader's manual")
                messages = self._failed(FaultCause.UNKNOWN, reason, raw, out, now_us)
                if not self.service.known_to_be_out:
                    self._start_inventory(now_us + self._poll_us)
                return messages
            case _:
                assert_never(said)
        return ()

    def _complete(self, uids: frozenset[str]) -> tuple[WireMessage, ...]:
        before = self._presence.uids
        if self.service.in_service:
            return (self._chips(before),) if self._presence.take(uids) else ()
        self.service.enter()
        self._presence.restart(uids)
        found = UnitAnswering(address=self.address, active_inputs=frozenset(), shows_levels=False)
        return (found, self._chips(self._presence.uids))

    def _chips(self, before: frozenset[str]) -> ChipsRead:
        now = self._presence.uids
        return ChipsRead(address=self.address, antenna=ANTENNA, uids=now, laid=now - before, lifted=before - now)

    def _start_inventory(self, at_us: int) -> None:
        self._next = self._begin
        self._at_us = at_us
        self._forget_pages()

    def _forget_pages(self) -> None:
        self._collected.clear()
        self._total = 0
        self._pages = 0

    def _failed(
        self, cause: FaultCause, reason: str, raw: bytes, out: Out, now_us: int
    ) -> tuple[WireMessage, ...]:
        fault = FrameFault(address=self.address, cause=cause, reason=reason, raw=raw)
        messages: tuple[WireMessage, ...] = self.service.news_of(fault)
        self._forget_pages()
        self._at_us = now_us
        if not self.service.failed():
            return messages
        self._start_over()
        return messages + self.service.leave(out, now_us)

    def _start_over(self) -> None:
        self._next = Asking.PROBE
        self._forget_pages()
