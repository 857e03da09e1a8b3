"""What a training and a test gave: losses by epoch, labels said and true, rivals, a curve of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.evaluation.intervals import interval
from bertviz_lite.plots import CYCLE, draw_lines, heatmap, intervals, style
from bertviz_lite.plots.course_style import INK
from bertviz_lite.plots.lettering import describe_axes, entitle, headline, legend
from bertviz_lite.plots.point_names import moved_up

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

__all__ = ["confusion", "curve", "epochs", "rivals"]

_GREY = "0.45"


def epochs(log_history: Iterable[Mapping[str, Any]], metric: str, *, title: str = "") -> list[Axes]:
    """Draw, epoch by epoch, both losses and a metric of the validation set; its best epoch has a ring.

    Parameters
    ----------
    log_history
        Of a Trainer's state: what it logged, evaluations and training losses, both after each epoch.
    metric
        The metric by which the best epoch is kept, without "eval_".
    title
        The finding, in a sentence.
    """
    entries = list(log_history)
    trained = [entry["loss"] for entry in entries if "loss" in entry]
    evaluated = [entry for entry in entries if f"eval_{metric}" in entry]
    at = [entry["epoch"] for entry in evaluated]
    scores = [entry[f"eval_{metric}"] for entry in evaluated]
    name = metric.replace("_f1", " F1").replace("_", " ")
    with style():
        figure, (left, right) = plt.subplots(1, 2, figsize=(8.0, 3.6))
        losses = [trained, [entry["eval_loss"] for entry in evaluated]]
        draw_lines(left, at, losses, ["in training", "in validation"])
        draw_lines(right, at, [scores], [name])
        best = int(np.argmax(scores))  # the first of equals, as the Trainer keeps it
        right.plot(at[best], scores[best], "o", color=CYCLE[1], markersize=14, fillstyle="none", mew=2.5)
        right.annotate(
            "kept", (at[best], scores[best]), (0, -15), textcoords="offset points", ha="center", va="top"
        )
        for ax, what in ((left, "loss"), (right, f"{name} in validation")):
            describe_axes(ax, "epoch", what)
            ax.set_xticks(at, [f"{epoch:.0f}" for epoch in at])
        left.set_ylim(0)
        right.set_ylim(0, 1.05)
        legend(left)
        headline(figure, title)
    return [left, right]


def confusion(
    predicted: npt.ArrayLike, true: npt.ArrayLike, labels: Sequence[str], *, title: str = ""
) -> Axes:
    """Draw how many texts of each true label (rows) got each label (columns); both as numbers."""
    counts = np.zeros((len(labels), len(labels)))
    np.add.at(counts, (np.asarray(true), np.asarray(predicted)), 1)
    with style():  # as narrow as the square: else it stands at the right of an empty page
        _, ax = plt.subplots(figsize=(5.0, 4.0))
    heatmap(counts, labels, labels, title=title, label="texts", ax=ax)
    ax.set_xlabel("what the model says")
    ax.set_ylabel("what is true")
    return ax


def rivals(
    right: Mapping[str, int], count: int, *, title: str = "", label: str = "", chance: float | None = None
) -> Axes:
    """Draw how many of `count` each got right as shares with Wilson's intervals, and the level of chance.

    At each dot stands the count itself.
    """
    ax = intervals(
        [number / count for number in right.values()],
        [interval(number, count) for number in right.values()],
        list(right),
        title=title,
        label=label,
        reference=None if chance is None else {"guessing": chance},
    )
    for written, number in zip(ax.texts, right.values(), strict=False):
        written.set_text(f"{number} of {count}")
    return ax


def curve(
    measured: Mapping[str, Mapping[str, Sequence[float]]],
    names: Mapping[str, str],
    *,
    title: str = "",
    chance: float | None = None,
    strong: Sequence[str] = (),
    rival: str = "",
    later: Mapping[str, Mapping[str, Sequence[float]]] | None = None,
) -> Axes:
    """Draw accuracy over the number of examples: a line a way to start (its mean), a dot a training.

    Where some ways are `strong`, only they and the rival have dots. The names of the ways stand at the ends
    of their lines, each with a piece of its line's dashes.

    Parameters
    ----------
    measured
        By way and number of examples, the accuracy with each seed.
    names
        The ways to draw, and what each is called in the figure.
    title
        The finding, in a sentence.
    chance
        The level of guessing, drawn as a thin grey line.
    strong
        The ways that keep their colours, where the others are to be grey; none for all.
    rival
        The simple way that the strong ones have to beat, drawn in black.
    later
        Longer trainings from the most examples: by how long they are and by way, each seed's accuracy.
        Their means are hollow marks in the colours of their lines.
    """
    sizes = [int(size) for size in next(iter(measured.values()))]
    means = [[float(np.mean(seeds)) for seeds in measured[way].values()] for way in names]
    with style():
        _, ax = plt.subplots(figsize=(8.0, 4.4))
        draw_lines(ax, sizes, means, list(names.values()))
        describe_axes(ax, "labelled examples to learn from", "accuracy on the test set")
        ax.set_xscale("log")
        ax.set_xticks(sizes, [f"{size:,}" for size in sizes])
        ax.minorticks_off()
        ax.set_ylim(0.2, 1)
        for line, way in zip(ax.get_lines(), names, strict=True):
            if strong:
                soft = INK if way == rival else _GREY
                line.set_color(CYCLE[strong.index(way)] if way in strong else soft)
                line.set_linewidth(2.5 if way in strong else 1.8 if way == rival else 1.2)
                if way not in {*strong, rival}:
                    continue
            dots = [(int(size), share) for size, seeds in measured[way].items() for share in seeds]
            across, up = zip(*dots, strict=True)
            ax.scatter(across, up, s=14, color=line.get_color())
        _name_at_the_ends(ax)
        lines = dict(zip(names, ax.get_lines(), strict=True))
        for called, by_way in (later or {}).items():
            _mark_later(ax, {way: (lines[way], float(np.mean(by_way[way]))) for way in by_way}, called)
        if chance is not None:
            ax.axhline(chance, color="0.6", linewidth=1, zorder=0.9)
            ax.text(sizes[-1], chance - 0.008, "guessing", ha="right", va="top", fontsize=11, color=_GREY)
        entitle(ax, title)
    return ax


def _mark_later(ax: Axes, means: Mapping[str, tuple[Line2D, float]], called: str) -> None:
    """Draw where longer trainings end, as hollow marks side by side; leads join them to their name."""
    found = sorted(means.values(), key=lambda pair: pair[1])
    last = float(np.asarray(found[0][0].get_xdata())[-1])
    at = last / 1.2, found[-1][1] + 0.15
    look = {"arrowstyle": "-", "color": _GREY, "linewidth": 1.0, "shrinkA": 0, "shrinkB": 6}
    for k, (line, mean) in enumerate(found):
        across = last * 1.04 ** (2 * k + 1 - len(means))
        ax.annotate("", (across, mean), at, arrowprops=look)
        ax.plot(
            across, mean, "D", clip_on=False, zorder=5,
            color=line.get_color(), markersize=8, markerfacecolor="white", markeredgewidth=2,
        )  # fmt: skip
    ax.text(*at, f"after {called}", ha="center", va="bottom", fontsize=11, color=_GREY)


def _name_at_the_ends(ax: Axes) -> None:
    """Write each line's name at the right of its end; where ends are close, apart, with a thin lead."""
    ends = [float(np.asarray(line.get_ydata())[-1]) for line in ax.get_lines()]
    low, high = ax.get_ylim()
    for line, end, place in zip(ax.get_lines(), ends, moved_up(ends, 0.06 * (high - low), high), strict=True):
        name = ax.annotate(
            str(line.get_label()), (1, end), (1.12, place), xycoords=ax.get_yaxis_transform(),
            textcoords=ax.get_yaxis_transform(), va="center", fontsize=11, color=line.get_color(),
            arrowprops={  # from the left edge of the name: it strikes through no other
                "arrowstyle": "-", "color": line.get_color(), "linewidth": 1.5, "relpos": (0, 0.5),
                "linestyle": line.get_linestyle(),
            },
        )  # fmt: skip
        name.set_parse_math(False)
