"""The rules worker of one table: the process that settles its rounds, keeps its meters and lights its win lamps.

``worker`` is what it does; ``process`` puts it together.
"""

from bridge.rules_worker.process import run
from bridge.rules_worker.worker import HEARS, RulesWorker, is_complete

__all__ = ["HEARS", "RulesWorker", "is_complete", "run"]
