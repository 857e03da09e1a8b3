"""Lies are planted into an honest notebook, one at a time, and each must be caught.

The honest notebook is run once, by the program a reader runs. `test_every_lie_is_caught` holds each lie
against that run, by the comparison and the rules that the command line uses; `test_lies_end_to_end` gives a
folder of lies to the command line itself, and among them those that only a run can show (a source that no
longer gives its outputs).
"""

import copy
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from matplotlib import rc_context
from matplotlib.figure import Figure
from notebook_checks import check
from notebook_checks.comparison import pictures
from notebook_checks.comparison.outputs import differences
from notebook_checks.comparison.sanitize import load_rules, sanitizer
from notebook_checks.notebook import Notebook, code_cells, read, serialised
from notebook_checks.rules.static import static_findings
from notebook_checks.running.nbval_plugin import Completeness
from PIL import Image

from bertviz_lite.plots.display import picture
from tests.notebooks.honest_notebook import honest_notebook
from tests.notebooks.planted_lies import (
    FIGURES,
    LIES,
    MISTAKE,
    PAIR,
    RUN_LIES,
    error_hidden_by_a_tag,
    message_of_a_caught_error,
    output,
    repaint,
    replace,
)

TOOLS = Path(__file__).parents[2] / "tools"
# By the pixels alone, which only the matplotlib of the lock can tell.
PIXELS = ("one_cell_of_a_heat_map",) if pictures.drawn_as_locked() else ()


def command(name: str, *arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, TOOLS / name, *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=300,
        env={k: v for k, v in os.environ.items() if k != "CI"} | {"PYTHONIOENCODING": "utf-8"} | variables,
    )


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("honest") / "honest.ipynb"
    path.write_text(serialised(honest_notebook()), encoding="utf-8", newline="\n")
    result = command("refresh_notebooks.py", path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "running 6 cells" in result.stdout
    return path


@pytest.fixture(autouse=True)
def drawn_by_one_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "drawn_as_locked", lambda: True)


def caught_by(lie: Notebook, honest: Path, folder: Path) -> set[str]:
    """Say which of the checks object to a notebook whose cells, run again, give the honest outputs."""
    path = folder / "lie.ipynb"
    path.write_text(serialised(lie), encoding="utf-8", newline="\n")
    found = set()
    if static_findings(path):
        found.add("static")
    fresh = {cell["source"]: cell["outputs"] for _, cell in code_cells(read(honest))}
    for _, cell in code_cells(lie):
        found_here = differences(cell["outputs"], fresh[cell["source"]], sanitizer(load_rules()))
        if found_here or cell["execution_count"] is None:
            found.add("strict")
    return found


def write_lie(notebook: Notebook, path: Path) -> None:
    path.write_text(serialised(notebook), encoding="utf-8", newline="\n")


def test_the_honest_notebook_is_caught_by_nothing(honest: Path, tmp_path: Path) -> None:
    assert caught_by(read(honest), honest, tmp_path) == set()
    assert [str(finding) for finding in static_findings(honest)] == []


@pytest.mark.parametrize("name", LIES)
def test_every_lie_is_caught(name: str, honest: Path, tmp_path: Path) -> None:
    plant, catchers = LIES[name]
    notebook = copy.deepcopy(read(honest))
    plant(notebook)
    assert serialised(notebook) != serialised(read(honest)), "nothing was planted"
    assert caught_by(notebook, honest, tmp_path) == catchers


def lying_cell(lying: Notebook, honest: Notebook) -> dict[str, Any]:
    """Return the cell that lies: to run the others, which are honest, takes long."""
    pairs = zip(lying["cells"], honest["cells"], strict=True)
    (changed,) = (one for one, other in pairs if one != other)
    return changed  # type: ignore[no-any-return]


def numbered(notebook: Notebook, cells: list[dict[str, Any]]) -> Notebook:
    """Return the notebook with these cells, as if they had been run in this order."""
    cells = copy.deepcopy(cells)
    for count, (number, cell) in enumerate(code_cells({"cells": cells}), start=1):
        cell["execution_count"] = cell["execution_count"] and count
        cell["id"] = f"cell-{number}"
    return {**notebook, "cells": cells}


