"""Views, as far as Python reaches, and the JavaScript's own tests."""

from __future__ import annotations

import base64
import json
import re
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import traitlets
from hypothesis import given, strategies as st
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from bertviz_lite import input_parts, load
from bertviz_lite.evaluation.embeddings import PART_NAMES, InputParts
from bertviz_lite.plots.display import MAX_BYTES
from bertviz_lite.views import EmbeddingView, Table, ViewError
from bertviz_lite.views.base.saved.blocks import pack
from bertviz_lite.views.base.saved.contents import without_comments
from bertviz_lite.views.base.sources import read_module, read_style
from bertviz_lite.views.base.static import LIVE, watcher
from tests.helpers.browser import find_program
from tests.helpers.javascript import lines_of_typescript

FOLDER = Path(__file__).parent
VIEWS = FOLDER.parents[1] / "bertviz_lite" / "views"
HOSTILE = "</script><script>alert(1)</script>"


def random_parts(seq_len: int = 6, hidden_size: int = 8, tokens: tuple[str, ...] = ()) -> InputParts:
    draw = np.random.default_rng(0)
    segments = np.arange(seq_len) * 2 // seq_len
    return InputParts(
        tokens=tokens or tuple(f"t{i}" for i in range(seq_len)),
        input_ids=10 + np.arange(seq_len),
        token_type_ids=segments,
        position_ids=np.arange(seq_len),
        token=draw.normal(scale=0.1, size=(seq_len, hidden_size)),
        position=draw.normal(scale=0.05, size=(seq_len, hidden_size)),
        segment=draw.normal(scale=0.03, size=(2, hidden_size))[segments],
        gain=1 + draw.normal(scale=0.1, size=hidden_size),
        bias=draw.normal(scale=0.1, size=hidden_size),
    )


@pytest.fixture(scope="module")
def parts() -> InputParts:
    return random_parts()


# ---- state


def test_state_starts_plain_and_can_be_given(parts: InputParts) -> None:
    view = EmbeddingView(parts)
    assert {name: getattr(view, name) for name in view.state} == {
        "token": 0,
        "pinned": None,
        "parts_on": PART_NAMES,
        "component": 0,
        "scaled": False,
        "one_scale": False,
    }
    view = EmbeddingView(parts, token=2, pinned=np.int64(3), parts_on=["segment", "token"], scaled=True)
    assert (view.token, view.pinned, view.parts_on, view.scaled) == (2, 3, ("token", "segment"), True)
    assert type(view.pinned) is int


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("token", 6, r"^token=6: there are 6 tokens, numbered 0 to 5\.$"),
        ("token", -1, r"^token=-1: there are 6 tokens, numbered 0 to 5\.$"),
        ("token", "cat", r"^token='cat': a whole number from 0 to 5 is needed\.$"),
        ("token", True, r"^token=True: a whole number"),
        ("token", None, r"^token=None: a whole number from 0 to 5 is needed\.$"),
        ("pinned", 1.5, r"^pinned=1\.5: a whole number from 0 to 5 is needed, or None\.$"),
        ("component", 8, r"^component=8: there are 8 components, numbered 0 to 7\.$"),
        (
            "parts_on",
            ["token", "bias"],
            r"^parts_on=\['token', 'bias'\]: a selection of 'token', 'position', 'segment'",
        ),
        ("parts_on", "token", r"^parts_on='token': a selection of"),
        ("parts_on", 3, r"^parts_on=3: a selection of"),
    ],
)
def test_bad_values_are_refused_in_one_line_and_change_nothing(
    parts: InputParts, name: str, value: object, message: str
) -> None:
    view = EmbeddingView(parts, token=1)
    before = {known: getattr(view, known) for known in view.state}
    with pytest.raises(ViewError, match=message):
        setattr(view, name, value)
    assert {known: getattr(view, known) for known in view.state} == before
    with pytest.raises(ViewError, match=message):
        EmbeddingView(parts, **{name: value})


def test_errors_are_of_both_families() -> None:
    assert issubclass(ViewError, traitlets.TraitError)
    assert issubclass(ViewError, ValueError)


