"""The views' own words: a table for each language, with the same keys; nothing said outside of the tables."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bertviz_lite import FillIn, load, trace
from bertviz_lite.views.base.errors import ViewError
from bertviz_lite.views.base.language import LANGUAGES
from bertviz_lite.views.base.saved.chinese import CHINESE, spoken
from bertviz_lite.views.base.view import View
from bertviz_lite.views.machine.boxes import BOXES, CHAPTERS, GROUPS
from bertviz_lite.views.pages.class_page import TABS, TITLE
from bertviz_lite.views.pages.tabs import save_page
from bertviz_lite.views.trace.view import TraceView
from tests.helpers.browser import find_program
from tests.helpers.javascript import lines_of_typescript

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
VIEWS = ROOT / "bertviz_lite" / "views"
TABLES = [*sorted(folder.parent for folder in VIEWS.glob("*/language")), VIEWS / "base" / "js"]
FOLDERS = [folder.parent if folder.name == "js" else folder for folder in TABLES]

# Values of traits, and what no reader sees.
NO_WORDS = {
    "mean heads",
    "max heads",
    "mean all",
    "max all",
    "up to",
    "button, summary",
    "Ctrl+M",
    "(prefers-color-scheme: dark)",
    "(pointer: coarse)",
    "(prefers-reduced-motion: reduce)",
    "linear-gradient(to right,  )",
    " % auto auto  %",
    "still there?",
    "change:packed comm_live_update",
    "bertviz-lite engines",
    # errors that only a wrong program meets
    "  bytes are no whole number of float32 values.",
    "  numbers do not make rows of  .",
    "  could not be read.",
}
# What answers in Python's place refuses in Python's words.
ANSWERING = re.compile(r"js/answers\.js$|attention/js/answering/")

_READ = """
const tables = {};
for (const file of process.argv.slice(1)) Object.assign(tables, await import(file));
console.log(JSON.stringify(tables));
"""


def exports_of(*files: Path) -> dict[str, Any]:
    """Return what JavaScript files export."""
    node = find_program(["node", "nodejs"], "Node.js")
    run = subprocess.run(
        [node, "--input-type=module", "-e", _READ, *(file.as_uri() for file in files)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    exported: dict[str, Any] = json.loads(run.stdout)
    return exported


def tables_of(folder: Path) -> dict[str, dict[str, str]]:
    """Return the tables of a folder, by language: what all views have has a second one, of refusals."""
    files = [file for file in sorted((folder / "language").iterdir()) if file.stem in {*LANGUAGES, "refused"}]
    found: dict[str, dict[str, str]] = {language: {} for language in LANGUAGES}
    for name, table in exports_of(*files).items():
        found[name.rpartition("_")[2].lower()] |= {
            f"{name.rpartition('_')[0]}.{key}": table[key] for key in table
        }
    return found


def values_in(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", text))


@pytest.mark.parametrize("folder", TABLES, ids=lambda folder: str(folder.relative_to(VIEWS)))
def test_the_tables_of_all_languages_have_the_same_keys_and_values(folder: Path) -> None:
    tables = tables_of(folder)
    assert sorted(tables["en"]) == sorted(tables["zh"])
    for key, english in tables["en"].items():
        chinese = tables["zh"][key]
        # Which of two words goes with a number is a question of English alone.
        assert values_in(chinese) == values_in(english), key
        assert (
            re.search(r"[,:;?!]", re.sub(r"^\? |\{.*?\}|(?:save|capture|Explorer)\(.*?\)", "", chinese))
            is None
        ), chinese


@pytest.mark.parametrize("folder", TABLES, ids=lambda folder: str(folder.relative_to(VIEWS)))
def test_no_text_of_a_table_is_left_unsaid(folder: Path) -> None:
    code = "".join(
        file.read_text(encoding="utf-8")
        for file in (VIEWS if folder.parent.name == "base" else folder).rglob("*.js")
        if file.parent.name != "language" or file.stem in {"say", "common", "changes"}
    )
    keys = {key for key in tables_of(folder)["en"] if not key.startswith("REFUSED")}
    assert [key for key in keys if f'"{key.partition(".")[2]}"' not in code] == []


def test_every_view_has_tables() -> None:
    views = {file.parent.name for file in VIEWS.glob("*/view.js")}
    assert views <= {folder.name for folder in FOLDERS}


def test_every_refusal_of_the_table_is_one_that_python_and_the_engine_know() -> None:
    code = "".join(
        re.sub(r"""["'`]\s*\+?\s*f?["'`]""", "", file.read_text(encoding="utf-8"))
        for pattern in ("*.py", "*.js")
        for file in (ROOT / "bertviz_lite").rglob(pattern)
        if file.parent.name != "language"
    )
    said = exports_of(VIEWS / "base" / "js" / "language" / "said.js")["REFUSED_SAID"]
    told = tables_of(VIEWS / "base" / "js")["en"]
    assert [f"REFUSED.{key}" for key in said] == [key for key in told if key.startswith("REFUSED")]
    for key, text in said.items():
        longest = max(re.split(r"\{\w+\}", text), key=len)
        assert longest in code, key
        assert values_in(told[f"REFUSED.{key}"]) - {"touch"} == values_in(text), key