@pytest.mark.thorough
def test_lies_end_to_end(honest: Path, tmp_path: Path) -> None:
    """The command line names each lying cell of a folder of notebooks, and only those."""
    figures = ("picture_of_something_else", "picture_deleted_from_its_figure", *PIXELS)
    others = ("skip_tag", "execution_count_nulled", "text_moved_behind_a_picture", "standard_output_renamed")
    others += ("number_behind_the_switch",)  # which spares a notebook the other model, and nothing else
    # Four end a run, and one is about its notebook.
    alone = {
        "kernel_that_was_stopped",
        "execution_count_nulled",
        "error_hidden_by_a_tag",
        "kernel_that_died",
        "number_behind_the_switch",
    }
    planted = RUN_LIES | {name: LIES[name][0] for name in (*figures, *others)}
    true = read(honest)
    title, setup, *_ = true["cells"]
    together = [title, setup]
    named = set()
    for name, plant in planted.items():
        notebook = copy.deepcopy(true)
        plant(notebook)
        cell = lying_cell(notebook, true)
        if name in alone:
            needed = [] if cell["id"] == true["cells"][MISTAKE]["id"] else [setup]
            notebook = numbered(notebook, [title, *needed, cell])
            write_lie(notebook, tmp_path / f"{name}.ipynb")
            named.add((name, len(notebook["cells"])))
        else:
            together += [cell, true["cells"][MISTAKE]]  # a lie, and what is none
            named.add(("together", len(together) - 1))
    write_lie(numbered(true, together), tmp_path / "together.ipynb")
    write_lie(numbered(true, [title, true["cells"][MISTAKE]]), tmp_path / "honest.ipynb")

    result = command("check_notebooks.py", tmp_path, "--only", "strict", "--jobs", 2)

    assert result.returncode == 1
    found = re.findall(r"(\w+)\.ipynb, cell (\d+).*: ", result.stdout)
    assert {(name, int(number)) for name, number in found} == named, result.stdout
    assert not PIXELS or "differs by" in result.stdout
    assert "ended the kernel" in result.stdout
    assert os.name == "nt" or "stopped the kernel" in result.stdout
    assert "changes an output after showing it" in result.stdout
    assert "leaves nothing to see where no kernel runs" in result.stdout


@pytest.mark.thorough
def test_a_cell_that_never_ends_is_stopped(honest: Path, tmp_path: Path) -> None:
    notebook = read(honest)
    del notebook["cells"][2:-1]
    notebook["cells"][1]["source"] = "import time"
    notebook["cells"][2] |= {"source": "time.sleep(100)", "execution_count": 2}
    path = tmp_path / "endless.ipynb"
    write_lie(notebook, path)

    result = command("check_notebooks.py", path, "--only", "strict", "--timeout", 2)
    assert result.returncode == 1
    assert "cell 3 [2]: Timeout of 2 seconds exceeded" in result.stdout

    result = command("refresh_notebooks.py", path, "--timeout", 2)
    assert result.returncode == 1
    assert "cell 3 [2]: takes more than 2 seconds" in result.stdout


@pytest.mark.thorough
def test_an_output_may_be_the_oldest_processors_and_no_other(honest: Path, tmp_path: Path) -> None:
    notebook = read(honest)
    del notebook["cells"][2:]
    source = "import os\n\nprint(os.environ.get('ATEN_CPU_CAPABILITY', 'this processor'))"
    notebook["cells"][1] |= {"source": source, "outputs": []}
    path = tmp_path / "processor.ipynb"
    write_lie(notebook, path)
    assert command("refresh_notebooks.py", path).returncode == 0

    oldest = read(path)
    result = command("check_notebooks.py", path, "--only", "strict")
    assert result.returncode == 0, result.stdout
    assert "as the oldest processor computes, not as this one does" in result.stdout

    oldest["cells"][1]["outputs"][0]["text"] = "this processor\n"
    write_lie(oldest, path)
    result = command("check_notebooks.py", path, "--only", "strict")
    assert result.returncode == 0, result.stdout
    assert "oldest processor" not in result.stdout

    oldest["metadata"]["bertviz_lite"] = {"this_processor": False}
    write_lie(oldest, path)
    assert command("check_notebooks.py", path, "--only", "strict").returncode == 1

    oldest["cells"][1]["outputs"][0]["text"] = "another\n"
    write_lie(oldest, path)
    assert command("check_notebooks.py", path, "--only", "strict").returncode == 1