def test_what_is_no_parts_and_what_is_no_state_are_refused(parts: InputParts) -> None:
    with pytest.raises(TypeError, match=r"^EmbeddingView\(\) shows what input_parts\(\) returns, not str\.$"):
        EmbeddingView("Ada finds a key.")  # type: ignore[arg-type]
    with pytest.raises(
        TypeError, match=r"^tokens=3: EmbeddingView knows token, pinned, parts_on, component, scaled"
    ):
        EmbeddingView(parts, tokens=3)


def test_changes_from_the_page_arrive_as_from_python(parts: InputParts) -> None:
    view = EmbeddingView(parts)
    view.set_state({"token": 4, "pinned": 1, "parts_on": ["position"]})
    assert (view.token, view.pinned, view.parts_on) == (4, 1, ("position",))


# ---- bytes


@given(st.lists(st.floats(width=32, allow_nan=False), max_size=20))
def test_float32_numbers_travel_unchanged(numbers: list[float]) -> None:
    assert np.frombuffer(pack(numbers), dtype="<f4").tolist() == numbers


def test_every_row_can_be_rebuilt_from_the_bytes(parts: InputParts) -> None:
    view = EmbeddingView(parts)
    for name in PART_NAMES:
        table = np.frombuffer(getattr(view, f"_{name}_rows"), dtype="<f4").reshape(-1, 8)
        assert np.array_equal(table[view._row_of[name]], getattr(parts, name).astype("<f4"))
    assert len(view._segment_rows) == 2 * 8 * 4


def test_numbers_travel_as_bytes_not_as_json() -> None:
    view = EmbeddingView(random_parts(64, 96))
    state = view.get_state()
    numbers = sum(len(value) for value in state.values() if isinstance(value, bytes))
    assert numbers == 4 * 96 * (64 + 64 + 2 + 2)
    code = {"_esm", "_css"}
    rest = {name: value for name, value in state.items() if not isinstance(value, bytes) and name not in code}
    assert len(json.dumps(rest, default=str)) < 4000


# ---- the script-free layer


def test_repr_has_no_address_and_no_data(parts: InputParts) -> None:
    assert repr(EmbeddingView(parts, token=3, parts_on=["token"])) == (
        "EmbeddingView(6 tokens, hidden_size=8, token=3, pinned=None, parts_on=('token',), "
        "component=0, scaled=False, one_scale=False)"
    )


def test_bundle_carries_the_widget_the_picture_and_the_text(parts: InputParts) -> None:
    view = EmbeddingView(parts)
    bundle, _ = view._repr_mimebundle_()
    assert set(bundle) == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    assert bundle["text/plain"] == repr(view)
    assert bundle["text/html"] == EmbeddingView(parts).fallback()


def run_by(monkeypatch: pytest.MonkeyPatch, content: dict[str, bool]) -> None:
    """Let a kernel run the cell, for one who sent a request with this content."""
    shell = SimpleNamespace(kernel=True, get_parent=lambda: {"content": content})
    monkeypatch.setattr("bertviz_lite.views.base.static.get_ipython", lambda: shell)


def test_who_runs_the_cell_is_known_by_whether_somebody_can_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert watcher() == ""
    run_by(monkeypatch, {"allow_stdin": True})
    assert watcher() == "a reader"
    run_by(monkeypatch, {})  # a button was pressed: the message is that of its widget
    assert watcher() == "a reader"
    run_by(monkeypatch, {"allow_stdin": False})
    assert watcher() == "a program"
    monkeypatch.setenv("SERVER_SOFTWARE", "voila/0.5.8")
    assert watcher() == ""


def test_a_program_that_runs_a_notebook_is_given_the_picture_without_the_live_form(
    parts: InputParts, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_by(monkeypatch, {"allow_stdin": False})
    view = EmbeddingView(parts)
    with pytest.raises(NotImplementedError):
        view._ipython_display_()
    bundle, _ = view._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}


