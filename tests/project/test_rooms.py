"""The package is a house: rooms with few entries, arrows that run downward, no circles.

An arrow is an import, wherever it is written: at the top of a file, inside a function, or for types only.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "bertviz_lite"

FLOORS = (
    "experiments",
    "chapters",
    "exercises",
    "trace",
    "views",
    "training",
    "plots",
    "evaluation",
    "capture",
    "data",
    "models",
    "world",
    "basics",
)
"""The rooms from top to bottom: each imports only from rooms below it."""

MOST_ENTRIES = 12
NO_ENTRIES = {"__init__.py", "__init__.pyi", "__main__.py", "__pycache__", "py.typed"}
SERIES = re.compile(r"chapter_\d\d")
"""Numbered, so that nobody searches among them: they are as many as the course has chapters."""

MOST_LINES = 500
WORD_TABLES = {"world/english/wordings.py"}


def python_files() -> list[Path]:
    return [file for top in (PACKAGE, ROOT / "experiments") for file in sorted(top.rglob("*.py"))]


def dotted(file: Path) -> str:
    """Return a file's module: `bertviz_lite/world/town.py` is `bertviz_lite.world.town`."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {dotted(file): file for file in python_files()}


def imports(source: str, modules: set[str]) -> Iterator[str]:
    """Yield the modules, out of ``modules``, that a file imports anywhere."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module in modules:
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                yield submodule if submodule in modules else str(node.module)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "import_module":
            name = node.args[0]
            if isinstance(name, ast.Constant) and name.value in modules:
                yield name.value


ARROWS = {
    module: set(imports(file.read_text(encoding="utf-8"), set(MODULES))) - {module}
    for module, file in MODULES.items()
}


def folder(module: str) -> str:
    """Return the folder that a module is in: the room at its finest."""
    return MODULES[module].parent.relative_to(ROOT).as_posix()


def room(module: str) -> str:
    """Return the room of a module: `capture`, `experiments`; empty for the package's own two files."""
    top, _, rest = module.removesuffix(".__main__").partition(".")
    return rest.partition(".")[0] if top == "bertviz_lite" else top


def circle(arrows: dict[str, set[str]]) -> list[str]:
    """Return the nodes of one circle, or nothing."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def between(arrows: dict[str, set[str]], group: Callable[[str], str]) -> dict[str, set[str]]:
    """Return the arrows between groups of modules; those inside one group are left out."""
    grouped: dict[str, set[str]] = {}
    for module, targets in arrows.items():
        grouped.setdefault(group(module), set()).update(map(group, targets))
    return {name: targets - {name} for name, targets in grouped.items()}


def test_every_room_has_its_floor() -> None:
    assert {room(module) for module in MODULES} - {""} == set(FLOORS)


def test_no_import_runs_upward() -> None:
    upward = [
        f"{module} imports {target}"
        for module, targets in ARROWS.items()
        for target in sorted(targets)
        if room(module) and (not room(target) or FLOORS.index(room(target)) < FLOORS.index(room(module)))
    ]
    assert not upward, "\n".join(upward)


def test_no_files_import_each_other_in_a_circle() -> None:
    assert not circle(ARROWS)


def test_no_folders_import_each_other_in_a_circle() -> None:
    assert not circle(between(ARROWS, folder))


def test_an_upward_arrow_inside_a_function_and_a_circle_are_seen() -> None:
    source = "def draw():\n    from bertviz_lite.plots import bars\n    import bertviz_lite.views.base\n"
    assert {*imports(source, set(MODULES))} == {"bertviz_lite.plots", "bertviz_lite.views.base"}
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": set()})
    assert not circle({"a": {"b", "c"}, "b": {"c"}, "c": set()})


def folders() -> list[Path]:
    everything = [place for top in (PACKAGE, ROOT / "experiments") for place in (top, *top.rglob("*"))]
    return [place for place in everything if place.is_dir() and place.name != "__pycache__"]


def entries(place: Path) -> list[str]:
    """Return the entries of a folder that a newcomer has to choose from."""
    names = sorted(path.name for path in place.iterdir() if path.name not in NO_ENTRIES)
    return [name for name in names if not SERIES.fullmatch(name)]


@pytest.mark.parametrize("place", folders(), ids=lambda place: place.relative_to(ROOT).as_posix())
def test_a_room_has_few_entries(place: Path) -> None:
    found = entries(place)
    assert len(found) <= MOST_ENTRIES, f"{len(found)} entries: {', '.join(found)}"


def test_chapters_are_a_series_and_nothing_beside_them_is(tmp_path: Path) -> None:
    for name in (*(f"chapter_{number:02}" for number in range(16)), "chapter_one", "chapter_001", "helpers"):
        (tmp_path / name).mkdir()
    assert entries(tmp_path) == ["chapter_001", "chapter_one", "helpers"]


def code_files() -> dict[str, int]:
    files = [*python_files(), *PACKAGE.rglob("*.js")]
    return {
        file.relative_to(ROOT).as_posix(): len(file.read_text(encoding="utf-8").splitlines())
        for file in files
    }


def test_files_are_short() -> None:
    lengths = {name: lines for name, lines in code_files().items() if not name.endswith("__init__.py")}
    tables = {f"bertviz_lite/{name}" for name in WORD_TABLES}
    long = {name: lines for name, lines in lengths.items() if lines > MOST_LINES and name not in tables}
    assert not long
    assert median(lengths.values()) <= 150


def test_the_readme_says_what_is_in_every_room() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (tree,) = re.findall(r"## What is where\n\n```\n(.*?)```", text, re.DOTALL)
    named = re.findall(r"^  (\w+)/ ", tree, re.MULTILINE)
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert set(named) == rooms
    assert named == [floor for floor in reversed(FLOORS) if floor in rooms], "from the ground up"
    tops = re.findall(r"^([\w.]+)/", tree, re.MULTILINE)
    assert all((ROOT / top).is_dir() for top in tops)
    tracked = {"bertviz_lite", "docs", "experiments", "notebooks", "tests", "tools"}
    assert tracked <= set(tops)
