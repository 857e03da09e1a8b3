"""Lies are planted into an honest notebook, one at a time, and each must be caught.

The honest notebook is run once, by the program a reader runs. `test_every_lie_is_caught` holds each lie
against that run, by the comparison and the rules that the command line uses; `test_lies_end_to_end` gives a
folder of lies to the command line itself, and among them those that only a run can show (a source that no
longer gives its outputs).
"""

import base64
import copy
import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from matplotlib import rc_context
from matplotlib.figure import Figure
from notebook_checks import check, pictures
from notebook_checks.nbval_plugin import Completeness
from notebook_checks.notebook import Notebook, code_cells, read, serialised
from notebook_checks.outputs import DATA_URI, differences
from notebook_checks.sanitize import load_rules, sanitizer
from notebook_checks.static import static_findings
from PIL import Image

from bertviz_lite.basics.png import CHUNK, chunks, sealed, unsealed
from bertviz_lite.plots.display import picture
from tests.notebooks.honest_notebook import honest_notebook

TOOLS = Path(__file__).parents[2] / "tools"
FIGURES, PAIR, TABLE, VIEW, MISTAKE = 3, 5, 7, 9, 11  # where the code cells are, among all cells
# What catches a lie: the rules on the file, the comparison with a fresh run, or both.
STATIC, STRICT, BOTH = {"static"}, {"strict"}, {"static", "strict"}
# By the pixels alone, which only the matplotlib of the lock can tell.
PIXELS = ("one_cell_of_a_heat_map",) if pictures.drawn_as_locked() else ()
Lie = Callable[[Notebook], None]
LIES: dict[str, tuple[Lie, set[str]]] = {}
# These are told by source and outputs together: only a run of that source shows them.
RUN_LIES: dict[str, Lie] = {}


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


def lie(caught: set[str]) -> Callable[[Lie], Lie]:
    def register(function: Lie) -> Lie:
        LIES[function.__name__] = (function, caught)
        return function

    return register


def run_lie(function: Lie) -> Lie:
    RUN_LIES[function.__name__] = function
    return function


def replace(output: dict[str, Any], mime: str, old: str, new: str) -> None:
    text = output["text"] if mime == "stream" else output["data"][mime]
    assert old in text
    if mime == "stream":
        output["text"] = text.replace(old, new)
    else:
        output["data"][mime] = text.replace(old, new)


def repaint(html: str, change: Callable[[Image.Image], Image.Image], **options: object) -> str:
    """Decode the picture of a figure, change it and put it back, as if it had been drawn so."""
    png = picture_in(html)
    _, said = unsealed(png)
    assert said is not None
    image = Image.open(io.BytesIO(png)).convert("RGB")
    buffer = io.BytesIO()
    change(image).save(buffer, "PNG", **options)
    return with_picture(html, sealed(buffer.getvalue(), said))


def picture_in(html: str) -> bytes:
    found = DATA_URI.search(html)
    assert found
    return base64.b64decode(found.group())


def with_picture(html: str, png: bytes) -> str:
    return DATA_URI.sub(base64.b64encode(png).decode(), html)


def output(notebook: Notebook, cell: int, number: int = 0) -> dict[str, Any]:
    return notebook["cells"][cell]["outputs"][number]  # type: ignore[no-any-return]


@lie(STRICT)
def number_in_printed_text(notebook: Notebook) -> None:
    replace(output(notebook, FIGURES, 0), "stream", "0.97", "0.99")


@lie(STRICT)
def number_in_a_result(notebook: Notebook) -> None:
    replace(output(notebook, TABLE, 1), "text/plain", "0.25", "0.26")


@lie(STRICT)
def number_in_an_html_table(notebook: Notebook) -> None:
    replace(output(notebook, TABLE), "text/html", "144", "12")


@lie(STRICT)
def message_of_a_caught_error(notebook: Notebook) -> None:
    replace(output(notebook, MISTAKE), "stream", "out of range", "in range")


