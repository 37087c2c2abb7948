from pathlib import Path

import pytest

from bridge.documents.faults import DocumentError
from bridge.domain.errors import BridgeError
from simulators.fault_script import FaultScript, FaultScriptError, Step, read_fault_script


def written(folder: Path, text: str) -> Path:
    path = folder / "faults.toml"
    path.write_text(text)
    return path


def test_a_script_is_read_as_it_is_documented(tmp_path: Path) -> None:
    text = (
        'seed = 7\n[[step]]\nafter_s = 5\nsay = ["unplug"]\n[[step]]\nafter_s = 2.5\nsay = ["plug", "flood 9"]\n'
    )
    assert read_fault_script(written(tmp_path, text)) == FaultScript(
        seed=7, steps=(Step(after_s=5, say=("unplug",)), Step(after_s=2.5, say=("plug", "flood 9")))
    )
    assert read_fault_script(written(tmp_path, "[[step]]\nafter_s = 0\nsay = []\n")).seed == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("seed = [", "not TOML"),
        ("sead = 1", "sead: got an unknown key, expected one of seed, step"),
        ("seed = true", "seed: got True, expected a whole number"),
        ("seed = 1", r"step: got \[\], expected at least one"),
        ("step = 1", "step: got 1, expected at least one"),
        ("step = [1]", r"step\[0\]: got 1, expected a \[\[step\]\]"),
        ("[[step]]\nafter_s = -1\nsay = []", r"step\[0\]\.after_s: got -1, expected a number of seconds"),
        ("[[step]]\nafter_s = inf\nsay = []", r"step\[0\]\.after_s: got inf"),
        ("[[step]]\nsay = []", r"step\[0\]\.after_s: got None"),
        ("[[step]]\nafter_s = 1\nsay = [1]", r"step\[0\]\.say: got \[1\], expected a list of lines"),
        (
            "[[step]]\nafter_s = 1\nsay = []\ndo = 1",
            r"step\[0\]: do: got an unknown key, expected one of after_s, say",
        ),
    ],
)
def test_a_faulty_script_is_told_with_its_key(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(FaultScriptError, match=complaint):
        read_fault_script(written(tmp_path, text))


def test_a_script_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"none\.toml: got 'No such file or directory'"):
        read_fault_script(tmp_path / "none.toml")


async def test_everything_is_said_in_order_and_what_means_nothing_ends_nothing() -> None:
    told: list[str] = []

    def do(line: str) -> str:
        if line == "nonsense":
            raise BridgeError("says nothing")
        return "done"

    script = FaultScript(steps=(Step(after_s=0, say=("unplug", "nonsense")), Step(after_s=0, say=("plug",))))
    await script.run(do, told.append)
    assert told == ["unplug: done", "nonsense: says nothing", "plug: done"]
