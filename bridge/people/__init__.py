"""People who say something about a table: who they are, by their secrets, and what becomes of their word."""
