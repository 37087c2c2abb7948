"""A progressive meter as players see it: the amount, what is filed of it, and awards that are pending."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from bridge.dashboard import sign_words as say
from bridge.dashboard.followed import FollowedTable, Unavailable
from bridge.domain.identity import ProgressiveId, TableId
from bridge.domain.meters import Award, NoLimit
from bridge.domain.money import Cents, format_cents
from bridge.domain.names import WAGERS, outcome_name
from bridge.domain.odds import Odds
from bridge.domain.wagers import WagerKind
from bridge.rules.submission import Progressive, RoyalMatchProgressiveFiling, RulesSubmission


@dataclass(frozen=True, slots=True, kw_only=True)
class Won:
    """One award that is hit and not over; its amount is frozen, and no more in the meter (T52)."""

    amount: str
    where: str
    share: str
    """Empty where nobody shares it."""
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterSign:
    """One meter."""

    progressive: ProgressiveId
    name: str
    amount: str
    """Dollars and cents; empty while it is unavailable."""
    unavailable: Unavailable | None
    won: tuple[Won, ...]
    facts: tuple[tuple[str, str], ...]
    paytable: tuple[tuple[str, str], ...]

    @property
    def digits(self) -> tuple[str, ...]:
        """Return the characters of the amount, for a display that rolls each of them."""
        return tuple(self.amount)


def meter_signs(table: FollowedTable) -> tuple[MeterSign, ...]:
    """Return the meters of a table as it files them, with their amounts as far as somebody vouches for them."""
    return tuple(_sign(table, filed) for filed in table.config.submission.progressives())


def _sign(table: FollowedTable, filed: Progressive) -> MeterSign:
    reading = table.known.meters.get(filed.id)
    unavailable = table.meter_unavailable(filed.id)
    shown = None if unavailable else reading
    submission = table.config.submission
    return MeterSign(
        progressive=filed.id,
        name=_names(submission)[filed.id],
        amount="" if shown is None else format_cents(shown.displayed),
        unavailable=unavailable,
        won=() if shown is None else tuple(_won(award, table.id) for award in shown.pending),
        facts=_facts(submission, filed),
        paytable=_paytable(submission, filed),
    )


def _names(submission: RulesSubmission) -> Mapping[ProgressiveId, str]:
    royal = submission.royal_match_progressive
    return {} if royal is None else {royal.progressive.id: WAGERS[WagerKind.ROYAL_MATCH_PROGRESSIVE]}


def _won(award: Award, at: TableId) -> Won:
    where = say.AT_POSITION if award.table == at else say.AT_TABLE
    return Won(
        amount=format_cents(award.amount),
        where=where.format(table=award.table, position=award.position),
        share=say.SHARE.format(among=award.among) if award.among > 1 else "",
        status=say.AWARDS[award.status],
    )


def _facts(submission: RulesSubmission, filed: Progressive) -> tuple[tuple[str, str], ...]:
    begins = (
        ((say.BASE_AND_RESET, _dollars(filed.base_amount)),)
        if filed.base_amount == filed.reset_amount
        else ((say.BASE, _dollars(filed.base_amount)), (say.RESET, _dollars(filed.reset_amount)))
    )
    limit = () if isinstance(filed.limit, NoLimit) else ((say.LIMIT, _dollars(filed.limit)),)
    grows = ((say.INCREMENT, say.TAKES.format(part=percent(filed.increment_rate))),)
    royal = _filing(submission, filed)
    wager = () if royal is None else ((say.WAGER, _dollars(royal.wager)),)
    return (*begins, *grows, *wager, *limit)


def _paytable(submission: RulesSubmission, filed: Progressive) -> tuple[tuple[str, str], ...]:
    royal = _filing(submission, filed)
    if royal is None:
        return ()
    rows = tuple((outcome_name(outcome), str(odds)) for outcome, odds in royal.paytable.odds.items())
    return (*rows, (say.ENVY_BONUS, str(Odds.to_one(royal.envy_pays))))


def _filing(submission: RulesSubmission, filed: Progressive) -> RoyalMatchProgressiveFiling | None:
    royal = submission.royal_match_progressive
    return royal if royal is not None and royal.progressive.id == filed.id else None


def percent(part: Fraction) -> str:
    """Return a part as a percentage that says exactly as much: ``15%``, ``2.5%``; another as a fraction."""
    hundredths = part * 10_000
    if hundredths.denominator != 1:
        return f"{part.numerator}/{part.denominator}"
    whole, rest = divmod(hundredths.numerator, 100)
    return f"{whole}.{rest:02}".rstrip("0").rstrip(".") + "%"


def _dollars(cents: Cents) -> str:
    return f"{say.CURRENCY_SIGN}{format_cents(cents)}"
