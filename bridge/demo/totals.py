"""What a demonstration adds up to, and the lines it prints where there is no live view."""

import json
from collections import Counter

from bridge.clock import in_zone
from bridge.contracts.envelopes import Envelope, EventEnvelope, RoundEnvelope, SettlementEnvelope, TableEnvelope
from bridge.domain.awards import AwardStatus
from bridge.domain.events import IndicatorReported
from bridge.domain.identity import RoundNumber, Timestamp
from bridge.domain.money import Cents, MeterAmount, format_cents
from bridge.domain.names import outcome_name
from bridge.domain.settlements import Result, Settlement
from bridge.rules.floorperson import ends_now, envy_bonuses_owed


class Totals:
    """Counts over the rounds of a demonstration, from what the table published."""

    def __init__(self) -> None:
        self.rounds = 0
        self.outcomes: Counter[str] = Counter()
        self.irregularities: Counter[str] = Counter()
        self.wagered = Cents(0)
        self.collected = Cents(0)
        self.paid_from_inventory = Cents(0)
        self.envy_bonuses = Cents(0)
        self.awards = Cents(0)
        self.contributed = MeterAmount(0)
        self.vigorish = Cents(0)
        self._current = RoundNumber(0)
        self._last: dict[RoundNumber, SettlementEnvelope] = {}
        self._irregular: dict[RoundNumber, TableEnvelope] = {}

    def hear(self, envelope: Envelope) -> SettlementEnvelope | None:
        """Take a message into account; return the settlement of the round that is over with it, if one is.

        A settlement counts in its last form, when the next round has opened.
        """
        over = None
        match envelope:
            case SettlementEnvelope():
                self._last[envelope.settlement.round_number] = envelope
            case TableEnvelope():
                self._irregular[envelope.view.round_number] = envelope
            case RoundEnvelope() if envelope.round.number != self._current:
                if self._current:
                    over = self._close(self._current)
                self._current = envelope.round.number
            case _:
                pass
        return over

    def as_json(self, meters: dict[str, str]) -> str:
        """Return the last line of ``--json``; money in cents, meters in dollars to a hundredth of a cent."""
        return json.dumps(
            {
                "kind": "totals",
                "rounds": self.rounds,
                "outcomes": dict(self.outcomes),
                "irregularities": dict(self.irregularities),
                "wagered_cents": self.wagered,
                "collected_cents": self.collected,
                "paid_from_inventory_cents": self.paid_from_inventory,
                "envy_bonuses_cents": self.envy_bonuses,
                "awards_cents": self.awards,
                "contributed": str(self.contributed),
                "vigorish_cents": self.vigorish,
                "meters": meters,
            }
        )

    def _close(self, number: RoundNumber) -> SettlementEnvelope | None:
        self.rounds += 1
        if (table := self._irregular.pop(number, None)) is not None:
            self.irregularities.update(one.kind.value for one in table.view.irregularities)
        if (envelope := self._last.pop(number, None)) is not None:
            self._add(envelope.settlement)
            awarded = sum(one.amount for one in envelope.awards if one.status is not AwardStatus.REJECTED)
            self.awards = Cents(self.awards + awarded)
        return envelope

    def _add(self, settlement: Settlement) -> None:
        self.outcomes.update(outcome.outcome for outcome in settlement.outcomes)
        self.envy_bonuses = Cents(self.envy_bonuses + sum(bonus.amount for bonus in envy_bonuses_owed(settlement)))
        self.contributed += MeterAmount.total(one.amount for one in settlement.contributions)
        self.contributed -= MeterAmount.total(one.amount for one in settlement.corrections)
        for outcome in ends_now(settlement):
            stake = outcome.amount if isinstance(outcome.amount, int) else 0
            self.wagered = Cents(self.wagered + stake)
            if outcome.result is Result.LOSE:
                self.collected = Cents(self.collected + stake)
            if isinstance(outcome.vigorish, int):
                self.vigorish = Cents(self.vigorish + outcome.vigorish)
            if outcome.result is not Result.LOSE and isinstance(outcome.paid, int):
                self.paid_from_inventory = Cents(self.paid_from_inventory + outcome.paid)


def round_line(of: SettlementEnvelope) -> str:
    """Return what to print for people of a round that is over."""
    counted = Counter(outcome.outcome for outcome in of.settlement.outcomes)
    ends = [f"{outcome_name(outcome)} {count}" for outcome, count in sorted(counted.items())]
    awards = [f"award at {one.position}: {format_cents(one.amount)}, {one.status}" for one in of.awards]
    return f"Round {of.settlement.round_number}: {'; '.join((', '.join(ends) or 'nothing to settle', *awards))}"


class JsonLines:
    """Prints each settlement that says something new, and each lamp that a device reported."""

    def __init__(self) -> None:
        self._said: dict[str, object] = {}

    def line(self, envelope: Envelope) -> str:
        """Return what to print for a message; empty for most."""
        match envelope:
            case SettlementEnvelope() if envelope.settlement.contributions or envelope.settlement.outcomes:
                content = _settlement(envelope)
                if content != self._said:
                    self._said = content
                    return json.dumps(content)
            case EventEnvelope(event=IndicatorReported() as report):
                return json.dumps(
                    {
                        "kind": "lamp",
                        "round": envelope.round_number,
                        "position": report.indicator.position,
                        "lamp": report.indicator.lamp,
                        "state": report.state,
                        "device": report.device,
                        "at": _iso(report.at),
                    }
                )
            case _:
                pass
        return ""


def _settlement(envelope: SettlementEnvelope) -> dict[str, object]:
    """Return what a settlement says; who said it, and after which record, is of no use to a demonstration."""
    said = envelope.model_dump(mode="json", include={"settlement", "awards", "complete"})
    content = {key: value for key, value in said.pop("settlement").items() if key not in ("table", "round_number")}
    return {"kind": "settlement", "round": envelope.settlement.round_number, **content, **said}


def _iso(at: Timestamp) -> str:
    return in_zone(at).isoformat(timespec="microseconds")
