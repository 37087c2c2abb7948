"""The core has no float, no true division, no await, and imports nothing that knows the world."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "bridge"
PURE = ("domain", "wire", "rules", "table", "house_advantage", "scoreboard")
CORE = sorted(path for package in PURE for path in (ROOT / package).rglob("*.py"))


def impurities(source: str) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Constant(value=float() | complex()):
                found.append(f"line {node.lineno}: the float {node.value!r}")
            case ast.Name(id="float" | "complex"):
                found.append(f"line {node.lineno}: the name {node.id}")
            case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
                found.append(f"line {node.lineno}: true division; write // or Fraction(a, b)")
            case ast.AsyncFunctionDef() | ast.Await() | ast.AsyncFor() | ast.AsyncWith():
                found.append(f"line {node.lineno}: something asynchronous")
            case _:
                pass
    return found


@pytest.mark.parametrize("path", CORE, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_core_is_exact_and_does_not_wait(path: Path) -> None:
    assert impurities(path.read_text()) == []


@pytest.mark.parametrize(
    "source",
    ["x = 0.5", "x: float", "a / b", "a /= b", "async def f(): pass", "x = 1j", "async def f(): await g()"],
)
def test_what_is_forbidden_is_found(source: str) -> None:
    assert impurities(source)
