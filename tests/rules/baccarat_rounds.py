"""Rounds of baccarat and their filings in the shape that a rule is about: cards as text, money in cents."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from bridge.domain.cards import FaceOrUnseen
from bridge.domain.identity import RoundNumber, TableId
from bridge.domain.rounds import DealtCard, Game, Hand, House, Round
from bridge.domain.settlements import Settlement, StepAction, WagerOutcome
from bridge.domain.wagers import UnknownAmount, WagerKind
from bridge.rulebook import installed_paytables, load_fixed_paytables
from bridge.rules.catalogue import BASE_WAGERS, CATALOGUE, FixedOddsWager
from bridge.rules.golden_talons import TalonsOnDragon7
from bridge.rules.paytable import Paytable
from bridge.rules.rounding import Direction, Rounding
from bridge.rules.settlement import settle
from bridge.rules.submission import (
    BaccaratFiling,
    NoVigorish,
    OutsideWindow,
    RulesSubmission,
    SettleOrder,
    VigorishFiling,
    VigorishTaken,
    WagerFiling,
)
from tests.rules.rounds import AT, DIGEST, READER, faces, wager_of

TO_A_CENT = Rounding(to_cents=1, direction=Direction.UP)
FIVE_PERCENT = VigorishFiling(rate=Fraction(5, 100), rounding=TO_A_CENT, taken=VigorishTaken.MARKED)
BACCARAT_WAGERS = tuple(wager for wager in FixedOddsWager if wager is not FixedOddsWager.ROYAL_MATCH_21)
NOT_EZ_WAGERS = tuple(wager for wager in BACCARAT_WAGERS if not CATALOGUE[wager].ez_only)


@cache
def paytables(wager: FixedOddsWager) -> Mapping[str, Paytable]:
    """Return the installed paytables of a wager by letter."""
    return load_fixed_paytables(installed_paytables()[wager])


def filings(
    wager: FixedOddsWager,
    letter: str = "A",
    *,
    amount: int | UnknownAmount = UnknownAmount.UNKNOWN,
    rounding: Rounding = TO_A_CENT,
    requires: tuple[WagerKind, ...] | None = None,
    settle_order: SettleOrder = SettleOrder.HIGHEST_POSITION_FIRST,
    paytable: Paytable | None = None,
) -> tuple[WagerFiling, ...]:
    terms = CATALOGUE[wager]
    return tuple(
        WagerFiling(
            kind=kind,
            approval_reference="LAYOUT-2",
            paytable=paytables(wager)[letter] if paytable is None else paytable,
            moment=terms.moment,
            requires=terms.requires if requires is None else requires,
            settle_order=settle_order,
            amount=wager_of(1, amount).amount,
            rounding=rounding,
        )
        for kind in terms.kinds
    )


def a_baccarat_submission(
    *,
    ez: bool = False,
    vigorish: VigorishFiling | NoVigorish = FIVE_PERCENT,
    on_dragon_7: TalonsOnDragon7 = TalonsOnDragon7.WINS,
    letters: Mapping[FixedOddsWager, str] | None = None,
    wagers: Iterable[WagerFiling] | None = None,
    game: Game = Game.MINIBACCARAT,
) -> RulesSubmission:
    """Return a submission that files every wager of its table, or these."""
    named = letters or {}
    offered = BACCARAT_WAGERS if ez else NOT_EZ_WAGERS
    everything = [filing for wager in offered for filing in filings(wager, named.get(wager, "A"))]
    return RulesSubmission(
        game=game,
        digest=DIGEST,
        effective_from="2024-11-02",
        effective_until="2027-03-08",
        outside_window=OutsideWindow.WARN,
        royal_match_progressive=None,
        wagers=tuple(everything if wagers is None else wagers),
        baccarat=BaccaratFiling(
            vigorish=NoVigorish.EZ_BACCARAT if ez else vigorish,
            on_dragon_7=on_dragon_7 if ez else TalonsOnDragon7.NOT_ANNOUNCED,
        ),
    )


STANDARD = a_baccarat_submission()
EZ = a_baccarat_submission(ez=True)
TALONS_BESIDE_A_TIE = BASE_WAGERS


@dataclass(frozen=True, kw_only=True)
class Coup:
    """A round of baccarat in a form that is short to write."""

    player: str = ""
    banker: str = ""
    wagers: Mapping[int, Mapping[str, int | UnknownAmount]]
    """Amounts by wager kind, by position."""
    hidden: Iterable[House] = ()
    complete: bool = False
    voided: bool = False
    game: Game = Game.MINIBACCARAT

    def round(self) -> Round:
        """Return the round with these hands; cards are ordered as they leave the shoe."""
        player, banker = faces(self.player), faces(self.banker)
        return Round(
            table=TableId("mb-1"),
            number=RoundNumber(7),
            game=self.game,
            submission_digest=DIGEST,
            opened_at=AT,
            locked=True,
            accepted=tuple(
                wager_of(position, amount, WagerKind(kind))
                for position, wagers in self.wagers.items()
                for kind, amount in wagers.items()
            ),
            hands=(
                Hand(holder=House.PLAYER, cards=self._dealt(House.PLAYER, player, first=1)),
                Hand(holder=House.BANKER, cards=self._dealt(House.BANKER, banker, first=2)),
            ),
            initial_deal_complete=min(len(player), len(banker)) >= 2,
            hands_declared_complete=self.complete,
            voided=self.voided,
        )

    def _dealt(self, holder: House, cards: tuple[FaceOrUnseen, ...], first: int) -> tuple[DealtCard, ...]:
        return tuple(
            DealtCard(
                order=first + 2 * place, card=card, device=READER, at=AT, disclosed=holder not in self.hidden
            )
            for place, card in enumerate(cards)
        )

    def settled(self, submission: RulesSubmission = STANDARD) -> Settlement:
        return settle(self.round(), submission)


def ends(settlement: Settlement) -> dict[tuple[int, WagerKind], WagerOutcome]:
    return {(end.position, end.kind): end for end in settlement.outcomes}


def outcomes(settlement: Settlement) -> dict[tuple[int, str], str]:
    """Return the name of each wager's outcome by position and kind."""
    return {(end.position, end.kind.value): end.outcome for end in settlement.outcomes}


def steps(settlement: Settlement) -> list[tuple[StepAction, int, str]]:
    return [(step.action, step.position, step.kind.value) for step in settlement.steps]
