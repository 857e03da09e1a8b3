"""Chapters in other languages: code and outputs are the original's, and a text that is behind is named."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from notebook_checks import check
from notebook_checks.notebook import (
    NotebookError,
    find_notebooks,
    normalised,
    originals,
    read,
    serialised,
    translations_of,
)
from notebook_checks.rules.static import static_findings
from notebook_checks.translation.making import main
from notebook_checks.translation.texts import SO_FAR, TO_TRANSLATE, numbers, slips

NAME, OTHER = "note.ipynb", "other.ipynb"
TITLE = "# What does it print?\n\nIt prints 8 million, as [the other](other.ipynb#Break-it) does."
WHY = "## Why\n\nIn October 2018 somebody asked for it, and nobody else has ever asked again."
IN_CHINESE = {
    "title": "# 它打印什么？\n\n"
    "它打印 800 万，和[另一本](../other.ipynb#Break-it)一样。[English](../note.ipynb)",
    "why": "## 为什么\n\n2018 年 10 月有人要过它，后来再也没有别人要过。",
}


def cell(kind: str, name: str, source: str) -> dict[str, Any]:
    code = {
        "execution_count": 1,
        "outputs": [{"output_type": "stream", "name": "stdout", "text": "8000000\n"}],
    }
    return {"cell_type": kind, "id": name, "metadata": {}, "source": source} | (
        code if kind == "code" else {}
    )


def put(path: Path, notebook: dict[str, Any]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(serialised(normalised(notebook)), encoding="utf-8", newline="\n")


def notebook(*cells: dict[str, Any]) -> dict[str, Any]:
    return {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def change(path: Path, changed: Callable[[dict[str, Any]], None]) -> None:
    found = read(path)
    changed(found)
    put(path, found)


def texts(path: Path) -> dict[str, str]:
    return {one["id"]: one["source"] for one in read(path)["cells"]}


def translate(path: Path, said: dict[str, str]) -> None:
    """Do what a translator does: write the text of some cells, and nothing else."""

    def write(found: dict[str, Any]) -> None:
        for one in found["cells"]:
            one["source"] = said.get(one["id"], one["source"])

    change(path, write)


def messages(path: Path) -> str:
    return "\n".join(finding.message for finding in static_findings(path))


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Return an original and its finished translation."""
    original, chinese = tmp_path / NAME, tmp_path / "zh" / NAME
    cells = [cell("markdown", "title", TITLE), cell("code", "print", "print(8_000_000)")]
    put(original, notebook(*cells, cell("markdown", "why", WHY)))
    put(tmp_path / OTHER, notebook(cell("markdown", "head", "# What else?\n\n## Break it")))
    assert main([str(original)]) == 0
    translate(chinese, IN_CHINESE)
    return original, chinese


def test_a_translators_whole_work_is_prose(pair: tuple[Path, Path]) -> None:
    original, chinese = pair
    assert messages(original) == messages(chinese) == ""
    ours, theirs = (read(path)["cells"] for path in pair)
    assert [one["id"] for one in ours] == [one["id"] for one in theirs]
    assert [one for one in ours if one["cell_type"] == "code"] == [
        one for one in theirs if one["cell_type"] == "code"
    ]
    before = chinese.read_bytes()
    assert main([str(original)]) == 0
    assert chinese.read_bytes() == before


