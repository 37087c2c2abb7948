"""Benchmarks: how long a card takes to become a lamp, beside the least that any such chain takes.

``python -m tests.benchmarks`` prints a table, ``python -m tests.benchmarks.journal`` that of a long journal. They
assert nothing and are no part of the test run: their figures are this machine's at this moment, so only what was
measured in turn in one run may be compared.
"""