def test_no_word_stands_in_the_code_of_a_view() -> None:
    files = [
        file
        for folder in FOLDERS
        for file in sorted(folder.rglob("*.js"))
        if file.parent.name != "language" and not ANSWERING.search(file.as_posix())
    ]
    words = lines_of_typescript("words_left.mjs", *files)
    left = [line for line in words if line.split(": ", 1)[1] not in NO_WORDS]
    assert left == []


# ---------------------------------------------------------------------------------------- around the views


def english_around() -> Iterator[str]:
    """Return all that pages say around the views."""
    assert issubclass(TraceView, View)  # which readers are not given by name
    for kind in every(View):
        if kind.title != View.title and kind.__module__.startswith("bertviz_lite."):
            yield from (kind.title, kind.about)
    yield from (TITLE, *(tab.name for tab in TABS), *(tab.text for tab in TABS))
    yield from ("BERT, view by view", "Views", ".", "; this page works offline.")
    yield "; {models} answers in it, offline too."
    yield (
        "The model that answers, {models}, is in this page and computes on your own device: "
        "nothing that you type leaves it."
    )


def every(kind: type[View]) -> Iterator[type[View]]:
    yield kind
    for below in kind.__subclasses__():
        yield from every(below)


def test_what_pages_say_around_the_views_is_there_in_chinese_and_nothing_else() -> None:
    assert set(english_around()) == set(CHINESE)


def test_an_element_says_its_language_and_knows_the_other() -> None:
    assert spoken("h2", "Tokens", "zh") == '<h2 data-bvl-en="Tokens" data-bvl-zh="词元">词元</h2>'
    assert spoken("h2", "My <class>", "zh") == '<h2 lang="en">My &lt;class&gt;</h2>'
    assert spoken("p", "Tokens", "en", ending=".") == (
        '<p data-bvl-en="Tokens." data-bvl-zh="词元。">Tokens.</p>'
    )


# ------------------------------------------------------------------------------------------ from Python


