"""Meters as they are filed: begun once, and given other terms only on the record."""

import sqlite3
from collections.abc import Sequence as Items
from dataclasses import replace

from bridge.domain.identity import Timestamp
from bridge.domain.meters import ByFiling, NoLimit, PostingReason
from bridge.domain.money import Cents, MeterAmount, format_cents
from bridge.rules.submission import Progressive
from bridge.stores.meter_ledger import Ledger
from bridge.stores.meter_rows import pending_awards
from bridge.stores.meter_state import all_meters, change_terms, insert_meter, names
from bridge.stores.meter_store import OtherMetersError


def file_progressives(
    connection: sqlite3.Connection, filed: Items[Progressive], at: Timestamp, *, submission: str
) -> None:
    """Begin new progressives at their base amounts, and put other terms of known ones on the record.

    ``submission`` is the digest of what files them. Raises ``OtherMetersError`` for a meter that is filed no more,
    or not as it began, and for other terms while an award is pending.
    """
    by_id = {progressive.id: progressive for progressive in filed}
    if len(by_id) != len(filed):
        raise OtherMetersError("the rules submission files one progressive twice; give each an id of its own")
    known = {state.terms.id: state.terms for state in all_meters(connection)}
    for id_, former in known.items():
        if id_ not in by_id:
            raise OtherMetersError(
                f"the store holds the meter of progressive {id_}, which is not filed (filed: {names(by_id)}). A"
                " meter is never dropped or renamed: file it under its id, or give this table its own meter store."
            )
        _require_its_beginning(former, by_id[id_])
    ledger = Ledger(connection, ByFiling(), at, own="")
    under = f"filed under rules submission {submission}" if submission else "filed"
    for id_, progressive in by_id.items():
        if id_ not in known:
            insert_meter(connection, progressive)
            pools = ledger.meter(id_).pools
            begun = replace(pools, display=MeterAmount.of_cents(progressive.base_amount))
            ledger.post(id_, "seed", PostingReason.SEED, begun, text=under)
        elif known[id_] != progressive:
            _change_terms(ledger, known[id_], progressive, under)
    ledger.write()


def _require_its_beginning(former: Progressive, filed: Progressive) -> None:
    if former.base_amount != filed.base_amount:
        raise OtherMetersError(
            f"progressive {filed.id} began with a base amount of {format_cents(former.base_amount)}, and is filed"
            f" with {format_cents(filed.base_amount)}. What a meter began with is not changed while it runs: file"
            " the amount that it began with, or begin another progressive under another id."
        )


def _change_terms(ledger: Ledger, former: Progressive, filed: Progressive, under: str) -> None:
    """Record other terms, which hold from the next round on; the meter itself stays what it is (§ 605a.8)."""
    changes = "; ".join(_changes(former, filed))
    if pending_awards(ledger.connection, filed.id):
        raise OtherMetersError(
            f"the terms of progressive {filed.id} are filed anew ({changes}) while an award of it is pending. Put"
            " the former rules submission back until the award is reset or rejected."
        )
    (changed,) = ledger.connection.execute(
        "SELECT COUNT(*) FROM postings WHERE progressive = ? AND reason = ?", (filed.id, PostingReason.PARAMETERS)
    ).fetchone()
    pools = ledger.meter(filed.id).pools
    ledger.post(filed.id, f"parameters/{changed + 1}", PostingReason.PARAMETERS, pools, text=f"{changes}; {under}")
    change_terms(ledger.connection, filed)


def _changes(former: Progressive, filed: Progressive) -> list[str]:
    told = [
        ("reset amount", format_cents(former.reset_amount), format_cents(filed.reset_amount)),
        ("increment rate", str(former.increment_rate), str(filed.increment_rate)),
        ("hidden rate", str(former.hidden_rate), str(filed.hidden_rate)),
        ("limit", _up_to(former.limit), _up_to(filed.limit)),
        ("unreasonable above", _up_to(former.unreasonable_above), _up_to(filed.unreasonable_above)),
    ]
    return [f"{name} {before} -> {after}" for name, before, after in told if before != after]


def _up_to(amount: Cents | NoLimit) -> str:
    return "none" if isinstance(amount, NoLimit) else format_cents(amount)
