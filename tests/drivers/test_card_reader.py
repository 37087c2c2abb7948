import pytest

from bridge.domain.cards import Card
from bridge.domain.events import CardDrawn, CardUnread, HoleCardReaderUsed
from bridge.domain.shoe import DealTarget
from bridge.drivers.card_reader import card_events, hole_card_reader_events
from bridge.wire.messages import CardNotRead, CardRead, InputChanged, UnitAnswering, WireMessage
from tests.drivers.lines import AT, READER_WIRING, device

READER = device(0, READER_WIRING)
MODULE = device()


def test_a_card_that_was_read_is_drawn() -> None:
    message = CardRead(address=0, card=Card.parse("Kh"))
    assert card_events(message, READER, AT) == (CardDrawn(at=AT, device=READER.device, card=Card.parse("Kh")),)


def test_t51_a_card_that_was_not_read_is_told_with_what_the_reader_said() -> None:
    message = CardNotRead(address=0, raw="9999")
    assert card_events(message, READER, AT) == (CardUnread(at=AT, device=READER.device, raw="9999"),)


def test_for_whom_a_card_was_drawn_is_told_as_the_shoe_states_it() -> None:
    read = CardRead(address=0, card=Card.parse("Kh"), target=DealTarget.BANKER, place=2)
    unread = CardNotRead(address=0, raw="no card", target=DealTarget.PLAYER, place=3)
    assert [*card_events(read, READER, AT), *card_events(unread, READER, AT)] == [
        CardDrawn(at=AT, device=READER.device, card=Card.parse("Kh"), target=DealTarget.BANKER, place=2),
        CardUnread(at=AT, device=READER.device, raw="no card", target=DealTarget.PLAYER, place=3),
    ]


def test_a_device_without_the_role_draws_no_cards() -> None:
    assert card_events(CardRead(address=1, card=Card.parse("Kh")), MODULE, AT) == ()


def test_other_messages_are_no_cards() -> None:
    assert card_events(UnitAnswering(address=0, active_inputs=frozenset()), READER, AT) == ()


@pytest.mark.parametrize(
    "message",
    [InputChanged(address=1, channel=5, active=True), UnitAnswering(address=1, active_inputs=frozenset({5, 1}))],
)
def test_r27_the_hole_card_reader_is_used_when_its_input_becomes_active_or_is_found_so(
    message: WireMessage,
) -> None:
    assert hole_card_reader_events(message, MODULE, AT) == (HoleCardReaderUsed(at=AT, device=MODULE.device),)


@pytest.mark.parametrize(
    "message",
    [
        InputChanged(address=1, channel=5, active=False),
        InputChanged(address=1, channel=4, active=True),
        UnitAnswering(address=1, active_inputs=frozenset({1, 4})),
        CardNotRead(address=1, raw=""),
    ],
)
def test_everything_else_is_no_use_of_it(message: WireMessage) -> None:
    assert hole_card_reader_events(message, MODULE, AT) == ()
