"""How long tests wait for what has to happen."""

PATIENCE_S = 240.0
"""So long that only a run that hangs gets there: a slow or crowded machine must not fail a test."""
