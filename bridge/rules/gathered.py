"""A settlement in the making: what is found about the wagers of a round, gathered in the order of settlement."""

from dataclasses import dataclass, field

from bridge.domain.awards import AwaitedAct
from bridge.domain.indicators import Lamp
from bridge.domain.rounds import Round
from bridge.domain.settlements import (
    Announcement,
    Contribution,
    DealerStep,
    DeferredWager,
    EnvyBonus,
    Settlement,
    UndecidedWager,
    WagerOutcome,
)
from bridge.domain.wagers import BettingPosition


@dataclass(slots=True, kw_only=True)
class Gathered:
    """What is found so far. The names are those of ``Settlement``."""

    contributions: list[Contribution] = field(default_factory=list)
    corrections: list[Contribution] = field(default_factory=list)
    announcements: list[Announcement] = field(default_factory=list)
    outcomes: list[WagerOutcome] = field(default_factory=list)
    deferred: list[DeferredWager] = field(default_factory=list)
    undecided: list[UndecidedWager] = field(default_factory=list)
    envy_bonuses: list[EnvyBonus] = field(default_factory=list)
    lamps: list[tuple[BettingPosition, Lamp]] = field(default_factory=list)
    steps: list[DealerStep] = field(default_factory=list)
    last_steps: list[DealerStep] = field(default_factory=list)
    """What is done after all the other steps."""
    awaiting: list[AwaitedAct] = field(default_factory=list)

    def settlement(self, round_: Round, *, all_decided: bool) -> Settlement:
        """Return it as the settlement of a round."""
        return Settlement(
            table=round_.table,
            round_number=round_.number,
            contributions=tuple(self.contributions),
            corrections=tuple(self.corrections),
            announcements=tuple(self.announcements),
            outcomes=tuple(self.outcomes),
            deferred=tuple(self.deferred),
            undecided=tuple(self.undecided),
            envy_bonuses=tuple(self.envy_bonuses),
            lamps=tuple(self.lamps),
            steps=(*self.steps, *self.last_steps),
            awaiting=tuple(self.awaiting),
            all_decided=all_decided,
        )
