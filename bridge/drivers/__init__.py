"""Drivers: one line, its transport and its codec; then translation by role into events of the table."""
