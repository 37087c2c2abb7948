"""Every requirement, trap and worked example that is cited has its line in ``bridge/REQUIREMENTS.md``."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
CITED_IN = ("bridge", "simulators", "device_profiles", "tests")
NAME = re.compile(r"(?<![A-Za-z0-9])([RTV])(\d{1,2})(?![A-Za-z0-9.])")
RANGE = re.compile(r"(?<![A-Za-z0-9])([RTV])(\d{1,2}) (?:to|and) \1(\d{1,2})")


def names(text: str) -> set[str]:
    ranges = {
        f"{kind}{number}" for kind, low, high in RANGE.findall(text) for number in range(int(low), int(high) + 1)
    }
    return ranges | {kind + number for kind, number in NAME.findall(text)}


def test_whatever_is_cited_is_explained() -> None:
    explained = names((ROOT / "bridge" / "REQUIREMENTS.md").read_text())
    cited = {
        name: str(path.relative_to(ROOT))
        for folder in CITED_IN
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".toml", ".yaml"} and path != Path(__file__)
        for name in names(path.read_text())
    }

    assert cited, "nothing cites anything: the pattern is wrong"
    assert {name: where for name, where in cited.items() if name not in explained} == {}
