import pytest

from simulators.faults import Fault
from simulators.trouble import Trouble
from simulators.trouble_words import ConsoleError, make_trouble, number_of


@pytest.fixture
def trouble() -> Trouble:
    return Trouble(seed=1, baud=9600, protocol="modbus_rtu")


def test_trouble_is_made_told_and_ended(trouble: Trouble) -> None:
    assert make_trouble(trouble, []) == "the cable is sound"
    assert make_trouble(trouble, ["garble", "0.25", "host"]) == "to the host: garble 0.25"
    assert make_trouble(trouble, ["loss", "1", "device"]) == "to the device: loss 1, to the host: garble 0.25"
    assert make_trouble(trouble, ["baud", "19200"]).endswith("heard at 19200 baud")
    assert make_trouble(trouble, ["refuse"]).endswith("every answer is a refusal")
    assert trouble.to_host.refusing == "modbus_rtu"
    assert make_trouble(trouble, ["none"]) == "the cable is sound"


def test_what_takes_time_takes_as_long_as_was_said(trouble: Trouble) -> None:
    make_trouble(trouble, ["pause", "300"])
    trouble.to_host.force(Fault.DELAY)
    assert [arrival.delay_us for arrival in trouble.to_host.carry(b"\x01") if hasattr(arrival, "delay_us")] == [
        300_000
    ]


@pytest.mark.parametrize("fault", list(Fault))
def test_every_fault_has_its_word(trouble: Trouble, fault: Fault) -> None:
    make_trouble(trouble, [fault.value, "0.5"])
    assert trouble.to_host.chances == trouble.to_device.chances == {fault: 0.5}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["grable", "0.1"], "'trouble grable 0.1' says nothing"),
        (["garble"], "says nothing"),
        (["garble", "0.1", "both"], "says nothing"),
        (["garble", "often"], "'often' is no chance"),
        (["garble", "2"], "'2' is no chance"),
        (["pause", "long"], "'long' is no number"),
    ],
)
def test_what_means_nothing_is_told(trouble: Trouble, words: list[str], complaint: str) -> None:
    with pytest.raises(ConsoleError, match=complaint):
        make_trouble(trouble, words)


def test_a_device_that_cannot_refuse_does_not() -> None:
    with pytest.raises(ConsoleError, match="says nothing to this line"):
        make_trouble(Trouble(seed=1, baud=4800, protocol="angel_eye"), ["refuse"])


def test_a_number_is_one() -> None:
    assert number_of("12") == 12
