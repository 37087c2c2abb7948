"""The daemon of one table: the process that its devices, its journal and its lock belong to.

``loop`` is what it does; ``process`` puts it together. What it keeps in mind stands beside it: what was offered
to the rules worker and answered (``offers``), how the lock was driven and seen (``lock_watch``), when the worker
was last heard (``link_watch``), what the meter signs show (``meter_signs``, ``meter_watch``). ``inbound`` is what
others say to it, ``publisher`` what it says.
"""

from bridge.daemon.loop import Daemon, RoundUnderOtherRulesError, RunningSoftware
from bridge.daemon.process import run

__all__ = ["Daemon", "RoundUnderOtherRulesError", "RunningSoftware", "run"]
