"""A console for one simulated line: lines of text become chips, keys and cards."""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from bridge.domain.cards import Card
from bridge.domain.shoe import DealTarget, ShoeMode, ShoeResult
from bridge.transports.usb_socket_calls import UsbCall, UsbFault
from bridge.wire.cctalk_frames import Header
from simulators.alpha_sign import MeterSign
from simulators.angel_eye import AngelEyeShoe
from simulators.blinkstick import BlinkStick
from simulators.cctalk_acceptor import CctalkLine
from simulators.delcom import DelcomButton
from simulators.device import SimulatedDevice, SimulatedLine
from simulators.feig_reader import FeigLine
from simulators.generic_line import GenericDevice
from simulators.hid_pos import CardScanner
from simulators.modbus_io import ModbusIoModule, ModbusLine
from simulators.port import Port
from simulators.pty_port import PtyPort
from simulators.rapidradio_reader import RapidRadioReader
from simulators.trouble import Trouble
from simulators.trouble_words import ConsoleError, make_trouble, number_of
from simulators.usb_port import UsbPort
from simulators.xkeys import XkeysPanel

_FLOOD_MAX = 10_000_000
"""A quarter of an hour of the fastest line in use."""
_NAME_BYTES_MAX = 200
_SHOWN = 80
"""As much of what was typed as finds it again."""
_Unit = TypeVar("_Unit")
_Named = TypeVar("_Named", DealTarget, ShoeMode, ShoeResult, UsbCall, UsbFault)

HELP = """\
on 1 3            input 3 of unit 1 becomes active
off 1 3           and inactive again
on 3              input 3 of the only device on the line
outputs           what every unit's inputs and outputs show
sign              what the sign shows
place 0 E004...   chips are put on the antenna of reader 0, or lifted; without 0 if the reader has no address
mode 1 3 1        output 3 of unit 1 follows its input (mode 1); 0 is normal
coin 2 1          coin 1 is dropped into the acceptor at address 2
trouble 2 20      the acceptor at address 2 counts an error, by its code
busy 2            the acceptor at address 2 is busy when it is asked next
press 5           key 5 of a panel, or the switch 1 of a button, is pressed
release 5         and let go again
tap               the switch is pressed and let go again, faster than it is looked at
stick 3           lamp or output 3 is broken: it stays as it is
forget            the sign loses its memory
mute 2, unmute 2  the acceptor at address 2 answers nothing, and goes on
out, in           the plug of a switch interface is pulled, and put in
hang, unhang      a panel or button stops answering, and goes on
card Kh           a card is shown to the reader, or drawn for whoever is next
card Kh player 1  a card is drawn from the shoe for the player, the banker or burn, at a place
again Kh player 1 the shoe states a card again
outside Kh error  a card is drawn outside the game: locked, error, setting
overdraw Kh player 1   a card too many: fault 2, and stated again when that is cleared
unreadable 9999   the reader reads something that is no card
result tie        the shoe states a result: player, banker, tie, forced_end; then pairs: player banker
cut, standby      the cut card is drawn; the shoe waits for a round
preset 01 0005    a setting of the shoe is changed at the shoe
lock, unlock      the key of the shoe is turned
fault 1, clear 1  the shoe goes into error mode, and out of it
spoil 1 2         copies 1 and 2 of the next report get a wrong bit each
unended           the next report does not end
refuse 21, ignore the next command gets NAK 21 (hexadecimal), or no answer
noise 00 FF       bytes on the line that are no reading
fail read stall 2 a call on USB fails, so often or until mend: open, claim, control, read, write; timeout,
                  no_device, busy, access, stall, overflow, io
mend              every call on USB succeeds again
unplug, plug      the cable
plug as ttyUSB1   it comes back under another name; on USB as the unit of this serial number
plug at 1-3       it comes back at another place on USB
trouble           what is wrong with the cable; trouble none ends it
trouble garble 0.1       from now on, so often; host or device behind it for one direction only. As garble:
                  loss, unplug, junk_before, junk_inside, junk_after, duplicate, split, delay, cut, trickle
trouble pause 300        milliseconds that split, delay and trickle take
trouble baud 19200       the bridge's end is set to another speed; 0 for the right one
trouble refuse    every answer is a refusal
flood 100000      so many random bytes
power             a power cut of what is on the line"""


