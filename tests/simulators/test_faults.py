import pytest
from hypothesis import given, strategies as st

from simulators.faults import Arrival, Cables, Delivery, Fault, FaultyCable, PulledOut, SoundCable

DATA = bytes.fromhex("01020000000879CC")


def carried(*faults: Fault, seed: int = 1, data: bytes = DATA) -> tuple[Arrival, ...]:
    cable = FaultyCable(seed=seed)
    cable.force(*faults)
    return cable.carry(data)


def only(arrivals: tuple[Arrival, ...]) -> bytes:
    (arrival,) = arrivals
    assert isinstance(arrival, Delivery)
    return arrival.data


def test_a_sound_cable_delivers_what_was_said() -> None:
    assert SoundCable().carry(DATA) == (Delivery(DATA),)
    assert Cables().to_host.carry(DATA) == (Delivery(DATA),)


def test_without_chances_a_faulty_cable_is_sound() -> None:
    assert FaultyCable(seed=1).carry(DATA) == (Delivery(DATA),)


def test_a_lost_chunk_does_not_arrive() -> None:
    assert carried(Fault.LOSS) == ()


def test_garbling_flips_one_bit() -> None:
    garbled = only(carried(Fault.GARBLE))
    difference = int.from_bytes(garbled, "big") ^ int.from_bytes(DATA, "big")
    assert len(garbled) == len(DATA)
    assert difference.bit_count() == 1


def test_a_split_chunk_arrives_in_two_pieces_with_a_pause_between() -> None:
    first, second = carried(Fault.SPLIT)
    assert isinstance(first, Delivery)
    assert isinstance(second, Delivery)
    assert first.data + second.data == DATA
    assert first.data
    assert second.data
    assert (first.delay_us, second.delay_us) == (0, 5_000)


def test_one_byte_cannot_be_split() -> None:
    assert carried(Fault.SPLIT, data=b"\r") == (Delivery(b"\r"),)


def test_a_duplicated_chunk_arrives_twice() -> None:
    assert carried(Fault.DUPLICATE) == (Delivery(DATA), Delivery(DATA))


def test_a_delayed_chunk_arrives_later() -> None:
    assert carried(Fault.DELAY) == (Delivery(DATA, 5_000),)


def test_junk_before_inside_and_after() -> None:
    before, inside, after = (
        only(carried(fault)) for fault in (Fault.JUNK_BEFORE, Fault.JUNK_INSIDE, Fault.JUNK_AFTER)
    )
    assert before.endswith(DATA)
    assert after.startswith(DATA)
    assert min(len(before), len(inside), len(after)) > len(DATA)
    rest = iter(inside)
    assert all(byte in rest for byte in DATA), "the bytes of the frame are still there, in order"


def test_unplugging_in_mid_frame_delivers_half_of_it() -> None:
    assert carried(Fault.UNPLUG) == (Delivery(DATA[:4]), PulledOut())
    assert carried(Fault.UNPLUG, data=b"\r") == (PulledOut(),)


def test_a_sender_that_dies_in_mid_frame_says_half_of_it() -> None:
    assert carried(Fault.CUT) == (Delivery(DATA[:4]),)
    assert carried(Fault.CUT, data=b"\r") == ()


def test_a_slow_device_says_byte_after_byte() -> None:
    assert carried(Fault.TRICKLE, data=b"\x01\x02") == (Delivery(b"\x01", 5_000), Delivery(b"\x02", 10_000))


def test_chances_and_pause_are_changed_while_the_cable_is_used() -> None:
    cable = FaultyCable(seed=1, chances={Fault.LOSS: 1})
    cable.set_chances({Fault.DELAY: 1})
    cable.set_pause(1)
    assert cable.carry(DATA) == (Delivery(DATA, 1),)
    with pytest.raises(ValueError, match="delay: the chance of a fault is from 0 to 1"):
        cable.set_chances({Fault.DELAY: 2})


def test_faults_come_together() -> None:
    arrivals = carried(Fault.GARBLE, Fault.DELAY, Fault.DUPLICATE)
    assert arrivals[0] == arrivals[1]
    assert arrivals[0] != Delivery(DATA, 5_000)


def test_what_is_forced_happens_once_and_in_order() -> None:
    cable = FaultyCable(seed=1, chances={Fault.LOSS: 1})
    cable.force()
    cable.force(Fault.DUPLICATE)
    assert [len(cable.carry(DATA)) for _ in range(4)] == [1, 2, 0, 0]


@pytest.mark.parametrize("fault", list(Fault))
def test_each_fault_is_the_same_again_with_the_same_seed_and_differs_with_another(fault: Fault) -> None:
    def run(seed: int) -> list[tuple[Arrival, ...]]:
        cable = FaultyCable(seed=seed, chances={fault: 0.5})
        return [cable.carry(DATA) for _ in range(40)]

    assert run(7) == run(7)
    assert run(7) != run(8)


@given(
    seed=st.integers(),
    faults=st.frozensets(st.sampled_from(list(Fault))),
    chunks=st.lists(st.binary(max_size=30), max_size=10),
)
def test_any_combination_of_faults_delivers_in_order_and_repeatably(
    seed: int, faults: frozenset[Fault], chunks: list[bytes]
) -> None:
    def run() -> list[tuple[Arrival, ...]]:
        cable = FaultyCable(seed=seed, chances=dict.fromkeys(faults, 0.7))
        return [cable.carry(chunk) for chunk in chunks]

    arrivals = run()
    assert arrivals == run()
    for one in arrivals:
        delays = [arrival.delay_us for arrival in one if isinstance(arrival, Delivery)]
        assert delays == sorted(delays)
        assert all(arrival.data for arrival in one if isinstance(arrival, Delivery))


@pytest.mark.parametrize("chance", [-0.1, 1.1])
def test_a_chance_outside_nought_to_one_is_refused(chance: float) -> None:
    with pytest.raises(ValueError, match="loss: the chance of a fault is from 0 to 1"):
        FaultyCable(seed=1, chances={Fault.LOSS: chance})
