from pathlib import Path

from tests.profiles.writing import MODULE, faults_of


def test_an_example_with_a_wrong_checksum_refuses_the_profile(tmp_path: Path) -> None:
    (fault,) = faults_of(tmp_path, MODULE.replace("A0 50", "A0 51"))
    place, _, reason = fault.partition(", expected a whole frame of modbus_rtu (checksum ")
    assert place == "test_module.yaml:8: examples[0].bytes: got '01 02 01 20 A0 51'"
    assert reason.endswith("; copy the bytes again from their source")


def test_every_wrong_example_is_told(tmp_path: Path) -> None:
    second = MODULE[MODULE.index("  - bytes") :].replace("6 on", "7 on")
    faults = faults_of(tmp_path, MODULE.replace("6 on", "5 on") + second)
    assert [fault.split(": got")[0] for fault in faults] == [
        "test_module.yaml:11: examples[0].means",
        "test_module.yaml:15: examples[1].means",
    ]
