import pytest
from pydantic import ValidationError

from bridge.contracts.envelopes import Envelope, HealthEnvelope, RoundEnvelope
from bridge.domain.identity import Sequence
from tests.contracts.samples import AUTHOR, ENVELOPES, ROUND, TABLE, health


def test_every_class_of_envelope_has_a_sample() -> None:
    assert {type(envelope) for envelope in ENVELOPES} == set(Envelope.__subclasses__())


def test_t54_every_message_has_an_identity_of_its_own() -> None:
    one, other = health(online=True), health(online=True)
    assert one.identity == f"{one.sender}/{one.epoch}/{one.number}"
    assert one.identity != other.identity


def test_an_envelope_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        health(online=True).online = False


@pytest.mark.parametrize("sequence", [1.0, "1", True, None])
def test_a_program_cannot_stamp_what_it_could_not_read(sequence: object) -> None:
    with pytest.raises(ValidationError, match="sequence"):
        AUTHOR.stamp(RoundEnvelope, table=TABLE, sequence=sequence, round=ROUND)


def test_a_field_that_is_none_of_the_envelope_is_refused() -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        AUTHOR.stamp(HealthEnvelope, table=TABLE, service="daemon", online=True, detail="", sequence=Sequence(1))
