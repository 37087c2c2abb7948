"""Table-hardware bridge: from the bytes of a table's devices to a settled round of play."""

__version__ = "0.1.0"
