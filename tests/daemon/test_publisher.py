import logging

import pytest

from bridge.bus.memory import MemoryBroker, MemoryBus
from bridge.contracts.author import Author
from bridge.contracts.envelopes import EventEnvelope, PositionIndicatorsEnvelope, TableEnvelope
from bridge.daemon.publisher import TablePublisher
from bridge.domain.events import BridgeStopped, CardUnread
from bridge.domain.identity import DeviceId, RoundNumber, Sequence, Timestamp
from bridge.table.view import view
from tests.bus.silent_bus import SilentBus
from tests.demo.moments import StoppedClock
from tests.table.tables import Play


def said() -> tuple[TablePublisher, SilentBus]:
    bus = SilentBus()
    publisher = TablePublisher(Play().state.setup.table, bus=bus, author=Author("bj-1-daemon", StoppedClock()))
    return publisher, bus


def test_T49_the_lamps_of_a_position_are_published_when_they_change_and_only_then() -> None:
    publisher, bus = said()
    play = Play()
    publisher.publish_table(view(play.state), Sequence(1))
    lamps = [one for one in bus.published if isinstance(one, PositionIndicatorsEnvelope)]
    assert [one.position for one in lamps] == [1, 2, 3, 5]

    bus.published.clear()
    publisher.publish_table(view(play.lit(2).state), Sequence(2))
    publisher.publish_table(view(play.state), Sequence(2))
    kinds = [type(one) for one in bus.published]
    assert kinds == [TableEnvelope, PositionIndicatorsEnvelope, TableEnvelope]


async def test_what_cannot_be_said_is_logged_and_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    clock = StoppedClock()
    bus = MemoryBus(MemoryBroker(), client_id="d", subscriptions=(), will=None, birth=None, clock=clock)
    publisher = TablePublisher(Play().state.setup.table, bus=bus, author=Author("bj-1-daemon", clock))
    at, number = Timestamp(0), RoundNumber(1)
    too_long = CardUnread(at=at, device=DeviceId("reader"), raw="x" * 100_000)
    with caplog.at_level(logging.ERROR):
        publisher.publish(EventEnvelope, round_number=number, sequence=Sequence(1), event=too_long)
    assert "a EventEnvelope of table bj-1 cannot be published" in caplog.text

    publisher.publish(EventEnvelope, round_number=number, sequence=Sequence(2), event=BridgeStopped(at=at))
    assert bus.counters.published == 1
