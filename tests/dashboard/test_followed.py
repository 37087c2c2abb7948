import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from bridge.bus.memory import MemoryBroker, MemoryBus
from bridge.clock import SystemClock
from bridge.config import load_table
from bridge.contracts.author import Author
from bridge.contracts.codec import encode
from bridge.contracts.envelopes import Envelope, HealthEnvelope, MeterEnvelope, TableEnvelope
from bridge.contracts.topics import topic_of
from bridge.dashboard.followed import DAEMON, RULES_WORKER, SILENT_US, FollowedTable, Unavailable, watching_bus
from bridge.dashboard.since import Since
from bridge.domain.identity import Sequence
from bridge.known_table import subscriptions
from bridge.table.view import view
from tests.brokers import publish_raw, running_embedded
from tests.bus.bus_tests import receiving
from tests.dashboard.clocks import SteppedClock
from tests.demo.moments import Moment, two_crown_treasures
from tests.processes.table import DEMONSTRATION, scenario


class Follow:
    """A followed table, and the voices of its daemon and its rules worker."""

    def __init__(self) -> None:
        self.clock = SteppedClock()
        self.clock.go_on(1)  # what it says is of another epoch than a moment that was folded
        self.config = load_table(DEMONSTRATION)
        self.broker = MemoryBroker()
        self.bus = MemoryBus(
            self.broker,
            client_id="dashboard",
            subscriptions=subscriptions(self.config.setup.table),
            will=None,
            birth=None,
            clock=self.clock,
        )
        self.table = FollowedTable(self.config, self.bus, self.clock)
        self._author = Author("voice", self.clock)

    def say(self, envelope: type[Envelope], *, retained: bool = False, **content: object) -> None:
        self.table.hear(self._author.stamp(envelope, **content), retained=retained)

    def say_state(self, *, retained: bool = False) -> None:
        now = view(Moment(scenario("lost")[0]).play.state)
        self.say(TableEnvelope, retained=retained, table=self.table.id, sequence=Sequence(1), view=now)

    def say_health(self, service: str, *, online: bool, retained: bool = False) -> None:
        self.say(HealthEnvelope, retained=retained, table=self.table.id, service=service, online=online, detail="")


@asynccontextmanager
async def following() -> AsyncIterator[Follow]:
    follow = Follow()
    async with follow.bus, follow.table.following():
        yield follow


async def test_a_table_that_speaks_is_available() -> None:
    async with following() as follow:
        follow.say_health("daemon", online=True)
        assert follow.table.unavailable() is Unavailable.NOTHING_SAID

        follow.say_state()

        assert follow.table.unavailable() is None


async def test_T54_what_a_broker_has_kept_is_known_but_nobody_vouches_for_it() -> None:
    async with following() as follow:
        follow.say_health("daemon", online=True, retained=True)
        follow.say_state(retained=True)

        assert follow.table.known.view is not None
        assert follow.table.unavailable() is Unavailable.DAEMON_SILENT


async def test_T54_a_table_that_has_missed_two_reminders_is_not_available_until_it_speaks_again() -> None:
    async with following() as follow:
        follow.say_state()
        follow.clock.now_us += SILENT_US
        assert follow.table.unavailable() is None

        follow.clock.now_us += 1
        assert follow.table.unavailable() is Unavailable.DAEMON_SILENT

        follow.say_state()
        assert follow.table.unavailable() is None


async def test_a_daemon_whose_will_was_published_is_gone_at_once() -> None:
    async with following() as follow:
        follow.say_state()

        follow.say_health("daemon", online=False)

        assert follow.table.unavailable() is Unavailable.DAEMON_GONE


async def test_whoever_hears_everything_hears_what_came_before_too() -> None:
    async with following() as follow:
        heard: list[Envelope] = []
        follow.say_state()
        with follow.table.hearing(heard.append):
            follow.say_health("daemon", online=True)
            newest = heard[-1]
            follow.table.hear(newest, retained=True)
            follow.say_state()
        follow.say_state()

    assert [type(one) for one in heard] == [HealthEnvelope, HealthEnvelope, TableEnvelope]


