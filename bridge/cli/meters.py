"""``table-bridge meter``: the progressive meters of a table, read beside the worker that posts to them."""

import re
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from bridge.cli.shared import NO, BrokerOption, JsonOption, StorageOption, TableFile, table_config
from bridge.cli.speaker import SecretOption, admitted
from bridge.clock import in_zone, timestamp_of
from bridge.domain.confirmations import MeterAdjusted
from bridge.domain.identity import ProgressiveId, Timestamp
from bridge.domain.meters import AdjustmentReason, Pool
from bridge.domain.money import MeterAmount, format_cents

if TYPE_CHECKING:
    from bridge.contracts.meter_lines import MeterLine
    from bridge.domain.meter_records import AwardRecord, WinAudit
    from bridge.domain.meters import MeterReading, Posting
    from bridge.stores.meter_reader import MeterReader

_SHOW = "show"


class _ShowsByDefault(TyperGroup):
    """``meter TABLE.toml`` is ``meter show TABLE.toml``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - typer has its own click, or not
        named = not args or args[0] in self.commands or args[0] in ctx.help_option_names
        return super().parse_args(ctx, args if named else [_SHOW, *args])


def add_to(app: typer.Typer) -> None:
    """Add the command to the program."""
    help_ = "The progressive meters of a table; reading changes nothing."
    meter = typer.Typer(cls=_ShowsByDefault, help=help_, no_args_is_help=True)
    meter.command(_SHOW)(_show)
    meter.command("postings")(_postings)
    meter.command("audit")(_audit)
    meter.command("adjust")(_adjust)
    app.add_typer(meter, name="meter")


def _show(table: TableFile, storage: StorageOption = None, *, as_json: JsonOption = False) -> None:
    """Tell every figure of every meter; the command where none is named."""
    from bridge.stores.meter_reader import MeterReader

    with MeterReader.open(_meters(table, storage)) as meters:
        if as_json:
            _print_lines(meters.readings())
            return
        for reading in meters.readings():
            for line in _told(reading, meters):
                typer.echo(line)


def _postings(
    table: TableFile,
    storage: StorageOption = None,
    *,
    since: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"], help="From this time on, in UTC.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Tell what the meters are the sum of: every change, why, for which round and by whom."""
    from bridge.stores.meter_reader import MeterReader

    at = Timestamp(0) if since is None else timestamp_of(since.replace(tzinfo=UTC))
    with MeterReader.open(_meters(table, storage)) as meters:
        for reading in meters.readings():
            found = meters.postings(reading.progressive, at)
            if as_json:
                _print_lines(found)
                continue
            typer.echo(f"{reading.progressive}")
            for posting in found:
                typer.echo(_posting(posting))


