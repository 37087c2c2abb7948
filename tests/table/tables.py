"""A blackjack table in code, and words to play it with."""

from collections.abc import Iterable
from dataclasses import replace

from bridge.domain.awards import MAY, AwaitedAct, PayoutAct, award_status, next_act
from bridge.domain.cards import Card
from bridge.domain.commands import Command
from bridge.domain.confirmations import Confirmation, ControllerEnabled, PayoutSignedOff
from bridge.domain.controller import MAY_ENABLE, DisabledReason
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import (
    BridgeStarted,
    BridgeStopped,
    CardDrawn,
    CardUnread,
    ControllerDisabled,
    DealerKeyPressed,
    DeviceLost,
    DeviceReady,
    GamingDayBegan,
    IndicatorReported,
    IndicatorRequested,
    LockOutPressed,
    PersonConfirmed,
    RoundSettled,
    TableEvent,
    WagerPlaced,
    WagerRemoved,
)
from bridge.domain.identity import DeviceId, PersonId, RoundNumber, Sequence, TableId, Timestamp
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.money import Cents
from bridge.domain.people import PersonRole
from bridge.domain.rounds import Game
from bridge.domain.settlements import DecidedWager
from bridge.domain.setup import (
    CardReading,
    DealerKeyInput,
    DeviceWiring,
    EffectiveWindow,
    HoleCardReaderInput,
    IndicatorOutput,
    LockOutButton,
    LockOutput,
    OfferedWager,
    TableSetup,
    WagerSensor,
)
from bridge.domain.table_view import IrregularityKind, Phase
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerAmount, WagerKind
from bridge.table.controller import found_at_start
from bridge.table.evolve import evolve
from bridge.table.react import react
from bridge.table.state import TableState, initial_state

POSITIONS = tuple(BettingPosition(number) for number in (1, 2, 3, 5))
BLACKJACK, PROGRESSIVE = WagerKind.BLACKJACK, WagerKind.ROYAL_MATCH_PROGRESSIVE
BASE, SIDE, KEYS, READER = DeviceId("base"), DeviceId("side"), DeviceId("keys"), DeviceId("reader")
LOCK = DeviceId("lock")
TODAY = "2026-11-29"
FLOOR, DEALER, RESET, PARAM = map(PersonId, ("floor-1", "dealer-1", "reset-1", "param-1"))
STAFF = (
    (FLOOR, PersonRole.FLOORPERSON),
    (DEALER, PersonRole.DEALER),
    (RESET, PersonRole.RESET_HOLDER),
    (PARAM, PersonRole.PARAMETER_HOLDER),
)
ACTS = tuple(act for act in PayoutAct if act is not PayoutAct.REJECTED)
"""What is done about an award from its hit to the reset."""
WIN_LAMPS = (Lamp.STRAIGHT_FLUSH, Lamp.ROYAL_MATCH, Lamp.CROWN_TREASURE)


def position(number: int) -> BettingPosition:
    return BettingPosition(number)


def setup(reading: CardReading = CardReading.AS_DRAWN) -> TableSetup:
    def sensors(kind: WagerKind) -> tuple[tuple[int, WagerSensor], ...]:
        return tuple(
            (channel, WagerSensor(position=where, wager=kind)) for channel, where in enumerate(POSITIONS, start=1)
        )

    accepted = tuple(
        (channel, IndicatorOutput(indicators=(Indicator(where, Lamp.WAGER_ACCEPTED),)))
        for channel, where in enumerate(POSITIONS, start=1)
    )
    wins = tuple(
        (channel, IndicatorOutput(indicators=tuple(Indicator(where, lamp) for lamp in WIN_LAMPS)))
        for channel, where in enumerate(POSITIONS, start=1)
    )
    keys = tuple((channel, DealerKeyInput(key=key)) for channel, key in enumerate(DealerKey, start=1))
    return TableSetup(
        table=TableId("bj-1"),
        game=Game.BLACKJACK,
        deal_order=POSITIONS,
        offered=(
            OfferedWager(kind=BLACKJACK, amount=UnknownAmount.UNKNOWN),
            OfferedWager(
                kind=PROGRESSIVE,
                amount=Cents(500),
                requires=(BLACKJACK,),
                acknowledged=True,
                progressive=True,
                settled_before_further_cards=True,
            ),
        ),
        wiring=(
            DeviceWiring(device=BASE, inputs=sensors(BLACKJACK)),
            DeviceWiring(device=SIDE, inputs=sensors(PROGRESSIVE), outputs=accepted),
            DeviceWiring(device=KEYS, inputs=(*keys, (7, HoleCardReaderInput())), outputs=wins),
            DeviceWiring(device=LOCK, inputs=((1, LockOutButton()),), outputs=((1, LockOutput()),)),
            DeviceWiring(device=READER, card_readings=(reading,)),
        ),
        submission_digest="d1",
        window=EffectiveWindow(first_day="2024-03-23", last_day="2027-03-08", refuse_outside=False),
        people=STAFF,
    )


