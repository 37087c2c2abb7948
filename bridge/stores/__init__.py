"""The only place that knows SQL: the journal of a table, and the meters."""
