"""Why a port cannot be used, told apart by whether trying again can help."""

from bridge.domain.errors import BridgeError


class TransportError(BridgeError):
    """A port is not usable; the message says why and what to do."""


class TransientTransportError(TransportError):
    """It may come back by itself: unplugged, not there yet, refused, broken off."""


class PermanentTransportError(TransportError):
    """Trying again is pointless until a person acts: no permission, in use by another, not a port at all."""
