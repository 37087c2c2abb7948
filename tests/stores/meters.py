"""What rounds and people ask of a meter, for the tests of its store."""

from collections.abc import Iterable
from fractions import Fraction

from bridge.domain.awards import PayoutAct
from bridge.domain.identity import PersonId, ProgressiveId, RoundNumber, Sequence, TableId, Timestamp
from bridge.domain.meters import Adjustment, AdjustmentReason, AwardClaim, MeterEntries, Pool
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.odds import Odds
from bridge.domain.rounds import SignOff
from bridge.domain.settlements import Contribution
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.rules.progressive import contribution
from bridge.rules.submission import Progressive

TABLE = TableId("blackjack-7")
OTHER_TABLE = TableId("blackjack-8")
ROYAL = ProgressiveId("royal-match")
RATE = Fraction(15, 100)
SEED = Cents(5_000_000)
NOW = Timestamp(1_700_000_000_000_000)
WHOLE_METER = Odds.of_meter(Fraction(1))
FLOORPERSON = PersonId("f.lopez")
PARAMETER_HOLDER = PersonId("p.meier")
TO_PAID = (
    PayoutAct.HAND_VERIFIED,
    PayoutAct.LAMP_VERIFIED,
    PayoutAct.VALIDATED,
    PayoutAct.DOCUMENTED,
    PayoutAct.PAID,
)
WHOLE_LIFE = (*TO_PAID, PayoutAct.RESET)


def a_progressive(of: ProgressiveId = ROYAL, seed: int = SEED) -> Progressive:
    """Return a meter with the terms of § 633b.18(i)."""
    return Progressive(id=of, base_amount=Cents(seed), reset_amount=Cents(seed), increment_rate=RATE)


PROGRESSIVE = a_progressive()


def entries(
    round_number: int,
    *,
    table: TableId = TABLE,
    contributions: tuple[Contribution, ...] = (),
    claims: tuple[AwardClaim, ...] = (),
    acts: tuple[SignOff, ...] = (),
    corrections: tuple[Contribution, ...] = (),
) -> MeterEntries:
    """Entries of a round, which answer the journal record of ten times its number."""
    return MeterEntries(
        table=table,
        round_number=RoundNumber(round_number),
        answers=Sequence(round_number * 10),
        contributions=contributions,
        claims=claims,
        acts=acts,
        corrections=corrections,
    )


def wagered(
    round_number: int,
    *positions: int,
    wager: int = 500,
    hidden_rate: Fraction = Fraction(0),
    table: TableId = TABLE,
    of: ProgressiveId = ROYAL,
) -> MeterEntries:
    """Entries of a round's lock-out: one accepted wager at each position."""
    made = tuple(
        Contribution(
            progressive=of,
            position=BettingPosition(position),
            kind=WagerKind.ROYAL_MATCH_PROGRESSIVE,
            amount=contribution(Cents(wager), RATE),
            hidden=contribution(Cents(wager), hidden_rate),
        )
        for position in positions
    )
    return entries(round_number, table=table, contributions=made)


def voided(
    round_number: int,
    *positions: int,
    wager: int = 500,
    hidden_rate: Fraction = Fraction(0),
    table: TableId = TABLE,
) -> MeterEntries:
    """Entries of a round that was voided: the wagers of these positions are returned."""
    made = wagered(round_number, *positions, wager=wager, hidden_rate=hidden_rate, table=table)
    return entries(round_number, table=table, corrections=made.contributions)


def won(round_number: int, *positions: int, table: TableId = TABLE, odds: Odds = WHOLE_METER) -> MeterEntries:
    """Entries of a round in which these positions share the meter."""
    claim = AwardClaim(progressive=ROYAL, odds=odds, positions=tuple(map(BettingPosition, positions)))
    return entries(round_number, table=table, claims=(claim,))


def signed(
    round_number: int,
    *positions: int,
    acts: Iterable[PayoutAct] = WHOLE_LIFE,
    by: PersonId = FLOORPERSON,
    table: TableId = TABLE,
) -> MeterEntries:
    """Entries of a round after these acts about the award of each position; all there are, up to the reset."""
    done = tuple(
        SignOff(position=BettingPosition(position), act=act, by=by, at=Timestamp(1_000 + order))
        for position in positions
        for order, act in enumerate(acts)
    )
    return entries(round_number, table=table, acts=done)


def rejected(
    round_number: int,
    *positions: int,
    after: Iterable[PayoutAct] = (),
    reason: str = "a card was marked",
    table: TableId = TABLE,
) -> MeterEntries:
    """Entries of a round after a floorperson rejected the claims of these positions."""
    before = signed(round_number, *positions, acts=after, table=table)
    acts = tuple(
        SignOff(
            position=BettingPosition(position),
            act=PayoutAct.REJECTED,
            by=FLOORPERSON,
            at=Timestamp(2_000),
            reason=reason,
        )
        for position in positions
    )
    return entries(round_number, table=table, acts=before.acts + acts)


def an_adjustment(
    amount: str,
    reason: AdjustmentReason = AdjustmentReason.CORRECTION,
    *,
    key: str = "person/desk/1/1",
    pool: Pool = Pool.DISPLAY,
    text: str = "report 12: the sign was struck by water",
    counterpart: str = "",
    settles: str = "",
    progressive: ProgressiveId = ROYAL,
) -> Adjustment:
    """What the holder of the parameters asks of the meter."""
    return Adjustment(
        key=key,
        table=TABLE,
        progressive=progressive,
        pool=pool,
        reason=reason,
        amount=units(amount),
        text=text,
        by=PARAMETER_HOLDER,
        counterpart=counterpart,
        settles=settles,
    )


def units(text: str) -> MeterAmount:
    """Read an amount as a person writes it: ``50,003.75``."""
    whole = Fraction(text.replace(",", "")) * 100
    return MeterAmount.exactly(whole)
