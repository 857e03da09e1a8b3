"""The exam that people wrote: kind by kind, what the model and the best of its rivals get right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

from bertviz_lite.plots import lettering
from bertviz_lite.plots.course_style import CYCLE, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bertviz_lite.evaluation.scores.own_words.results import Marks

__all__ = ["draw_exam"]


def draw_exam(exam: Marks) -> Axes:
    """Draw for each kind of choice the share that is right, the model's and the best rival's.

    Parameters
    ----------
    exam
        The recorded answers; the title says how many are right in all.
    """
    kinds = sorted(exam.choices.items(), key=lambda kind: (-kind[1].accuracy, kind[0]))
    rows = range(len(kinds))
    model = [marks.accuracy for _, marks in kinds]
    rivals = [max(marks.rivals.values()) / marks.n for _, marks in kinds]
    with style():
        _, ax = plt.subplots(figsize=(8.0, 0.27 * len(kinds) + 1.7))
        for row in rows:
            ax.plot([rivals[row], model[row]], [row, row], color="0.75", linewidth=2, zorder=1)
        ax.scatter(rivals, rows, s=80, marker="s", facecolor="white", edgecolor=CYCLE[0], label="best rival")
        ax.scatter(model, rows, s=45, color=CYCLE[1], label="the model", zorder=3)
        ax.axvline(0.5, color="0.6", linestyle=":", linewidth=1)
        names = [f"{name.replace('-', ' ')} ({marks.n})" for name, marks in kinds]
        lettering.write_ticks(ax.yaxis, rows, names)
        ax.invert_yaxis()
        ax.tick_params(axis="y", length=0)
        ax.set_xlim(0, 1.04)
        lettering.write_ticks(ax.xaxis, [0, 0.5, 1], ["0 %", "50 %: guessing", "100 % right"])
        lettering.take_literally(ax.legend(loc="upper left", frameon=True, edgecolor="none"))
        every = exam.all_choices
        best = max(every.rivals.values()) / every.n
        title = f"Right in {every.accuracy:.0%} of {every.n} choices, the best rival in {best:.0%}"
        lettering.entitle(ax, title)
    return ax
