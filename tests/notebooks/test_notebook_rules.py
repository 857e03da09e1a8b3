"""The rules on a notebook's file, the picture distance, the sanitize file and the normal form."""

import base64
import io
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nbval.plugin import get_sanitize_patterns
from notebook_checks.comparison import pictures
from notebook_checks.comparison.outputs import kept
from notebook_checks.comparison.pictures import PictureError, picture_difference, pixels
from notebook_checks.comparison.sanitize import SACRED, SANITIZE_FILE, SanitizeError, load_rules, sanitizer
from notebook_checks.notebook import NotebookError, find_notebooks, normalised, read, serialised
from notebook_checks.rules.markup import headings, images, links, words
from notebook_checks.rules.static import static_findings
from PIL import Image

from bertviz_lite.basics.png import sealed, unsealed

ALT = "A checkerboard of six cells, three of them light"
SAYS_NOTHING: dict[str, Any] = {"texts": [], "drawn": []}


@pytest.fixture(autouse=True)
def drawn_by_one_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "drawn_as_locked", lambda: True)


def png(
    size: int = 20, colour: str | tuple[int, ...] = "white", mode: str = "RGB", noise: bool = False
) -> str:
    image = Image.new(mode, (size, size), colour)
    if noise:
        image = Image.fromarray(np.random.default_rng(0).integers(0, 256, (size, size, 3), dtype=np.uint8))
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return base64.b64encode(sealed(buffer.getvalue(), SAYS_NOTHING)).decode()


def without_record(encoded: str) -> str:
    plain, said = unsealed(base64.b64decode(encoded))
    assert said is not None
    return base64.b64encode(plain).decode()


def markdown(source: str, **metadata: object) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": metadata, "source": source}


def code(source: str, *outputs: dict[str, Any], count: int | None = 1, **metadata: object) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": count,
        "metadata": metadata,
        "outputs": list(outputs),
        "source": source,
    }


