"""One of everything that travels, filled in as a table would fill it."""

from bridge.clock import SystemClock
from bridge.contracts.author import Author
from bridge.contracts.envelopes import (
    Envelope,
    EventEnvelope,
    HealthEnvelope,
    IndicatorCommandEnvelope,
    RoundEnvelope,
    SettlementEnvelope,
)
from bridge.contracts.examples import (
    AT,
    AWARD,
    LAMP,
    METER,
    OVERRIDE,
    READER,
    READING,
    ROUND,
    SETTLEMENT,
    TABLE,
    VIEW,
    examples,
)
from bridge.domain.cards import Card
from bridge.domain.events import CardDrawn
from bridge.domain.identity import RoundNumber, Sequence, Timestamp
from bridge.domain.indicators import LampState

__all__ = ["AT", "AWARD", "METER", "OVERRIDE", "READING", "ROUND", "SETTLEMENT", "TABLE", "VIEW"]

FOR_EVER = Timestamp(4_000_000_000_000_000)
AUTHOR = Author("daemon-bj-1", SystemClock())


def health(*, online: bool, detail: str = "") -> HealthEnvelope:
    return AUTHOR.stamp(HealthEnvelope, table=TABLE, service="daemon", online=online, detail=detail)


def lamp_command(valid_until: Timestamp = FOR_EVER) -> IndicatorCommandEnvelope:
    return AUTHOR.stamp(
        IndicatorCommandEnvelope,
        table=TABLE,
        round_number=RoundNumber(17),
        indicator=LAMP,
        state=LampState.ON,
        valid_until=valid_until,
    )


def event(sequence: int) -> EventEnvelope:
    return AUTHOR.stamp(
        EventEnvelope,
        table=TABLE,
        round_number=RoundNumber(17),
        sequence=Sequence(sequence),
        event=CardDrawn(at=AT, device=READER, card=Card.parse("Kh")),
    )


def round_after(sequence: int) -> RoundEnvelope:
    return AUTHOR.stamp(RoundEnvelope, table=TABLE, sequence=Sequence(sequence), round=ROUND)


def settlement(sequence: int) -> SettlementEnvelope:
    return AUTHOR.stamp(
        SettlementEnvelope,
        table=TABLE,
        sequence=Sequence(sequence),
        settlement=SETTLEMENT,
        awards=(AWARD,),
        complete=False,
    )


ENVELOPES: tuple[Envelope, ...] = examples(AUTHOR, FOR_EVER)