class Console:
    """Does what the lines of a person say, to one line at its port."""

    def __init__(self, port: Port, line: SimulatedLine, trouble: Trouble | None = None) -> None:
        """``trouble`` is what can be wrong with the cable of the port, if anything can."""
        self._port = port
        self._line = line
        self._trouble = trouble

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
            case ["plug", "as", name] if isinstance(self._port, PtyPort | UsbPort):
                self._port.plug_in_as(_a_name(name))
                return self._port.url
            case ["plug", "at", place] if isinstance(self._port, UsbPort):
                self._port.plug_in_at(place)
                return f"plugged in at {self._port.place}"
            case ["trouble", *words] if self._trouble is not None:
                return make_trouble(self._trouble, words)
            case ["flood", number] if self._trouble is not None:
                self._port.say(self._trouble.noise(number_of(number, 1, _FLOOD_MAX)))
                return "flooded"
            case ["power"]:
                self._line.power_cycle()
                return "power is back"
            case ["fail", call, fault, *times] if isinstance(self._port, UsbPort):
                often = number_of(times[0]) if times else None
                self._port.fail(_one_of(UsbCall, call), _one_of(UsbFault, fault), times=often)
                return "done"
            case ["mend"] if isinstance(self._port, UsbPort):
                self._port.mend()
                return "done"
            case words:
                return self._do_to_device(words[0], words[1:])

    def _do_to_device(self, word: str, rest: list[str]) -> str:
        match self._line, word, rest:
            case ModbusLine() as line, "on" | "off", [unit, channel]:
                _module(line, unit).inputs.set(number_of(channel), active=word == "on")
                return _state(line)
            case ModbusLine() as line, "outputs", []:
                return _state(line)
            case ModbusLine() as line, "mode", [unit, channel, mode]:
                _module(line, unit).set_mode(number_of(channel), number_of(mode))
                return f"modes of unit {unit}: {_module(line, unit).modes}"
            case CctalkLine() as wire, _, _:
                return _do_to_acceptor(wire, word, rest)
            case XkeysPanel() | DelcomButton() as touched, _, _:
                return _do_to_usb(touched, word, rest)
            case FeigLine() | RapidRadioReader() as chips, "place" | "lift", _:
                return _move(chips, word, rest)
            case GenericDevice() as device, "on" | "off", [channel]:
                device.inputs.set(number_of(channel), active=word == "on")
                return _shown(device)
            case GenericDevice() | BlinkStick() as device, "outputs", []:
                return _shown(device)
            case GenericDevice() | BlinkStick() as device, "stick", [channel]:
                device.stick(number_of(channel))
                return f"output {channel} is broken"
            case MeterSign() as sign, "forget", []:
                sign.lose_memory()
                return "its memory is empty"
            case MeterSign() as sign, "sign", []:
                return sign.shown
            case CardScanner() | AngelEyeShoe() | GenericDevice() as reader, "card", [card]:
                shown = Card.parse(card)
                reader.show(shown)
                return f"shown {shown}"
            case CardScanner() | AngelEyeShoe() | GenericDevice() as reader, "unreadable", [printed]:
                reader.show_unreadable(printed)
                return "shown"
            case CardScanner() | AngelEyeShoe() as reader, "noise", [*data]:
                reader.make_noise(_bytes(data))
                return "made"
            case AngelEyeShoe() as shoe, _, _:
                return _do_to_shoe(shoe, word, rest)
            case _:
                raise _says_nothing(word, rest)


def _do_to_acceptor(wire: CctalkLine, word: str, rest: list[str]) -> str:
    match word, rest:
        case "outputs", []:
            return "\n".join(
                f"acceptor {acceptor.address}: {'locked' if acceptor.outputs.active else 'open'}, "
                f"{acceptor.counter} events"
                for acceptor in wire.acceptors.values()
            )
        case "coin", [address, coin]:
            taken = _unit(wire.acceptors, address).drop_coin(number_of(coin))
            return "taken" if taken else "handed back"
        case "trouble", [address, code]:
            _unit(wire.acceptors, address).report(_byte(code))
        case "mute" | "unmute", [address]:
            _unit(wire.acceptors, address).answering = word == "unmute"
        case "busy", [address]:
            _unit(wire.acceptors, address).refuse_next(Header.BUSY)
        case _:
            raise _says_nothing(word, rest)
    return "done"