@pytest.mark.thorough
def test_the_honest_notebook_passes_end_to_end(honest: Path) -> None:
    """Through rules and comparison; its duration, its widget's id and its silenced value do not matter."""
    assert check.main([str(honest), "--only", "static"]) == 0
    result = command("check_notebooks.py", honest, "--only", "strict")
    assert result.returncode == 0, result.stdout
    assert "every output is what the code gives" in result.stdout


@pytest.mark.thorough
def test_a_second_refresh_changes_nothing(honest: Path, tmp_path: Path) -> None:
    """Not even where a picture comes out with other bytes for the same pixels, or a duration differs."""
    notebook = read(honest)
    for number in (0, 1):
        data = output(notebook, PAIR, number)["data"]
        data["text/html"] = repaint(data["text/html"], lambda image: image, compress_level=1)
    replace(output(notebook, FIGURES, 2), "stream", "took 0.12 s", "took 0.13 s")
    path = tmp_path / "honest.ipynb"
    write_lie(notebook, path)
    before = path.read_bytes()

    result = command("refresh_notebooks.py", path)

    assert result.returncode == 0, result.stdout
    assert "nothing new" in result.stdout
    assert path.read_bytes() == before


@pytest.mark.thorough
def test_a_refresh_mends_every_lie_at_once(honest: Path, tmp_path: Path) -> None:
    notebook = read(honest)
    for name in ("number_in_printed_text", "two_letters_of_a_title", "output_removed", "stale_widget_state"):
        LIES[name][0](notebook)
    for _, cell in code_cells(notebook):
        cell["execution_count"] = None
        cell["metadata"]["execution"] = {"iopub.status.busy": "2026-01-01T00:00:00"}
    path = tmp_path / "honest.ipynb"
    write_lie(notebook, path)

    assert command("refresh_notebooks.py", path).returncode == 0
    assert path.read_bytes() == honest.read_bytes()


def test_a_failed_refresh_leaves_the_file(honest: Path, tmp_path: Path) -> None:
    notebook = read(honest)
    told = copy.deepcopy(notebook["cells"][MISTAKE])
    told["outputs"] = []  # what a refresh would mend
    error_hidden_by_a_tag(notebook)
    path = tmp_path / "broken.ipynb"
    write_lie(numbered(notebook, [notebook["cells"][0], told, notebook["cells"][MISTAKE]]), path)
    before = path.read_bytes()

    result = command("refresh_notebooks.py", path)

    assert result.returncode == 1
    assert "broken.ipynb, cell 3 [2]" in result.stdout
    assert "IndexError: list index out of range" in result.stdout
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("hinting", ["none", "no_hinting", "no_autohint"])
def test_hinting_is_no_lie(hinting: str) -> None:
    """The same figure, its text drawn as another build of the font library draws it."""
    drawn = [_figure_output(), _figure_output(hinting)]
    assert not differences(drawn[:1], drawn[1:], str)


def test_one_pixel_is_no_lie() -> None:
    """The whole figure, one pixel further on."""
    honest_output = _figure_output()
    moved = copy.deepcopy(honest_output)
    moved["data"]["text/html"] = repaint(
        moved["data"]["text/html"],
        lambda image: image.transform(
            image.size, Image.Transform.AFFINE, (1, 0, 1, 0, 1, 0), fillcolor="white"
        ),
    )
    assert moved != honest_output
    assert not differences([honest_output], [moved], str)


def _figure_output(hinting: str = "default") -> dict[str, Any]:
    with rc_context({"text.hinting": hinting}):
        figure = Figure(figsize=(6, 4))
        axes = figure.add_subplot(title="Each word attends to the one before it", ylabel="query")
        axes.imshow([[0, 1, 0], [1, 0, 1]], cmap="cividis")
        html = picture(figure, alt="A checkerboard of six cells, three of them light").html()
    return {"output_type": "display_data", "data": {"text/html": html}, "metadata": {}}


def test_chunks_of_a_stream_are_no_lie() -> None:
    whole = [{"output_type": "stream", "name": "stdout", "text": "one\ntwo\n"}]
    cut = [{"output_type": "stream", "name": "stdout", "text": text} for text in ("one\n", "two", "\n")]
    assert not differences(whole, cut, str)


