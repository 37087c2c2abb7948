import json
from typing import Any

import pytest

from bridge.contracts.codec import (
    PAYLOAD_BYTES_MAX,
    TEXT_LENGTH_MAX,
    MisaddressedError,
    PayloadTooLargeError,
    SchemaVersionError,
    decode,
    encode,
)
from bridge.contracts.envelopes import ConfirmationEnvelope, Envelope
from bridge.contracts.strict_json import INTEGER_MAX, ContractError
from bridge.contracts.topics import TopicError, topic_of
from bridge.domain.awards import PayoutAct
from bridge.domain.confirmations import Confirmation, PayoutSignedOff, RoundVoided
from bridge.domain.identity import RoundNumber
from bridge.domain.wagers import BettingPosition
from tests.contracts.samples import ENVELOPES, health, round_after, settlement


def _changed(envelope: Envelope, path: tuple[str | int, ...], value: object) -> bytes:
    text: Any = json.loads(encode(envelope))
    place = text
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return json.dumps(text).encode()


def confirmation(said: Confirmation) -> ConfirmationEnvelope:
    """Return what floor-1 says of a round."""
    (envelope,) = (sample for sample in ENVELOPES if isinstance(sample, ConfirmationEnvelope))
    return envelope.model_copy(update={"confirmation": said})


@pytest.mark.parametrize("envelope", ENVELOPES, ids=lambda envelope: type(envelope).__name__)
def test_an_envelope_comes_back_equal(envelope: Envelope) -> None:
    back = decode(topic_of(envelope), encode(envelope))
    assert back == envelope
    assert type(back) is type(envelope)


@pytest.mark.parametrize("cents", [500.0, 0.5, "500", True, None, {"cents": 500}])
def test_money_is_an_integer_number_of_cents(cents: object) -> None:
    envelope = settlement(1)
    payload = _changed(envelope, ("settlement", "outcomes", 0, "stake_returned"), cents)
    with pytest.raises(
        ContractError, match=r"settlement\.outcomes\.0\.stake_returned\.constrained-int: .* valid integer"
    ):
        decode(topic_of(envelope), payload)


def test_a_meter_amount_does_not_pass_for_cents() -> None:
    envelope = settlement(1)
    payload = _changed(envelope, ("settlement", "outcomes", 0, "paid"), {"units": 30_000})
    with pytest.raises(ContractError, match=r"settlement\.outcomes\.0\.paid"):
        decode(topic_of(envelope), payload)


@pytest.mark.parametrize("envelope", ENVELOPES, ids=lambda envelope: type(envelope).__name__)
def test_an_unknown_key_is_refused_in_every_envelope(envelope: Envelope) -> None:
    with pytest.raises(ContractError, match="remark: Extra inputs are not permitted"):
        decode(topic_of(envelope), _changed(envelope, ("remark",), "x"))


@pytest.mark.parametrize("envelope", ENVELOPES, ids=lambda envelope: type(envelope).__name__)
def test_nothing_may_be_left_out_of_any_envelope(envelope: Envelope) -> None:
    for key in type(envelope).model_fields:
        text = json.loads(encode(envelope))
        del text[key]
        with pytest.raises(ContractError, match=f"{key}: Field required"):
            decode(topic_of(envelope), json.dumps(text).encode())


def test_unknown_kinds_and_unknown_words_are_refused() -> None:
    confirmation = next(sample for sample in ENVELOPES if isinstance(sample, ConfirmationEnvelope))
    with pytest.raises(ContractError, match="'award_refused'"):
        decode(topic_of(confirmation), _changed(confirmation, ("confirmation", "kind"), "award_refused"))
    with pytest.raises(ContractError, match=r"round\.count_check"):
        decode(topic_of(round_after(1)), _changed(round_after(1), ("round", "count_check"), "perhaps"))


@pytest.mark.parametrize(
    ("version", "side"),
    [(2, "update the program that reads this"), (0, "that sent this")],
)
def test_another_version_says_which_side_to_update(version: object, side: str) -> None:
    envelope = health(online=True)
    with pytest.raises(SchemaVersionError, match=side):
        decode(topic_of(envelope), _changed(envelope, ("schema_version",), version))


@pytest.mark.parametrize("version", [True, 1.0, "1"])
def test_a_version_that_only_equals_ours_is_not_ours(version: object) -> None:
    envelope = health(online=True)
    with pytest.raises(ContractError, match="schema_version"):
        decode(topic_of(envelope), _changed(envelope, ("schema_version",), version))


