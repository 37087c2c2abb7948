"""One coin acceptor on a ccTalk line: what to ask it next, and what its answers mean.

An acceptor is in service once it has said what it is, takes the coins of its profile and no others, and its
events have been read. It is locked first and asked afterwards, so that no coin is taken before somebody has
ordered that coins be taken. Its one output is the master inhibit: active is locked.

A coin is told once, with the event that credits it. An acceptor that has restarted comes back with its own
settings, so everything is asked and set again.
"""

from collections.abc import Iterator
from enum import Enum, auto
from typing import assert_never

from bridge.wire.cctalk_credits import CREDIT_LENGTH, CreditCounter, Event, News, read_credit
from bridge.wire.cctalk_frames import Check, Header
from bridge.wire.cctalk_requests import CctalkRequest
from bridge.wire.cctalk_text import coins_of, fault_name, header_name
from bridge.wire.errors import LineSetupError
from bridge.wire.messages import (
    EVIDENCE_MAX,
    CoinAccepted,
    CoinNotAccepted,
    FaultCause,
    FrameFault,
    ReportLost,
    SetOutput,
    UnitAnswering,
    UnitRefused,
    UnitSilent,
    UnitStarted,
    WireMessage,
)
from bridge.wire.outputs import OutputBank
from bridge.wire.polled_units import Urgency, Want
from bridge.wire.polling import Answered, Unanswered
from bridge.wire.silence import no_answer, out_of_reach
from bridge.wire.spec import Unit
from bridge.wire.unit_service import AskedInVain, Out, UnitService

LOCK = 1
"""The output that is the master inhibit."""
COINS_MAX = 16
COIN_ID_LENGTH = 6
_CATEGORY = "coin acceptor"
_INHIBITED = b"\x00"
_ACCEPTING = b"\x01"


class Question(Enum):
    """What an acceptor is asked; the contact questions in their order."""

    CATEGORY = auto()
    FOUND_INHIBIT = auto()
    LOCK_FIRST = auto()
    COIN_ID = auto()
    SET_INHIBITS = auto()
    INHIBITS = auto()
    CREDIT = auto()
    WRITE_LOCK = auto()
    READ_LOCK = auto()


_REPLY_LENGTHS = {
    Question.CATEGORY: None,
    Question.FOUND_INHIBIT: 1,
    Question.COIN_ID: COIN_ID_LENGTH,
    Question.INHIBITS: 2,
    Question.CREDIT: CREDIT_LENGTH,
    Question.READ_LOCK: 1,
}
"""How many bytes of data the reply has, which is all that tells replies apart; none for what is set."""


