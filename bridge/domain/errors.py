"""The base of every error that the bridge raises on purpose."""


class BridgeError(Exception):
    """Something a person can act on; the message says what is wrong and what to do."""