async def test_after_a_lost_connection_everybody_has_to_be_heard_anew() -> None:
    async with following() as follow:
        follow.say_state()
        told: list[Unavailable | None] = []
        with follow.table.listening(lambda: told.append(follow.table.unavailable())):
            follow.table.lose()

        assert told == [Unavailable.DAEMON_SILENT]


async def test_without_a_broker_nothing_is_available() -> None:
    follow = Follow()
    follow.say_state()

    assert follow.table.unavailable() is Unavailable.NO_BROKER
    assert follow.table.unanswered() is Unavailable.NO_BROKER


async def test_a_meter_is_shown_while_the_rules_worker_vouches_for_it() -> None:
    moment = await two_crown_treasures()
    (reading,) = moment.meters.values()
    async with following() as follow:
        follow.say(MeterEnvelope, retained=True, reading=reading)
        follow.say_health("rules-worker", online=True)
        assert follow.table.meter_unavailable(reading.progressive) is Unavailable.METER_SILENT

        follow.say(MeterEnvelope, reading=reading)
        assert follow.table.meter_unavailable(reading.progressive) is None

        follow.say_health("rules-worker", online=False)
        assert follow.table.meter_unavailable(reading.progressive) is Unavailable.WORKER_GONE
        assert follow.table.unanswered() is Unavailable.WORKER_GONE


async def test_the_time_since_a_process_is_gone_begins_when_that_was_heard() -> None:
    async with following() as follow:
        follow.say_state()
        assert follow.table.absent_since(DAEMON) is None
        follow.say_health("daemon", online=False)
        gone = Since(follow.table.now())
        follow.clock.go_on(10)
        follow.say_health("daemon", online=False)

        assert follow.table.absent_since(DAEMON) == gone


async def test_a_process_that_was_gone_before_anybody_listened_is_so_at_least_since_then() -> None:
    async with following() as follow:
        follow.say_health("rules-worker", online=False, retained=True)

        assert follow.table.absent_since(RULES_WORKER) == Since(follow.table.now(), at_least=True)


async def test_T54_a_process_that_falls_silent_is_so_since_it_was_heard_last() -> None:
    async with following() as follow:
        follow.say_state()
        heard = Since(follow.table.now())
        follow.clock.go_on(40)

        assert follow.table.absent_since(DAEMON) == heard


async def test_a_broker_that_is_lost_is_so_since_then() -> None:
    async with following() as follow:
        async with told(follow.table):
            pass  # it is connected
        follow.say_state()
        follow.clock.go_on(40)
        lost = Since(follow.table.now())
        async with told(follow.table):
            follow.broker.disconnect("dashboard")
        follow.clock.go_on(5)

        assert follow.table.unavailable() is Unavailable.NO_BROKER
        assert follow.table.absent_since(DAEMON) == lost


@asynccontextmanager
async def told(table: FollowedTable) -> AsyncIterator[None]:
    """Wait until there is news of the table."""
    news = asyncio.Event()
    with table.listening(news.set):
        yield
        await news.wait()


async def test_two_dashboards_of_one_table_put_nobody_out() -> None:
    async with running_embedded() as broker:
        clock, config = SystemClock(), load_table(DEMONSTRATION)
        config = replace(config, broker=replace(config.broker, host=broker.host, port=broker.port))
        first, second = watching_bus(config, clock), watching_bus(config, clock)
        async with first, second:
            await asyncio.gather(first.wait_connected(), second.wait_connected())
            health = Author("voice", clock).stamp(
                HealthEnvelope, table=config.setup.table, service="daemon", online=True, detail=""
            )
            await publish_raw(broker, topic_of(health), encode(health))
            for bus in (first, second):
                async with receiving(bus) as deliveries:
                    assert (await anext(deliveries)).envelope == health
            assert first.counters.connections_lost == second.counters.connections_lost == 0