def test_a_view_is_told_its_language(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer, model = load()
    text = "Anna lost her [MASK]."
    assert FillIn(model, tokenizer, text).lang == "en"
    view = FillIn(model, tokenizer, text, lang="zh")
    assert view.lang == "zh"
    with pytest.raises(ViewError, match=r"lang='fr': one of 'en', 'zh' is needed\."):
        view.lang = "fr"
    with pytest.raises(ViewError, match=r"lang='fr': one of 'en', 'zh' is needed\."):
        FillIn(model, tokenizer, text, lang="fr")
    monkeypatch.setenv("BERTVIZ_LITE_LANG", "zh")
    assert FillIn(model, tokenizer, text).lang == "zh"
    assert FillIn(model, tokenizer, text, lang="en").lang == "en"
    monkeypatch.setenv("BERTVIZ_LITE_LANG", "de")
    with pytest.raises(ViewError, match=r"BERTVIZ_LITE_LANG='de'"):
        FillIn(model, tokenizer, text)


def test_the_picture_is_the_same_whatever_the_language() -> None:
    tokenizer, model = load()
    pictures = {FillIn(model, tokenizer, "Anna lost her [MASK].", lang=lang).fallback() for lang in LANGUAGES}
    assert len(pictures) == 1


def test_a_page_of_several_views_has_one_language(tmp_path: Path) -> None:
    tokenizer, model = load()
    view = FillIn(model, tokenizer, "Anna lost her [MASK].")
    save_page(tmp_path / "page.html", {"Fill in": view}, lang="zh", live=False)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert '<html lang="zh-Hans">' in page
    assert ">填词</button>" in page
    assert '"lang":"zh"' in page
    assert view.lang == "en"


def test_every_box_group_and_chapter_of_the_machine_has_chinese() -> None:
    tables = exports_of(VIEWS / "machine" / "language" / "boxes.js")
    assert list(tables["BOXES_ZH"]) == [box.id for box in BOXES]
    assert list(tables["GROUPS_ZH"]) == [group.id for group in GROUPS]
    assert sorted(tables["CHAPTERS_ZH"]) == sorted(CHAPTERS)
    for box in BOXES:
        told = tables["BOXES_ZH"][box.id]
        assert bool(told.get("hint")) == bool(box.hint), box.id
        assert bool(told.get("title")) == bool(box.title), box.id


# A sentence of each form in which Python says what a step changes.
SAID = [
    "Nothing comes out that has a shape.",
    "A tensor is made: one number.",
    "A tensor is made: batch=1 and seq_len=7.",
    "The shape stays: along seq_len=7 the numbers now add up to 1.",
    "The shape stays: hidden_size=192 is summed away, a new axis as long takes its place.",
    "The shape stays: one number meets every other.",
    "The shape stays: [7, 1] is repeated along batch=1 and seq_len=7.",
    "The shape stays: two tensors of it are combined number by number.",
    "The shape stays; the numbers are now bool.",
    "The shape stays.",
    "seq_len=7 and num_heads=6 change places.",
    "The axes change their order: num_heads=6, batch=1, seq_len=7.",
    "An axis of size 1 is left out.",
    "2 axes of size 1 are left out.",
    "An axis of size 1 is put in.",
    "2 axes of size 1 are put in.",
    "seq_len=7 is gone: only the largest is kept.",
    "seq_len=7 is gone: only the smallest is kept.",
    "seq_len=7 is gone: only the place of the largest is kept.",
    "seq_len=7 is gone: only the length is kept.",
    "seq_len=7 is gone: one place of it is kept.",
    "batch=1 and seq_len=7 are gone.",
    "head_size=32 is summed away, seq_len=7 takes its place.",
    "batch=1 and seq_len=7 are summed away.",
    "seq_len=7 is averaged away.",
    "Each id is replaced by a row of the table: hidden_size=192 is new.",
    "hidden_size=192 is new.",
    "hidden_size=192 is split into num_heads=6 × head_size=32.",
    "num_heads=6 × head_size=32 are joined into hidden_size=192.",
    "2 × 6 become 3 × 4: the same numbers in other groups.",
    "The axis of size 1 is repeated: seq_len=7.",
    "Of seq_len=7 only 3 are kept: 3.",
    "hidden_size=192 becomes seq_len=7 and vocab_size=3750.",
]

_TELL = """
const folder = process.argv[1];
const { speak } = await import(folder + "base/js/language/language.js");
const { CHANGES, changeOf } = await import(folder + "trace/language/changes.js");
speak("zh");
const said = JSON.parse(process.argv[2]);
const forms = said.map((text) => CHANGES.findIndex(([form]) => form.test(text)));
console.log(JSON.stringify({ forms, count: CHANGES.length, told: said.map(changeOf) }));
"""


def test_what_a_step_changes_is_told_in_chinese_too() -> None:
    tokenizer, model = load()
    view: Any = trace(model, **tokenizer("Anna lost her key.", return_tensors="pt")).follow()
    texts, paths = (view._trace[name] for name in ("texts", "paths"))
    real = {texts[hop[3]] for path in paths.values() for hop in path["hops"]}
    assert len(real) > 20
    node = find_program(["node", "nodejs"], "Node.js")
    run = subprocess.run(
        [node, "--input-type=module", "-e", _TELL, f"{VIEWS.as_uri()}/", json.dumps([*SAID, *sorted(real)])],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    answer = json.loads(run.stdout)
    assert answer["forms"][: len(SAID)] == list(range(answer["count"]))
    for told in answer["told"]:
        assert re.search(r"\b(?:is|are|and|the|of|becomes?|The)\b", told) is None, told
        assert told.endswith("。")
