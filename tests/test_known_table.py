from bridge.clock import SystemClock
from bridge.contracts.author import Author
from bridge.contracts.envelopes import (
    ConfirmationEnvelope,
    Envelope,
    HealthEnvelope,
    IndicatorCommandEnvelope,
    MeterEnvelope,
    RoundEnvelope,
)
from bridge.contracts.topics import topic_filter
from bridge.domain.identity import TableId
from bridge.known_table import KnownTable, subscriptions

TABLE = TableId("bj-demo")


def health(author: Author, *, online: bool) -> Envelope:
    return author.stamp(HealthEnvelope, table=TABLE, service="daemon", online=online, detail="")


def online(known: KnownTable) -> bool:
    return known.health["daemon"].online


def test_who_watches_a_table_asks_for_that_table_and_for_meters_and_for_no_commands() -> None:
    asked = subscriptions(TABLE)

    assert topic_filter(RoundEnvelope, table=TABLE) in asked
    assert topic_filter(MeterEnvelope) in asked
    assert topic_filter(IndicatorCommandEnvelope, table=TABLE) not in asked
    assert topic_filter(ConfirmationEnvelope, table=TABLE) not in asked


def test_T54_a_message_that_was_overtaken_by_a_newer_one_changes_nothing() -> None:
    known, author = KnownTable(), Author("bj-demo-daemon", SystemClock())
    older, newer = health(author, online=False), health(author, online=True)

    known.take(newer)
    known.take(older)

    assert online(known)


def test_the_first_message_of_a_process_that_was_started_again_is_news() -> None:
    known, clock = KnownTable(), SystemClock()
    before = Author("bj-demo-daemon", clock)
    health(before, online=True)
    known.take(health(before, online=True))
    after = Author("bj-demo-daemon", clock)

    known.take(health(after, online=False))

    assert not online(known)
