from pathlib import Path

from bridge.config.uniqueness import check_unique
from bridge.documents.inspection import Inspection
from bridge.documents.read_toml import read_toml


def test_every_repetition_is_told_once_and_against_the_first(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_text('a = [\n"x",\n"y",\n"x",\n"x"]')
    inspection = Inspection(read_toml(file))
    paths = [("a", 9), *inspection.places(("a",))]
    check_unique(inspection, paths, "another letter")
    assert [str(fault).removeprefix(f"{file}:") for fault in inspection.faults] == [
        "4: a[2]: got 'x', expected another letter; a[0] has it already",
        "5: a[3]: got 'x', expected another letter; a[0] has it already",
    ]
