"""A console for one simulated line: lines of text become chips, keys and cards."""

from bridge.domain.cards import Card
from bridge.domain.errors import BridgeError
from simulators.hid_pos import LineModeReader
from simulators.host import Port
from simulators.modbus_io import ModbusIoModule, ModbusLine

HELP = """\
on 1 3            input 3 of unit 1 becomes active
off 1 3           and inactive again
outputs           what every unit's inputs and outputs show
mode 1 3 1        output 3 of unit 1 follows its input (mode 1); 0 is normal
card Kh           a card is shown to the reader
unreadable 9999   the reader reads something that is no card
noise 00 FF       bytes on the line that are no reading
unplug, plug      the cable
power             a power cut of what is on the line"""


class ConsoleError(BridgeError):
    """A line at the console that says nothing to this device."""


class Console:
    """Does what the lines of a person say, to one line at its port."""

    def __init__(self, port: Port, line: ModbusLine | LineModeReader) -> None:
        self._port = port
        self._line = line

    def do(self, text: str) -> str:
        """Do what one line says; return the answer. Raise ``BridgeError`` with what is wrong with it."""
        match text.split():
            case []:
                return ""
            case ["help"]:
                return HELP
            case ["unplug"]:
                self._port.unplug()
                return "unplugged"
            case ["plug"]:
                self._port.plug_in()
                return self._port.url
            case ["power"]:
                self._line.power_cycle()
                return "power is back"
            case words:
                return self._do_to_device(words[0], words[1:])

    def _do_to_device(self, word: str, rest: list[str]) -> str:
        match self._line, word, rest:
            case ModbusLine() as line, "on" | "off", [unit, channel]:
                _module(line, unit).inputs.set(_number(channel), active=word == "on")
                return _state(line)
            case ModbusLine() as line, "outputs", []:
                return _state(line)
            case ModbusLine() as line, "mode", [unit, channel, mode]:
                _module(line, unit).set_mode(_number(channel), _number(mode))
                return f"modes of unit {unit}: {_module(line, unit).modes}"
            case LineModeReader() as reader, "card", [card]:
                shown = Card.parse(card)
                reader.show(shown)
                return f"shown {shown}"
            case LineModeReader() as reader, "unreadable", [printed]:
                reader.show_unreadable(printed)
                return "shown"
            case LineModeReader() as reader, "noise", [*data]:
                reader.make_noise(_bytes(data))
                return "made"
            case _:
                raise ConsoleError(
                    f"{' '.join([word, *rest])!r} says nothing to this device; help lists what does"
                )


def _module(line: ModbusLine, unit: str) -> ModbusIoModule:
    module = line.modules.get(_number(unit))
    if module is None:
        raise ConsoleError(f"no unit {unit}; on this line are {', '.join(map(str, line.modules))}")
    return module


def _state(line: ModbusLine) -> str:
    return "\n".join(
        f"unit {module.unit}: inputs on {sorted(module.inputs.active)}, outputs on {sorted(module.outputs.active)}"
        for module in line.modules.values()
    )


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ConsoleError(f"{text!r} is no number") from None


def _bytes(texts: list[str]) -> bytes:
    try:
        return bytes.fromhex("".join(texts))
    except ValueError:
        raise ConsoleError(f"{' '.join(texts)!r} is not bytes in hexadecimal") from None
