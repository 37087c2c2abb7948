"""A line of ccTalk coin acceptors, one for each betting position: a coin is a wager.

Several acceptors share the line (``polled_units``), each polled for what it has credited. Its master inhibit
is the lock-out imposed on the wagering device itself: with output 1 active it hands every coin back. Packets:
``cctalk_frames``; what an acceptor is asked and what its answers mean: ``cctalk_unit``; the event counter:
``cctalk_credits``. What a packet says is printed in the language of ``cctalk_text``.
"""

from collections.abc import Mapping, Sequence

from bridge.wire.cctalk_frames import PACKET_LENGTH_MAX, Check
from bridge.wire.cctalk_requests import CctalkRequest
from bridge.wire.cctalk_text import explain
from bridge.wire.cctalk_unit import LOCK, CoinAcceptor, Question
from bridge.wire.polled_units import (
    QUIET,
    READ_BACK,
    REPLY_TIMEOUT,
    RETRIES,
    SILENT_POLL,
    PolledUnits,
    line_timing,
)
from bridge.wire.spec import ParameterRule, ProtocolFamily, SerialSettings, Unit

__all__ = ["FAMILY", "AcceptorLine", "explain"]

PARAMETERS: Mapping[str, ParameterRule] = {
    "coins_taken": ParameterRule(
        default=1,
        meaning="which coins are wagers, added up: 1 for coin 1, 2 for coin 2, 4 for coin 3 and so on; the "
        "acceptor hands all others back",
        minimum=1,
        maximum=0xFFFF,
    ),
    "coin_id": ParameterRule(
        default="",
        meaning="how the names that the acceptor has for these coins begin, as US100 for a dollar; it is "
        "refused if one differs, and not asked if this is empty",
    ),
    "poll_period_ms": ParameterRule(
        default=100,
        meaning="time between two polls of an acceptor's events; longer if the line is slower",
        minimum=10,
        maximum=1000,
    ),
    "read_back_ms": READ_BACK,
    "reply_timeout_ms": REPLY_TIMEOUT,
    "retries": RETRIES,
    "silent_poll_ms": SILENT_POLL,
    "quiet_ms": QUIET,
    "echo": ParameterRule(
        default=True,
        meaning="whether the line hears its own bytes, as it does on one wire; false for an adapter that keeps "
        "them to itself",
    ),
    "check": ParameterRule(
        default=Check.SUM.value, meaning="how packets are checked", choices=tuple(check.value for check in Check)
    ),
}


class AcceptorLine(PolledUnits[CctalkRequest, Question]):
    """The bridge's end of a line of coin acceptors: a ``Codec``."""

    def __init__(self, units: Sequence[Unit]) -> None:
        super().__init__([CoinAcceptor(unit) for unit in units], line_timing(units), 2 * PACKET_LENGTH_MAX)


FAMILY = ProtocolFamily(
    name="cctalk_acceptor",
    parameters=PARAMETERS,
    reads_cards=False,
    takes_coins=True,
    addresses=range(2, 256),
    serial=SerialSettings(baud=9600),
    codec=AcceptorLine,
    explain=explain,
    engaged_outputs=frozenset({LOCK}),
)
