import pytest

from simulators.faults import Delivery, Fault, PulledOut
from simulators.trouble import Trouble

DATA = bytes.fromhex("01 02 01 20 A0 50")


def trouble(seed: int = 1) -> Trouble:
    return Trouble(seed=seed, baud=9600, protocol="modbus_rtu")


def test_a_cable_without_trouble_is_sound() -> None:
    cables = trouble().cables
    assert cables.to_host.carry(DATA) == cables.to_device.carry(DATA) == (Delivery(DATA),)


def test_a_fault_happens_in_its_direction_until_it_is_ended() -> None:
    one = trouble()
    one.to_host.set_chance(Fault.DELAY, 1)
    one.to_host.set_pause(7)
    assert one.to_host.carry(DATA) == (Delivery(DATA, 7),)
    assert one.to_device.carry(DATA) == (Delivery(DATA),)
    assert one.to_host.chances == {Fault.DELAY: 1}
    one.to_host.set_chance(Fault.DELAY, 0)
    assert one.to_host.carry(DATA) == (Delivery(DATA),)
    assert one.to_host.chances == {}
    with pytest.raises(ValueError, match="chance"):
        one.to_host.set_chance(Fault.DELAY, 2)
    assert one.to_host.chances == {}


def test_what_is_forced_happens_once() -> None:
    one = trouble()
    one.to_host.force(Fault.LOSS)
    assert [one.to_host.carry(DATA), one.to_host.carry(DATA)] == [(), (Delivery(DATA),)]


def test_at_another_speed_something_else_is_heard_and_as_late() -> None:
    one = trouble()
    one.to_host.heard_at = 19_200
    one.to_host.force(Fault.DELAY)
    (heard,) = one.to_host.carry(DATA)
    assert isinstance(heard, Delivery)
    assert heard.data != DATA
    assert heard.delay_us == 5_000
    one.to_host.force(Fault.UNPLUG)
    assert one.to_host.carry(DATA)[-1] == PulledOut()


def test_every_answer_is_a_refusal_while_that_is_wanted() -> None:
    one = trouble()
    one.to_host.refusing = one.protocol
    assert one.to_host.carry(DATA) == (Delivery(bytes.fromhex("01 82 06 C0 A2")),)


def test_calm_ends_everything() -> None:
    one = trouble()
    for cable in (one.to_host, one.to_device):
        cable.set_chance(Fault.LOSS, 1)
        cable.heard_at = 4800
        cable.refusing = one.protocol
    one.calm()
    assert one.to_host.carry(DATA) == one.to_device.carry(DATA) == (Delivery(DATA),)


def test_the_same_seed_makes_the_same_noise() -> None:
    assert trouble(7).noise(20) == trouble(7).noise(20) != trouble(8).noise(20)
