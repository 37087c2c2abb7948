import pytest
from pydantic import ValidationError

from bridge.clock import SystemClock
from bridge.contracts.author import Author
from bridge.contracts.envelopes import HealthEnvelope
from bridge.contracts.topics import TopicError
from bridge.domain.identity import Timestamp
from tests.contracts.samples import TABLE


class _SteppedClock(SystemClock):
    def __init__(self) -> None:
        self.now = Timestamp(1_000)

    def wall(self) -> Timestamp:
        return self.now


def _health(author: Author) -> HealthEnvelope:
    return author.stamp(HealthEnvelope, table=TABLE, service="daemon", online=True, detail="")


def test_envelopes_say_who_since_when_how_many_and_when() -> None:
    clock = _SteppedClock()
    author = Author("daemon-1", clock)
    clock.now = Timestamp(2_000)
    first, second = _health(author), _health(author)
    assert (first.sender, first.epoch, first.number, first.sent_at) == ("daemon-1", 1_000, 1, 2_000)
    assert (second.epoch, second.number) == (1_000, 2)


def test_a_refused_envelope_takes_no_number() -> None:
    author = Author("daemon-1", SystemClock())
    with pytest.raises(ValidationError):
        author.stamp(HealthEnvelope, table=TABLE)
    assert _health(author).number == 1


@pytest.mark.parametrize("sender", ["", "two words", "a/b", "x" * 65])
def test_a_client_id_is_a_name(sender: str) -> None:
    with pytest.raises(TopicError, match="client id"):
        Author(sender, SystemClock())