def test_a_reader_is_given_the_picture_and_the_live_view_apart(
    parts: InputParts, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_by(monkeypatch, {"allow_stdin": True})
    shown: list[dict[str, str]] = []
    monkeypatch.setattr("bertviz_lite.views.base.static.display", lambda forms, **_: shown.append(forms))
    view = EmbeddingView(parts)
    view._ipython_display_()
    still, live = shown
    assert set(still) == {"text/html", "text/plain"}
    assert view.fallback() in still["text/html"]
    assert still["text/plain"] == repr(view)
    assert live[LIVE]["model_id"] == view.model_id  # type: ignore[index]
    assert (live["text/html"], live["text/plain"]) == ("", "")
    assert "_still" not in view._saved_state()


class Reader(HTMLParser):
    """Collects tags, attributes and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data + "|"


KEPT = {"figure", "figcaption", "img", "details", "summary", "table", "thead", "tbody", "tr", "th", "td"}
"""What an untrusted JupyterLab and GitHub leave standing."""


def test_fallback_is_made_of_what_an_untrusted_notebook_keeps(parts: InputParts) -> None:
    found = Reader(EmbeddingView(parts).fallback())
    assert set(found.tags) <= KEPT
    assert {name for name, _ in found.attributes} == {"alt", "width", "src", "scope"}


def test_fallback_says_the_numbers_in_its_alt_text(parts: InputParts) -> None:
    found = Reader(EmbeddingView(parts, token=2).fallback())
    alt = dict(found.attributes)["alt"]
    assert alt is not None
    assert alt.startswith("Input embedding of token 2 “t2”, bar by bar. Lengths: token ")
    assert f"token {parts.norms()['token'][2]:.3f}" in alt
    assert f"segment {100 * parts.shares['segment'][2]:.1f} %" in alt.replace("−", "-")
    assert f"{100 * parts.shares['token'][5]:.1f} %" in found.text.replace("−", "-")


def test_the_picture_has_the_shares_beside_the_rows(parts: InputParts) -> None:
    figure = EmbeddingView(parts, token=2)._static().figure
    assert isinstance(figure, Figure)
    shares, *rows = figure.axes
    written = [row.texts[0].get_text().replace("−", "-") for row in rows]
    for name, text in zip(("token", "position", "segment", "sum", "bias", "result"), written, strict=True):
        expected = {"sum": "", "result": "share 100 %"}
        share = expected.get(name) if name in expected else f"share {100 * parts.shares[name][2]:.1f} %"
        assert text.endswith(str(share))
        assert ("share" in text) == bool(share)
    legend = shares.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()][-1] == "LayerNorm’s bias"


def test_the_picture_ends_with_what_is_near_the_token() -> None:
    tokenizer, model = load("pocket")
    parts = input_parts(model, tokenizer, "Anna lost her key.")
    assert parts.word_table is not None
    near = parts.word_table.nearest("lost", 5)
    shown = EmbeddingView(parts, token=2)._static()
    assert isinstance(shown.figure, Figure)
    ax = shown.figure.axes[-1]
    assert [label.get_text() for label in ax.get_yticklabels()] == [word for word, _ in near]
    bars = [bar for bar in ax.patches if isinstance(bar, Rectangle)]
    assert [bar.get_width() for bar in bars] == pytest.approx([cosine for _, cosine in near])
    assert f"Near “lost”, by cosine: {near[0][0]} {near[0][1]:.2f}, " in shown.alt
    pad = replace(parts, tokens=("[PAD]", *parts.tokens[1:]))
    padded = EmbeddingView(pad, token=0)._static()
    assert isinstance(padded.figure, Figure)
    assert len(padded.figure.axes) == 7, "a row of zeros is near nothing"
    assert "Near" not in padded.alt


def test_the_rows_of_the_picture_have_signs_only_where_they_add_up(parts: InputParts) -> None:
    for scaled, last in ((False, ["bias", "→ result"]), (True, ["+ bias", "= result"])):
        figure = EmbeddingView(parts, token=2, scaled=scaled)._static().figure
        assert isinstance(figure, Figure)
        names = [ax.get_ylabel() for ax in figure.axes[1:]]
        assert names == ["token", "+ position", "+ segment", "= sum", *last]


def test_a_view_of_neighbours_shows_nothing_else(parts: InputParts) -> None:
    tokenizer, model = load("pocket")
    of = input_parts(model, tokenizer, "Anna lost her key.")
    shown = EmbeddingView(of, token=2, near_only=True)._static()
    assert isinstance(shown.figure, Figure)
    assert len(shown.figure.axes) == 1
    assert shown.alt.startswith("Near “lost”, by cosine: ")
    assert not shown.tables
    pad = replace(of, tokens=("[PAD]", *of.tokens[1:]))
    assert EmbeddingView(pad, near_only=True)._static().alt == "Near “[PAD]”, by cosine: nothing."
    with pytest.raises(ViewError, match=r"^near_only=True: these parts have no table of words"):
        EmbeddingView(parts, near_only=True)
    with pytest.raises(TypeError, match=r"^near_only=3: True or False is needed"):
        EmbeddingView(of, near_only=3)  # type: ignore[arg-type]


def test_fallback_follows_the_state(parts: InputParts) -> None:
    view = EmbeddingView(parts, token=2, pinned=4, parts_on=["token", "position"])
    alt = dict(Reader(view.fallback()).attributes)["alt"]
    assert alt is not None
    assert "token 2 “t2” minus token 4 “t4”" in alt
    assert f"token {np.linalg.norm(parts.token[2] - parts.token[4]):.3f}" in alt
    assert "segment 0.0 %" in alt
    view.scaled = True
    assert dict(Reader(view.fallback()).attributes)["alt"] != alt


def test_fallback_draws_any_selection_of_parts(parts: InputParts) -> None:
    for chosen in ([], ["token"], ["position", "segment"]):
        assert "<img" in EmbeddingView(parts, parts_on=chosen).fallback()


@pytest.mark.thorough
def test_picture_of_a_long_text_is_small_and_the_table_says_what_it_leaves_out() -> None:
    view = EmbeddingView(random_parts(512, 768), token=300)
    html = view.fallback()
    found = re.search(r"base64,([^\"]+)", html)
    assert found
    assert len(base64.b64decode(found[1])) <= MAX_BYTES
    assert "The first 64 of 512 tokens in numbers" in html
    assert len(html) < 220_000


def test_hostile_tokens_are_escaped_everywhere(tmp_path: Path) -> None:
    view = EmbeddingView(random_parts(2, tokens=(HOSTILE, "<img src=x onerror=alert(1)>")))
    assert HOSTILE not in view.fallback()
    assert "<img src=x" not in view.fallback()
    view.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert HOSTILE not in page
    assert page.count("</script>") == 4
    assert "<img src=x" not in page


def test_table_escapes_and_names_its_rows() -> None:
    html = Table("A < B", ("x", "y"), [("<i>", "1 & 2")]).html()
    assert html == (
        "<details><summary>A &lt; B</summary><table><thead><tr>"
        '<th scope="col">x</th><th scope="col">y</th></tr></thead>'
        '<tbody><tr><th scope="row">&lt;i&gt;</th><td>1 &amp; 2</td></tr></tbody></table></details>'
    )


# ---- the saved page


def test_saved_page_holds_the_state_and_the_same_module(parts: InputParts, tmp_path: Path) -> None:
    view = EmbeddingView(parts, token=3, scaled=True)
    view.save(tmp_path / "page.html", title="Ada & the key")
    page = (tmp_path / "page.html").read_bytes().decode("utf-8")
    assert "<title>Ada &amp; the key</title>" in page
    blocks = dict(
        re.findall(r'<script type="application/json" data-bvl="(\w+)">(.*?)</script>', page, flags=re.DOTALL)
    )
    state = json.loads(blocks["state"])
    assert (state["token"], state["scaled"], state["_tokens"]) == (3, True, list(parts.tokens))
    assert {"layout", "_esm", "_css", "_model_id", "tabbable"}.isdisjoint(state)
    assert json.loads(blocks["module"]) == read_module("embedding")
    assert base64.b64decode(json.loads(blocks["bytes"])["_segment_rows"]) == view._segment_rows


def test_saved_page_is_the_same_every_time(parts: InputParts, tmp_path: Path) -> None:
    for name in ("one.html", "two.html"):
        EmbeddingView(parts).save(tmp_path / name)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()


def test_saved_page_names_no_other_place(parts: InputParts, tmp_path: Path) -> None:
    EmbeddingView(parts).save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert set(re.findall(r"https?://[^\s\"'\\]+", page)) <= {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in page
    assert not re.search(r"\sid=", page)


def test_saving_into_a_folder_that_is_not_there(parts: InputParts, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        EmbeddingView(parts).save(tmp_path / "nowhere" / "page.html")


# ---- JavaScript and style sheets


def test_module_is_the_common_text_then_the_view() -> None:
    text = read_module("embedding")
    assert text.index("function decodeFloats") < text.index("function anatomy")
    assert text.count("\nexport default") == 1
    assert not re.search(
        r"^\s*import\b|\bimport\(|innerHTML\s*=|insertAdjacentHTML|document\.write|\.id\s*=",
        text,
        re.MULTILINE,
    )
    assert "fetch(" not in text


@pytest.mark.parametrize("name", sorted(path.parent.name for path in VIEWS.glob("*/view.js")))
def test_files_of_a_view_join_to_one_module_that_can_be_drawn(name: str, tmp_path: Path) -> None:
    (tmp_path / "view.mjs").write_text(read_module(name), encoding="utf-8")
    script = "import('./view.mjs').then((view) => console.log(Object.keys(view), typeof view.default.render))"
    node = find_program(["node", "nodejs"], "Node.js")
    run = subprocess.run([node, "-e", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.stdout == "[ 'default' ] function\n", run.stderr


def test_a_module_without_its_comments_is_the_same_program(tmp_path: Path) -> None:
    modules = {path.parent.name: read_module(path.parent.name) for path in sorted(VIEWS.glob("*/view.js"))}
    modules["engine"] = read_module("engine", "js/serving.js")
    files = []
    for name, whole in modules.items():
        short = without_comments(whole)
        assert len(short) < 0.8 * len(whole), name
        for kind, text in (("whole", whole), ("short", short)):
            files.append(tmp_path / f"{name}_{kind}.js")
            files[-1].write_text(text, encoding="utf-8")
    compared = lines_of_typescript("same_program.mjs", *files)
    same = dict(zip(modules, (line.split()[0] for line in compared), strict=True))
    assert same == dict.fromkeys(modules, "true")


def test_files_that_import_each_other_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "ring"
    folder.mkdir()
    (folder / "view.js").write_text('import { a } from "./part.js";\nexport default { a };\n')
    (folder / "part.js").write_text('import { b } from "./view.js";\nexport const a = b;\n')
    monkeypatch.setattr("bertviz_lite.views.base.sources._FOLDER", tmp_path)
    with pytest.raises(ImportError, match=re.escape("view.js → part.js → view.js")):
        read_module("ring")


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * channel for weight, channel in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("selector", [r"\.bvl \{", r'\.bvl\[data-theme="dark"\] \{'])
def test_colours_can_be_told_from_what_is_behind_them(selector: str) -> None:
    block = re.search(selector + r"(.*?)\}", read_style("embedding"), re.DOTALL)
    assert block
    colours = dict(re.findall(r"--bvl-(\w+): (?:var\([\w-]+, )?(#[0-9a-f]{6})", block[1]))
    for behind in ("paper", "raised"):
        for text in ("ink", "soft"):
            assert contrast(colours[text], colours[behind]) >= 4.5, (text, behind)
        for mark in ("token", "position", "segment", "bias", "sum", "result", "focus"):
            assert contrast(colours[mark], colours[behind]) >= 3.0, (mark, behind)
    assert contrast(colours["ink"], colours["chosen"]) >= 4.5


def test_javascript_passes_its_own_tests() -> None:
    node = find_program(["node", "nodejs"], "Node.js")
    files = sorted(str(path) for path in (FOLDER / "js").glob("*.test.mjs"))
    assert files
    run = subprocess.run(
        [node, "--test", *files], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    passed = re.search(r"^\S+ pass (\d+)$", run.stdout, re.MULTILINE)
    assert passed
    assert int(passed[1]) >= 15
