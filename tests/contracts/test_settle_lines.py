import json

import pytest

from bridge.contracts.settle_lines import REQUEST_BYTES_MAX, SettleReply, read_request, write_reply
from bridge.contracts.strict_json import INTEGER_MAX, ContractError
from bridge.domain.cards import Card
from bridge.domain.identity import RoundNumber, TableId
from bridge.domain.money import MeterAmount
from bridge.domain.settlements import Settlement
from bridge.domain.wagers import UnknownAmount, WagerKind

ROUND = {"cards": {"dealer": ["Qd", "Kd"], "1": ["Ks", "QS"]}, "wagers": {"1": {"royal_match_progressive": 500}}}


def test_a_line_is_read_into_the_domains_own_values() -> None:
    request = read_request(json.dumps(ROUND | {"wagers": {"1": {"blackjack": "unknown"}}}).encode())

    assert request.cards["1"] == (Card.parse("Ks"), Card.parse("Qs"))
    assert request.wagers == {"1": {WagerKind.BLACKJACK: UnknownAmount.UNKNOWN}}
    assert (request.hole_card_exposed, request.voided, request.meter_cents) == (True, False, "seed")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"cards": {"1": ["Kx"]}}, "cards.1.0: 'Kx' is not a card; .*as in 'Kh'"),
        ({"cards": {"1": [7]}}, "cards.1.0"),
        ({"wagers": {"1": {"royal_match_progressive": 5.0}}}, "wagers.1.royal_match_progressive"),
        ({"wagers": {"1": {"royal_match_progressive": "500"}}}, "wagers.1.royal_match_progressive"),
        ({"wagers": {"1": {"royal_match_progressive": True}}}, "wagers.1.royal_match_progressive"),
        ({"wagers": {"1": {"royal_match_progressive": 0}}}, "wagers.1.royal_match_progressive"),
        ({"wagers": {"1": {"royal_flush": 500}}}, "wagers.1.royal_flush"),
        ({"wagers": {"1": {"royal_match_progressive": INTEGER_MAX + 1}}}, "wagers.1.royal_match_progressive"),
        ({"meter_cents": -1}, "meter_cents"),
        ({"meter_cents": INTEGER_MAX + 1}, "meter_cents"),
        ({"hole": True}, "hole"),
    ],
)
def test_a_line_that_is_not_exactly_a_round_is_refused_with_its_key(change: dict[str, object], told: str) -> None:
    with pytest.raises(ContractError, match=told):
        read_request(json.dumps(ROUND | change).encode())


@pytest.mark.parametrize("line", [b"", b"[]", b"{", b'"round"', b"\xff"])
def test_a_line_that_is_no_object_is_refused(line: bytes) -> None:
    with pytest.raises(ContractError, match="the line"):
        read_request(line)


_WHOLE = json.dumps(ROUND | {"owners": {"1": "floor:1"}})


@pytest.mark.parametrize(
    ("once", "twice"),
    [
        ('"cards": {', '"cards": {}, "cards": {'),
        ('"1": ["Ks"', '"1": ["2c", "2d"], "1": ["Ks"'),
        ('"wagers": {"1"', '"wagers": {"1": {}, "1"'),
        ('"royal_match_progressive": 500', '"royal_match_progressive": 500, "royal_match_progressive": 500'),
        ('"owners": {', '"owners": {"1": "a", '),
    ],
)
def test_a_line_that_says_a_thing_twice_is_refused(once: str, twice: str) -> None:
    assert once in _WHOLE
    with pytest.raises(ContractError, match="is given twice in one object"):
        read_request(_WHOLE.replace(once, twice).encode())


def test_a_colon_in_a_text_is_no_key() -> None:
    assert read_request(_WHOLE.encode()).owners == {"1": "floor:1"}


def test_a_line_is_no_longer_than_a_round() -> None:
    read_request(_WHOLE.encode().ljust(REQUEST_BYTES_MAX))
    with pytest.raises(ContractError, match="longer than the 65536 bytes of a round; write one round a line"):
        read_request(_WHOLE.encode().ljust(REQUEST_BYTES_MAX + 1))


def test_a_settlement_is_written_on_one_line() -> None:
    reply = SettleReply(
        line=3,
        settlement=Settlement(table=TableId("t"), round_number=RoundNumber(3)),
        awards=(),
        meter_after=MeterAmount(7500),
        net={},
    )
    written = write_reply(reply)

    assert b"\n" not in written
    assert json.loads(written)["meter_after"] == {"units": 7500}
