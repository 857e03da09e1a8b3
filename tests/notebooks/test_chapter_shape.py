"""The shape of a chapter: see first, then build."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from notebook_checks.notebook import NOTEBOOKS, Notebook, normalised, serialised
from notebook_checks.rules import shape
from notebook_checks.rules.static import static_findings

NAME = "01_shape.ipynb"
PICTURE = '<figure><img alt="A view of one sentence, in small" src="data:image/png;base64,AAAA"></figure>'


def markdown(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def code(source: str, html: str = "") -> dict[str, Any]:
    outputs = [{"output_type": "display_data", "data": {"text/html": html}, "metadata": {}}] if html else []
    return {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": outputs, "source": source}


def good() -> Notebook:
    """Return a small chapter in its shape."""
    cells = [
        markdown("# What is it?\n\nIn 40 minutes.\n\n```python\n## no heading\n```"),
        code('Machine(model, tokenizer, "Anna sleeps.", here="tokens")', PICTURE),
        markdown("## See it: one sentence\n\n**Predict:** who sleeps?"),
        code("Explorer(seen)", PICTURE),
        markdown("## Why\n\n### A story"),
        markdown("## Build it: half\n\n**Predict:** how many?"),
        code("x = 1"),
        markdown("## Prove it"),
        markdown("## Build it: the rest"),
        markdown("## Prove it: all of it"),
        markdown("## Break it"),
        markdown("## You will read that"),
        markdown("## Exercises\n\n**Explain:** what you see."),
        markdown("## Recap: and next"),
        markdown("## For those who stay"),
        code("y = 2"),
    ]
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def replace(old: str, new: str) -> Callable[[Notebook], None]:
    def change(notebook: Notebook) -> None:
        cell = next(cell for cell in notebook["cells"] if old in cell["source"])
        cell["source"] = cell["source"].replace(old, new, 1)

    return change


def insert(place: int, *cells: dict[str, Any]) -> Callable[[Notebook], None]:
    def change(notebook: Notebook) -> None:
        notebook["cells"][place:place] = cells

    return change


def both(*changes: Callable[[Notebook], None]) -> Callable[[Notebook], None]:
    def change(notebook: Notebook) -> None:
        for single in changes:
            single(notebook)

    return change


def without_picture(notebook: Notebook) -> None:
    notebook["cells"][3]["outputs"] = []


WRONG: dict[str, tuple[Callable[[Notebook], None], str]] = {
    "Break it before it is built": (replace("## Why", "## Break it"), "comes too late: the order is"),
    "no Why": (replace("## Why", "## See it"), "has no section “## Why”"),
    "See it twice": (replace("## Why", "## See it: again"), "is a second section of that name"),
    "proved before it is built": (
        replace("## Build it: half", "## Prove it: half"),
        "“Prove it: half” has nothing to prove",
    ),
    "another section": (replace("## Break it", "## Break it down"), "“Break it down” is no section"),
    "another spelling": (replace("## Recap:", "## Recap,"), "“Recap, and next” is no section"),
    "nothing for those who stay": (replace("## For those who stay", "### More"), "“## For those who stay”"),
    "no minutes": (replace("40 minutes", "a while"), "does not say how many minutes"),
    "no map": (replace("Machine(", "Explorer("), "has no map in its first 8 cells"),
    "a map that comes late": (
        insert(1, *[markdown("text")] * 7),
        "has no map in its first 8 cells",
    ),
    "no picture but the map": (without_picture, "shows no picture beside the map in its first 8 cells"),
    "one prediction": (replace("**Predict:** how", "Predict: how"), "asks 1 times “**Predict:** ...”"),
    "no prediction in See it": (
        both(
            replace("**Predict:** who", "who"),
            replace("## Why", "## Why\n\n**Predict:** who sleeps?"),
        ),
        "asks for no “**Predict:** ...” in “See it”",
    ),
    "predictions for those who stay only": (
        both(
            replace("**Predict:** how many?", "How many?"),
            insert(15, markdown("**Predict:** more?")),
        ),
        "asks 1 times “**Predict:** ...”",
    ),
    "nothing to explain": (replace("**Explain:** ", ""), "asks 0 times “**Explain:** ...”"),
    "too many code cells": (
        insert(7, *[code("x = 2"), code("x = 3"), markdown("text")] * 16),
        "has 35 code cells before “For those who stay”, at most 34",
    ),
    "too many words": (
        insert(7, *[markdown("word " * 100)] * 23),
        "before “For those who stay”, at most 2,300",
    ),
    "a wide line": (replace("x = 1", "x = 1\nx = " + "1" * 85), "line 2 has 89 characters, at most 88"),
    "a wide line for those who stay": (replace("y = 2", "y = " + "2" * 85), "line 1 has 89 characters"),
}


@pytest.fixture
def findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Notebook], list[str]]:
    """Return what the rules on shape say of the one chapter of a course."""
    (tmp_path / NAME).touch()
    monkeypatch.setattr(shape, "NOTEBOOKS", tmp_path)
    return lambda notebook: list(shape.shape(notebook, tmp_path / NAME))


def test_a_chapter_in_its_shape_passes(findings: Callable[[Notebook], list[str]]) -> None:
    assert findings(good()) == []


@pytest.mark.parametrize("name", WRONG)
def test_a_part_that_is_missing_or_out_of_place_is_named(
    name: str, findings: Callable[[Notebook], list[str]]
) -> None:
    change, message = WRONG[name]
    notebook = good()
    change(notebook)
    found = findings(notebook)
    assert any(message in finding for finding in found), found


def test_what_stays_within_the_limits_passes(findings: Callable[[Notebook], list[str]]) -> None:
    notebook = good()
    insert(7, *[code("x = 2")] * 31, markdown("word " * 2200))(notebook)
    insert(len(notebook["cells"]), *[code("x = 2")] * 9, markdown("word " * 500))(notebook)
    replace("x = 1", "x = " + "1" * 84)(notebook)
    assert findings(notebook) == []


def test_the_overture_may_have_its_map_later_but_on_the_main_path() -> None:
    late, nowhere = good(), good()
    for notebook, place in ((late, 12), (nowhere, 16)):
        notebook["cells"].insert(place, notebook["cells"].pop(1))
        notebook["cells"][1:1] = [markdown("text")] * 2
    assert list(shape.opening(late, overture=True)) == []
    assert list(shape.opening(late))
    assert list(shape.opening(nowhere, overture=True))
    assert (NOTEBOOKS / shape.OVERTURE).is_file()


def test_a_notebook_that_is_no_chapter_has_the_shape_it_likes(
    tmp_path: Path, findings: Callable[[Notebook], list[str]]
) -> None:
    notebook = good()
    replace("## Why", "## Reasons")(notebook)
    assert findings(notebook)
    assert list(shape.shape(notebook, tmp_path / "05_other.ipynb")) == []


def test_the_check_of_notebooks_applies_it(tmp_path: Path, findings: Callable[[Notebook], list[str]]) -> None:
    notebook = good()
    replace("## Why", "## Reasons")(notebook)
    path = tmp_path / NAME
    path.write_text(serialised(normalised(notebook)), encoding="utf-8", newline="\n")
    assert findings(notebook)[0] in [finding.message for finding in static_findings(path)]


def test_every_chapter_is_formatted_to_its_width() -> None:
    form = tomllib.loads((NOTEBOOKS / "ruff.toml").read_text(encoding="utf-8"))
    assert form["line-length"] == shape.MAX_WIDTH
    assert "exclude" not in form.get("format", {})
    assert "extend-per-file-ignores" not in form.get("lint", {})
