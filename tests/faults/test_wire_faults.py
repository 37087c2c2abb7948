"""Everything that can go wrong on a line, at every installed profile that it can go wrong at.

Whatever happens: nothing is told that did not happen, a lock that is engaged stays so, the fault is counted, and
what happens next is told.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bridge.domain.devices import DeviceState
from simulators.faults import Fault
from simulators.port import Port
from simulators.pty_port import PtyPort
from simulators.refusals import can_refuse
from simulators.trouble import Trouble
from tests.faults.wire_lines import BadLine, bad_line, has_lock
from tests.transports.ports import eventually
from tests.wire.subjects import PROFILES, Subject, installed, subject

ASKED = frozenset(
    {"modbus_rtu", "cctalk_acceptor", "xkeys", "delcom_switch", "blinkstick", "generic_line", "iso15693"}
)
"""Protocols whose devices answer questions."""
CHECKED = frozenset({"angel_eye", "modbus_rtu", "cctalk_acceptor", "generic_line", "iso15693"})
"""Protocols whose frames carry a check; USB checks what it carries, and a scanner's line has none."""
TOLD_ONCE = CHECKED | ASKED
"""Protocols in which the same frame twice is known to be the same; two readings of a scanner are two."""
DEAF = frozenset({"alpha_sign"})
"""Protocols in which the device says nothing."""
BOMBS = {
    "angel_eye": b"\x05" + b"1D" * 200,
    "cctalk_acceptor": bytes((1, 255, 2, 0)),
    "generic_line": b"!00 IN " + b"1" * 5000,
    "hid_pos line": b"2" * 5000,
    "iso15693 feig": b"\x02\xff\xff\x00\xb0",
    "modbus_rtu": bytes((1, 2, 255)),
}
"""The beginning of a frame that states, or takes, far more than there is."""
RECORD_BOMB = b"I\x0f\xff"
"""A record of 4095 bytes, the longest there is."""


def protocol_of(profile: str) -> str:
    return installed(profile).protocol


def is_serial(profile: str) -> bool:
    """Say whether a model is on a serial line, where a speed can be wrong; the others are on USB."""
    return bomb(profile) != RECORD_BOMB


def bomb(profile: str) -> bytes:
    spec = installed(profile)
    kind = str(spec.parameters.get("mode", spec.parameters.get("reader", "")))
    return BOMBS.get(f"{spec.protocol} {kind}".rstrip(), BOMBS.get(spec.protocol, RECORD_BOMB))


async def _unplugged(line: BadLine) -> None:
    line.port.unplug()
    await eventually(lambda: line.state is DeviceState.ABSENT)
    line.touch()
    line.port.plug_in()
    await line.until_ready()


def _once(*faults: Fault) -> "Happens":
    """Let the next chunk of the device suffer."""

    async def happens(line: BadLine) -> None:
        before = line.faults()
        line.trouble.to_host.force(*faults)
        line.touch()
        await line.until_counted(before)

    return happens


def _for_a_while(fault: Fault, pause_us: int = 1_000) -> "Happens":
    """Let every chunk of the device suffer, so that all must be told all the same."""

    async def happens(line: BadLine) -> None:
        line.trouble.to_host.set_pause(pause_us)
        line.trouble.to_host.set_chance(fault, 1)
        for _ in range(3):
            await line.told()

    return happens


async def _bombed(line: BadLine) -> None:
    before = line.faults()
    line.port.say(bomb(line.there.unit.spec.profile))
    await line.until_counted(before)