def test_a_new_translation_is_english_and_says_which_cells_wait(
    pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    original, chinese = pair
    chinese.unlink()
    capsys.readouterr()
    assert main([str(original)]) == 0
    assert capsys.readouterr().out.strip().endswith("to translate: cell 1, cell 3")
    assert texts(chinese)["why"] == f"{TO_TRANSLATE}\n\n{WHY}"
    assert "(../other.ipynb#Break-it)" in texts(chinese)["title"]
    assert messages(chinese).count("is not translated yet") == 2


def test_a_changed_original_fails_with_the_cells_and_keeps_what_was_translated(
    pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    original, chinese = pair
    translate(original, {"why": WHY.replace("nobody else", "nobody")})
    assert check.main([str(original), "--only", "static"]) == 1
    said = capsys.readouterr().out
    assert "cell 3 (why): the English text has changed since it was translated" in said
    assert "(title)" not in said
    main([str(original)])
    waiting = texts(chinese)["why"]
    assert waiting.startswith(f"{TO_TRANSLATE}\n\n## Why")
    assert waiting.endswith(f"{SO_FAR}\n\n{IN_CHINESE['why']}")
    translate(original, {"why": WHY.replace("nobody else", "no one")})
    main([str(original)])
    assert texts(chinese)["why"].count(SO_FAR) == 1
    assert texts(chinese)["why"].endswith(IN_CHINESE["why"])
    assert texts(chinese)["title"] == IN_CHINESE["title"]
    translate(chinese, IN_CHINESE)
    assert messages(chinese) == ""


def test_what_a_run_writes_into_the_original_goes_into_the_translation(pair: tuple[Path, Path]) -> None:
    original, chinese = pair

    def run_again(found: dict[str, Any]) -> None:
        found["cells"][1]["outputs"][0]["text"] = "9000000\n"

    change(original, run_again)
    assert "cell 2 [1] (print): not the original's outputs" in messages(chinese)
    main([str(original.parent)])
    assert not chinese.with_name(OTHER).exists(), "a folder's name made a translation"
    assert messages(chinese) == ""
    assert read(chinese)["cells"][1]["outputs"][0]["text"] == "9000000\n"


def test_cells_come_go_and_move_with_the_original(pair: tuple[Path, Path]) -> None:
    original, chinese = pair
    change(original, lambda found: found["cells"].append(cell("markdown", "more", "More is said here, too.")))
    assert "lacks the original's cell 4 (more)" in messages(chinese)
    change(original, lambda found: found["cells"].__delitem__(slice(2, None)))
    assert "cell 3 (why) is not in the original" in messages(chinese)
    main([str(original)])
    assert messages(chinese) == ""
    change(chinese, lambda found: found["cells"].reverse())
    assert "has the cell print where the original has title" in messages(chinese)


LIES = {
    "code": (lambda cells: cells[1].update(source="print(8)"), "cell 2 [1] (print): not the original's code"),
    "outputs": (lambda cells: cells[1]["outputs"].clear(), "not the original's outputs"),
    "the mark": (lambda cells: cells[2]["metadata"].clear(), "the English text has changed"),
}


@pytest.mark.parametrize("name", LIES)
def test_what_is_copied_cannot_be_changed(name: str, pair: tuple[Path, Path]) -> None:
    lie, said = LIES[name]
    change(pair[1], lambda found: lie(found["cells"]))
    assert said in messages(pair[1])


SLIPS = {
    WHY: "is not translated, or only a part of it",
    "## 为什么\n\n十月有人要过它，后来再也没有别人要过，谁也没有。": "lacks the number 2,018",
    IN_CHINESE["why"] + "一共 3 次。": "says 3, which the original doesn't",
    IN_CHINESE["why"] + "[看](../other.ipynb)": "has a link to ../other.ipynb, which the original hasn't",
    IN_CHINESE["why"].replace("## ", "### "): "has other headings than the original",
    IN_CHINESE["why"].replace("，", ","): "wants a full-width mark",
    IN_CHINESE["why"].replace("有人", "Tom有人"): "wants a space between",
    IN_CHINESE["why"] + "**先猜：**谁？": "wants a space outside of the stars",
}


@pytest.mark.parametrize("text", SLIPS)
def test_a_translated_text_is_whole_and_typeset(text: str, pair: tuple[Path, Path]) -> None:
    translate(pair[1], {"why": text})
    assert SLIPS[text] in messages(pair[1])


def test_links_lead_to_the_translation_as_soon_as_there_is_one(pair: tuple[Path, Path]) -> None:
    original, chinese = pair
    other = chinese.with_name(OTHER)
    main([str(original.with_name(OTHER))])
    translate(other, {"head": "# 还有什么？\n\n## 弄坏它\n\n[English](../other.ipynb)"})
    assert "lacks a link to other.ipynb#弄坏它" in messages(chinese)
    main([str(original)])
    assert "(other.ipynb#弄坏它)" in texts(chinese)["title"]
    assert messages(chinese) == messages(other) == ""


def test_a_translation_runs_as_its_original_and_not_again(pair: tuple[Path, Path], tmp_path: Path) -> None:
    original, chinese = pair
    assert find_notebooks([tmp_path]) == sorted([original, original.with_name(OTHER)])
    assert translations_of(original) == [chinese]
    assert find_notebooks([tmp_path / "zh"]) == [chinese]
    assert originals([original, chinese]) == [original]
    original.unlink()
    assert "has no original" in messages(chinese)
    with pytest.raises(NotebookError, match="has no original"):
        originals([chinese])


def test_only_a_translation_names_the_text_it_was_made_from(pair: tuple[Path, Path]) -> None:
    change(pair[0], lambda found: found["cells"][0].update(metadata={"made_from": "0"}))
    assert "'made_from' is for translations" in messages(pair[0])


def test_numbers_are_read_in_both_languages() -> None:
    assert numbers("2,500 million of 0.5 <!-- 7 --> [a](b_8.html)") == numbers("25 亿 0.5") == {2.5e9, 0.5}
    assert numbers("第 05 章，1.1 亿，7、9") == {5, 1.1e8, 7, 9}


@pytest.mark.parametrize(
    "text", ["用 BERT 填 `[MASK]`，*a* ▢ 就是*词*（token）。", "**先猜：** 是“*词*”吗？"]
)
def test_good_chinese_is_let_through(text: str) -> None:
    assert list(slips(text)) == []


def test_every_translated_chapter_is_in_step() -> None:
    found = [file for path in find_notebooks() for file in translations_of(path)]
    assert found, "no chapter is translated"
    assert [str(finding) for path in found for finding in static_findings(path)] == []


def test_a_word_changed_in_a_real_chapter_is_noticed(tmp_path: Path) -> None:
    path = next(path for path in find_notebooks() if translations_of(path))
    (chinese,) = translations_of(path)
    english = copy.deepcopy(read(path))
    prose = [one for one in english["cells"] if one["cell_type"] == "markdown"]
    prose[-1]["source"] += " More."
    put(tmp_path / path.name, english)
    put(tmp_path / "zh" / path.name, read(chinese))
    assert f"({prose[-1]['id']}): the English text has changed" in messages(tmp_path / "zh" / path.name)


def test_a_chapter_with_a_link_to_its_own_heading_can_be_translated(tmp_path: Path) -> None:
    original, chinese = tmp_path / NAME, tmp_path / "zh" / NAME
    put(
        original,
        notebook(cell("markdown", "title", "# What is it?\n\nSee [below](#Break-it).\n\n## Break it")),
    )
    assert main([str(original)]) == 0
    assert "[below](#Break-it)" in texts(chinese)["title"]
    translate(
        chinese, {"title": "# 它是什么？\n\n见[下面](#Break-it)。[English](../part.ipynb)\n\n## 弄坏它"}
    )
    assert main([str(original)]) == 0
    assert "[下面](#弄坏它)" in texts(chinese)["title"]
