"""A daemon or a rules worker that kills itself, at a moment that a test can name.

``python -m tests.processes.mortal MOMENT WHEN COMMAND ...`` runs ``table-bridge COMMAND ...``. It is the real
program in a real process, and it goes by SIGKILL: nothing is cleaned up, nothing is said. Whoever kills from
outside can only guess where the victim has got to.
"""

import os
import signal
import sys
from enum import StrEnum

from bridge.cli import main
from bridge.contracts.envelopes import RoundEnvelope
from bridge.daemon import Daemon, loop
from bridge.domain.meters import MeterEntries
from bridge.rules_worker import RulesWorker
from bridge.stores.journal import JournalRecord
from bridge.stores.meter_store import PostedEntries


class Moment(StrEnum):
    """Where it dies; ``WHEN`` says at which record, or at which answer of a worker."""

    WRITTEN = "written"
    """Daemon: a record is durable, and nothing was done about it. WHEN is its sequence, or the kind of event."""
    PERFORMED = "performed"
    """Daemon: everything was done about a record, as far as it leaves the process without waiting."""
    RECEIVED = "received"
    """Worker: a round has arrived. WHEN counts the rounds that this process was given, from 1."""
    POSTED = "posted"
    """Worker: what a round asks of the meters is durable, and nobody was told."""
    ANSWERED = "answered"
    """Worker: settlement, meters and lamps were published, as far as they leave the process without waiting."""


def arm(moment: Moment, when: str) -> None:
    """Let this process die at that moment."""
    match moment:
        case Moment.WRITTEN | Moment.PERFORMED:
            _arm_daemon(moment, when)
        case Moment.RECEIVED | Moment.POSTED | Moment.ANSWERED:
            _arm_worker(moment, int(when))


def _arm_daemon(moment: Moment, when: str) -> None:
    act = Daemon._act

    def mortal_act(self: Daemon, record: JournalRecord) -> None:
        hit = when in (str(record.sequence), record.event.kind)
        if hit and moment is Moment.WRITTEN:
            _die()
        act(self, record)
        if hit:
            _die()

    # One record a commit, so that the record named is the last one in the journal.
    loop.BATCH_MAX = 1
    Daemon._act = mortal_act  # type: ignore[method-assign]


def _arm_worker(moment: Moment, when: int) -> None:
    settle, post = RulesWorker.settle, RulesWorker._post
    answers = 0

    async def mortal_settle(self: RulesWorker, envelope: RoundEnvelope) -> None:
        nonlocal answers
        answers += 1
        if answers == when and moment is Moment.RECEIVED:
            _die()
        await settle(self, envelope)
        if answers == when:
            _die()

    async def mortal_post(self: RulesWorker, entries: MeterEntries) -> PostedEntries:
        posted = await post(self, entries)
        if answers == when and moment is Moment.POSTED:
            _die()
        return posted

    RulesWorker.settle = mortal_settle  # type: ignore[method-assign]
    RulesWorker._post = mortal_post  # type: ignore[method-assign]


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    chosen, at, *command = sys.argv[1:]
    arm(Moment(chosen), at)
    sys.argv[1:] = command
    main()
