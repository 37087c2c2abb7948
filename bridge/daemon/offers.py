"""What was offered to the rules worker, and what came back: a round is offered until it is answered (T54)."""

from bridge.contracts.envelopes import SettlementEnvelope
from bridge.domain.events import TableEvent
from bridge.domain.identity import Sequence, Timestamp
from bridge.domain.indicators import LampState
from bridge.rules.indicators import win_lamps
from bridge.table.answers import answer, is_news
from bridge.table.state import TableState, has_wagers_to_settle


class Offers:
    """The newest offer of the round on the table, and the newest answer to it."""

    def __init__(self) -> None:
        self.offered = Sequence(0)
        """The journal record after which the round was last published."""
        self._answer: SettlementEnvelope | None = None

    def answered(self, envelope: SettlementEnvelope, state: TableState, at: Timestamp) -> tuple[TableEvent, ...]:
        """Take a settlement of the round on the table: the newest, and of a round that this table offered."""
        known = Sequence(0) if self._answer is None else self._answer.sequence
        of_this_round = envelope.settlement.round_number == state.round.number
        if not of_this_round or not known <= envelope.sequence <= self.offered:
            return ()
        self._answer = envelope
        settled = answer(envelope.settlement, state, answers=envelope.sequence, complete=envelope.complete, at=at)
        return (settled,) if is_news(settled, state) else ()

    def is_due(self, state: TableState) -> bool:
        """Return whether the round wants to be offered again."""
        return has_wagers_to_settle(state) and not self._is_answered(state)

    def _is_answered(self, state: TableState) -> bool:
        """Return whether the round as it was last offered is settled, and its win lamps are as that says."""
        known = self._answer
        if known is None or known.sequence < self.offered:
            return False
        lamps = win_lamps(known.settlement, state.round, state.setup.deal_order)
        return state.win_lamps == {indicator for indicator, lit in lamps if lit is LampState.ON}
