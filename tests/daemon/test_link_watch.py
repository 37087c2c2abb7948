from bridge.contracts.envelopes import HealthEnvelope
from bridge.daemon.link_watch import LinkWatch
from tests.contracts.samples import AUTHOR, TABLE

S = 1_000_000


def worker(*, online: bool) -> HealthEnvelope:
    return AUTHOR.stamp(HealthEnvelope, table=TABLE, service="rules-worker", online=online, detail="")


def test_5321_18_c_a_link_that_was_never_up_is_lost_when_the_filed_time_is_over() -> None:
    watch = LinkWatch(30, 5 * S)

    assert watch.lost(34 * S, connected=True) == ""
    assert watch.lost(35 * S, connected=True) == "the rules worker is not there, for 30 s now"
    assert watch.lost(36 * S, connected=False) == "the broker is not heard, for 31 s now"


def test_a_short_interruption_is_no_loss_and_the_time_begins_anew() -> None:
    watch = LinkWatch(30, 0)
    watch.heard(worker(online=True))
    assert watch.lost(29 * S, connected=True) == ""
    assert watch.lost(58 * S, connected=False) == ""
    assert watch.lost(59 * S, connected=True) == ""
    assert watch.lost(88 * S, connected=False) == ""
    assert watch.lost(118 * S, connected=False) != ""


def test_a_rules_worker_that_says_it_is_gone_is_not_there() -> None:
    watch = LinkWatch(30, 0)
    watch.heard(worker(online=True))
    watch.lost(1 * S, connected=True)
    watch.heard(worker(online=False))

    assert watch.lost(10 * S, connected=True) == ""
    assert watch.lost(40 * S, connected=True) == "the rules worker is not there, for 30 s now"
