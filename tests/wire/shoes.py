"""What the tests of the shoe share: frames, a codec, and time that a test moves."""

from bridge.domain.cards import Card, Rank, Suit
from bridge.domain.shoe import DealTarget
from bridge.wire.messages import CardRead, FaultCause, FrameFault, WireMessage
from bridge.wire.protocols.angel_eye import FAMILY, ShoeLine
from bridge.wire.shoe_frames import Letter, card_byte, encode_report, target_byte
from bridge.wire.spec import DeviceSpec, Unit
from tests.wire.cables import MILLISECOND

DECK = tuple(Card(rank, suit) for rank in Rank for suit in Suit)
COPY_US = 16_667
"""What eight bytes take at 4800 baud."""
WINDOW_US = 1000 * MILLISECOND
TIMEOUT_US = 500 * MILLISECOND


def shoe_spec(**parameters: int | bool | str) -> DeviceSpec:
    assert parameters.keys() <= FAMILY.parameters.keys()
    return DeviceSpec(
        profile="shoe",
        title="shoe",
        protocol="angel_eye",
        serial=FAMILY.serial,
        parameters={name: rule.default for name, rule in FAMILY.parameters.items()} | parameters,
        card_codes={},
        inputs=0,
        outputs=0,
        examples=(),
    )


def card_frame(number: str, card: str, target: DealTarget = DealTarget.PLAYER, place: int = 1) -> bytes:
    return encode_report(number, Letter.CARD, bytes((target_byte(target, place), card_byte(Card.parse(card)))))


def card_read(card: str, target: DealTarget = DealTarget.PLAYER, place: int = 1) -> CardRead:
    return CardRead(address=0, card=Card.parse(card), target=target, place=place)


class Bench:
    """A codec in virtual time."""

    def __init__(self, **parameters: int | bool | str) -> None:
        self.codec = ShoeLine([Unit(address=0, spec=shoe_spec(**parameters))])
        self.now_us = 1_000_000
        self.messages: list[WireMessage] = []
        self.codec.wake(self.now_us)

    def hear(self, *reads: bytes, every_us: int = COPY_US) -> "Bench":
        """Let bytes arrive, one read after the other."""
        for read in reads:
            self.messages += self.codec.receive_data(read, self.now_us)
            self.wait(every_us)
        return self

    def wait(self, duration_us: int) -> "Bench":
        """Let time pass, and wake the codec when it asks."""
        end_us = self.now_us + duration_us
        while (wakeup_us := self.codec.next_wakeup()) is not None and wakeup_us <= end_us:
            self.now_us = max(self.now_us, wakeup_us)
            said = self.codec.wake(self.now_us)
            assert said or self.codec.next_wakeup() != wakeup_us, "the codec asks to be woken and does nothing"
            self.messages += said
        self.now_us = end_us
        return self

    @property
    def said(self) -> list[WireMessage]:
        """Everything that was said, once all is decided, but damage that is only counted."""
        self.wait(3 * WINDOW_US)
        return [message for message in self.messages if not isinstance(message, FrameFault)]

    @property
    def faults(self) -> list[FaultCause]:
        """What was counted."""
        self.wait(3 * WINDOW_US)
        return [message.cause for message in self.messages if isinstance(message, FrameFault)]
