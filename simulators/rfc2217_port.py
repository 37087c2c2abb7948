"""A simulated line behind a device server that takes the settings of its port over the network: RFC 2217.

A pseudo-terminal carries whole bytes whatever speed is set. Here the speed that the bridge asks for counts: unless
it is that of the line, each end hears something else.
"""

from typing import cast

from serial.rfc2217 import PortManager, Serial

from simulators.device import SimulatedLine
from simulators.faults import Cables
from simulators.pacing import UNPACED, Pacing
from simulators.port import SOUND
from simulators.tcp_port import TcpPort
from simulators.wrong_baud import WrongBaudCable


class ServedPort:
    """The port of the device server, as its client sets it up. The names are those of pyserial."""

    def __init__(self, baud: int) -> None:
        self.baudrate = baud
        self.bytesize = 8
        self.parity = "N"
        self.stopbits = 1
        self.xonxoff = self.rtscts = False
        self.break_condition = False
        self.dtr = self.rts = True
        self.cts = self.dsr = self.ri = self.cd = False

    def reset_input_buffer(self) -> None:
        """Forget nothing: a simulated line holds nothing back."""

    def reset_output_buffer(self) -> None:
        """Forget nothing."""


class Rfc2217Port(TcpPort):
    """A listening TCP port that speaks RFC 2217, one client at a time."""

    def __init__(
        self,
        line: SimulatedLine,
        *,
        baud: int,
        host: str = "127.0.0.1",
        port: int = 0,
        pacing: Pacing = UNPACED,
        cables: Cables = SOUND,
    ) -> None:
        """``baud`` is the speed of the line itself."""
        super().__init__(line, host=host, port=port, pacing=pacing, cables=cables)
        self.baud = baud
        self.served = ServedPort(baud)
        """What the client has set."""
        self._manager: PortManager | None = None

    @property
    def url(self) -> str:
        """The URL under which a bridge reaches the port."""
        return super().url.replace("socket://", "rfc2217://")

    def write(self, data: bytes) -> None:
        """Send bytes of the protocol itself; called by pyserial."""
        super()._write(data)

    def _connected(self) -> None:
        self.served = ServedPort(self.baud)
        # It asks for no more of a port and a connection than these have.
        self._manager = PortManager(cast("Serial", self.served), cast("Serial", self))

    def _arrived(self, data: bytes) -> None:
        if self._manager is not None:
            said = b"".join(self._manager.filter(data))
            self.hear(_heard(said, said_at=self.served.baudrate, heard_at=self.baud))

    def _write(self, data: bytes) -> None:
        if self._manager is not None:
            heard = _heard(data, said_at=self.baud, heard_at=self.served.baudrate)
            super()._write(b"".join(self._manager.escape(heard)))


def _heard(data: bytes, *, said_at: int, heard_at: int) -> bytes:
    """Return what one end hears of what the other says, by the speeds that they are set to."""
    if said_at == heard_at:
        return data
    return b"".join(arrival.data for arrival in WrongBaudCable(said_at=said_at, heard_at=heard_at).carry(data))
