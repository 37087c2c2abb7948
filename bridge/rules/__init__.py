"""How rounds are dealt and wagers settled: pure and exact, one file per wager."""
