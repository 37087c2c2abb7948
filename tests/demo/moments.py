"""Moments at the demonstration's table, for whoever has to be shown one: folded from events, settled, posted.

``python -m tests.demo.moments`` writes the picture of the screen that stands in the README.
"""

import asyncio
import tempfile
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

from rich.console import Console

from bridge.bus.memory import MemoryBroker, MemoryBus
from bridge.clock import SystemClock
from bridge.config import load_table
from bridge.contracts.author import Author
from bridge.contracts.envelopes import (
    DeviceEnvelope,
    Envelope,
    HealthEnvelope,
    MeterEnvelope,
    RoundEnvelope,
    SettlementEnvelope,
    TableEnvelope,
)
from bridge.demo.display import TableDisplay
from bridge.demo.screen import screen
from bridge.domain.cards import Card
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.devices import DeviceState, DeviceStatus
from bridge.domain.events import (
    CardDrawn,
    DealerKeyPressed,
    IndicatorReported,
    IndicatorRequested,
    LockOutPressed,
    WagerAreaObserved,
    WagerPlaced,
    WagerRemoved,
)
from bridge.domain.identity import DeviceId, Timestamp
from bridge.domain.indicators import Indicator, LampState
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.known_table import subscriptions
from bridge.rules.indicators import win_lamps
from bridge.rules.progressive import meter_entries
from bridge.rules.settlement import settle
from bridge.stores.sqlite_meters import SqliteMeterStore
from bridge.table.acceptance import lamps_wanted
from bridge.table.answers import answer
from bridge.table.disclosure import disclose_round
from bridge.table.view import view
from simulators.scenario import ScriptedRound
from tests.processes.table import DEMONSTRATION, scenario
from tests.table.tables import Play

PICTURE = Path(__file__).parents[2] / "bridge" / "demo" / "screen.svg"
TITLE = "[bold]Royal Match progressive[/] · table bj-demo"
WIDTH, HEIGHT = 112, 32
MODULE = DeviceId("module-1")
_NOW = Timestamp(1_795_989_600_000_000)


class StoppedClock(SystemClock):
    """A clock for pictures that do not change."""

    def wall(self) -> Timestamp:
        return _NOW


