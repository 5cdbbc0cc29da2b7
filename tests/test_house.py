"""The house stays in order: imports point down, and the engine needs little."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "eleusis_ai"

# From the ground up; a module may import what stands before it.
FLOORS = [
    *("cards", "seeds", "shipped", "profiles"),
    "rules",
    *("layout", "moves", "events"),
    *("legal", "view", "stock", "dealing", "scoring", "evidence", "record", "imagination"),
    *("standing", "procedure", "round"),
    *("agent", "registry", "logs", "processes"),
    "match",
    "contracts",
    *("drawing", "picture", "pages", "sheets", "charts", "provenance", "tabletop"),
    "envs",
    "seats",
    "arena",
    "bench",
    "cli",
]

ENGINE = FLOORS[: FLOORS.index("agent")]

# A round makes its own record, and a record replays as a round: one of the two must look up.
UPWARD = {("record", "round")}


def imports(path: Path) -> Iterator[str]:
    """Yield the modules that the file imports, wherever the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def files() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_every_module_has_a_floor() -> None:
    assert {room(path) for path in files()} <= set(FLOORS)


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    own = room(path)
    for module in imports(path):
        if module.startswith("eleusis_ai."):
            other = module.split(".")[1]
            assert FLOORS.index(other) <= FLOORS.index(own) or (own, other) in UPWARD, f"{path} imports {module}"


def test_no_circles_inside_the_rules() -> None:
    graph = {
        path.stem: {m.split(".")[2] for m in imports(path) if m.startswith("eleusis_ai.rules.")}
        for path in files()
        if room(path) == "rules"
    }
    while graph:
        free = [name for name, needs in graph.items() if not needs & graph.keys()]
        assert free, f"these import each other in a circle: {sorted(graph)}"
        for name in free:
            del graph[name]


def test_the_package_never_imports_the_players() -> None:
    for path in files():
        assert not any(module.split(".")[0] == "eleusis_agents" for module in imports(path)), path


@pytest.mark.parametrize("path", [path for path in files() if room(path) in ENGINE], ids=lambda path: path.name)
def test_the_engine_needs_little(path: Path) -> None:
    allowed = {"eleusis_ai", "msgspec"} | ({"numpy"} if room(path) == "rules" else set())
    for module in imports(path):
        top = module.split(".")[0]
        assert top in allowed or top in sys.stdlib_module_names, f"{path} imports {module}"


@pytest.mark.parametrize("path", files() + sorted((ROOT / "agents").rglob("*.py")), ids=str)
def test_a_module_opens_with_its_caption(path: Path) -> None:
    caption = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert caption, path
    first = caption.splitlines()[0]
    assert first.endswith(".")
    assert not first.startswith("This")