def _audit(
    table: TableFile,
    storage: StorageOption = None,
    *,
    listing: Annotated[bool, typer.Option("--list", help="Every posting, not only their sums.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Tell how the amount of every win came about, from the win before up to the hit."""
    from bridge.stores.meter_reader import MeterReader

    sound = True
    with MeterReader.open(_meters(table, storage)) as meters:
        for reading in meters.readings():
            audits = meters.audit(reading.progressive)
            sound = sound and all(audit.adds_up for audit in audits)
            if as_json:
                _print_lines(audits)
                continue
            if not audits:
                typer.echo(f"{reading.progressive}: not won yet")
            for audit in audits:
                for line in _account(audit, listing=listing):
                    typer.echo(line)
    if not sound:
        typer.echo("an amount is not what its postings add up to", err=True)
        raise typer.Exit(NO)


def _adjust(
    *,
    table: TableFile,
    by: Annotated[str, typer.Option(help="The parameter holder who asks; the broker has to know the login.")],
    reason: Annotated[AdjustmentReason, typer.Option(help="For what a meter may be changed.")],
    cents: Annotated[str, typer.Option(help="Below zero lowers the meter; -2050.75 is 20.5075.")],
    text: Annotated[str, typer.Option(help="What happened, and where it is documented; it stays on the record.")],
    progressive: Annotated[str, typer.Option(help="Which meter; may be left out where there is one.")] = "",
    pool: Annotated[Pool, typer.Option(help="Which of its pools.")] = Pool.DISPLAY,
    counterpart: Annotated[str, typer.Option(help="The progressive that a transfer goes to, or comes from.")] = "",
    settles: Annotated[str, typer.Option(help="Key of the held contribution that is done with by this.")] = "",
    secret: SecretOption = None,
    broker: BrokerOption = None,
) -> None:
    """Correct a meter, take it to its limit, transfer it, or end it: by its worker, on the record, once."""
    import asyncio

    from bridge.people.confirm import adjust_meter

    config = table_config(table, broker=broker)
    filed = [one.id for one in config.submission.progressives()]
    if not progressive and len(filed) != 1:
        raise typer.BadParameter(
            f"say which meter: {', '.join(filed) or 'none is filed'}", param_hint="--progressive"
        )
    said = MeterAdjusted(
        progressive=ProgressiveId(progressive) if progressive else filed[0],
        pool=pool,
        reason=reason,
        amount=_amount(cents),
        text=text,
        counterpart=counterpart,
        settles=settles,
    )
    who = admitted(config, by, table, secret)
    answered = asyncio.run(adjust_meter(config, who, said))
    typer.echo(answered.words)
    if not answered.accepted:
        raise typer.Exit(NO)


def _amount(cents: str) -> MeterAmount:
    if not re.fullmatch(r"-?\d{1,12}(\.\d{1,2})?", cents, re.ASCII):
        raise typer.BadParameter(f"{cents!r} is not an amount in cents, such as -2050.75", param_hint="--cents")
    return MeterAmount.exactly(Fraction(cents))


def _meters(table: Path, storage: Path | None) -> Path:
    file = table_config(table, storage=storage).files.meters
    if not file.is_file():
        typer.echo(f"there are no meters {file}; has the rules worker of this table run?", err=True)
        raise typer.Exit(NO)
    return file


def _print_lines(values: "Iterable[MeterLine]") -> None:
    from bridge.contracts.meter_lines import write_meter_line

    for value in values:
        sys.stdout.buffer.write(write_meter_line(value) + b"\n")
    sys.stdout.buffer.flush()


def _told(reading: "MeterReading", meters: "MeterReader") -> Iterator[str]:
    limit = reading.limit if isinstance(reading.limit, str) else format_cents(reading.limit)
    yield f"{reading.progressive}: {format_cents(reading.displayed)} (exactly {reading.exact})"
    for name, figure in (
        ("overflow above the limit", reading.overflow),
        ("reserve pool", reading.reserve),
        ("base amount", format_cents(reading.base_amount)),
        ("reset amount", format_cents(reading.reset_amount)),
        ("limit", limit.replace("_", " ")),
        ("in-meter", f"{reading.in_meter} wagers"),
        ("hits", reading.hits),
        ("wins", format_cents(reading.wins)),
        ("device-paid", format_cents(reading.device_paid)),
        ("attendant-paid", format_cents(reading.attendant_paid)),
        ("cumulative paid", format_cents(reading.cumulative_paid)),
    ):
        yield f"  {name:<24} {figure!s:>20}"
    for award in reading.pending:
        where = f"won at {award.position} in round {award.round_number} of {award.table}"
        yield f"  {where}: {format_cents(award.amount)}, stands at {award.status.replace('_', ' ')}"
    if reading.held.count:
        yield f"  held back until a person has looked at them: {reading.held.count}, {reading.held.amount}"
        for held in meters.held_contributions(reading.progressive):
            if not held.settled_by:
                yield f"    {held.key}  {held.amount}, above {format_cents(held.above)}"


def _posting(posting: "Posting") -> str:
    when = f"  {posting.number:>7}  {_time(posting.at)}"
    what = f"  {posting.pool:<8}  {posting.amount!s:>18}  {posting.reason:<16}"
    return f"{when}{what}  {posting.by}  {posting.key}  {posting.text}".rstrip()


def _account(audit: "WinAudit", *, listing: bool) -> Iterator[str]:
    first = audit.awards[0]
    where = f"round {first.award.round_number} of {first.award.table}, journal record {first.answers}"
    yield f"{audit.progressive}, win {audit.win_number}: hit {_time(first.hit_at)} in {where}"
    yield f"  {'left by the win before':<32} {audit.opening!s:>20}"
    for share in audit.shares:
        yield f"  {f'{share.reason} ({share.postings})'.replace('_', ' '):<32} {share.amount!s:>20}"
    yield f"  {'the meter at the hit':<32} {audit.meter_before!s:>20}  ({audit.wagers} wagers)"
    if listing:
        yield from map(_posting, audit.postings)
    for record in audit.awards:
        award = record.award
        part = "" if award.among == 1 else f", one of {award.among} shares"
        yield f"  position {award.position}: {format_cents(award.amount)}{part}"
        yield from _life(record)


def _life(record: "AwardRecord") -> Iterator[str]:
    for act in record.acts:
        yield f"    {_time(act.at)}  {act.act.replace('_', ' ')} by {act.by}"
    if not record.acts:
        yield "    nobody has confirmed anything yet"


def _time(at: Timestamp) -> str:
    return f"{in_zone(at):%Y-%m-%d %H:%M:%S} UTC"
