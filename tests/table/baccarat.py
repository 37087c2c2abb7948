"""A minibaccarat table in code, and words to play it with."""

from bridge.domain.cards import Card
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import CardDrawn, CardUnread, TableEvent
from bridge.domain.identity import TableId
from bridge.domain.money import Cents
from bridge.domain.rounds import Game, House
from bridge.domain.setup import (
    CardReading,
    DealerKeyInput,
    Dealing,
    DeviceWiring,
    EffectiveWindow,
    LockOutButton,
    LockOutput,
    OfferedWager,
    TableSetup,
    WagerSensor,
)
from bridge.domain.shoe import DealTarget
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerKind
from tests.table.tables import BASE, KEYS, LOCK, POSITIONS, READER, STAFF, Play

PLAYER, BANKER, TIE = WagerKind.PLAYER, WagerKind.BANKER, WagerKind.TIE
TALONS, MAJESTIC = WagerKind.GOLDEN_TALONS_PLAYER, WagerKind.MAJESTIC_MATCH_PLAYER
KINDS = (PLAYER, BANKER, TIE, TALONS, MAJESTIC)
_TARGETS = {
    "p": DealTarget.PLAYER,
    "b": DealTarget.BANKER,
    "x": DealTarget.BURN,
    "f": DealTarget.FIRST_OF_BURN_COUNT,
}


def minibaccarat(dealing: Dealing = Dealing.FACE_UP) -> TableSetup:
    sensors = tuple(
        (channel, WagerSensor(position=position, wager=kind))
        for channel, (position, kind) in enumerate(((p, k) for k in KINDS for p in POSITIONS), start=1)
    )
    keys = tuple((channel, DealerKeyInput(key=key)) for channel, key in enumerate(DealerKey, start=1))
    return TableSetup(
        table=TableId("mb-1"),
        game=Game.MINIBACCARAT,
        deal_order=POSITIONS,
        offered=(
            OfferedWager(kind=PLAYER, amount=UnknownAmount.UNKNOWN),
            OfferedWager(kind=BANKER, amount=Cents(10_00)),
            OfferedWager(kind=TIE, amount=Cents(10_00)),
            OfferedWager(kind=TALONS, amount=Cents(5_00), requires=(PLAYER, BANKER, TIE)),
            OfferedWager(kind=MAJESTIC, amount=Cents(5_00), settled_before_further_cards=True),
        ),
        wiring=(
            DeviceWiring(device=BASE, inputs=sensors),
            DeviceWiring(device=KEYS, inputs=keys),
            DeviceWiring(device=LOCK, inputs=((1, LockOutButton()),), outputs=((1, LockOutput()),)),
            DeviceWiring(device=READER, card_readings=(CardReading.AS_DRAWN,)),
        ),
        submission_digest="d1",
        window=EffectiveWindow(first_day="2024-01-01", last_day="2030-01-01", refuse_outside=False),
        dealing=dealing,
        people=STAFF,
    )


class Baccarat(Play):
    """A minibaccarat table being played."""

    def __init__(self, dealing: Dealing = Dealing.FACE_UP) -> None:
        super().__init__(minibaccarat(dealing))

    def opened(self, *kinds: WagerKind, at: int = 1) -> "Baccarat":
        """Wager at a position and lock out."""
        for kind in kinds or (PLAYER,):
            self.chips_of(kind, at)
        self.lock()
        return self

    def chips_of(self, kind: WagerKind, number: int) -> "Baccarat":
        self.happen(self.placed(kind, BettingPosition(number)))
        return self

    def shoe(self, text: str) -> "Baccarat":
        """Deal cards: ``Kh`` unstated, ``Kh>p`` to the Player, ``>b`` Banker, ``>x`` burned; ``??`` unread."""
        for word in text.split():
            face, _, target = word.partition(">")
            self.happen(self._card(face, _TARGETS.get(target, DealTarget.UNSTATED)))
        return self

    def faces(self, holder: House) -> list[str]:
        return [str(card.card) for card in self.state.round.hand_of(holder).cards]

    def _card(self, face: str, target: DealTarget) -> TableEvent:
        if face == "??":
            return CardUnread(at=self.tick(), device=READER, raw="?", target=target)
        return CardDrawn(at=self.tick(), device=READER, card=Card.parse(face), target=target)
