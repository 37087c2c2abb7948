"""Events in words: what people and devices do at a table, a line at a time.

chips blackjack 1 3            chips are laid, at these positions
take progressive 1             chips are taken up
lock out                       the lock-out button is pressed
cards Ks 7h ??                 cards pass the reader, ?? unreadable
key count_agreed               a dealer key is pressed
hole-card reader               the reader of § 633a.1 is used
lost module-2                  a device does not answer any more
back module-2                  it answers again, and shows what lies on its sensors
all back                       so do all devices
"""

from collections.abc import Callable, Iterator
from itertools import count

from bridge.domain.cards import Card
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import (
    CardDrawn,
    CardUnread,
    DealerKeyPressed,
    DeviceLost,
    DeviceReady,
    HoleCardReaderUsed,
    LockOutPressed,
    TableEvent,
    WagerAreaObserved,
    WagerPlaced,
    WagerRemoved,
)
from bridge.domain.identity import DeviceId, Timestamp
from bridge.domain.setup import (
    DealerKeyInput,
    HoleCardReaderInput,
    InputRole,
    LockOutButton,
    TableSetup,
    WagerSensor,
)
from bridge.domain.wagers import BettingPosition, WagerKind

UNREADABLE = "2?30"
WAGERS = {"blackjack": WagerKind.BLACKJACK, "progressive": WagerKind.ROYAL_MATCH_PROGRESSIVE}


class Telling:
    """Tells events of one table; knows where chips lie, so that a sensor that comes back can show them."""

    def __init__(self, setup: TableSetup, now: Callable[[], Timestamp] | None = None) -> None:
        ticks = count(1)
        self._setup = setup
        self._now = now or (lambda: Timestamp(next(ticks)))
        self._covered: set[WagerSensor] = set()

    def events(self, *lines: str) -> list[TableEvent]:
        """Return the events of some lines."""
        return [event for line in lines for event in self._events(line.split())]

    def _events(self, words: list[str]) -> Iterator[TableEvent]:
        match words:
            case ["chips", wager, *numbers]:
                for sensor in self._sensors(wager, numbers):
                    self._covered.add(sensor)
                    yield WagerPlaced(
                        at=self._now(), device=self._with(sensor), position=sensor.position, wager=sensor.wager
                    )
            case ["take", wager, *numbers]:
                for sensor in self._sensors(wager, numbers):
                    self._covered.discard(sensor)
                    yield WagerRemoved(
                        at=self._now(), device=self._with(sensor), position=sensor.position, wager=sensor.wager
                    )
            case ["lock", "out"]:
                yield LockOutPressed(at=self._now(), device=self._with(LockOutButton()))
            case ["cards", *cards]:
                for card in cards:
                    yield self._card(card)
            case ["key", key]:
                role = DealerKeyInput(key=DealerKey(key))
                yield DealerKeyPressed(at=self._now(), device=self._with(role), key=role.key)
            case ["hole-card", "reader"]:
                yield HoleCardReaderUsed(at=self._now(), device=self._with(HoleCardReaderInput()))
            case ["lost", device]:
                yield DeviceLost(at=self._now(), device=DeviceId(device), reason="does not answer")
            case ["all", "answer"]:
                for wiring in self._setup.wiring:
                    yield DeviceReady(at=self._now(), device=wiring.device)
            case ["all", "back"]:
                for wiring in self._setup.wiring:
                    yield from self._back(wiring.device)
            case ["back", device]:
                yield from self._back(DeviceId(device))
            case _:
                raise AssertionError(f"nobody knows what happens when {' '.join(words)!r}")

    def _card(self, text: str) -> TableEvent:
        device = next(wiring.device for wiring in self._setup.wiring if wiring.card_readings)
        if text == "??":
            return CardUnread(at=self._now(), device=device, raw=UNREADABLE)
        return CardDrawn(at=self._now(), device=device, card=Card.parse(text))

    def _back(self, device: DeviceId) -> Iterator[TableEvent]:
        yield DeviceReady(at=self._now(), device=device)
        for wiring in self._setup.wiring:
            for _, role in wiring.inputs:
                if wiring.device == device and isinstance(role, WagerSensor):
                    yield WagerAreaObserved(
                        at=self._now(),
                        device=device,
                        position=role.position,
                        wager=role.wager,
                        covered=role in self._covered,
                    )

    def _sensors(self, wager: str, numbers: list[str]) -> list[WagerSensor]:
        return [WagerSensor(position=BettingPosition(int(number)), wager=WAGERS[wager]) for number in numbers]

    def _with(self, wanted: InputRole) -> DeviceId:
        return next(w.device for w in self._setup.wiring for _, role in w.inputs if role == wanted)