async def _late(line: BadLine) -> None:
    before = line.faults()
    reply_us = 1000 * int(line.there.unit.spec.parameters["reply_timeout_ms"])
    line.trouble.to_host.set_pause(reply_us + reply_us // 2)
    line.trouble.to_host.set_chance(Fault.DELAY, 1)
    line.touch()
    await line.until_counted(before)


async def _heard_at_twice_the_speed(line: BadLine) -> None:
    before = line.faults()
    line.trouble.to_host.heard_at = 2 * line.there.unit.spec.serial.baud
    line.touch()
    await line.until_counted(before)


async def _refused(line: BadLine) -> None:
    before = line.faults()
    line.trouble.to_host.refusing = line.trouble.protocol
    line.touch()
    await eventually(lambda: line.state is not DeviceState.READY or line.faults() > before)


async def _flooded(line: BadLine) -> None:
    before = line.faults()
    line.port.say(line.trouble.noise(20_000))
    line.touch()
    await line.until_counted(before)


async def _half_of_it_lost(line: BadLine) -> None:
    for direction in (line.trouble.to_host, line.trouble.to_device):
        direction.set_chance(Fault.LOSS, 0.5)
    for _ in range(5):
        line.touch()


async def _every_third_wrong(line: BadLine) -> None:
    line.trouble.to_host.set_chance(Fault.GARBLE, 0.3)
    before = line.faults()
    for _ in range(5):
        line.touch()
    await line.until_counted(before)


Happens = Callable[[BadLine], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mishap:
    """What goes wrong, and at which profiles it can."""

    happens: Happens
    at: Callable[[str], bool]


def _says(profile: str) -> bool:
    return protocol_of(profile) not in DEAF


MISHAPS = {
    "unplugged and plugged in": Mishap(happens=_unplugged, at=lambda _: True),
    "sender dies in mid-frame": Mishap(happens=_once(Fault.CUT), at=_says),
    "frames split": Mishap(happens=_for_a_while(Fault.SPLIT), at=_says),
    "slow device": Mishap(happens=_for_a_while(Fault.TRICKLE), at=_says),
    "junk before": Mishap(happens=_once(Fault.JUNK_BEFORE), at=_says),
    "junk inside": Mishap(happens=_once(Fault.JUNK_INSIDE), at=_says),
    "junk after": Mishap(happens=_once(Fault.JUNK_AFTER), at=_says),
    "wrong check": Mishap(happens=_once(Fault.GARBLE), at=lambda profile: protocol_of(profile) in CHECKED),
    "wrong checks": Mishap(happens=_every_third_wrong, at=lambda profile: protocol_of(profile) in CHECKED),
    "length bomb": Mishap(happens=_bombed, at=_says),
    "frames twice": Mishap(
        happens=_for_a_while(Fault.DUPLICATE), at=lambda profile: protocol_of(profile) in TOLD_ONCE
    ),
    "late answer": Mishap(happens=_late, at=lambda profile: protocol_of(profile) in ASKED),
    "wrong speed": Mishap(
        happens=_heard_at_twice_the_speed,
        at=lambda profile: _says(profile) and is_serial(profile),
    ),
    "refusals": Mishap(
        happens=_refused, at=lambda profile: can_refuse(protocol_of(profile)) and is_serial(profile)
    ),
    "flood": Mishap(happens=_flooded, at=lambda _: True),
    "half of it lost": Mishap(happens=_half_of_it_lost, at=lambda _: True),
}


def cases(where: Callable[[str], bool] = lambda _: True) -> list[tuple[str, str]]:
    return [
        (name, profile)
        for name, mishap in MISHAPS.items()
        for profile in PROFILES
        if mishap.at(profile) and where(profile)
    ]


@pytest.mark.parametrize(("name", "profile"), cases())
async def test_nothing_is_invented_and_what_happens_next_is_told(name: str, profile: str) -> None:
    async with bad_line(profile) as line:
        await line.until_ready()
        await line.told()

        await MISHAPS[name].happens(line)
        line.calm()

        await line.until_ready()
        await line.told()
        assert line.there.lies(line.heard) == []


@pytest.mark.parametrize(("name", "profile"), cases(lambda profile: has_lock(subject(profile).unit)))
async def test_T46_a_lock_that_is_engaged_stays_engaged(name: str, profile: str) -> None:
    async with bad_line(profile, locked=True) as line:
        await line.until_ready()
        await line.engage_lock()
        line.watch_lock()

        await MISHAPS[name].happens(line)
        line.calm()

        await line.until_ready()
        assert not line.was_unlocked


def _on_pty(folder: Path) -> Callable[[Subject, Trouble], Port]:
    return lambda there, trouble: PtyPort(there.line, folder / "line", cables=trouble.cables)


@pytest.mark.parametrize("name", ["unplugged and plugged in", "sender dies in mid-frame", "junk before", "flood"])
@pytest.mark.parametrize("profile", ["modbus_io8", "angel_eye_ii_ex", "hid_pos_honeywell", "generic_line"])
async def test_it_is_the_same_at_a_real_port(tmp_path: Path, name: str, profile: str) -> None:
    async with bad_line(profile, make_port=_on_pty(tmp_path)) as line:
        await line.until_ready()
        await line.told()

        await MISHAPS[name].happens(line)
        await line.until_heard_out()
        line.calm()

        await line.until_ready()
        await line.told()
        assert line.there.lies(line.heard) == []


def test_every_profile_and_every_mishap_meet() -> None:
    met = list(cases())
    assert {profile for _, profile in met} == set(PROFILES)
    assert {name for name, _ in met} == MISHAPS.keys()
