import logging

import pytest

from bridge.bus.admission import RefusalCause
from bridge.bus.mailbox import Arrival, Limits, Mailbox
from bridge.bus.outbox import Outgoing
from bridge.clock import SystemClock
from bridge.contracts.codec import encode
from bridge.contracts.topics import topic_of
from tests.bus.bus_tests import EVERYTHING, HEALTH, receiving
from tests.contracts.samples import event, health


class _Link:
    def __init__(self) -> None:
        self.sent: list[Outgoing] = []

    def send(self, message: Outgoing) -> None:
        self.sent.append(message)


class _SteppedClock(SystemClock):
    now_us = 0

    def monotonic_us(self) -> int:
        return self.now_us


@pytest.fixture(name="clock")
def _clock() -> _SteppedClock:
    return _SteppedClock()


def _mailbox(clock: SystemClock, *subscriptions: str, limits: Limits | None = None) -> Mailbox:
    return Mailbox(
        limits or Limits(),
        subscriptions=subscriptions,
        will=health(online=False),
        birth=health(online=True),
        clock=clock,
    )


async def test_a_message_is_on_the_link_before_publish_returns(clock: SystemClock) -> None:
    mailbox, link = _mailbox(clock), _Link()
    mailbox.linked(link)
    mailbox.publish(event(1))
    assert [message.topic for message in link.sent] == [topic_of(health(online=True)), topic_of(event(1))]


async def test_T54_what_is_retained_is_said_again_by_whoever_is_connected_and_stays(clock: SystemClock) -> None:
    mailbox, link = _mailbox(clock), _Link()
    mailbox.remind()
    mailbox.linked(link)
    mailbox.publish(event(1))
    mailbox.remind()
    own = topic_of(health(online=True))
    assert [message.topic for message in link.sent] == [own, topic_of(event(1)), own]
    mailbox.leave()
    mailbox.remind()
    assert len(link.sent) == 4, "the last word, and no reminder after it"


async def test_a_bus_that_retains_nothing_has_nothing_to_say_again(clock: SystemClock) -> None:
    mailbox, link = Mailbox(Limits(), subscriptions=(), will=None, birth=None, clock=clock), _Link()
    mailbox.linked(link)
    mailbox.remind()
    await mailbox.wait_settled()
    assert not link.sent


async def test_no_more_than_the_window_is_in_flight(clock: SystemClock) -> None:
    mailbox, link = _mailbox(clock, limits=Limits(in_flight_max=2)), _Link()
    mailbox.linked(link)
    for number in (1, 2, 3):
        mailbox.publish(event(number))
    assert len(link.sent) == 2
    mailbox.confirmed(link.sent[0])
    assert len(link.sent) == 3
    while not mailbox._outbox.empty:
        for message in tuple(link.sent):
            mailbox.confirmed(message)
    await mailbox.wait_settled()
    assert mailbox.counters.confirmed == mailbox.counters.published == 4


async def test_one_s_own_health_is_subscribed_to_and_delivered_only_on_request(clock: SystemClock) -> None:
    own = topic_of(health(online=True))
    acknowledged: list[str] = []
    arrival = Arrival(
        topic=own,
        payload=encode(health(online=True)),
        retained=False,
        acknowledge=lambda: acknowledged.append(own),
    )
    alone, watching = _mailbox(clock), _mailbox(clock, *HEALTH)
    assert alone.filters == (own,)
    assert watching.filters == HEALTH
    assert alone.arrived(arrival)
    assert acknowledged == [own]
    assert watching.arrived(arrival)
    assert acknowledged == [own]
    async with receiving(watching) as deliveries:
        assert (await anext(deliveries)).topic == own
    assert alone.counters.reasserted == 0


async def test_leaving_is_not_taken_back(clock: SystemClock) -> None:
    mailbox, link = _mailbox(clock), _Link()
    mailbox.linked(link)
    mailbox.leave()
    last = link.sent[-1]
    mailbox.arrived(Arrival(topic=last.topic, payload=last.payload, retained=False, acknowledge=lambda: None))
    assert link.sent[-1] is last
    assert mailbox.counters.reasserted == 0


async def test_the_same_trouble_is_told_every_ten_seconds_and_counted_always(
    clock: _SteppedClock, caplog: pytest.LogCaptureFixture
) -> None:
    mailbox = _mailbox(clock, *EVERYTHING)
    good = event(1)
    for now_us in (0, 1, 9_999_999, 10_000_000):
        clock.now_us = now_us
        for payload in (b"junk", encode(good)):
            mailbox.arrived(
                Arrival(topic=topic_of(good), payload=payload, retained=False, acknowledge=lambda: None)
            )
        async with receiving(mailbox) as deliveries:
            await anext(deliveries)
        mailbox._inbox.clear()
    assert mailbox.counters.refused == {RefusalCause.MALFORMED: 4}
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * 2


async def test_a_lost_connection_is_counted_and_a_closed_one_is_not(clock: SystemClock) -> None:
    mailbox = _mailbox(clock)
    assert mailbox.trouble == "not connected yet"
    mailbox.linked(_Link())
    assert mailbox.connected
    assert not mailbox.trouble
    mailbox.unlinked("the broker went away")
    assert not mailbox.connected
    assert mailbox.trouble == "the broker went away"
    mailbox.unlinked("no broker")
    assert mailbox.counters.connections_lost == 1
    mailbox.linked(_Link())
    mailbox.unlinked("")
    assert mailbox.counters.connections_lost == 1