def text(value: str, name: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": value}


def shown(**data: str) -> dict[str, Any]:
    bundle = {mime.replace("_", "/"): value for mime, value in data.items()}
    return {"output_type": "display_data", "data": bundle, "metadata": {}}


def html(value: str) -> dict[str, Any]:
    return shown(text_html=value)


def figure(alt: str = ALT, picture: str = "") -> str:
    return f'<figure><img alt="{alt}" src="data:image/png;base64,{picture or png()}"></figure>'


TITLE = markdown("# What is this?")


def findings(folder: Path, *cells: dict[str, Any], name: str = "note.ipynb") -> list[str]:
    path = folder / name
    notebook = normalised({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    path.write_text(serialised(notebook), encoding="utf-8", newline="\n")
    return [finding.message for finding in static_findings(path)]


GOOD: dict[str, list[dict[str, Any]]] = {
    "figure": [TITLE, code("draw()", html(figure()))],
    "relative path": [
        TITLE,
        code("print(path)", text("bertviz_lite/pocket/config.json and/or runs/tmp/x\n")),
    ],
    "fractions and units": [
        TITLE,
        code("1", text("3/4, 1/tmp, http://localhost/tmp/x, </tmp/>, 0x7f, 0xFF\n")),
    ],
    "details": [TITLE, markdown("<details><summary>Solution</summary>\n\n" + "word " * 200 + "\n</details>")],
    "long code in prose": [TITLE, markdown("```python\n# no heading\n" + "word " * 200 + "\n```")],
    "code and lists": [
        TITLE,
        markdown(
            "- one\n\n    more of it\n\n      ```bash\n      make\n      ```\n- two\n\n1. three\n    goes"
        ),
    ],
    "long table": [TITLE, markdown("| word | word |\n|---|---|\n" + "| word word | word |\n" * 60)],
    "headings": [TITLE, markdown("## One\n\n### Two\n\n## Three"), markdown("## Four")],
    "network link": [TITLE, markdown("[paper](https://arxiv.org/abs/1810.04805) and <https://arxiv.org>")],
    "link to a heading": [
        TITLE,
        markdown(
            "## One *big*, `odd` step\n\n[this](note.ipynb#One-big,-odd-step), [here](#One-big,-odd-step)"
        ),
        markdown("<a id='two'></a> [here as well](#two), [as on GitHub](#one-big-odd-step)"),
    ],
    "link in code": [TITLE, markdown("`[text](nowhere.md)`")],
    "twenty lines": [TITLE, code("\n".join(["x = 1"] * 20))],
    "two code cells": [TITLE, code("1"), code("2", count=2)],
    "dots": [TITLE, code("'...', 'a..b', 'a/../b', '.. '")],
    "words about tags": [TITLE, code("x = 'NBVAL_SKIP'  # never NBVAL_SKIP a cell")],
}
BAD: dict[str, tuple[list[dict[str, Any]], str]] = {
    "no title": ([markdown("text")], "does not begin with a title"),
    "title later": ([markdown("text"), TITLE], "does not begin with a title"),
    "second H1": ([TITLE, markdown("# Again")], "second H1"),
    "style sheet in prose": (
        [TITLE, markdown("<style>.jp-OutputArea { display: none }</style>")],
        "<style> in prose may draw, hide or imitate an output",
    ),
    "script in prose": ([TITLE, markdown("<script>1</script>")], "<script> in prose"),
    "drawing in prose": ([TITLE, markdown("<svg width=9></svg>")], "<svg> in prose"),
    "frame in prose": ([TITLE, markdown("<iframe srcdoc='0.99'></iframe>")], "<iframe> in prose"),
    "output imitated in prose": (
        [TITLE, markdown("<div style='white-space: pre'>accuracy 0.99</div>")],
        "<div> in prose",
    ),
    "hidden prose": ([TITLE, markdown("<p hidden>text</p>")], "<p> in prose"),
    "second H1 in HTML": ([TITLE, markdown("<h1>Again</h1>")], "second H1"),
    "heading left out": ([TITLE, markdown("### Deep")], "from level 1 to level 3"),
    "long prose": ([TITLE, markdown("word " * 121)], "121 words"),
    "long code": ([TITLE, code("\n".join(["x = 1"] * 21))], "21 lines"),
    "three code cells": (
        [TITLE, code("1"), code("2", count=2), code("3", count=3)],
        "third code cell in a row",
    ),
    "empty cell": ([TITLE, code("")], "is empty"),
    "dead link": ([TITLE, markdown("[there](01_nowhere.ipynb)")], "leads to nothing"),
    "dead link by reference": ([TITLE, markdown("[there][x]\n\n[x]: 01_nowhere.ipynb")], "leads to nothing"),
    "dead link in HTML": ([TITLE, markdown('<a href="nowhere.md">there</a>')], "leads to nothing"),
    "absolute link": ([TITLE, markdown("[there](/files/x.md)")], "root of a disk"),
    "remote picture in prose": ([TITLE, markdown(f"![{ALT}](https://example.org/x.png)")], "from a network"),
    "missing picture in prose": ([TITLE, markdown(f"![{ALT}](x.png)")], "leads to nothing"),
    "attachment": (
        [TITLE, markdown(f"![{ALT}](attachment:x.png)") | {"attachments": {"x.png": {"image/png": png()}}}],
        "has x.png attached, which no run draws",
    ),
    "picture of an attachment": ([TITLE, markdown(f"![{ALT}](attachment:x.png)")], "that no run draws"),
    "picture in prose": ([TITLE, markdown(f"![{ALT}](data:image/png;base64,{png()})")], "that no run draws"),
    "picture in prose by HTML": (
        [TITLE, markdown(f'<img alt="{ALT}" src="data:image/png;base64,{png()}">')],
        "that no run draws",
    ),
    "picture in prose whose short alt has brackets": (
        [TITLE, markdown("![a [MASK]](x.png)")],
        "alt text 'a [MASK]'",
    ),
    "picture in prose without alt": ([TITLE, markdown("![](x.png)")], "alt text ''"),
    "dead heading": ([TITLE, markdown("[there](#Two)")], "leads to no heading: "),
    "dead heading of a notebook": ([TITLE, markdown("[there](note.ipynb#Two)")], "note.ipynb has no #Two"),
    "raw cell": ([TITLE, {"cell_type": "raw", "metadata": {}, "source": "accuracy 0.99"}], "is a raw cell"),
    "output in a fence": ([TITLE, markdown("```\naccuracy 0.99\n```")], "reads like an output"),
    "output in a fence of text": ([TITLE, markdown("> ~~~text\n> accuracy 0.99\n> ~~~")], "reads like an"),
    "output in a fence in a list": ([TITLE, markdown("- so:\n  ```\n  0.99\n  ```")], "reads like an output"),
    "output behind code": (
        [TITLE, markdown("```python\n1\n```\n\n```output\n0.99\n```")],
        "a block of output text",
    ),
    "indented output": ([TITLE, markdown("It gives\n\n    accuracy 0.99\n")], "reads like an output"),
    "output in HTML": ([TITLE, markdown("<pre>accuracy 0.99</pre>")], "reads like an output"),
    "short alt": ([TITLE, code("1", html(figure(alt="a plot")))], "alt text 'a plot'"),
    "no alt": ([TITLE, code("1", html(f'<img src="data:image/png;base64,{png()}">'))], "alt text ''"),
    "picture without a record": (
        [TITLE, code("1", html(figure(picture=without_record(png()))))],
        "without the record of what it says",
    ),
    "bare picture": ([TITLE, code("1", shown(image_png=png()))], "a picture without alt text"),
    "large picture": ([TITLE, code("1", html(figure(picture=png(200, noise=True))))], "at most 100 kB"),
    "jpeg": ([TITLE, code("1", shown(image_jpeg="AAAA"))], "image/jpeg cannot be compared"),
    "svg": ([TITLE, code("1", html("<svg></svg>"))], "inline SVG"),
    "svg as data": (
        [TITLE, code("1", html(f'<img alt="{ALT}" src="data:image/svg+xml;base64,AAAA">'))],
        "svg",
    ),
    "script": ([TITLE, code("1", html("<script>1</script>"))], "a script"),
    "script in an attribute": ([TITLE, code("1", html('<p onclick="go()">x</p>'))], "script in onclick"),
    "remote script": (
        [TITLE, code("1", html('<script src="https://x.org/d3.js"></script>'))],
        "from a network",
    ),
    "remote style": (
        [TITLE, code("1", html('<link rel="stylesheet" href="//x.org/a.css">'))],
        "from a network",
    ),
    "import of style": (
        [TITLE, code("1", html("<style>@import 'https://x.org/a.css'</style>"))],
        "style sheet",
    ),
    "remote picture": (
        [TITLE, code("1", html(f'<img alt="{ALT}" src="http://x.org/a.png">'))],
        "from a network",
    ),
    "remote background": (
        [TITLE, code("1", html('<p style="background: url(http://x.org/a.png)">'))],
        "network",
    ),
    "address": (
        [TITLE, code("1", text("<Axes object at 0x7f8a2c1d3e50>\n"))],
        "object address 0x7f8a2c1d3e50",
    ),
    "home": ([TITLE, code("1", text("saved to /home/ada/bert/x\n"))], "absolute path '/home/ada'"),
    "home on a Mac": ([TITLE, code("1", html("<p>/Users/ada/x</p>"))], "absolute path '/Users/ada'"),
    "home on Windows": ([TITLE, code("1", text(r"C:\Users\ada" + "\n"))], "absolute path"),
    "this repository": ([TITLE, code("1", text(f"{Path(__file__).parents[2]}/x\n"))], "absolute path"),
    "kernel's file": ([TITLE, code("1", text("ipykernel_4321/123.py:1: hint\n"))], "ipykernel_4321"),
    "stderr": ([TITLE, code("1", text("UserWarning\n", "stderr"))], "message on stderr ('UserWarning')"),
    "tag in capitals": ([TITLE, code("1", tags=["NBVAL_SKIP"])], "the tag NBVAL_SKIP may hide"),
    "tag of pytest": ([TITLE, code("1", tags=["raises-exception"])], "the tag raises-exception may hide"),
    "tag that removes an output": ([TITLE, code("1", tags=["remove-output"])], "the tag remove-output may"),
    "tag that hides a cell": ([TITLE, code("1", tags=["hide-cell"])], "the tag hide-cell may"),
    "tag that hides prose": ([TITLE, markdown("x", tags=["remove-cell"])], "the tag remove-cell may"),
    "comment": ([TITLE, code("x = 1\n  # NBVAL_IGNORE_OUTPUT")], "the comment # NBVAL_IGNORE_OUTPUT weakens"),
    "old comment": (
        [TITLE, code("# PYTEST_VALIDATE_IGNORE_OUTPUT\n1")],
        "PYTEST_VALIDATE_IGNORE_OUTPUT weakens",
    ),
    "file beside": ([TITLE, code("open('../LICENSE')")], "'../ leads out"),
    "folder above": ([TITLE, code('Path("..") / "x"')], '".." leads out'),
    "count missing": ([TITLE, code("1", count=None)], "cell 2 was never run"),
    "count too high": ([TITLE, code("1", count=2)], "should be number [1]"),
}


@pytest.mark.parametrize("name", GOOD)
def test_good_cells_pass(name: str, tmp_path: Path) -> None:
    assert findings(tmp_path, *GOOD[name]) == []


@pytest.mark.parametrize("name", BAD)
def test_bad_cells_are_named(name: str, tmp_path: Path) -> None:
    cells, message = BAD[name]
    found = findings(tmp_path, *cells)
    assert any(message in one for one in found), found


def test_a_finding_says_where(tmp_path: Path) -> None:
    path = tmp_path / "note.ipynb"
    findings(tmp_path, TITLE, code("1", text("x\n", "stderr")))
    assert next(iter(static_findings(path))).where.endswith("note.ipynb, cell 2 [1]")


PARTS = ("Build it", "Prove it", "See it", "Break it", "You will read that", "Exercises", "Recap and next")
CLAIM = '… *it is so.* **Open.** [Nobody](https://example.org "measured elsewhere") knows.'


def chapter(*, without: str = "") -> list[dict[str, Any]]:
    head = markdown("# What goes in?\n\n20 minutes.")
    texts = {part: CLAIM if part == "You will read that" else "Text." for part in PARTS if part != without}
    cells = [head, *(markdown(f"## {part}\n\n{text}") for part, text in texts.items())]
    sources = ["assert same", "one.check()", "two.check()", "three.check()"]
    for number, source in enumerate((s for s in sources if s != without), start=1):
        cells += [markdown("text"), code(source, count=number)]
    return cells


def test_a_whole_chapter_passes(tmp_path: Path) -> None:
    assert findings(tmp_path, *chapter(), name="02_parts.ipynb") == []


@pytest.mark.parametrize("part", [*PARTS, "assert same", "two.check()"])
def test_a_chapter_without_a_part_is_named(part: str, tmp_path: Path) -> None:
    assert len(findings(tmp_path, *chapter(without=part), name="02_parts.ipynb")) == 1


def test_a_chapter_asks_and_says_how_long(tmp_path: Path) -> None:
    cells = [markdown("# Input embeddings"), *chapter()[1:]]
    found = findings(tmp_path, *cells, name="02_parts.ipynb")
    assert [one.split(":")[0] for one in found] == [
        "the title 'Input embeddings' asks no question",
        "the first cell does not say how many minutes the chapter needs",
    ]


def test_the_door_needs_a_question_only(tmp_path: Path) -> None:
    assert findings(tmp_path, TITLE, name="00_door.ipynb") == []


def test_what_is_no_notebook_is_one_finding(tmp_path: Path) -> None:
    path = tmp_path / "note.ipynb"
    for content in ("", "[]", "{}", '{"nbformat": 3, "worksheets": []}', "<<<<<<< HEAD"):
        path.write_text(content, encoding="utf-8")
        assert ["not a notebook" in finding.message for finding in static_findings(path)] == [True]


def test_a_notebook_of_an_older_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "note.ipynb"
    notebook = normalised({"cells": [TITLE], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    path.write_text(serialised({**notebook, "nbformat_minor": 4}), encoding="utf-8")
    assert "has no cell ids" in static_findings(path)[0].message


def test_a_large_notebook_is_refused(tmp_path: Path) -> None:
    assert "at most 3 MB" in findings(tmp_path, TITLE, code("1", text("x" * 3_100_000)))[0]


def test_a_file_not_in_the_normal_form_is_refused(tmp_path: Path) -> None:
    findings(tmp_path, TITLE)
    path = tmp_path / "note.ipynb"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"metadata": {},', '"metadata": {"x": 1},', 1), "utf-8"
    )
    assert "is not in the form that `make refresh` writes" in static_findings(path)[0].message


@pytest.mark.parametrize(
    ("switches", "message"),
    [
        ({"second_model": False}, None),
        ({"second_model": True}, None),
        ({"second_model": False, "this_processor": False}, None),
        ({"this_processor": "no"}, '"this_processor": "no": make it true or false'),
        ({"second_model": "false"}, '"second_model": "false": make it true or false'),
        ({"second_model": 0}, '"second_model": 0: make it true or false'),
        ({"second_model": False, "strict": False}, 'may hold "second_model" and "this_processor" alone'),
        ({}, 'may hold "second_model" and "this_processor" alone'),
        ([], 'may hold "second_model" and "this_processor" alone'),
        (None, 'may hold "second_model" and "this_processor" alone'),
    ],
)
def test_one_switch_exists(switches: object, message: str | None, tmp_path: Path) -> None:
    path = tmp_path / "note.ipynb"
    metadata = {"bertviz_lite": switches, "x": 1}
    notebook = normalised({"cells": [TITLE], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})
    path.write_text(serialised(notebook), encoding="utf-8", newline="\n")
    assert read(path)["metadata"]["bertviz_lite"] == switches, "refreshing keeps what an author has set"
    found = [finding.message for finding in static_findings(path)]
    assert len(found) == (message is not None)
    assert message is None or message in found[0]


@pytest.mark.parametrize(
    "metadata",
    [
        {"jupyter": {"outputs_hidden": True}},
        {"jupyter": {"source_hidden": True}},
        {"collapsed": True},
        {"jp-MarkdownHeadingCollapsed": True},
        {"slideshow": {"slide_type": "skip"}},
    ],
)
def test_metadata_that_hides_is_refused_and_goes_with_a_refresh(metadata: Any, tmp_path: Path) -> None:  # noqa: ANN401
    path = tmp_path / "note.ipynb"
    notebook = normalised({"cells": [TITLE, code("1")], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    honest = serialised(notebook)
    notebook["cells"][1]["metadata"] = metadata
    path.write_text(serialised(notebook), encoding="utf-8", newline="\n")
    assert any("may hide a cell or its output" in finding.message for finding in static_findings(path))
    assert serialised(normalised(notebook)) == honest


def test_the_normal_form_is_normal() -> None:
    cell = code("1\n", text("a"), text("b"), text("c", "stderr"), scrolled=True, tags=["exercise"])
    view = {"application/vnd.jupyter.widget-view+json": {}, "text/html": "<p>"}
    cell["outputs"].append({"output_type": "display_data", "data": view, "metadata": {}})
    same = [{**cell, "id": "one"}, {**cell, "id": "one"}, cell, {**cell, "id": "no id!"}]
    once = normalised(
        {"cells": same, "metadata": {"widgets": {}, "x": 1}, "nbformat": 4, "nbformat_minor": 4}
    )

    assert normalised(once) == once
    assert once["cells"][0]["id"] == "one"
    assert len({one["id"] for one in once["cells"]}) == 4
    assert once["cells"][0]["metadata"] == {"tags": ["exercise"]}
    assert once["cells"][0]["source"] == "1"
    assert [one.get("text") for one in once["cells"][0]["outputs"]] == ["ab", "c", None]
    assert once["cells"][0]["outputs"][2]["data"] == {"text/html": "<p>"}
    assert set(once["metadata"]) == {"kernelspec", "language_info"}
    assert cell["metadata"] == {"scrolled": True, "tags": ["exercise"]}


def test_reading_gives_back_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "note.ipynb"
    cells = [TITLE, code("print('ü\\n')", text("ü\nx\r\n"), html("<p>\n"), shown(image_png=png()))]
    notebook = normalised({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    path.write_text(serialised(notebook), encoding="utf-8", newline="\n")
    assert normalised(read(path)) == notebook


def test_notebooks_are_found_without_a_list(tmp_path: Path) -> None:
    for name in ("b.ipynb", "deep/a.ipynb", ".ipynb_checkpoints/b-checkpoint.ipynb", "note.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert find_notebooks([tmp_path]) == [
        (tmp_path / "b.ipynb").resolve(),
        (tmp_path / "deep/a.ipynb").resolve(),
    ]
    with pytest.raises(NotebookError, match="no such notebook"):
        find_notebooks([tmp_path / "note.py"])


def test_pictures_are_laid_on_white() -> None:
    clear, white = png(colour=(9, 9, 9, 0), mode="RGBA"), png()
    assert picture_difference(clear, white) is None
    assert (pixels(clear) == 255).all()


@pytest.mark.parametrize(("grey", "same"), [(247, True), (246, False)])
def test_the_tolerance_is_eight(grey: int, same: bool) -> None:
    assert (picture_difference(png(), png(colour=(grey,) * 3)) is None) is same


@pytest.mark.parametrize("size", [1, 7, 16, 17, 40])
def test_every_pixel_of_an_edge_belongs_to_a_block(size: int) -> None:
    for corner in ((0, 0), (size - 1, 0), (0, size - 1), (size - 1, size - 1)):
        image = Image.new("RGB", (size, size), "white")
        image.paste("black", (max(corner[0] - 5, 0), max(corner[1] - 5, 0), corner[0] + 6, corner[1] + 6))
        buffer = io.BytesIO()
        image.save(buffer, "PNG")
        said = picture_difference(without_record(png(size)), base64.b64encode(buffer.getvalue()).decode())
        assert said is not None
        assert "differs by" in said


@pytest.mark.parametrize("part", [b"iCCP", b"gAMA", b"cHRM", b"sRGB", b"cICP", b"eXIf", b"acTL"])
def test_a_picture_that_says_how_to_show_its_colours_is_refused(part: bytes, tmp_path: Path) -> None:
    """PIL passes over them, a browser does not: a profile of inverted curves would invert the picture."""
    plain, said = unsealed(base64.b64decode(png()))
    assert said is not None
    header = plain.index(b"IDAT") - 4
    chunk = b"\0\0\0\0" + part + zlib.crc32(part).to_bytes(4, "big")
    coloured = base64.b64encode(sealed(plain[:header] + chunk + plain[header:], said)).decode()
    message = f"the picture has the part {part.decode()}"
    assert message in str(picture_difference(png(), coloured))
    found = findings(tmp_path, TITLE, code("1", html(figure(picture=coloured))))
    assert any(message in one for one in found), found


def test_a_damaged_picture_is_named() -> None:
    for damaged in ("", "AAAA", "no base64!", png()[:80]):
        with pytest.raises(PictureError, match="the picture"):
            pixels(damaged)
        assert picture_difference(png(), damaged)


def test_a_refresh_keeps_the_pictures_that_look_the_same() -> None:
    same, other = png(colour=(250, 250, 250)), png(colour="black")
    before = [html(f"<p>old</p>{figure()}{figure()}")]
    after = [html(f"<p>new</p>{figure(picture=same)}{figure(picture=other)}")]
    expected = [html(f"<p>new</p>{figure()}{figure(picture=other)}")]
    assert kept(before, after, str) == expected


def test_the_sanitize_file_says_what_nbval_reads() -> None:
    assert load_rules() == get_sanitize_patterns(SANITIZE_FILE.read_text(encoding="utf-8"))
    assert load_rules()


def test_the_rule_for_durations_covers_a_duration_and_no_more() -> None:
    sanitize = sanitizer(load_rules())
    assert sanitize("it took 1.23 s, then took 45 ms") == "it took <duration>, then took <duration>"
    for kept_text in (*SACRED, "took 3 samples", "took 1.2345 s", "took 12 s/step", "overtook 3 s", "took 3"):
        assert sanitize(kept_text) == kept_text


def test_the_rule_for_lines_of_the_courses_model_covers_their_number_and_no_more() -> None:
    sanitize = sanitizer(load_rules())
    assert sanitize("<td>whole_bert.py:163</td>") == "<td>whole_bert.py:<line></td>"
    for kept_text in (
        "whole_bert.py, Pooler",
        "modeling_bert.py:95",
        "my_whole_bert.py:3",
        "whole_bert.py: 12",
    ):
        assert sanitize(kept_text) == kept_text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("regex: took \\d+ s\n\nreplace: x\n", "line 1: needs"),
        ("# rule\nRegex: took \\d+ s\nreplace: x\n", "line 2: needs"),
        ("regex: took \\d+ s\n", "line 1: needs"),
        ("regex: [\nreplace: x\n", "no regular expression"),
        ("regex: \\d+\nreplace: x\n", r"hides '0\.97'"),
        ("regex: took .*\nreplace: x\n", "hides 'took"),
        ("regex: x*\nreplace: x\n", "hides ''"),
    ],
)
def test_a_loose_sanitize_file_is_refused(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "sanitize.cfg"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SanitizeError, match=message):
        load_rules(path)


def test_markdown_is_read_as_a_reader_sees_it() -> None:
    code_block = "```\n# no\n[x](y)\n```\n"
    source = f"# A `b`\n\n{code_block}[a ![p](q.png) b](c.md 'title') [d](<e f.md>) `[g](h)`\n\nSix words."
    assert headings(source) == [(1, "A `b`")]
    assert links(source)[0] == "c.md"
    assert images(source) == [("p", "q.png")]
    assert words("one *two* [three](four.md) $x + y$ <b>five</b>\n\n$$a b c$$\n- six\n\n---") == 6
