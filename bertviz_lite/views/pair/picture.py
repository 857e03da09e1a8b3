"""The pair view without scripts: the words that carry the answer as bars, a sentence on them, tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.basics.text import clip, percent, readable
from bertviz_lite.plots import lettering
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.views.base.static import Static, Table
from bertviz_lite.views.pair.verdicts import UNDECIDED, answer_to

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from bertviz_lite.views.pair.verdicts import Verdict

__all__ = ["Example", "Shown", "static"]

_IN_PICTURE = 10
_ABOVE, _BELOW = "#d66028", "#2166ac"
_SOFT = "#59636e"


@dataclass(frozen=True)
class Example:
    """A pair to choose from, with its answer."""

    name: str
    first: str
    second: str
    probability: float


@dataclass(frozen=True)
class Shown:
    """What the view shows: two texts, their verdict, by what words are tinted, and the examples."""

    first: str
    second: str
    verdict: Verdict
    measure: str
    examples: Sequence[Example]

    @property
    def unit(self) -> str:
        """In what the bars are drawn."""
        return "points" if self.measure == "probability" else "log-odds"

    @property
    def values(self) -> list[float]:
        """What the answer loses without each word, in `unit`."""
        column, factor = (0, 100) if self.measure == "probability" else (1, 1)
        values: list[float] = (self.verdict.support[:, column] * factor).tolist()
        return values


def static(shown: Shown) -> Static:
    """Return the script-free layer."""
    strongest = np.argsort(-np.abs(shown.values), kind="stable")[:_IN_PICTURE].tolist()
    tables = (_word_table(shown.verdict), *_example_table(shown.examples))
    return Static(_draw(shown, strongest), _alt(shown, strongest), tables=tables)


def _names(verdict: Verdict, words: Sequence[int]) -> list[str]:
    return [f"{readable(verdict.words[i])} ({'AB'[verdict.segments[i]]})" for i in words]


def _draw(shown: Shown, strongest: Sequence[int]) -> Figure:
    """Return the picture: the probability as the page's bar, and under it what is lost without each word."""
    probability, values = shown.verdict.probability, [shown.values[i] for i in strongest]
    rows = max(len(strongest), 4)
    with style():
        figure, (top, ax) = plt.subplots(
            2, 1, figsize=(8.5, 0.34 * rows + 2.8), height_ratios=[0.55, 0.34 * rows + 0.5]
        )
        figure.suptitle(_title(probability), x=0.01, ha="left", weight="bold", size=14)
        top.barh([0, 0], [100, 100 * probability], color=["#f3f5f7", _ABOVE])
        for end in UNDECIDED:
            top.axvline(100 * end, color=INK, linewidth=1.5, linestyle="--")
        top.set(xlim=(0, 100), yticks=[], xticks=[0, 100 * sum(UNDECIDED) / 2, 100])
        low, high = (f"{100 * end:.0f}" for end in UNDECIDED)
        undecided = f"undecided: {low} to {high} %"
        ends = ["0 %: doesn’t continue A (label 1)", undecided, "100 %: continues A (label 0)"]
        top.set_xticklabels(ends, color=_SOFT)
        for name, side in zip(top.get_xticklabels(), ("left", "center", "right"), strict=True):
            name.set_horizontalalignment(side)
        colours = [_ABOVE if value > 0 else _BELOW for value in values]
        drawn = ax.barh(range(len(values)), values, height=0.62, color=colours)
        ax.bar_label(drawn, [_signed(value) for value in values], padding=4, fontsize=11)
        lettering.write_ticks(ax.yaxis, range(len(values)), _names(shown.verdict, strongest))
        ax.set(ylim=(rows - 0.5, -0.5), xticks=[])
        ax.margins(x=0.14)
        ax.axvline(0, color=_SOFT, linewidth=1)
        for axes in (top, ax):
            lettering.bare(axes)
        note = f"Lost without the word, in {shown.unit} (below 0: gained), the strongest first"
        ax.set_title(note, fontsize=11, weight="normal", color=_SOFT)
    return figure


def _title(probability: float) -> str:
    return f"Probability that B continues A: {percent(probability)}.\nBERT’s answer: {answer_to(probability)}"


def _alt(shown: Shown, strongest: Sequence[int]) -> str:
    probability, names = shown.verdict.probability, _names(shown.verdict, strongest)
    first_five = ", ".join(
        f"{name} {_signed(shown.values[i])}" for name, i in zip(names[:5], strongest, strict=False)
    )
    return (
        f"BERT finds it {percent(probability)} probable that B continues A (label 0); its answer: "
        f"{answer_to(probability)}. "
        f"A: “{readable(clip(shown.first, 300))}” B: “{readable(clip(shown.second, 300))}” "
        "Bars: the words that carry this most, by what hiding them takes away, "
        f"in {shown.unit}: {first_five}."
    )


def _word_table(verdict: Verdict) -> Table:
    support = verdict.support
    rows = [
        [
            readable(verdict.words[i]),
            "AB"[verdict.segments[i]],
            percent(verdict.probability - support[i, 0]),
            f"{_signed(100 * support[i, 0])} points",
            _signed(verdict.log_odds - support[i, 1]),
            _signed(support[i, 1]),
        ]
        for i in np.argsort(-np.abs(support[:, 1]), kind="stable")
    ]
    columns = ("word", "part", "probability without it", "lost", "log-odds without it", "lost of them")
    return Table("Every word: what hiding it changes", columns, rows)


def _example_table(examples: Sequence[Example]) -> list[Table]:
    rows = [
        [
            readable(example.name),
            percent(example.probability),
            readable(example.first),
            readable(example.second),
        ]
        for example in examples
    ]
    return [Table("The examples", ("example", "B continues A", "A", "B"), rows)] if rows else []


def _signed(number: float) -> str:
    text = f"{abs(number):.2f}"
    return text if float(text) == 0 else f"{'+' if number > 0 else '−'}{text}"
