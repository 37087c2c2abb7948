"""The outputs of one unit: what was ordered, what reads back, and what is to be done about a difference (T49)."""

from bridge.wire.messages import OutputFailed, OutputReported, SetOutput
from bridge.wire.orders import refusal


class OutputBank:
    """Outputs that are written all at once and read back.

    A difference is first answered by writing again. After ``retries`` writes that did not take, the output
    has failed: that is said once, until it is ordered anew or reads as ordered, and tried again at every
    later read-back. Outputs that were never ordered are written as off with the others, and never fail.
    """

    def __init__(self, address: int, count: int, retries: int) -> None:
        self._address = address
        self._count = count
        self._retries = retries
        self._orders: dict[int, bool] = {}
        self._reported: dict[int, bool] = {}
        self._writes: dict[int, int] = {}
        self._failed: set[int] = set()
        self._write_due = False
        self._read_due = False

    @property
    def write_due(self) -> bool:
        """Say whether what was ordered has yet to be written."""
        return self._write_due

    @property
    def read_due(self) -> bool:
        """Say whether a write has yet to be verified."""
        return self._read_due

    def order(self, order: SetOutput) -> None:
        """Take an order; raise ``OrderError`` for an output that the unit has not."""
        channel, active = order.channel, order.active
        if not 1 <= channel <= self._count:
            raise refusal(order, f"unit {self._address}", outputs=self._count)
        if self._orders.get(channel) is active and self._reported.get(channel) is active:
            return
        self._orders[channel] = active
        self._writes[channel] = 0
        self._failed.discard(channel)
        self._write_due = True

    def take_write(self) -> frozenset[int]:
        """Return which outputs to write as on; a read-back is due afterwards."""
        for channel in self._orders:
            self._writes[channel] += 1
        self._write_due = False
        self._read_due = True
        return frozenset(channel for channel, active in self._orders.items() if active)

    def read_back(self, active: frozenset[int]) -> tuple[OutputReported | OutputFailed, ...]:
        """Take what reads back; return what is new about it."""
        now = {channel: channel in active for channel in range(1, self._count + 1)}
        reported = tuple(
            OutputReported(address=self._address, channel=channel, active=state)
            for channel, state in now.items()
            if self._reported.get(channel) is not state
        )
        self._reported = now
        return reported + self._compare(now)

    def unreadable(self) -> tuple[OutputReported | OutputFailed, ...]:
        """Take that the unit would not or did not answer a read-back: nothing is verified."""
        return self._compare({})

    def forget(self) -> None:
        """Forget what a unit out of reach has shown. Orders stay."""
        self._reported = {}
        self._write_due = False
        self._read_due = False

    def restore(self) -> None:
        """Make a unit that is back, perhaps from a loss of power, do again all that was ordered."""
        self._writes = dict.fromkeys(self._orders, 0)
        self._failed = set()
        self._write_due = bool(self._orders)
        self._read_due = self._count > 0

    def _compare(self, now: dict[int, bool]) -> tuple[OutputFailed, ...]:
        self._read_due = False
        if self._write_due:
            return ()  # ordered anew since: the next read-back decides
        failed = []
        for channel, commanded in self._orders.items():
            if now.get(channel) is commanded:
                self._writes[channel] = 0
                self._failed.discard(channel)
            elif self._writes[channel] < self._retries:
                self._write_due = True
            else:
                self._writes[channel] = 0
                if channel not in self._failed:
                    failed.append(OutputFailed(address=self._address, channel=channel, commanded=commanded))
                self._failed.add(channel)
        return tuple(failed)
