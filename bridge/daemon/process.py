"""The daemon of one table as a process: its parts, and what has to be sound before a device is opened."""

import logging
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from bridge.clock import SystemClock
from bridge.config import TableConfig, port_advice
from bridge.daemon.inbound import subscriptions
from bridge.daemon.loop import Daemon, RunningSoftware
from bridge.drivers.fleet import Fleet
from bridge.drivers.line_capture import recorded_ports
from bridge.self_check import boot_id, self_check
from bridge.service import service
from bridge.stores.latch import FailureLatch, noted
from bridge.stores.sqlite_journal import SqliteJournal

log = logging.getLogger(__name__)


async def run(config: TableConfig, captures: Mapping[str, Path] = MappingProxyType({})) -> None:
    """Run the daemon of a table until cancelled; ``captures`` are files that lines are recorded into, by name.

    The software is checked and the journal read back before a device is opened and before anything is published
    (T53). Raise ``JournalError``, ``LatchError`` or ``RoundUnderOtherRulesError`` if the table cannot be played,
    ``CaptureError`` if a capture cannot be made.
    """
    clock, table, filed = SystemClock(), config.setup.table, config.submission.controller
    check, latch = self_check(), FailureLatch(config.files.latch)
    fault = check.fault(filed.approved_software)
    if fault:
        log.error("self-check: %s", fault)
    for advice in port_advice(config.lines):
        log.warning("%s", advice)
    own = service(
        "daemon",
        table,
        config.broker,
        subscriptions=subscriptions(config.setup),
        clock=clock,
        software=check.digest,
    )
    latch.found()
    with noted(latch), recorded_ports(config.lines, captures, clock) as ports:
        async with SqliteJournal.open(config.files.journal, clock=clock) as journal:
            daemon = Daemon(
                config.setup,
                journal=journal,
                fleet=Fleet(config.lines, clock, open_port=ports.open),
                bus=own.bus,
                author=own.author,
                clock=clock,
                latch=latch,
                software=RunningSoftware(digest=check.digest, boot_id=boot_id(), fault=fault),
                link_lost_after_s=filed.link_lost_after_s,
            )
            await daemon.recover()
            async with own.bus:
                await daemon.run()
