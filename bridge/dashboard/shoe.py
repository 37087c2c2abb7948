"""The rounds of the shoe in play, as a scoreboard needs them."""

from collections.abc import Sequence
from typing import Final, Protocol

from bridge.contracts.envelopes import Envelope, RoundEnvelope, SettlementEnvelope, TableEnvelope
from bridge.domain.identity import RoundNumber, Timestamp
from bridge.domain.rounds import Round
from bridge.domain.settlements import FinalResult, Settlement

ROUNDS_MAX: Final = 150
"""Eight decks come to about ninety; more are kept only where nobody says that a shoe was changed."""


class ShoeRounds(Protocol):
    """Whoever knows the finished rounds of the shoe in play."""

    def shoe(self) -> Sequence[tuple[Round, Settlement]]:
        """Return the finished rounds of the shoe in play, oldest first and without a gap."""

    def since(self) -> RoundNumber | None:
        """Return from which round on the shoe is known; None where it is known from its first round on."""


class HeardShoe:
    """The rounds of the shoe that were heard, as far back as there is no gap. Implements ``ShoeRounds``."""

    def __init__(self) -> None:
        self._epoch: Timestamp | None = None
        """Since when the daemon runs that told the round that is on."""
        self._begin()

    def _begin(self) -> None:
        """Know nothing yet."""
        self._finished: list[tuple[Round, Settlement]] = []
        self._round: Round | None = None
        self._settlement: Settlement | None = None
        self._shoe_number: int | None = None
        self._first: RoundNumber | None = None
        """From here on every round was heard."""
        self._begins_with = RoundNumber(0)
        """The first round of the shoe in play; 0 while no change of the shoe was seen."""

    def take(self, envelope: Envelope) -> None:
        """Learn what a message says; the newest come last."""
        match envelope:
            case RoundEnvelope(round=round_, epoch=epoch):
                if self._is_of_another_journal(round_, epoch):
                    self._begin()
                self._epoch = epoch
                self._take_round(round_)
            case SettlementEnvelope(settlement=settlement):
                if self._round is not None and settlement.round_number == self._round.number:
                    self._settlement = settlement
            case TableEnvelope(view=view):
                if self._shoe_number not in (None, view.shoe_number):
                    self._begins_with = view.round_number
                self._shoe_number = view.shoe_number
            case _:
                pass

    def shoe(self) -> Sequence[tuple[Round, Settlement]]:
        """Return the finished rounds of the shoe in play, oldest first and without a gap."""
        return tuple(one for one in self._finished if one[0].number >= self._begins_with)

    def since(self) -> RoundNumber | None:
        """Return from which round on the shoe is known; None where it is known from its first round on."""
        if self._round is None:
            return None
        first = self._first or self._round.number
        return None if self._begins_with >= first else first

    def _is_of_another_journal(self, round_: Round, epoch: Timestamp) -> bool:
        """Return whether a daemon that started later plays a number again: no round of before is of its shoe."""
        before = self._round
        if before is None or self._epoch is None or epoch <= self._epoch:
            return False
        return round_.number < before.number or (
            round_.number == before.number and round_.opened_at != before.opened_at
        )

    def _take_round(self, round_: Round) -> None:
        before = self._round
        if before is not None and round_.number < before.number:
            return
        if before is not None and round_.number > before.number:
            if round_.number > before.number + 1 or not self._finish(before):
                self._finished = []
                self._first = round_.number
            self._settlement = None
        self._first = self._first or round_.number
        self._round = round_

    def _finish(self, round_: Round) -> bool:
        """Keep a round that is over; return False if it had a result and that was not heard."""
        if round_.voided or not any(hand.cards for hand in round_.hands):
            return True
        if self._settlement is None or not any(
            isinstance(said, FinalResult) for said in self._settlement.announcements
        ):
            return False
        self._finished = [*self._finished[1 - ROUNDS_MAX :], (round_, self._settlement)]
        return True