class Moment:
    """A table that has come to some moment of a round, and what its display shows then."""

    def __init__(self, script: ScriptedRound) -> None:
        self.config = load_table(DEMONSTRATION)
        self.play = Play(self.config.setup)
        self.script = script
        table, clock = self.config.setup.table, StoppedClock()
        self.author = Author(f"{table}-moments", clock)
        self.said: list[Envelope] = []
        """Everything that was published up to the moment."""
        bus = MemoryBus(
            MemoryBroker(),
            client_id="display",
            subscriptions=subscriptions(table),
            will=None,
            birth=None,
            clock=clock,
        )
        self.display = TableDisplay(table, bus=bus, author=self.author, clock=clock)
        for area in self.play.state.areas:
            self.play.happen(
                WagerAreaObserved(
                    at=self.play.tick(), device=MODULE, position=area.position, wager=area.wager, covered=False
                )
            )
        for line in self.config.lines:
            for device in line.devices:
                self.show_device(device.device, line.url, DeviceState.READY)

    def lay(self, *positions: BettingPosition, wager: WagerKind) -> None:
        for position in positions:
            self.play.happen(WagerPlaced(at=self.play.tick(), device=MODULE, position=position, wager=wager))

    def lock_out(self) -> None:
        """Lay the chips of the script, and lock out."""
        self.lay(*self.script.blackjack, wager=WagerKind.BLACKJACK)
        self.lay(*self.script.progressive, wager=WagerKind.ROYAL_MATCH_PROGRESSIVE)
        self.play.happen(LockOutPressed(at=self.play.tick(), device=MODULE))

    def deal(self) -> None:
        """Collect, count and deal the initial cards."""
        for position in self.script.progressive:
            self.play.happen(
                WagerRemoved(
                    at=self.play.tick(), device=MODULE, position=position, wager=WagerKind.ROYAL_MATCH_PROGRESSIVE
                )
            )
        self.key(DealerKey.COUNT_AGREED)
        for card in self.script.initial_deal(self.config.setup.deal_order):
            self.play.happen(CardDrawn(at=self.play.tick(), device=DeviceId("card-reader"), card=card))

    def hit(self, card: str) -> None:
        """Deal a further card."""
        self.play.happen(CardDrawn(at=self.play.tick(), device=DeviceId("card-reader"), card=Card.parse(card)))

    def key(self, key: DealerKey) -> None:
        self.play.happen(DealerKeyPressed(at=self.play.tick(), device=DeviceId("module-3"), key=key))

    async def show(self) -> TableDisplay:
        """Settle what has fallen due, light what was won, and show all of it."""
        state, setup = self.play.state, self.config.setup
        settlement = settle(state.round, self.config.submission)
        with tempfile.TemporaryDirectory(prefix="moment-") as directory:
            path = Path(directory) / "moment.meters"
            async with SqliteMeterStore.open(path, self.config.submission.progressives()) as store:
                posted = await store.post(meter_entries(settlement, state.round, state.sequence))
        self.play.happen(answer(settlement, state, answers=state.sequence, complete=False, at=self.play.tick()))
        self._light(settlement_lamps=win_lamps(settlement, state.round, setup.deal_order))
        now = self.play.state
        self.say(HealthEnvelope, service="daemon", online=True, detail="")
        self.say(HealthEnvelope, service="rules-worker", online=True, detail="")
        self.say(RoundEnvelope, sequence=now.sequence, round=disclose_round(now.round))
        self.say(
            SettlementEnvelope, sequence=now.sequence, settlement=settlement, awards=posted.awards, complete=False
        )
        for reading in posted.readings:
            self._publish(self.author.stamp(MeterEnvelope, reading=reading))
        self.say(TableEnvelope, sequence=now.sequence, view=view(now))
        return self.display

    def show_device(self, device: DeviceId, port: str, state: DeviceState) -> None:
        status = DeviceStatus(device=device, profile="", port=port, state=state, since=_NOW, reason="", faults=())
        self.say(DeviceEnvelope, status=status)

    def say(self, envelope: type[Envelope], **content: object) -> None:
        self._publish(self.author.stamp(envelope, table=self.config.setup.table, **content))

    def _publish(self, envelope: Envelope) -> None:
        self.said.append(envelope)
        self.display.take(envelope)

    def _light(self, settlement_lamps: Sequence[tuple[Indicator, LampState]]) -> None:
        number = self.play.state.round.number
        for indicator, lit in settlement_lamps:
            self.play.happen(
                IndicatorRequested(at=self.play.tick(), round_number=number, indicator=indicator, state=lit)
            )
        wanted = lamps_wanted(self.play.state)
        for shown in view(self.play.state).lamps:
            lit = LampState.ON if shown.indicator in wanted else LampState.OFF
            self.play.happen(
                IndicatorReported(at=self.play.tick(), device=MODULE, indicator=shown.indicator, state=lit)
            )


async def two_crown_treasures() -> TableDisplay:
    """The hole card has been turned, and two positions share the meter; a wager came too late."""
    (script,) = scenario("two_crown_treasures")
    moment = Moment(script)
    moment.lock_out()
    moment.lay(BettingPosition(7), wager=WagerKind.ROYAL_MATCH_PROGRESSIVE)
    moment.deal()
    await moment.show()
    moment.key(DealerKey.HOLE_CARD_EXPOSED)
    return await moment.show()


def drawn(display: TableDisplay, *, width: int = WIDTH, height: int = HEIGHT) -> Console:
    """Return a terminal of this size with the screen on it."""
    console = Console(file=StringIO(), record=True, width=width, height=height, force_terminal=True)
    console.print(screen(display, TITLE), height=height)
    return console


def picture() -> str:
    """Return the picture of the README."""
    console = drawn(asyncio.run(two_crown_treasures()))
    return console.export_svg(title="table-bridge demo --scenario two_crown_treasures", unique_id="table-bridge")


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