def on_a_model(honest: Path, source: str, **switch: object) -> Notebook:
    """Return a notebook of a lie, which matters on no other model, and of one more cell."""
    notebook = read(honest)
    message_of_a_caught_error(notebook)
    title, lying = notebook["cells"][0], notebook["cells"][MISTAKE]
    notebook = numbered(notebook, [title, lying, {**lying, "source": source, "outputs": []}])
    return notebook | {"metadata": notebook["metadata"] | ({"bertviz_lite": switch} if switch else {})}


def on_model(name: str) -> str:
    return f'import os\nassert os.environ["BERTVIZ_LITE_MODEL"] == "{name}"'


@pytest.mark.thorough
def test_another_model_must_run_but_may_differ(honest: Path, tmp_path: Path) -> None:
    write_lie(on_a_model(honest, on_model("other")), tmp_path / "other.ipynb")
    write_lie(on_a_model(honest, "assert False", second_model=False), tmp_path / "spared.ipynb")

    result = command("check_notebooks.py", tmp_path, "--model", "other", BERTVIZ_LITE_MODEL="another")

    assert result.returncode == 0, result.stdout
    assert "spared.ipynb: not run on other: it trains its own" in result.stdout
    assert "other.ipynb: other: ok" in result.stdout
    assert "other: every cell ran, 1 not run" in result.stdout


@pytest.mark.thorough
def test_only_one_word_spares_a_notebook_the_other_model(
    honest: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A notebook that trains its own says it; what is close to the word spares nothing."""
    spared = tmp_path / "spared.ipynb"
    write_lie(on_a_model(honest, "assert False", second_model=False), spared)
    for name, value in {"zero": 0, "none": None}.items():
        notebook = on_a_model(honest, "assert False, 'was run'", second_model=value)
        write_lie(notebook, tmp_path / f"{name}.ipynb")
    write_lie(on_a_model(honest, on_model("another")), tmp_path / "another.ipynb")

    result = command("check_notebooks.py", tmp_path, "--model", "other", BERTVIZ_LITE_MODEL="another")

    assert result.returncode == 1
    assert "spared.ipynb: not run on other: it trains its own" in result.stdout
    ran = re.findall(r"(\w+)\.ipynb: other: (\w+)", result.stdout)
    assert sorted(ran) == [("another", "failed"), ("none", "failed"), ("zero", "failed")]
    assert result.stdout.count("AssertionError: was run") == 2
    assert re.search(r"another\.ipynb, cell 3.*\n(.*\n)*.*AssertionError", result.stdout)

    assert check.main([str(spared), "--model", "other"]) == 0
    assert "other: no cell ran, 1 not run" in capsys.readouterr().out


@pytest.mark.parametrize(("variables", "code", "said"), [({}, 0, "skipped"), ({"CI": "true"}, 1, "failure")])
def test_a_missing_model_is_a_failure_only_under_ci(
    variables: dict[str, str],
    code: int,
    said: str,
    honest: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("CI", raising=False)
    for key, value in variables.items():
        monkeypatch.setenv(key, value)
    monkeypatch.setitem(check.PACKAGES, "minilm", "no-such-package-anywhere")
    assert check.main([str(honest), "--only", "minilm"]) == code
    printed = capsys.readouterr().out
    assert said in printed
    assert "no-such-package-anywhere is not installed" in printed


def test_what_is_no_notebook_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "conflict.ipynb"
    path.write_text("<<<<<<< HEAD", encoding="utf-8")
    assert check.main([str(path), "--only", "strict"]) == 1
    assert "conflict.ipynb: not a notebook" in capsys.readouterr().out


@pytest.mark.parametrize(("ran", "status"), [(6, pytest.ExitCode.OK), (5, pytest.ExitCode.TESTS_FAILED)])
def test_a_cell_that_was_not_looked_at_is_a_failure(ran: int, status: pytest.ExitCode, honest: Path) -> None:
    count = Completeness(cast("pytest.Config", SimpleNamespace(args=[str(honest)])))
    for _ in range(ran):
        count.pytest_runtest_logreport(cast("pytest.TestReport", SimpleNamespace(when="call")))
    session = SimpleNamespace(exitstatus=pytest.ExitCode.OK)
    count.pytest_sessionfinish(cast("pytest.Session", session))
    assert session.exitstatus == status


def test_no_notebook_is_no_success(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check.main([str(tmp_path)]) == 2
    assert "no notebook found" in capsys.readouterr().err
    assert check.main([str(tmp_path / "missing.ipynb")]) == 2
    assert "no such notebook" in capsys.readouterr().err