class Play:
    """A table being played: every event goes through ``evolve`` and ``react``, as in the daemon."""

    def __init__(self, table: TableSetup | None = None) -> None:
        self.state: TableState = initial_state(table or setup())
        self.events: list[TableEvent] = []
        self.commands: tuple[Command, ...] = ()
        self._now = 1_000_000
        self.happen(BridgeStarted(at=self.tick(), version="1", setup=self.state.setup, boot_id="b1"))
        self.happen(GamingDayBegan(at=self.tick(), day=TODAY))
        for wiring in self.state.setup.wiring:
            self.ready(wiring.device)

    def tick(self) -> Timestamp:
        self._now += 1000
        return Timestamp(self._now)

    def happen(self, event: TableEvent) -> "Play":
        before = self.state
        self.state = evolve(before, event)
        self.commands = tuple(react(before, event, self.state))
        self.events.append(event)
        return self

    def ready(self, device: DeviceId) -> "Play":
        return self.happen(DeviceReady(at=self.tick(), device=device))

    def lose(self, device: DeviceId) -> "Play":
        return self.happen(DeviceLost(at=self.tick(), device=device, reason="does not answer"))

    def chips(self, kind: WagerKind, *numbers: int) -> "Play":
        for number in numbers:
            self.happen(self.placed(kind, position(number)))
        return self

    def placed(self, kind: WagerKind, where: BettingPosition) -> WagerPlaced:
        device = SIDE if kind is PROGRESSIVE else BASE
        return WagerPlaced(at=self.tick(), device=device, position=where, wager=kind)

    def take(self, kind: WagerKind, *numbers: int) -> "Play":
        for number in numbers:
            device = BASE if kind is BLACKJACK else SIDE
            self.happen(WagerRemoved(at=self.tick(), device=device, position=position(number), wager=kind))
        return self

    def wagers(self, *numbers: int) -> "Play":
        return self.chips(BLACKJACK, *numbers).chips(PROGRESSIVE, *numbers)

    def lock(self) -> "Play":
        return self.happen(LockOutPressed(at=self.tick(), device=LOCK))

    def key(self, key: DealerKey) -> "Play":
        return self.happen(DealerKeyPressed(at=self.tick(), device=KEYS, key=key))

    def cards(self, text: str) -> "Play":
        for card in text.split():
            if card == "??":
                self.happen(CardUnread(at=self.tick(), device=READER, raw="9999"))
            else:
                self.happen(CardDrawn(at=self.tick(), device=READER, card=Card.parse(card)))
        return self

    def settled(
        self,
        *,
        deferred: Iterable[int] = (),
        undecided: Iterable[int] = (),
        validation: Iterable[int] = (),
        awards: Iterable[int] = (),
        decided: Iterable[tuple[int, WagerKind]] = (),
        complete: bool = False,
        side_wagers: bool = True,
        answers: int | None = None,
        number: int | None = None,
        vigorish_marked: tuple[tuple[BettingPosition, WagerAmount], ...] = (),
    ) -> "Play":
        """Answer as the rules worker does: payouts at fixed odds to be validated, awards wherever they stand."""
        awaiting = [AwaitedAct(position=position(one), act=PayoutAct.VALIDATED) for one in validation]
        for one in map(position, awards):
            act = next_act(award_status(self.state.round.acts_at(one)))
            awaiting += [] if act is None else [AwaitedAct(position=one, act=act)]
        return self.happen(
            RoundSettled(
                at=self.tick(),
                round_number=RoundNumber(self.state.round.number if number is None else number),
                answers=Sequence(self.state.sequence if answers is None else answers),
                side_wagers_settled=side_wagers,
                deferred=tuple(map(position, deferred)),
                undecided=tuple(map(position, undecided)),
                awaiting=tuple(awaiting),
                decided=tuple(DecidedWager(position=position(one), kind=kind) for one, kind in decided),
                complete=complete,
                vigorish_marked=vigorish_marked,
            )
        )

    def start(self, table: TableSetup | None = None, *, boot_id: str = "") -> "Play":
        """Start the bridge again as the daemon does, with whatever the start itself shows."""
        started = BridgeStarted(
            at=self.tick(),
            version="2",
            setup=table or self.state.setup,
            boot_id=boot_id or self.state.bridge.boot_id,
        )
        events: tuple[TableEvent, ...] = (started, *found_at_start(self.state, started))
        for event in events:
            self.happen(event)
        return self

    def stop(self) -> "Play":
        return self.happen(BridgeStopped(at=self.tick()))

    def disable(self, reason: DisabledReason, detail: str = "as found") -> "Play":
        return self.happen(ControllerDisabled(at=self.tick(), reason=reason, detail=detail))

    def enable(self, reason: DisabledReason, why: str = "it was looked into") -> "Play":
        """Clear a reason, as somebody who may."""
        by, role = next((by, role) for by, role in STAFF if role is MAY_ENABLE[reason])
        return self.confirm(ControllerEnabled(reason=reason, why=why), by=by, role=role)

    def confirm(
        self, confirmation: Confirmation, by: PersonId = FLOOR, role: PersonRole = PersonRole.FLOORPERSON
    ) -> "Play":
        return self.happen(PersonConfirmed(at=self.tick(), by=by, role=role, confirmation=confirmation))

    def sign(self, act: PayoutAct, *numbers: int, reason: str = "") -> "Play":
        """Sign an act off, as somebody who may."""
        by, role = next((by, role) for by, role in STAFF if role in MAY[act])
        for number in numbers:
            said = PayoutSignedOff(
                round_number=self.state.round.number, position=position(number), act=act, reason=reason
            )
            self.confirm(said, by=by, role=role)
        return self

    def lit(self, *numbers: int, lamp: Lamp = Lamp.CROWN_TREASURE) -> "Play":
        """Ask for a win lamp, and have its device report it lit."""
        for number in numbers:
            wanted = Indicator(position(number), lamp)
            self.happen(
                IndicatorRequested(
                    at=self.tick(), round_number=self.state.round.number, indicator=wanted, state=LampState.ON
                )
            )
            self.happen(IndicatorReported(at=self.tick(), device=KEYS, indicator=wanted, state=LampState.ON))
        return self

    def dealt(self, *numbers: int, cards: str) -> "Play":
        """Wager at positions, lock out, count, deal the initial cards."""
        return self.wagers(*numbers).lock().key(DealerKey.COUNT_AGREED).cards(cards)

    @property
    def phase(self) -> Phase:
        return self.state.phase

    @property
    def irregular(self) -> list[IrregularityKind]:
        return [irregularity.kind for irregularity in self.state.irregularities]

    def accepted(self, kind: WagerKind = PROGRESSIVE) -> list[int]:
        return [wager.position for wager in self.state.round.accepted if wager.kind is kind]

    def replayed(self) -> TableState:
        state = initial_state(self.state.setup)
        for event in self.events:
            state = evolve(state, event)
        return state

    def without_sequence(self) -> TableState:
        return replace(self.state, sequence=Sequence(0))
