"""The font that comes with the package draws the Chinese of the town, of the chapters and of the views."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib import font_manager

from bertviz_lite import load, plots
from bertviz_lite.plots import course_style
from bertviz_lite.plots.course_style import CHINESE_FONT, CHINESE_FONT_FILE, style

ROOT = Path(__file__).parents[2]


def chinese(text: str) -> set[str]:
    return {letter for letter in text if "\u4e00" <= letter <= "\u9fff"}


def drawn_by_the_font() -> set[str]:
    return {chr(code) for code in font_manager.get_font(CHINESE_FONT_FILE).get_charmap()}


def test_the_font_has_every_character_of_the_chinese_model() -> None:
    tokenizer, _ = load("pocket-zh")
    characters = chinese("".join(tokenizer.get_vocab()))
    assert len(characters) > 1000
    assert characters <= drawn_by_the_font()


@pytest.mark.parametrize("folder", ["notebooks", "bertviz_lite/views"])
def test_the_font_has_every_character_that_chapters_and_views_write(folder: str) -> None:
    files = [
        *(ROOT / folder).rglob("*.ipynb"),
        *(ROOT / folder).rglob("*.py"),
        *(ROOT / folder).rglob("zh.js"),
    ]
    characters = chinese(
        "".join(json.dumps(file.read_text(encoding="utf-8"), ensure_ascii=False) for file in files)
    )
    assert len(characters) > 300
    assert characters <= drawn_by_the_font()


def test_the_font_has_full_width_marks() -> None:
    assert set("，。？！：；（）《》「」、") <= drawn_by_the_font()


def test_a_figure_draws_chinese_where_no_other_font_has_it(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    monkeypatch.setattr(course_style, "_WIDE_FONTS", ())
    course_style._families.cache_clear()
    try:
        with style():
            assert plt.rcParams["font.family"] == ["DejaVu Sans", CHINESE_FONT]
            ax = plots.heatmap(np.eye(2), ["猫", "the"], ["喝", "[MASK]"])
            ax.figure.draw_without_rendering()  # type: ignore[union-attr]
        assert [label.get_text() for label in ax.get_yticklabels()] == ["猫", "the"]
    finally:
        course_style._families.cache_clear()
    assert not recwarn  # matplotlib warns about a letter that no font draws
