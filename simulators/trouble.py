"""Everything that can be wrong with a cable, switched on and off while it is used."""

import random
from collections.abc import Mapping

from simulators.faults import Arrival, Cables, Delivery, Fault, FaultyCable, PulledOut
from simulators.refusals import refused
from simulators.wrong_baud import WrongBaudCable


class TroubledCable:
    """One direction: a faulty cable, between ends that may be set to different speeds."""

    def __init__(self, seed: int, baud: int) -> None:
        self._faulty = FaultyCable(seed=seed)
        self._baud = baud
        self._chances: dict[Fault, float] = {}
        self.heard_at = 0
        """The speed that the receiver is set to; 0 for the right one."""
        self.refusing = ""
        """The protocol whose refusal stands in place of every answer; empty if answers are what they are."""

    @property
    def chances(self) -> Mapping[Fault, float]:
        """The faults that happen by chance now."""
        return dict(self._chances)

    def carry(self, data: bytes) -> tuple[Arrival, ...]:
        """Deliver what is left of what was said."""
        arrivals = self._faulty.carry(refused(self.refusing, data))
        if not self.heard_at:
            return arrivals
        wrong = WrongBaudCable(said_at=self._baud, heard_at=self.heard_at)
        heard: list[Arrival] = []
        for arrival in arrivals:
            match arrival:
                case Delivery(data=said, delay_us=delay_us):
                    heard += (Delivery(one.data, delay_us) for one in wrong.carry(said))
                case PulledOut():
                    heard.append(arrival)
        return tuple(heard)

    def force(self, *faults: Fault) -> None:
        """Do these faults to the next chunk."""
        self._faulty.force(*faults)

    def set_chance(self, fault: Fault, chance: float) -> None:
        """Let a fault happen so often; 0 ends it. Raise ``ValueError`` for what is no chance."""
        chances = {**self._chances, fault: chance}
        self._faulty.set_chances(chances)
        self._chances = {fault: chance for fault, chance in chances.items() if chance}

    def set_pause(self, pause_us: int) -> None:
        """Let faults that take time take so long."""
        self._faulty.set_pause(pause_us)

    def calm(self) -> None:
        """Let the cable be sound."""
        self._chances = {}
        self._faulty.set_chances({})
        self.heard_at = 0
        self.refusing = ""


class Trouble:
    """What is wrong with the cable of one line, either way."""

    def __init__(self, *, seed: int, baud: int, protocol: str) -> None:
        """``baud`` is the line's own speed. The same seed and the same use give the same damage."""
        self.to_device = TroubledCable(seed, baud)
        self.to_host = TroubledCable(seed + 1, baud)
        self.protocol = protocol
        self._random = random.Random(seed + 2)  # noqa: S311 - damage has to be repeatable, not secret

    @property
    def cables(self) -> Cables:
        """Both directions, for a port."""
        return Cables(to_device=self.to_device, to_host=self.to_host)

    def noise(self, count: int) -> bytes:
        """Return so many random bytes, for a device that floods its line."""
        return self._random.randbytes(count)

    def calm(self) -> None:
        """Let both directions be sound."""
        self.to_device.calm()
        self.to_host.calm()
