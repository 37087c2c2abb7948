import json
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from pydantic import TypeAdapter

from bridge.contracts.strict_json import (
    STRICT,
    ContractError,
    StrictJson,
    described,
    refuse_keys_given_twice,
)
from bridge.domain.cards import Card, UnseenCard
from bridge.domain.money import Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class Paid:
    amount: Cents
    card: Card | UnseenCard
    kind: Literal["paid"] = "paid"
    version: Literal[1] = 1


PAID = Paid(amount=Cents(500), card=Card.parse("Kh"))
TEXT: dict[str, Any] = {"amount": 500, "card": {"rank": "K", "suit": "h"}, "kind": "paid", "version": 1}


@pytest.fixture(name="codec", scope="module")
def _codec() -> StrictJson[list[Paid]]:
    return StrictJson(TypeAdapter(list[Paid], config=STRICT).core_schema, "a list")


def decoded(codec: StrictJson[Any], **changed: object) -> object:
    return codec.decode(json.dumps([{**TEXT, **changed}]).encode())


def test_a_value_comes_back_equal(codec: StrictJson[Any]) -> None:
    assert json.loads(codec.encode([PAID])) == [TEXT]
    assert codec.decode(codec.encode([PAID])) == [PAID]


@pytest.mark.parametrize("amount", [500.0, 500.5, "500", True, None, [500]])
def test_an_amount_is_an_integer_and_nothing_that_looks_like_one(codec: StrictJson[Any], amount: object) -> None:
    with pytest.raises(ContractError, match=r"not a list: 0\.amount: Input should be a valid integer"):
        decoded(codec, amount=amount)


@pytest.mark.parametrize("version", [1.0, True, 2, "1"])
def test_a_fixed_integer_is_that_integer(codec: StrictJson[Any], version: object) -> None:
    with pytest.raises(ContractError, match=r"0\.version"):
        decoded(codec, version=version)


def test_another_kind_is_refused(codec: StrictJson[Any]) -> None:
    with pytest.raises(ContractError, match=r"0\.kind: Input should be 'paid'"):
        decoded(codec, kind="owed")


def test_an_unknown_key_is_refused_at_any_depth(codec: StrictJson[Any]) -> None:
    with pytest.raises(ContractError, match=r"0\.tip: Unexpected keyword argument"):
        decoded(codec, tip=1)
    with pytest.raises(ContractError, match=r"0\.card\.Card\.deck: Unexpected keyword argument"):
        decoded(codec, card={"rank": "K", "suit": "h", "deck": 1})


@pytest.mark.parametrize("key", sorted(TEXT))
def test_whatever_is_left_out_is_refused_although_the_value_has_a_default(
    codec: StrictJson[Any], key: str
) -> None:
    text = {name: value for name, value in TEXT.items() if name != key}
    with pytest.raises(ContractError, match=rf"0\.{key}: Field required"):
        codec.decode(json.dumps([text]).encode())


@pytest.mark.parametrize("data", [b"", b"{", b"null", b"\xff\xfe", b"[" * 10_000, b'[{"amount":NaN}]'])
def test_what_is_not_json_of_the_type_is_refused(codec: StrictJson[Any], data: bytes) -> None:
    with pytest.raises(ContractError, match="not a list: "):
        codec.decode(data)


def test_the_first_three_faults_are_named_and_the_others_counted(codec: StrictJson[Any]) -> None:
    with pytest.raises(ContractError, match=r"; and 2 more$") as refused:
        codec.decode(b'[{"a":1,"amount":0.5}]')
    assert len(refused.value.faults) == 5


def test_a_value_that_is_not_of_its_type_is_not_written_and_not_told(codec: StrictJson[Any]) -> None:
    with pytest.raises(ContractError, match=r"^cannot be written as a list: .* in amount$") as refused:
        codec.encode([Paid(amount=Cents(1.25), card=Card.parse("Kh"))])  # type: ignore[arg-type]
    assert "1.25" not in str(refused.value)
    with pytest.raises(ContractError, match=r"^cannot be written as a list: Expected `Paid`"):
        codec.encode(["Kh"])


def test_a_text_that_cannot_be_sent_is_not_written() -> None:
    with pytest.raises(ContractError, match="cannot be written as a name"):
        StrictJson[str](TypeAdapter(str).core_schema, "a name").encode("\ud800")


def test_types_that_are_described_together_are_read_as_each_alone(codec: StrictJson[Any]) -> None:
    paid, cards = described(Paid, list[Card])
    one, several = StrictJson[Paid](paid, "a payment"), StrictJson[list[Card]](cards, "cards")

    assert one.encode(PAID) == codec.encode([PAID])[1:-1]
    assert one.decode(one.encode(PAID)) == PAID
    assert several.decode(b'[{"rank":"K","suit":"h"}]') == [PAID.card]
    with pytest.raises(ContractError, match=r"not cards: 0\.deck: Unexpected keyword argument"):
        several.decode(b'[{"rank":"K","suit":"h","deck":1}]')


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 1}',
        '{"b": {"a": 1, "c": 2, "a": 3}}',
        '[{}, [{"a": {}, "a": {}}]]',
        '{"a": 1, "\\u0061": 2}',
    ],
)
def test_a_key_given_twice_in_one_object_is_refused_at_any_depth(text: str) -> None:
    with pytest.raises(ContractError, match="'a' is given twice in one object"):
        refuse_keys_given_twice(text.encode())


@pytest.mark.parametrize("text", ['{"a": {"a": [{"a": 1}, {"a": 1}]}, "A": "a"}', ' "a: a, a" ', "[1, 1]"])
def test_a_key_may_be_given_again_in_another_object(text: str) -> None:
    refuse_keys_given_twice(text.encode())


def test_a_long_key_is_told_by_its_beginning() -> None:
    with pytest.raises(ContractError) as refused:
        refuse_keys_given_twice(b'{"%s": 1, "%s": 2}' % (b"x" * 5000, b"x" * 5000))
    assert len(str(refused.value)) < 100