@lie(STRICT)
def picture_of_something_else(notebook: Notebook) -> None:
    other = DATA_URI.search(output(notebook, PAIR, 0)["data"]["text/html"])
    assert other
    data = output(notebook, FIGURES, 1)["data"]
    data["text/html"] = DATA_URI.sub(other.group(), data["text/html"])


@lie(STRICT)
def one_cell_of_a_heat_map(notebook: Notebook) -> None:
    """Turn the light cell in the middle of the upper row dark."""

    def paint(image: Image.Image) -> Image.Image:
        x, y = image.width // 2, image.height * 2 // 5
        light, dark = image.getpixel((x, y)), image.getpixel((x, image.height * 7 // 10))
        assert light != dark
        for right in range(-20, 21):
            for down in range(-20, 21):
                image.putpixel((x + right, y + down), dark)
        return image

    data = output(notebook, FIGURES, 1)["data"]
    data["text/html"] = repaint(data["text/html"], paint)


@lie(STRICT)
def picture_of_another_size(notebook: Notebook) -> None:
    data = output(notebook, FIGURES, 1)["data"]
    smaller = repaint(data["text/html"], lambda image: image.resize((image.width - 16, image.height)))
    data["text/html"] = smaller


@lie(BOTH)
def picture_painted_over(notebook: Notebook) -> None:
    """Change one pixel, less than can be told from another hinting, and leave the record as it is."""
    data = output(notebook, FIGURES, 1)["data"]
    png = picture_in(data["text/html"])
    record = next(chunk for kind, chunk in chunks(png) if kind == CHUNK)
    painted = Image.open(io.BytesIO(png)).convert("RGB")
    painted.putpixel((100, 100), (0, 0, 0))
    buffer = io.BytesIO()
    painted.save(buffer, "PNG")
    lying = buffer.getvalue()
    end = lying.rindex(b"IEND") - 4
    data["text/html"] = with_picture(data["text/html"], lying[:end] + record + lying[end:])


@lie(BOTH)
def record_of_a_picture_deleted(notebook: Notebook) -> None:
    data = output(notebook, FIGURES, 1)["data"]
    plain, _ = unsealed(picture_in(data["text/html"]))
    data["text/html"] = with_picture(data["text/html"], plain)


@lie(STRICT)
def two_letters_of_a_title(notebook: Notebook) -> None:
    """Draw the figure anew, with two letters of its title in the other order: 3 of 255 of its picture."""
    figure = Figure(figsize=(4, 3))
    axes = figure.add_subplot(title="A checkerbaord")
    axes.imshow([[0, 1, 0], [1, 0, 1]], cmap="cividis", vmin=0, vmax=1)
    data = output(notebook, FIGURES, 1)["data"]
    data["text/html"] = picture(figure, "A checkerboard of six cells, three of them light").html()


@lie(STATIC)
def outputs_hidden(notebook: Notebook) -> None:
    notebook["cells"][FIGURES]["metadata"]["jupyter"] = {"outputs_hidden": True}


@lie(STATIC)
def output_removed_by_a_tag(notebook: Notebook) -> None:
    notebook["cells"][FIGURES]["metadata"]["tags"] = ["remove-output"]


@lie(STATIC)
def cell_hidden_by_a_tag(notebook: Notebook) -> None:
    notebook["cells"][FIGURES]["metadata"]["tags"] = ["hide-cell"]


@lie(STATIC)
def code_made_raw(notebook: Notebook) -> None:
    cell = notebook["cells"][MISTAKE]
    notebook["cells"][MISTAKE] = {key: cell[key] for key in ("id", "metadata", "source")} | {
        "cell_type": "raw"
    }


@lie(STATIC)
def picture_attached_to_prose(notebook: Notebook) -> None:
    png = picture_in(output(notebook, PAIR, 0)["data"]["text/html"])
    cell = notebook["cells"][FIGURES + 1]
    cell["attachments"] = {"x.png": {"image/png": base64.b64encode(png).decode()}}
    cell["source"] += "\n\n![A picture that no cell of this notebook has drawn](attachment:x.png)"


@lie(STATIC)
def output_written_into_prose(notebook: Notebook) -> None:
    notebook["cells"][FIGURES + 1]["source"] += "\n\n```\naccuracy 0.99\n```"


@lie(STATIC)
def link_to_no_heading(notebook: Notebook) -> None:
    notebook["cells"][FIGURES + 1]["source"] += "\n\n[See above](#The-proof)."


@lie(BOTH)
def second_picture_hidden_in_frames(notebook: Notebook) -> None:
    data = output(notebook, FIGURES, 1)["data"]
    html = data["text/html"]
    blank = Image.new("RGB", (576, 432), "white")
    data["text/html"] = repaint(html, lambda image: image, save_all=True, append_images=[blank])


@lie(BOTH)
def damaged_picture(notebook: Notebook) -> None:
    data = output(notebook, FIGURES, 1)["data"]
    data["text/html"] = DATA_URI.sub("iVBORw0KGgo", data["text/html"])


@lie(STRICT)
def picture_deleted_from_its_figure(notebook: Notebook) -> None:
    output(notebook, FIGURES, 1)["data"]["text/html"] = "<figure></figure>"


@lie(BOTH)  # two parts of a stream are left side by side
def figure_deleted(notebook: Notebook) -> None:
    del notebook["cells"][FIGURES]["outputs"][1]


@lie(BOTH)
def alt_text_deleted(notebook: Notebook) -> None:
    data = output(notebook, FIGURES, 1)["data"]
    data["text/html"] = re.sub(r'alt="[^"]*"', 'alt=""', data["text/html"])


@lie(STRICT)
def alt_text_changed(notebook: Notebook) -> None:
    replace(output(notebook, FIGURES, 1), "text/html", "three of them light", "four of them light")


@lie(BOTH)
def figure_turned_into_a_bare_picture(notebook: Notebook) -> None:
    data = output(notebook, FIGURES, 1)["data"]
    found = DATA_URI.search(data.pop("text/html"))
    assert found
    data["image/png"] = found.group()


@lie(STRICT)
def width_of_a_picture(notebook: Notebook) -> None:
    output(notebook, FIGURES, 1)["metadata"] = {"text/html": {"isolated": True}}


@lie(STRICT)
def pictures_swapped_within_a_cell(notebook: Notebook) -> None:
    notebook["cells"][PAIR]["outputs"].reverse()


@lie(BOTH)  # two parts of a stream are left side by side
def text_moved_behind_a_picture(notebook: Notebook) -> None:
    outputs = notebook["cells"][FIGURES]["outputs"]
    outputs[0], outputs[1] = outputs[1], outputs[0]


@lie(STRICT)
def text_joined_across_a_picture(notebook: Notebook) -> None:
    """Do what nbval does to streams itself."""
    outputs = notebook["cells"][FIGURES]["outputs"]
    outputs[0]["text"] += outputs.pop(2)["text"]


@lie(STRICT)
def outputs_swapped_between_cells(notebook: Notebook) -> None:
    cells = notebook["cells"]
    cells[FIGURES]["outputs"], cells[MISTAKE]["outputs"] = (
        cells[MISTAKE]["outputs"],
        cells[FIGURES]["outputs"],
    )


@lie(STRICT)
def display_turned_into_a_result(notebook: Notebook) -> None:
    output(notebook, TABLE)["output_type"] = "execute_result"
    output(notebook, TABLE)["execution_count"] = notebook["cells"][TABLE]["execution_count"]


@lie(BOTH)
def execution_count_nulled(notebook: Notebook) -> None:
    notebook["cells"][TABLE]["execution_count"] = None


@lie(STATIC)
def execution_counts_out_of_order(notebook: Notebook) -> None:
    notebook["cells"][FIGURES]["execution_count"] = 7


@lie(STATIC)
def result_numbered_differently(notebook: Notebook) -> None:
    output(notebook, TABLE, 1)["execution_count"] = 2


@lie(STRICT)
def output_removed(notebook: Notebook) -> None:
    notebook["cells"][MISTAKE]["outputs"] = []


@lie(BOTH)
def whole_notebook_stripped(notebook: Notebook) -> None:
    for _, cell in code_cells(notebook):
        cell["outputs"], cell["execution_count"] = [], None


@lie(BOTH)
def skip_tag(notebook: Notebook) -> None:
    notebook["cells"][FIGURES]["metadata"]["tags"] = ["nbval-skip"]
    number_in_printed_text(notebook)


@lie(BOTH)
def ignore_tag(notebook: Notebook) -> None:
    notebook["cells"][FIGURES]["metadata"]["tags"] = ["nbval-ignore-output"]
    number_in_printed_text(notebook)


@lie(STATIC)
def tag_that_skips_a_refresh(notebook: Notebook) -> None:
    notebook["cells"][FIGURES]["metadata"]["tags"] = ["skip-execution"]


@lie(BOTH)
def standard_error_added(notebook: Notebook) -> None:
    noise = {"output_type": "stream", "name": "stderr", "text": "converged\n"}
    notebook["cells"][FIGURES]["outputs"].append(noise)


@lie(BOTH)
def standard_output_renamed(notebook: Notebook) -> None:
    output(notebook, MISTAKE)["name"] = "stderr"


@lie(STRICT)
def result_hidden_behind_a_duration(notebook: Notebook) -> None:
    """Use the sanitize rule, which covers "took 0.12 s" and not a digit more."""
    text = output(notebook, FIGURES, 2)
    text["text"] = re.sub(r"took [\d.]+ s", "took 0.12 s, accuracy 0.99", text["text"])


@lie(STRICT)
def duration_turned_into_a_count(notebook: Notebook) -> None:
    text = output(notebook, FIGURES, 2)
    text["text"] = re.sub(r"took [\d.]+ s", "took 97 steps", text["text"])


@lie(STRICT)
def fallback_of_a_widget(notebook: Notebook) -> None:
    replace(output(notebook, VIEW), "text/html", "12 heads", "16 heads")


@lie(STRICT)
def fallback_of_a_widget_deleted(notebook: Notebook) -> None:
    del output(notebook, VIEW)["data"]["text/html"]


@lie(BOTH)
def script_in_a_fallback(notebook: Notebook) -> None:
    replace(
        output(notebook, VIEW), "text/html", "</p>", "</p><script>document.body.textContent = '16'</script>"
    )


@lie(STATIC)
def stale_widget_view(notebook: Notebook) -> None:
    view = {"model_id": "0123", "version_major": 2, "version_minor": 0}
    output(notebook, VIEW)["data"]["application/vnd.jupyter.widget-view+json"] = view


@lie(STATIC)
def stale_widget_state(notebook: Notebook) -> None:
    notebook["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {}}}


@lie(STATIC)
def code_cell_deleted(notebook: Notebook) -> None:
    del notebook["cells"][TABLE]


@lie(STRICT)
def output_appended(notebook: Notebook) -> None:
    notebook["cells"][MISTAKE]["outputs"].append(copy.deepcopy(output(notebook, TABLE)))


@lie(BOTH)
def error_shown(notebook: Notebook) -> None:
    error = {
        "output_type": "error",
        "ename": "IndexError",
        "evalue": "list index out of range",
        "traceback": [],
    }
    notebook["cells"][MISTAKE]["outputs"].append(error)


@lie(STRICT)
def line_dropped_from_the_end(notebook: Notebook) -> None:
    text = output(notebook, FIGURES, 2)
    text["text"] = text["text"].splitlines(keepends=True)[0]


@lie(STATIC)
def cell_id_repeated(notebook: Notebook) -> None:
    notebook["cells"][FIGURES]["id"] = notebook["cells"][TABLE]["id"]


@run_lie
def source_edited_without_a_run(notebook: Notebook) -> None:
    cell = notebook["cells"][TABLE]
    cell["source"] = cell["source"].replace("0.25", "0.75")


@run_lie
def comment_that_ignores_the_output(notebook: Notebook) -> None:
    notebook["cells"][FIGURES]["source"] = "# NBVAL_IGNORE_OUTPUT\n" + notebook["cells"][FIGURES]["source"]
    number_in_printed_text(notebook)


@run_lie
def error_hidden_by_a_tag(notebook: Notebook) -> None:
    cell = notebook["cells"][MISTAKE]
    cell["metadata"]["tags"] = ["raises-exception"]
    cell["source"] = "[1, 2, 3][7]"
    error = {
        "output_type": "error",
        "ename": "IndexError",
        "evalue": "list index out of range",
        "traceback": [],
    }
    cell["outputs"] = [error]


@run_lie
def standard_error_removed(notebook: Notebook) -> None:
    cell = notebook["cells"][MISTAKE]
    cell["source"] += '\nimport sys\nprint("did not converge", file=sys.stderr)'


@run_lie
def widget_without_a_fallback(notebook: Notebook) -> None:
    cell = notebook["cells"][VIEW]
    cell["source"] = cell["source"].replace("return data | ", "return data, metadata  # ")
    fallback_of_a_widget_deleted(notebook)


@run_lie
def progress_bar_that_left_something_else(notebook: Notebook) -> None:
    cell = notebook["cells"][MISTAKE]
    cell["source"] = 'handle = display("half", display_id=True)\nhandle.update("done")'
    cell["outputs"] = [{"output_type": "display_data", "data": {"text/plain": "'half'"}, "metadata": {}}]


@run_lie
def kernel_that_died(notebook: Notebook) -> None:
    notebook["cells"][MISTAKE]["source"] = "import os\nos._exit(0)"


@run_lie
def kernel_that_was_stopped(notebook: Notebook) -> None:
    source = "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)"
    notebook["cells"][MISTAKE]["source"] = source if os.name != "nt" else "import os\nos._exit(0)"


@lie({"static"})
def switch_that_is_no_switch(notebook: Notebook) -> None:
    notebook["metadata"]["bertviz_lite"] = {"second_model": False, "strict": False}


@lie(STRICT)
def number_behind_the_switch(notebook: Notebook) -> None:
    notebook["metadata"]["bertviz_lite"] = {"second_model": False}
    number_in_printed_text(notebook)


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


@pytest.mark.slow
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


@pytest.mark.slow
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


def test_the_honest_notebook_passes_end_to_end(honest: Path) -> None:
    """Through rules and comparison; its duration, its widget's id and its silenced value do not matter."""
    assert check.main([str(honest), "--only", "static"]) == 0
    result = command("check_notebooks.py", honest, "--only", "strict")
    assert result.returncode == 0, result.stdout
    assert "every output is what the code gives" in result.stdout


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


def test_another_model_must_run_but_may_differ(honest: Path, tmp_path: Path) -> None:
    write_lie(on_a_model(honest, on_model("other")), tmp_path / "other.ipynb")
    write_lie(on_a_model(honest, "assert False", second_model=False), tmp_path / "spared.ipynb")

    result = command("check_notebooks.py", tmp_path, "--model", "other", BERTVIZ_LITE_MODEL="another")

    assert result.returncode == 0, result.stdout
    assert "spared.ipynb: not run on other: it trains its own" in result.stdout
    assert "other.ipynb: other: ok" in result.stdout
    assert "other: every cell ran, 1 not run" in result.stdout


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