def _do_to_usb(device: XkeysPanel | DelcomButton, word: str, rest: list[str]) -> str:
    match device, word, rest:
        case _, "press" | "release", [channel]:
            device.inputs.set(number_of(channel), active=word == "press")
        case _, "outputs", []:
            pass
        case _, "hang" | "unhang", []:
            device.hanging = word == "hang"
        case DelcomButton() as button, "tap", []:
            button.tap()
        case XkeysPanel() as panel, "out" | "in", []:
            panel.pull_plug(out=word == "out")
        case _:
            raise _says_nothing(word, rest)
    return _shown(device)


def _do_to_shoe(shoe: AngelEyeShoe, word: str, rest: list[str]) -> str:
    match word, rest:
        case "card", [card, target, place]:
            shoe.draw(Card.parse(card), _one_of(DealTarget, target), number_of(place))
        case "again", [card, target, place]:
            shoe.retransmit(Card.parse(card), _one_of(DealTarget, target), number_of(place))
        case "overdraw", [card, target, place]:
            shoe.overdraw(Card.parse(card), _one_of(DealTarget, target), number_of(place))
        case "outside", [card, mode]:
            shoe.draw_outside(Card.parse(card), _one_of(ShoeMode, mode))
        case "result", [result, *pairs] if set(pairs) <= {"player", "banker"}:
            shoe.state_result(
                _one_of(ShoeResult, result), player_pair="player" in pairs, banker_pair="banker" in pairs
            )
        case "preset", [preset, value]:
            shoe.change_preset(preset, value)
        case "cut", []:
            shoe.reach_cut_card()
        case "standby", []:
            shoe.stand_by()
        case "lock" | "unlock", []:
            shoe.turn_key(locked=word == "lock")
        case "fault", [code]:
            shoe.report_fault(number_of(code))
        case "clear", [code]:
            shoe.clear_fault(number_of(code))
        case "spoil", [_, *_] as copies:
            shoe.spoil(*map(number_of, copies))
        case "unended", []:
            shoe.leave_unended()
        case "refuse", [code]:
            shoe.refuse_next(int.from_bytes(_bytes([code])))
        case "ignore", []:
            shoe.ignore_next()
        case _:
            raise _says_nothing(word, rest)
    return "done"


def _a_name(text: str) -> str:
    if Path(text).name != text or len(text.encode()) > _NAME_BYTES_MAX:
        raise ConsoleError(f"{text!r} is no name that a port beside this one can have")
    return text


def _says_nothing(word: str, rest: list[str]) -> ConsoleError:
    return ConsoleError(f"{' '.join([word, *rest])[:_SHOWN]!r} says nothing to this device; help lists what does")


def _one_of(kind: type[_Named], text: str) -> _Named:
    try:
        return kind(text)
    except ValueError:
        raise ConsoleError(f"{text!r} is not one of {', '.join(kind)}") from None


def _module(line: ModbusLine, unit: str) -> ModbusIoModule:
    return _unit(line.modules, unit)


def _unit(units: Mapping[int, _Unit], unit: str) -> _Unit:
    found = units.get(number_of(unit))
    if found is None:
        raise ConsoleError(f"no unit {unit}; on this line are {', '.join(map(str, units))}")
    return found


def _state(line: ModbusLine) -> str:
    return "\n".join(f"unit {module.unit}: {_shown(module)}" for module in line.modules.values())


def _shown(device: SimulatedDevice) -> str:
    return f"inputs on {sorted(device.inputs.active)}, outputs on {sorted(device.outputs.active)}"


def _move(line: FeigLine | RapidRadioReader, word: str, rest: list[str]) -> str:
    match line, rest:
        case FeigLine(), [address, *uids]:
            antenna = _unit(line.readers, address).antenna
        case RapidRadioReader(), uids:
            antenna = line.antenna
        case _:
            raise _says_nothing(word, rest)
    if word == "place":
        antenna.place(*uids)
    else:
        antenna.lift(*uids)
    return f"chips: {' '.join(antenna.uids) or 'none'}"


def _byte(text: str) -> int:
    number = number_of(text)
    if not 0 <= number <= 255:  # noqa: PLR2004 - a code is one byte
        raise ConsoleError(f"{number} is no code; codes are 0 to 255")
    return number


def _bytes(texts: list[str]) -> bytes:
    try:
        return bytes.fromhex("".join(texts))
    except ValueError:
        raise ConsoleError(f"{' '.join(texts)!r} is not bytes in hexadecimal") from None
