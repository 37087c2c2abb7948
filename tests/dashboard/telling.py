"""Tells a followed table what its processes would say."""

from dataclasses import replace
from typing import Any

from bridge.clock import Clock, SystemClock
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
from bridge.dashboard.followed import FollowedTable
from bridge.domain.controller import Disabled
from bridge.domain.devices import DeviceStatus
from bridge.domain.identity import RoundNumber, Sequence
from bridge.domain.meters import MeterReading
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.table_view import TableView
from bridge.known_table import KnownTable
from bridge.table.view import view
from tests.contracts.samples import READING
from tests.dashboard.baccarat import a_settled_round
from tests.table.tables import Play


class Voice:
    """Daemon and rules worker of a table, as far as a browser may hear of them."""

    def __init__(self, table: FollowedTable, clock: Clock | None = None) -> None:
        self.table = table
        self.author = Author("voice", clock or SystemClock())
        self.view: TableView = replace(view(Play(table.config.setup).state), round_number=RoundNumber(1))

    def say(self, envelope: type[Envelope], *, retained: bool = False, **content: object) -> None:
        self.table.hear(self.author.stamp(envelope, **content), retained=retained)

    def say_table(self, *, retained: bool = False, **changes: Any) -> None:
        """Say how the table stands, from now on with these changes."""
        self.view = replace(self.view, **changes)
        self.say(TableEnvelope, retained=retained, table=self.table.id, sequence=Sequence(1), view=self.view)

    def say_health(self, service: str, *, online: bool, retained: bool = False) -> None:
        self.say(HealthEnvelope, retained=retained, table=self.table.id, service=service, online=online, detail="")

    def say_device(self, status: DeviceStatus) -> None:
        self.say(DeviceEnvelope, table=self.table.id, status=status)

    def here(self) -> None:
        """Let both processes be there, at a table that waits for wagers."""
        self.say_health("daemon", online=True)
        self.say_health("rules-worker", online=True)
        self.say_table()

    def meter(self, cents: int, **changes: Any) -> MeterReading:
        """Say that the one meter of the table shows this amount."""
        (progressive,) = self.table.config.submission.progressives()
        reading = replace(
            READING,
            progressive=progressive.id,
            exact=MeterAmount.of_cents(cents),
            displayed=Cents(cents),
            pending=(),
        )
        reading = replace(reading, **changes)
        self.say(MeterEnvelope, reading=reading)
        return reading

    def disabled(self, *reasons: Disabled) -> None:
        self.say_table(disabled=reasons)

    def play(self, letters: str, first: int = 1) -> None:
        """Play rounds of baccarat to their results; the last one stays on the table."""
        for number, letter in enumerate(letters, start=first):
            round_, settlement = a_settled_round(letter, number)
            named: dict[str, Any] = {"table": self.table.id, "sequence": Sequence(1)}
            self.say(RoundEnvelope, **named, round=replace(round_, table=self.table.id))
            self.say(
                SettlementEnvelope,
                **named,
                settlement=replace(settlement, table=self.table.id),
                awards=(),
                complete=True,
            )
            self.say_table(round_number=round_.number)

    def retell(self, known: KnownTable) -> None:
        """Say everything that is known of a table somewhere else."""
        self.say_health("daemon", online=True)
        self.say_health("rules-worker", online=True)
        named: dict[str, Any] = {"table": self.table.id, "sequence": Sequence(1)}
        for status in known.devices.values():
            self.say_device(status)
        if known.round is not None:
            self.say(RoundEnvelope, **named, round=known.round)
        if known.settlement is not None:
            said = known.settlement
            self.say(
                SettlementEnvelope,
                **named,
                settlement=said.settlement,
                awards=said.awards,
                complete=said.complete,
            )
        for reading in known.meters.values():
            self.say(MeterEnvelope, reading=reading)
        if known.view is not None:
            self.view = known.view
            self.say_table()
