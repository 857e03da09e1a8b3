"""Lies for the honest notebook: each is a function that plants it, with what catches it."""

import base64
import copy
import io
import os
import re
from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure
from notebook_checks.comparison.outputs import DATA_URI
from notebook_checks.notebook import Notebook, code_cells
from PIL import Image

from bertviz_lite.basics.png import CHUNK, chunks, sealed, unsealed
from bertviz_lite.plots.display import picture

FIGURES, PAIR, TABLE, VIEW, MISTAKE = 3, 5, 7, 9, 11  # where the code cells are, among all cells
# What catches a lie: the rules on the file, the comparison with a fresh run, or both.
STATIC, STRICT, BOTH = {"static"}, {"strict"}, {"static", "strict"}
Lie = Callable[[Notebook], None]
LIES: dict[str, tuple[Lie, set[str]]] = {}
# These are told by source and outputs together: only a run of that source shows them.
RUN_LIES: dict[str, Lie] = {}


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
