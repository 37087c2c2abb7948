"""The only place that opens a port. ``open_transport`` turns a URL into one, and nothing else does."""

from bridge.transports.transport import Transport, open_transport

__all__ = ["Transport", "open_transport"]
