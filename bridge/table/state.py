"""The state of one table: a fold of its events and nothing else (``evolve``)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from bridge.domain.awards import AwaitedAct
from bridge.domain.changing import replace
from bridge.domain.controller import Disabled
from bridge.domain.events import RoundSettled
from bridge.domain.identity import DeviceId, RoundNumber, Sequence, Timestamp
from bridge.domain.indicators import Indicator, LampState
from bridge.domain.money import Cents
from bridge.domain.rounds import DealtCard, Round
from bridge.domain.settlements import DecidedWager
from bridge.domain.setup import (
    CardReading,
    CoinSlot,
    DeviceWiring,
    InputRole,
    OutputRole,
    TableSetup,
    WagerSensor,
)
from bridge.domain.shoe import ShoeResult, UnseenResult
from bridge.domain.table_view import Irregularity, IrregularityKind, Phase, TrayView
from bridge.domain.wagers import BettingPosition, UnknownAmount, Wager, WagerAmount, WagerKind
from bridge.table.phases import TRANSITIONS, Trigger

IRREGULARITIES_MAX = 100
"""Irregularities kept in the state of one round, lest a flapping device fill the memory; the journal has all."""
_NOTHING = Cents(0)
STATES_KEPT = 2
"""What a state means is remembered for two: it is asked after one event, and again before the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """What a sensor shows, and whether its chip may count."""

    position: BettingPosition
    wager: WagerKind
    covered: bool = False
    fresh: bool = False
    """Placed while its wager was being accepted. A chip left over, or laid too late, is not fresh (T45)."""
    amount: WagerAmount = UnknownAmount.UNKNOWN
    """What lies there, as far as its device can tell."""
    unknown_chips: tuple[str, ...] = ()
    """What lies there and is in no register."""
    taken: Cents = _NOTHING
    """Coins that were taken for the wager of this round; they are gone, and the wager ends with its round."""

    def emptied(self) -> "Area":
        """Return the area with nothing in it."""
        return Area(position=self.position, wager=self.wager)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What the table knows of the settlement of its round."""

    answers: Sequence = Sequence(0)
    side_wagers_settled: bool = False
    deferred: tuple[BettingPosition, ...] = ()
    undecided: tuple[BettingPosition, ...] = ()
    awaiting: tuple[AwaitedAct, ...] = ()
    decided: tuple[DecidedWager, ...] = ()
    complete: bool = False
    vigorish_marked: tuple[tuple[BettingPosition, WagerAmount], ...] = ()

    @classmethod
    def told_by(cls, event: RoundSettled) -> Self:
        """Return what an answer of the rules worker says."""
        return cls(
            answers=event.answers,
            side_wagers_settled=event.side_wagers_settled,
            deferred=event.deferred,
            undecided=event.undecided,
            awaiting=event.awaiting,
            decided=event.decided,
            complete=event.complete,
            vigorish_marked=event.vigorish_marked,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Shoe:
    """The shoe in play; counted from 1, which is the one that was there when the journal began."""

    number: int = 1
    cut_card_reached: bool = False
    untold_result: ShoeResult | UnseenResult | None = None
    """What it reported of the round while hands lay face down; it is compared when both are turned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeLife:
    """The run of the daemon that its journal was last told of."""

    running: bool = False
    """Whether it was started and not stopped."""
    boot_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """Everything the table knows. Compare two of them with ``==``; a replay gives the equal one."""

    setup: TableSetup
    sequence: Sequence
    """Of the last event folded in."""
    phase: Phase
    round: Round
    areas: tuple[Area, ...]
    settled: Settled = Settled()
    burn_expected: bool = False
    """The next card is burned, not dealt."""
    hole_card_expected: bool = False
    """The next card is the hole card, being shown."""
    lost: frozenset[DeviceId] = frozenset()
    win_lamps: frozenset[Indicator] = frozenset()
    """Lamps that the rules worker wants lit."""
    reported: tuple[tuple[Indicator, LampState], ...] = ()
    """Lamps as their devices last reported them, sorted."""
    irregularities: tuple[Irregularity, ...] = ()
    shoe: Shoe = Shoe()
    vigorish: tuple[tuple[BettingPosition, WagerAmount], ...] = ()
    """What positions owe from rounds that are over, by position (§ 627a.11(b)); unknown where an amount was."""
    disabled: tuple[Disabled, ...] = ()
    """Why the controller is disabled, each reason since it was first found."""
    bridge: BridgeLife = BridgeLife()
    coins_owed: tuple[tuple[BettingPosition, Cents], ...] = ()
    """Coins that acceptors took and that are no wager, by position, until a floorperson has returned them."""
    trays: tuple[TrayView, ...] = ()
    """What was read last in each chip tray, by device."""
    gaming_day: str = ""
    """ISO date; empty until the first event of a journal says it."""

    def __hash__(self) -> int:
        """Return a hash that costs nothing, because what a state means is looked up by it."""
        return hash((self.round.number, self.sequence))


