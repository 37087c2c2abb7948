"""What people say at the console about the cable of a line."""

from bridge.domain.errors import BridgeError
from simulators.faults import Fault
from simulators.refusals import can_refuse
from simulators.trouble import Trouble, TroubledCable

_US = 1000
"""Microseconds of a millisecond."""
_PAUSE_MS_MAX = 3_600_000
_BAUD_MAX = 10_000_000
_SHOWN = 40
"""As much of what was typed as finds it again."""


class ConsoleError(BridgeError):
    """A line at the console that says nothing to this device."""


def make_trouble(trouble: Trouble, words: list[str]) -> str:
    """Do what the words behind ``trouble`` say; return what is wrong with the cable then.

    Raise ``ConsoleError`` for what they cannot mean.
    """
    match words:
        case []:
            pass
        case ["none"]:
            trouble.calm()
        case ["pause", milliseconds]:
            for cable in (trouble.to_device, trouble.to_host):
                cable.set_pause(_US * number_of(milliseconds, 0, _PAUSE_MS_MAX))
        case ["baud", baud]:
            # Both ends speak at one speed each, so what either says is heard at the wrong one.
            trouble.to_host.heard_at = trouble.to_device.heard_at = number_of(baud, 0, _BAUD_MAX)
        case ["refuse"] if can_refuse(trouble.protocol):
            trouble.to_host.refusing = trouble.protocol
        case [fault, chance, *direction] if fault in set(Fault) and direction in ([], ["host"], ["device"]):
            for cable in _directions(trouble, direction):
                _set_chance(cable, Fault(fault), chance)
        case _:
            raise ConsoleError(
                f"{' '.join(['trouble', *words])!r} says nothing to this line; help lists what does"
            )
    return _told(trouble)


def number_of(text: str, least: int | None = None, most: int | None = None) -> int:
    """Return a whole number within bounds; raise ``ConsoleError`` for what is none."""
    try:
        number = int(text)
    except ValueError:
        raise ConsoleError(f"{text[:_SHOWN]!r} is no number") from None
    if (least is not None and number < least) or (most is not None and number > most):
        raise ConsoleError(f"{text[:_SHOWN]!r} is not from {least} to {most}")
    return number


def _directions(trouble: Trouble, direction: list[str]) -> tuple[TroubledCable, ...]:
    match direction:
        case ["host"]:
            return (trouble.to_host,)
        case ["device"]:
            return (trouble.to_device,)
        case _:
            return trouble.to_device, trouble.to_host


def _set_chance(cable: TroubledCable, fault: Fault, chance: str) -> None:
    try:
        cable.set_chance(fault, float(chance))
    except ValueError:
        raise ConsoleError(
            f"{chance!r} is no chance; write a number from 0 to 1, as in trouble garble 0.1"
        ) from None


def _told(trouble: Trouble) -> str:
    told = [
        f"to the {end}: {fault.value} {chance:g}"
        for end, cable in (("device", trouble.to_device), ("host", trouble.to_host))
        for fault, chance in cable.chances.items()
    ]
    if trouble.to_host.heard_at:
        told.append(f"heard at {trouble.to_host.heard_at} baud")
    if trouble.to_host.refusing:
        told.append("every answer is a refusal")
    return ", ".join(told) or "the cable is sound"
