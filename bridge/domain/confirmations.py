"""What a person says about a round. The identity comes from the login, never from the text (§ 633b.18(h))."""

from dataclasses import dataclass
from typing import Literal

from bridge.domain.awards import PayoutAct
from bridge.domain.cards import Card
from bridge.domain.controller import DisabledReason
from bridge.domain.identity import PersonId, ProgressiveId, RoundNumber
from bridge.domain.meters import AdjustmentReason, Pool
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.settlements import Result
from bridge.domain.wagers import BettingPosition, WagerKind


@dataclass(frozen=True, slots=True, kw_only=True)
class CountResolved:
    """The difference between chips collected and wagers accepted is settled; the accepted wagers stand."""

    round_number: RoundNumber
    reason: str
    kind: Literal["count_resolved"] = "count_resolved"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardIdentified:
    """The supervisor names a card that the reader could not read (T51)."""

    round_number: RoundNumber
    order: int
    """``DealtCard.order`` of the card."""
    card: Card
    kind: Literal["card_identified"] = "card_identified"


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutSignedOff:
    """Somebody has done one act of the payout of one position; ``awards.MAY`` says who may (§ 633b.18(h))."""

    round_number: RoundNumber
    position: BettingPosition
    act: PayoutAct
    reason: str = ""
    """Why; a rejection needs one."""
    kind: Literal["payout_signed_off"] = "payout_signed_off"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultOverridden:
    """A floorperson says how a wager at fixed odds ended, in place of what was decided (T50).

    A push pays nothing, a lost wager is not returned either. An award is not overridden but rejected.
    """

    round_number: RoundNumber
    position: BettingPosition
    wager: WagerKind
    result: Result
    paid: Cents
    stake_returned: Cents
    reason: str
    kind: Literal["result_overridden"] = "result_overridden"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerDeclared:
    """The floorperson says who plays a position; one person may play several (T24).

    It may be corrected until the hole card is exposed: what is owed then must not change (T50).
    """

    round_number: RoundNumber
    position: BettingPosition
    owner: PersonId
    kind: Literal["owner_declared"] = "owner_declared"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundVoided:
    """A floorperson voids the round: what is not decided is returned, and nothing more is dealt in it."""

    round_number: RoundNumber
    reason: str
    kind: Literal["round_voided"] = "round_voided"


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountDeclared:
    """Somebody says how much an accepted wager is, where its sensor only knows that a chip is there.

    Until the initial deal is complete: what is paid must not change afterwards (T50).
    """

    round_number: RoundNumber
    position: BettingPosition
    wager: WagerKind
    amount: Cents
    kind: Literal["amount_declared"] = "amount_declared"


@dataclass(frozen=True, slots=True, kw_only=True)
class VigorishCollected:
    """The vigorish that was marked at a position has been paid."""

    round_number: RoundNumber
    position: BettingPosition
    kind: Literal["vigorish_collected"] = "vigorish_collected"


@dataclass(frozen=True, slots=True, kw_only=True)
class CoinsReturned:
    """Coins that an acceptor took and that are no wager were given back at a position: all that is owed there."""

    round_number: RoundNumber
    position: BettingPosition
    amount: Cents
    kind: Literal["coins_returned"] = "coins_returned"


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerEnabled:
    """Somebody has looked at what disabled the controller, and clears it. It is about no round."""

    reason: DisabledReason
    why: str
    """What was found and done about it."""
    kind: Literal["controller_enabled"] = "controller_enabled"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterAdjusted:
    """Somebody who holds the parameters changes a meter, for a named reason. It is about no round.

    The rules worker does it, and says whether it is done; the table only keeps the word on its record.
    """

    progressive: ProgressiveId
    pool: Pool
    reason: AdjustmentReason
    amount: MeterAmount
    """Negative where it lowers the pool."""
    text: str
    """What happened, and where it is documented."""
    counterpart: str = ""
    """Where a transfer goes, or comes from."""
    settles: str = ""
    """The key of the held contribution that is done with by this; empty where there is none."""
    kind: Literal["meter_adjusted"] = "meter_adjusted"


Confirmation = (
    RoundVoided
    | AmountDeclared
    | VigorishCollected
    | CoinsReturned
    | CountResolved
    | CardIdentified
    | PayoutSignedOff
    | ResultOverridden
    | ControllerEnabled
    | MeterAdjusted
    | OwnerDeclared
)
