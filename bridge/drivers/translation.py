"""What a message of the wire means at the table, by the roles that the wiring gives to a device."""

from collections.abc import Callable, Iterator

from bridge.domain.events import TableEvent
from bridge.domain.identity import Timestamp
from bridge.drivers.card_reader import card_events, hole_card_reader_events
from bridge.drivers.chips import chip_events
from bridge.drivers.dealer_keys import dealer_key_events
from bridge.drivers.indicators import indicator_events
from bridge.drivers.key_switches import key_switch_events
from bridge.drivers.line import LineDevice
from bridge.drivers.lock_out import lock_out_events
from bridge.drivers.shoe import shoe_events
from bridge.drivers.wagering_devices import wager_events
from bridge.wire.messages import WireMessage

_BY_ROLE: tuple[Callable[[WireMessage, LineDevice, Timestamp], tuple[TableEvent, ...]], ...] = (
    # The lock-out first: of a button and chips found when a device comes back, the button came first (T43).
    lock_out_events,
    wager_events,
    chip_events,
    dealer_key_events,
    key_switch_events,
    card_events,
    shoe_events,
    hole_card_reader_events,
    indicator_events,
)


def table_events(message: WireMessage, device: LineDevice, at: Timestamp) -> Iterator[TableEvent]:
    """Yield the events of a message; none for what has no role at this table."""
    for role_events in _BY_ROLE:
        yield from role_events(message, device, at)
