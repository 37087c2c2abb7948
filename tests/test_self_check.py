import base64
import hashlib
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest

from bridge import __version__, self_check as module
from bridge.self_check import SelfCheck, boot_id, self_check

FILES = {"bridge/__init__.py": b"x = 1\n", "bridge/rules/odds.toml": b"", "simulators/people.py": b"y = 2\n"}


def install(root: Path, files: dict[str, bytes], *, digest: str = "") -> None:
    """Put files into a folder, and write their record as an installer does."""
    lines = ["table_bridge-1.dist-info/RECORD,,", "../../bin/table-bridge,sha256=AAAA,3"]
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
        known = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest or known},{len(content)}")
        lines.append(f"{Path(name).parent}/__pycache__/{Path(name).stem}.cpython-311.pyc,,")
    notes = root / "table_bridge-1.dist-info"
    notes.mkdir()
    (notes / "METADATA").write_text("Metadata-Version: 2.1\nName: table-bridge\nVersion: 1\n")
    (notes / "RECORD").write_text("\n".join(lines) + "\n")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    install(tmp_path, FILES)
    found = metadata.PathDistribution(tmp_path / "table_bridge-1.dist-info")
    monkeypatch.setattr(module, "distribution", lambda _name: found)
    return tmp_path


def test_5321_18_b_3_iv_software_that_is_as_it_was_installed_passes(root: Path) -> None:
    check = module._check(root)

    assert (check.changed, check.installed, check.files) == ((), True, 3)
    assert (check.fault(None), check.fault(check.digest)) == ("", "")
    assert check.version == __version__


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("bridge/__init__.py", b"x = 2\n", "bridge/__init__.py (changed)"),
        ("simulators/people.py", None, "simulators/people.py (gone)"),
        ("bridge/rules/new.py", b"", "bridge/rules/new.py (not installed)"),
    ],
)
def test_5321_18_b_3_iv_a_file_that_is_not_as_it_was_installed_is_named(
    root: Path, name: str, content: bytes | None, said: str
) -> None:
    before = module._check(root)
    if content is None:
        (root / name).unlink()
    else:
        (root / name).write_bytes(content)
    check = module._check(root)

    assert check.changed == (said,)
    assert check.digest != before.digest
    assert said in check.fault(None)
    assert check.fault(check.digest).startswith("not as installed"), "whatever is approved"


def test_what_python_compiles_for_itself_is_no_part_of_it(root: Path) -> None:
    before = module._check(root)
    (root / "bridge" / "__pycache__").mkdir()
    (root / "bridge" / "__pycache__" / "x.pyc").write_bytes(b"\x00")

    assert module._check(root) == before


def test_the_digest_of_an_installed_release_is_that_of_the_tree_it_was_built_from(
    root: Path, tmp_path: Path
) -> None:
    tree = tmp_path / "elsewhere"
    for name, content in FILES.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_bytes(content)
    there = module._check(tree)

    assert (there.digest, there.installed) == (module._check(root).digest, False)


def test_many_changed_files_are_counted(root: Path) -> None:
    check = replace(module._check(root), changed=tuple(f"file{number} (changed)" for number in range(9)))

    assert "file4 (changed) and 4 more" in check.fault(None)


def test_461a_4_software_is_approved_by_its_digest_and_by_nothing_else(root: Path) -> None:
    check = module._check(root)

    assert "a" * 12 in check.fault("a" * 64)
    assert "install the approved release" in check.fault("a" * 64)


def test_461a_4_a_tree_that_is_developed_in_is_never_approved() -> None:
    check = self_check()

    assert not check.installed
    assert (check.files > 300, len(check.digest), check.changed) == (True, 64, ())
    assert check.fault(None) == ""
    assert "a development tree is not" in check.fault(check.digest)


def test_software_that_was_never_installed_is_a_tree(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> metadata.Distribution:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(module, "distribution", nothing)

    assert not module._check(root).installed


def test_a_start_of_the_machine_has_its_name_where_the_machine_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert boot_id() == boot_id()
    monkeypatch.setattr(module, "_BOOT_ID", tmp_path / "boot_id")
    assert boot_id() == ""
    (tmp_path / "boot_id").write_text("0b5e\n")
    assert boot_id() == "0b5e"


def test_a_self_check_is_a_value() -> None:
    assert SelfCheck(version="1", digest="d", files=0, changed=(), installed=True).fault("d") == ""
