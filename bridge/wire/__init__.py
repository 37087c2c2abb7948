"""Bytes to messages and back, for either end of the cable; no port, no clock, no loop."""