class CoinAcceptor:
    """The state of one acceptor, as its answers tell it."""

    def __init__(self, unit: Unit) -> None:
        spec, parameters = unit.spec, unit.spec.parameters
        self.address = unit.address
        self._name = f"unit {unit.address} ({spec.profile})"
        mask = int(parameters["coins_taken"]).to_bytes(2, "little")
        self._coins = sorted(coins_of(mask))
        if not self._coins or self._coins[-1] > spec.inputs or spec.inputs > COINS_MAX:
            raise LineSetupError(
                f"profile {spec.profile}: coins_taken must name coins that are inputs; inputs are 1 to {COINS_MAX}"
            )
        if spec.outputs != LOCK:
            raise LineSetupError(f"profile {spec.profile}: an acceptor has one output, its master inhibit")
        self._mask = mask
        self._coin_id = str(parameters["coin_id"])
        self._check = Check(str(parameters["check"]))
        self._echo = parameters["echo"] is True
        self._poll_us = int(parameters["poll_period_ms"]) * 1000
        self._read_back_us = int(parameters["read_back_ms"]) * 1000
        retries = int(parameters["retries"])
        self._outputs = OutputBank(unit.address, LOCK, retries)
        self._outputs.order(SetOutput(address=unit.address, channel=LOCK, active=True))
        self.service = UnitService(retries=retries, silent_us=int(parameters["silent_poll_ms"]) * 1000)
        self._in_vain: AskedInVain[int | None] = AskedInVain(1, CREDIT_LENGTH)
        self._credits = CreditCounter()
        self._steps: list[tuple[Question, int]] = []
        self._asked = Question.CATEGORY
        self._found_accepting = False
        self._poll_at_us = 0
        self._read_back_at_us = 0
        self._begin()

    def order(self, order: SetOutput) -> None:
        """Take an order; raise ``OrderError`` for an output other than the master inhibit."""
        self._outputs.order(order)

    def wants(self) -> Iterator[Want[Question]]:
        """Say what the acceptor is to be asked next."""
        if self._steps:
            question, _ = self._steps[0]
            at_us = 0 if self.service.in_service else self.service.contact_us
            yield Want(urgency=Urgency.ROUND, at_us=at_us, question=question)
            return
        if self._outputs.write_due:
            yield Want(urgency=Urgency.WRITE, at_us=0, question=Question.WRITE_LOCK)
        elif self._outputs.read_due:
            yield Want(urgency=Urgency.VERIFY, at_us=0, question=Question.READ_LOCK)
        else:
            yield Want(urgency=Urgency.ROUND, at_us=self._read_back_at_us, question=Question.READ_LOCK)
        yield Want(urgency=Urgency.ROUND, at_us=self._poll_at_us, question=Question.CREDIT)

    def ask(self, want: Want[Question], now_us: int) -> CctalkRequest:
        """Return the request for what is wanted, or one of another kind if that one was not answered last time."""
        length = _REPLY_LENGTHS.get(want.question, 0)
        other = self._in_vain.instead_of(length)
        if other == length:
            return self._request(want.question, now_us)
        return self._request(Question.READ_LOCK if other == 1 else Question.CREDIT, now_us)

    def answered(self, answer: Answered[CctalkRequest], now_us: int) -> tuple[WireMessage, ...]:
        """Take the answer to a request; return what is new."""
        self._in_vain.clear()
        packet, noise = answer.request.read(answer.raw)
        messages: tuple[WireMessage, ...] = ()
        if noise:
            reason = f"{self._name}: bytes between what was sent and its answer"
            messages = (
                FrameFault(address=self.address, cause=FaultCause.JUNK, reason=reason, raw=noise[:EVIDENCE_MAX]),
            )
        if packet.header != Header.REPLY:
            said = "is busy" if packet.header == Header.BUSY else "refuses"
            return messages + self._refused(f"{self._name} {said}", answer, now_us)
        self.service.answered()
        if self._steps and self._asked is self._steps[0][0]:
            return messages + self._step_answered(packet.data, now_us)
        self.service.ask_at_once()
        if self.service.in_service and self._asked is Question.READ_LOCK:
            messages += self._outputs.read_back(frozenset() if _accepts(packet.data) else frozenset({LOCK}))
        elif self.service.in_service and self._asked is Question.CREDIT:
            messages += self._news(self._credits.take(read_credit(packet.data)))
        return messages

    def unanswered(self, outcome: Unanswered[CctalkRequest], now_us: int) -> tuple[WireMessage, ...]:
        """Take that a request got no answer, or none that can be understood."""
        self._in_vain.add(outcome.request.reply_length)
        messages: tuple[WireMessage, ...] = self.service.news_of(outcome.fault(self.address))
        messages += self._unverified()
        return messages + self._failed(no_answer(self.address, self._name, outcome.cause), now_us)

    def line_lost(self) -> tuple[UnitSilent, ...]:
        """Go out of service with the line. The counter stays known: coins taken meanwhile are told afterwards."""
        self._begin()
        self._in_vain.clear()
        return self.service.lose_line(out_of_reach(self.address, self._name))

    def _request(self, question: Question, now_us: int) -> CctalkRequest:
        self._asked = question
        match question:
            case Question.CATEGORY:
                return self._asking(Header.EQUIPMENT_CATEGORY, question)
            case Question.FOUND_INHIBIT:
                return self._asking(Header.MASTER_INHIBIT, question)
            case Question.READ_LOCK:
                self._read_back_at_us = now_us + self._read_back_us
                return self._asking(Header.MASTER_INHIBIT, question)
            case Question.LOCK_FIRST:
                return self._asking(Header.SET_MASTER_INHIBIT, question, _INHIBITED)
            case Question.WRITE_LOCK:
                locked = LOCK in self._outputs.take_write()
                return self._asking(Header.SET_MASTER_INHIBIT, question, _INHIBITED if locked else _ACCEPTING)
            case Question.COIN_ID:
                return self._asking(Header.COIN_ID, question, bytes((self._steps[0][1],)))
            case Question.SET_INHIBITS:
                return self._asking(Header.SET_INHIBITS, question, self._mask)
            case Question.INHIBITS:
                return self._asking(Header.INHIBITS, question)
            case Question.CREDIT:
                self._poll_at_us = now_us + self._poll_us
                return self._asking(Header.BUFFERED_CREDIT, question)
            case _:
                assert_never(question)

    def _asking(self, header: Header, question: Question, asked: bytes = b"") -> CctalkRequest:
        return CctalkRequest(
            address=self.address,
            header=header,
            asked=asked,
            reply_length=_REPLY_LENGTHS.get(question, 0),
            check=self._check,
            echo=self._echo,
        )

    def _begin(self) -> None:
        """Ask and set everything from the beginning: the acceptor may have lost its settings."""
        self._steps = [
            (Question.CATEGORY, 0),
            (Question.FOUND_INHIBIT, 0),
            (Question.LOCK_FIRST, 0),
            *((Question.COIN_ID, coin) for coin in self._coins if self._coin_id),
            (Question.SET_INHIBITS, 0),
            (Question.INHIBITS, 0),
            (Question.CREDIT, 0),
        ]
        self._outputs.forget()

    def _step_answered(self, data: bytes, now_us: int) -> tuple[WireMessage, ...]:
        question, coin = self._steps[0]
        wrong = ""
        match question:
            case Question.CATEGORY if data.decode("latin-1").lower() != _CATEGORY:
                wrong = f"says that it is a {data.decode('latin-1')!r}, and no coin acceptor: check the address"
            case Question.FOUND_INHIBIT:
                self._found_accepting = _accepts(data)
            case Question.COIN_ID if not data.startswith(self._coin_id.encode("ascii", "replace")):
                wrong = f"takes {data.decode('latin-1')!r} as its coin {coin}, and coin_id says {self._coin_id!r}"
            case Question.INHIBITS if sorted(coins_of(data)) != self._coins:
                wrong = f"would accept the coins {sorted(coins_of(data))}, and was told to accept {self._coins}"
            case _:
                pass
        if wrong:
            return self._out_of_service(UnitRefused(address=self.address, reason=f"{self._name} {wrong}"), now_us)
        self.service.ask_at_once()
        del self._steps[0]
        return () if self._steps else self._contact(data)

    def _contact(self, credit: bytes) -> tuple[WireMessage, ...]:
        """Go into service with the last step of the contact; carry out what is ordered."""
        messages: tuple[WireMessage, ...] = ()
        if not self.service.in_service:
            self.service.enter()
            messages = (UnitAnswering(address=self.address, active_inputs=frozenset(), shows_levels=False),)
        self._outputs.restore()
        reading = read_credit(credit)
        if not self._credits.begun and reading.counter and self._found_accepting:
            reason = (
                f"{self._name} was found accepting coins, with {reading.counter} events counted: coins may have "
                "been taken that nobody was told of"
            )
            messages += (ReportLost(address=self.address, reason=reason),)
        return messages + self._news(self._credits.take(reading))

    def _news(self, news: News) -> tuple[WireMessage, ...]:
        messages: tuple[WireMessage, ...] = ()
        if news.restarted:
            messages += (UnitStarted(address=self.address),)
        if news.lost:
            reason = (
                f"{self._name} has counted {news.lost} events more than it keeps: count its coins by hand; poll "
                "it more often"
            )
            messages += (ReportLost(address=self.address, reason=reason),)
        if news.restarted or news.lost:
            self._begin()
        return messages + tuple(self._event(event) for event in news.events)

    def _event(self, event: Event) -> WireMessage:
        coin, detail = event
        if coin:
            return CoinAccepted(address=self.address, coin=coin, sorter_path=detail)
        return CoinNotAccepted(address=self.address, code=detail, reason=fault_name(detail))

    def _refused(self, said: str, answer: Answered[CctalkRequest], now_us: int) -> tuple[WireMessage, ...]:
        reason = f"{said}, asked {header_name(answer.request.header)}"
        raw = answer.raw[:EVIDENCE_MAX]
        fault = FrameFault(address=self.address, cause=FaultCause.UNKNOWN, reason=reason, raw=raw)
        messages: tuple[WireMessage, ...] = self.service.news_of(fault)
        messages += self._unverified()
        if not self._steps and self._asked is not Question.CREDIT:
            return messages  # the lock: it is written again, and has failed if that does not help
        if answer.request.header is Header.SET_MASTER_INHIBIT:
            reason += ": an acceptor without master inhibit cannot be locked out"
        return messages + self._failed(UnitRefused(address=self.address, reason=reason), now_us)

    def _unverified(self) -> tuple[WireMessage, ...]:
        reading = not self._steps and self._asked is Question.READ_LOCK
        return self._outputs.unreadable() if reading else ()

    def _failed(self, out: Out, now_us: int) -> tuple[WireMessage, ...]:
        return self._out_of_service(out, now_us) if self.service.failed() else ()

    def _out_of_service(self, out: Out, now_us: int) -> tuple[WireMessage, ...]:
        self._begin()
        return self.service.leave(out, now_us)


def _accepts(master_inhibit: bytes) -> bool:
    return master_inhibit[0] & 1 == 1
