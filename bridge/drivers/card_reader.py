"""What reads cards: the card reader, which names them, and the hole-card reader, which is only seen in use."""

from bridge.domain.events import CardDrawn, CardUnread, HoleCardReaderUsed, TableEvent
from bridge.domain.identity import Timestamp
from bridge.domain.setup import HoleCardReaderInput
from bridge.drivers.line import LineDevice
from bridge.wire.messages import CardNotRead, CardRead, InputChanged, UnitAnswering, WireMessage


def card_events(message: WireMessage, device: LineDevice, at: Timestamp) -> tuple[TableEvent, ...]:
    """Return the cards that a device with the role of a card reader has read, or could not read (T51)."""
    if not device.wiring.card_readings:
        return ()
    match message:
        case CardRead(card=card, target=target, place=place):
            return (CardDrawn(at=at, device=device.device, card=card, target=target, place=place),)
        case CardNotRead(raw=raw, target=target, place=place):
            return (CardUnread(at=at, device=device.device, raw=raw, target=target, place=place),)
        case _:
            return ()


def hole_card_reader_events(message: WireMessage, device: LineDevice, at: Timestamp) -> tuple[TableEvent, ...]:
    """Return that the reader of § 633a.1 is used: when its input becomes active, or is found active (R27, T12)."""
    match message:
        case InputChanged(channel=channel, active=True):
            in_use = frozenset((channel,))
        case UnitAnswering(active_inputs=in_use):
            pass
        case _:
            return ()
    return tuple(
        HoleCardReaderUsed(at=at, device=device.device)
        for channel, role in device.wiring.inputs
        if isinstance(role, HoleCardReaderInput) and channel in in_use
    )