def initial_state(setup: TableSetup) -> TableState:
    """Return a table that has seen nothing: no device has answered, so nothing is recognised (T46)."""
    return TableState(
        setup=setup,
        sequence=Sequence(0),
        phase=Phase.WAGERS_OPEN,
        round=new_round(setup, RoundNumber(1), Timestamp(0)),
        areas=empty_areas(setup),
        lost=all_devices(setup),
    )


def new_round(setup: TableSetup, number: RoundNumber, opened_at: Timestamp) -> Round:
    """Return a round in which nothing has happened."""
    return Round(
        table=setup.table,
        number=number,
        game=setup.game,
        submission_digest=setup.submission_digest,
        opened_at=opened_at,
    )


def empty_areas(setup: TableSetup) -> tuple[Area, ...]:
    """Return the wagering areas that have a sensor or a coin slot, nothing in them."""
    return tuple(
        Area(position=role.position, wager=role.wager)
        for _, role in inputs_of(setup)
        if isinstance(role, WagerSensor | CoinSlot)
    )


def all_devices(setup: TableSetup) -> frozenset[DeviceId]:
    """Return the devices of a table: all of them are unknown until they answer (T46)."""
    return frozenset(wiring.device for wiring in setup.wiring)


def inputs_of(setup: TableSetup) -> tuple[tuple[DeviceWiring, InputRole], ...]:
    """Return every input that means something, with its device."""
    return tuple((wiring, role) for wiring in setup.wiring for _, role in wiring.inputs)


def outputs_of(setup: TableSetup) -> tuple[tuple[DeviceWiring, OutputRole], ...]:
    """Return every output that means something, with its device."""
    return tuple((wiring, role) for wiring in setup.wiring for _, role in wiring.outputs)


def hole_card_is_read(setup: TableSetup) -> bool:
    """Return whether the reader sees the hole card when it is dealt, and not when it is turned (T48)."""
    return any(reading is CardReading.AS_DRAWN for wiring in setup.wiring for reading in wiring.card_readings)


def dealt_in(state: TableState) -> tuple[BettingPosition, ...]:
    """Return the positions that are dealt cards, in deal order: those with an accepted Blackjack wager."""
    playing = {wager.position for wager in state.round.accepted if wager.kind is WagerKind.BLACKJACK}
    return tuple(position for position in state.setup.deal_order if position in playing)


def has_wagers_to_settle(state: TableState) -> bool:
    """Return whether the rules worker owes this round anything; the Blackjack wagers are the dealer's."""
    return any(wager.kind is not WagerKind.BLACKJACK for wager in state.round.accepted)


def has_wagers_to_count(state: TableState) -> bool:
    """Return whether chips are to be collected and counted before the deal (§ 633b.18(f))."""
    return any(state.setup.offer(wager.kind).acknowledged for wager in state.round.accepted)


def early_wagers(state: TableState) -> tuple[Wager, ...]:
    """Return the accepted wagers that are settled after the initial deal, before any further card."""
    return tuple(
        wager for wager in state.round.accepted if state.setup.offer(wager.kind).settled_before_further_cards
    )


def cards_of(round_: Round) -> tuple[DealtCard, ...]:
    """Return every card of a round, in the order in which they came."""
    dealt = [card for hand in round_.hands for card in hand.cards]
    return tuple(sorted([*dealt, *round_.unassigned, *round_.burned], key=lambda card: card.order))


def follow(state: TableState, trigger: Trigger) -> TableState:
    """Return the state in the phase that the transition table gives."""
    return replace(state, phase=TRANSITIONS[state.round.game][state.phase][trigger])


def record(state: TableState, kind: IrregularityKind, at: Timestamp, detail: str) -> TableState:
    """Return the state with an irregularity added; the oldest give way (T50: all of them stay in the journal)."""
    kept = (*state.irregularities, Irregularity(kind=kind, at=at, detail=detail))[-IRREGULARITIES_MAX:]
    return replace(state, irregularities=kept)


def change_area(
    state: TableState, position: BettingPosition, wager: WagerKind, change: Callable[[Area], Area]
) -> TableState:
    """Return the state with one area changed; unchanged if the layout has no such area."""
    areas = tuple(
        change(area) if (area.position, area.wager) == (position, wager) else area for area in state.areas
    )
    return replace(state, areas=areas)