@pytest.mark.parametrize("envelope", ENVELOPES, ids=lambda envelope: type(envelope).__name__)
def test_an_envelope_on_the_topic_of_another_is_refused(envelope: Envelope) -> None:
    own = topic_of(envelope)
    for name in ("bj-1", "royal-match"):
        other = own.replace(f"/{name}/", "/another/")
        if other != own:
            with pytest.raises(MisaddressedError, match="must use its own topic"):
                decode(other, encode(envelope))


def test_a_person_cannot_confirm_in_the_name_of_another() -> None:
    confirmation = next(sample for sample in ENVELOPES if isinstance(sample, ConfirmationEnvelope))
    with pytest.raises(MisaddressedError, match="floor-1"):
        decode(topic_of(confirmation).replace("floor-1", "dealer-1"), encode(confirmation))


def test_a_foreign_topic_is_refused() -> None:
    with pytest.raises(TopicError, match="not a topic"):
        decode("homeassistant/status", b"online")


@pytest.mark.parametrize("payload", [b"", b"online", b"\x00" * 64, b"[" * 60_000, b'"\\ud800"'])
def test_junk_is_refused(payload: bytes) -> None:
    with pytest.raises(ContractError, match="not a RoundEnvelope"):
        decode(topic_of(round_after(1)), payload)


def test_a_message_larger_than_any_of_ours_is_not_even_read() -> None:
    topic = topic_of(round_after(1))
    with pytest.raises(ContractError, match="not a RoundEnvelope"):
        decode(topic, b" " * PAYLOAD_BYTES_MAX)
    with pytest.raises(PayloadTooLargeError, match="65537 bytes are more than"):
        decode(topic, b" " * (PAYLOAD_BYTES_MAX + 1))


@pytest.mark.parametrize("number", [INTEGER_MAX + 1, -INTEGER_MAX - 1, 10**4000])
def test_an_integer_that_no_store_and_no_other_language_holds_is_refused(number: int) -> None:
    envelope = confirmation(
        PayoutSignedOff(round_number=RoundNumber(17), position=BettingPosition(3), act=PayoutAct.PAID)
    )
    decode(topic_of(envelope), _changed(envelope, ("confirmation", "round_number"), INTEGER_MAX))
    with pytest.raises(ContractError, match=r"confirmation\.payout_signed_off\.round_number: "):
        decode(topic_of(envelope), _changed(envelope, ("confirmation", "round_number"), number))


def test_a_message_that_says_a_thing_twice_is_refused() -> None:
    envelope = confirmation(RoundVoided(round_number=RoundNumber(17), reason="a card was exposed: 4h"))
    twice = encode(envelope).replace(b'"round_number":17', b'"round_number":16,"round_number":17')
    with pytest.raises(ContractError, match="'round_number' is given twice"):
        decode(topic_of(envelope), twice)


def test_a_text_that_would_not_fit_into_what_repeats_it_is_refused() -> None:
    envelope = confirmation(RoundVoided(round_number=RoundNumber(17), reason="é" * TEXT_LENGTH_MAX))
    assert decode(topic_of(envelope), encode(envelope)) == envelope
    longer = _changed(envelope, ("confirmation", "reason"), "x" * (TEXT_LENGTH_MAX + 1))
    with pytest.raises(ContractError, match=r"confirmation\.round_voided\.reason: .* at most 1024 characters"):
        decode(topic_of(envelope), longer)


def test_a_message_larger_than_any_of_ours_is_not_sent() -> None:
    with pytest.raises(PayloadTooLargeError):
        encode(health(online=True, detail="x" * PAYLOAD_BYTES_MAX))


def test_a_value_of_the_wrong_type_is_not_sent() -> None:
    envelope = round_after(1)
    with pytest.raises(ContractError, match="cannot be written as a RoundEnvelope"):
        encode(envelope.model_copy(update={"sequence": 1.5}))
    with pytest.raises(TopicError, match="has no topic"):
        encode(Envelope(sender="daemon", epoch=envelope.epoch, number=1, sent_at=envelope.sent_at))


def test_the_classes_of_the_contract_do_not_pass_for_each_other() -> None:
    with pytest.raises(ContractError, match="not a RoundEnvelope: round: Field required"):
        decode(topic_of(round_after(1)), encode(settlement(1)))
