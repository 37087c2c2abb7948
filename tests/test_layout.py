"""Every module that does something has its test, and every test its module."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TESTS = ROOT / "tests"
PACKAGES = ("bridge", "simulators")


def modules(package: str) -> list[Path]:
    found = (ROOT / package).rglob("*.py")
    return sorted(found)


def mirror_of(module: Path) -> Path:
    package, *folders = module.relative_to(ROOT).parts[:-1]
    mirrored = folders if package == "bridge" else [package, *folders]
    return TESTS.joinpath(*mirrored, f"test_{module.stem.strip('_')}.py")


def does_something(module: Path) -> bool:
    """Return whether a module has a function with a body; values, protocols and names have nothing to execute."""
    functions = [
        node
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return any(not isinstance(statement, ast.Expr) for function in functions for statement in function.body)


@pytest.mark.parametrize(
    "module", [m for p in PACKAGES for m in modules(p)], ids=lambda m: str(m.relative_to(ROOT))
)
def test_every_module_that_does_something_has_its_test(module: Path) -> None:
    assert mirror_of(module).exists() or not does_something(module), f"write {mirror_of(module).relative_to(ROOT)}"


def test_every_test_below_a_package_has_its_module() -> None:
    expected = {mirror_of(module) for package in PACKAGES for module in modules(package)}
    folders = {path.parent for path in expected} - {TESTS}
    strays = [path for folder in folders for path in folder.glob("test_*.py") if path not in expected]

    assert not strays, "move them to the test of the module they test"


def test_no_module_outgrows_one_idea() -> None:
    too_long = {
        str(path.relative_to(ROOT)): lines
        for package in PACKAGES
        for path in modules(package)
        if (lines := len(path.read_text().splitlines())) > 400
    }

    assert not too_long, "split them by noun"
