"""Figures of chapter 09: the head, shares of pairs, lines between yes and no, who knows what.

Orange is *yes*, B continues A; blue is *no*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from bertviz_lite.chapters.chapter_09.figures.rows import finish_rows
from bertviz_lite.evaluation.intervals import interval
from bertviz_lite.plots import CYCLE, intervals, style
from bertviz_lite.plots.heat_maps import SIGNED
from bertviz_lite.plots.lettering import (
    HALO,
    bare,
    describe_axes,
    entitle,
    headline,
    reference_lines,
    take_literally,
    write_ticks,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["accepted", "fits", "head", "seeds", "shares", "sides"]

_NO, _YES, _RIGHT = CYCLE[:3]


def shares(
    answers: Mapping[str, npt.NDArray[np.bool_]],
    *,
    title: str = "",
    label: str = "",
    reference: Mapping[str, float] | None = None,
) -> Axes:
    """Draw what share of some answers is True, a dot with its 95 % interval (Wilson's) a row.

    Each row's name is followed by the number of its answers.

    Parameters
    ----------
    answers
        A name for each row, and its answers, one a pair.
    title
        The finding, in a sentence.
    label
        What is counted.
    reference
        Lines to compare with: {"guessing": 0.5}.
    """
    counted = {name: (int(np.sum(each)), len(each)) for name, each in answers.items()}
    return intervals(
        [count / n for count, n in counted.values()],
        [interval(count, n) for count, n in counted.values()],
        [f"{name} ({n})" for name, (_, n) in counted.items()],
        title=title,
        label=f"{label}\n(in brackets: of how many; bars: 95 % intervals)",
        reference=reference,
    )


def accepted(
    answers: Mapping[str, npt.NDArray[np.bool_]], taught: Mapping[str, str], *, title: str = ""
) -> Axes:
    """Draw what share of each kind is accepted, a dot with its interval, in a colour for what training did.

    Parameters
    ----------
    answers
        A name for each kind of pairs, and which of its pairs are accepted.
    taught
        For each kind what training called such pairs: a word that begins with "true", "false" or "none". It
        gives the dot its colour.
    title
        The finding, in a sentence.
    """
    looks = {
        "true": (_YES, "called true in training"),
        "false": (_NO, "called false"),
        "none": ("0.45", "never made in training"),
    }
    seen: set[str] = set()
    with style():
        _, ax = plt.subplots(figsize=(9.6, 0.46 * len(answers) + 1.9))
        for row, (name, each) in enumerate(answers.items()):
            n, count = len(each), int(np.sum(each))
            low, high = interval(count, n)
            kind = taught[name].partition(",")[0].partition(" ")[0]
            colour, called = looks[kind]
            ax.hlines(row, low, high, color=colour, linewidth=5, alpha=0.4)
            ax.scatter(count / n, row, s=75, color=colour, zorder=2.5, label="" if kind in seen else called)
            left = count / n > 0.5
            ax.annotate(
                f"{count / n:.0%}", (low if left else high, row), (-14 if left else 14, 0),
                textcoords="offset points", va="center", fontsize=12, ha="right" if left else "left",
            )  # fmt: skip
            seen.add(kind)
        write_ticks(ax.yaxis, range(len(answers)), [f"{n} ({len(each)})" for n, each in answers.items()])
        ax.set_ylim(len(answers) - 0.4, -0.6)
        ax.set_xlim(-0.03, 1.03)
        ax.xaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
        label = "share accepted (in brackets: of how many; bars: 95 % intervals)"
        finish_rows(ax, label, title=title, columnspacing=1.2)
    return ax


def fits(
    log_odds: Mapping[str, npt.ArrayLike], columns: Sequence[str], *, title: str = "", apart: int = 0
) -> Axes:
    """Draw the log-odds of some Bs after some As: a row for each B, orange where it is accepted.

    Parameters
    ----------
    log_odds
        The Bs, and the log-odds of each after every A; shape (columns,).
    columns
        What the As are called.
    title
        The finding, in a sentence.
    apart
        After how many rows a gap stands; 0 for none.
    """
    values = np.array([*log_odds.values()], np.float64)
    most, gap = 1.3 * float(np.abs(values).max()), 0.25  # the darkest colours stay unused
    places = [row + gap * (0 < apart <= row) for row in range(len(values))]
    with style():
        _, ax = plt.subplots(figsize=(9.0, 0.56 * len(values) + 1.5))
        for (row, column), value in np.ndenumerate(values):
            corner = (column - 0.48, places[row] - 0.46)
            ax.add_patch(Rectangle(corner, 0.96, 0.92, color=SIGNED(0.5 + 0.5 * value / most), linewidth=0))
            ax.text(
                column, places[row], f"{value:+.1f}".replace("-", "−"), ha="center", va="center",
                fontsize=13, color="white" if abs(value) > 0.5 * most else "#1a1a1a",
                fontweight="bold" if value > 0 else "normal",
            )  # fmt: skip
        ax.set(xlim=(-0.5, len(columns) - 0.5), ylim=(places[-1] + 0.5, -0.5))
        bare(ax)
        ax.xaxis.tick_top()
        ax.xaxis.set_label_position("top")
        write_ticks(ax.xaxis, range(len(columns)), [*columns])
        write_ticks(ax.yaxis, places, [*log_odds])
        describe_axes(ax, "A")
        ax.text(
            0.5, -0.03, "log-odds; orange, above 0: B continues A", transform=ax.transAxes,
            ha="center", va="top", fontsize=11, color="0.35",
        )  # fmt: skip
        entitle(ax, title)
    return ax


def head(pooled: npt.ArrayLike, weight: npt.ArrayLike, *, title: str = "") -> Axes:
    """Draw the head on a few numbers: p over each row of W, their products, two logits, softmax, losses.

    Parameters
    ----------
    pooled
        The pooled vector, shape (size,).
    weight
        The head's two rows, shape (2, size); its bias is zero.
    title
        The finding, in a sentence.
    """
    p, w = np.asarray(pooled, np.float64), np.asarray(weight, np.float64)
    z = w @ p
    probability = np.exp(z) / np.exp(z).sum()
    most, size = float(max(np.abs(w).max(), np.abs(z).max())), len(p)
    with style():
        _, ax = plt.subplots(figsize=(10.2, 4.6))
        ax.set(xlim=(0, 20.4), ylim=(9.3, -0.4))
        ax.set_axis_off()

        def cells(left: float, top: float, values: npt.NDArray[np.float64]) -> None:
            for place, value in enumerate(values.tolist()):
                colour = SIGNED(0.5 + 0.3 * value / most)
                x = left + 1.3 * place
                ax.add_patch(Rectangle((x, top), 1.25, 1.0, facecolor=colour, edgecolor="0.5"))
                written = f"{value + 0.0:g}" if value == int(value) else f"{value:.1f}"
                write(x + 0.62, top + 0.5, written.replace("-", "−"))

        def write(x: float, y: float, words: str, size: int = 13, **look: Any) -> None:  # noqa: ANN401
            ax.text(x, y, words, size=size, parse_math=False, **{"ha": "center", "va": "center", **look})

        def arrow(left: float, right: float, y: float) -> None:
            ax.annotate(
                "", (right, y), (left, y), arrowprops={"arrowstyle": "->", "color": "0.35", "linewidth": 1.4}
            )

        wide, rows = 1.3 * size, (3.4, 7.8)  # where the products stand, under p and the row of W
        matrix = 3.0
        logits = matrix + wide + 2.2
        write(matrix + wide / 2, 0.4, "p · row of W", weight="bold")
        write(logits + 0.62, 0.4, "logits z", weight="bold")
        write(logits + 3.9, 0.4, "softmax", weight="bold")
        write(logits + 7.0, 0.4, "loss, if this\nis the label", weight="bold")
        for label, top in enumerate(rows):
            stacked = {"p": p, f"row {label} of W": w[label], "products": w[label] * p}
            for place, (called, values) in enumerate(stacked.items()):
                y = top - 1.15 * (2 - place)
                cells(matrix, y, values)
                write(matrix - 0.3, y + 0.5, called, size=12, ha="right")
            arrow(matrix + wide + 0.2, logits - 0.2, top + 0.5)
            write(matrix + wide + 1.0, top + 0.1, "sum", size=11, color="0.35")
            cells(logits, top, z[label : label + 1])
            arrow(logits + 1.5, logits + 2.5, top + 0.5)
            left = logits + 2.7
            ax.add_patch(Rectangle((left, top), 2.4, 1.0, facecolor="0.93", edgecolor="none"))
            bar = Rectangle(
                (left, top),
                2.4 * probability[label],
                1.0,
                facecolor=(_YES, _NO)[label],
                edgecolor="none",
                alpha=0.55,
            )
            ax.add_patch(bar)
            write(left + 1.2, top + 0.5, f"{probability[label]:.2f}")
            arrow(left + 2.6, left + 3.4, top + 0.5)
            write(logits + 7.0, top + 0.5, f"{-np.log(probability[label]):.2f}")
            called = ("label 0: continues", "label 1: doesn't")[label]
            write(logits + 0.0, top + 1.35, called, size=11, ha="left", color="0.35")
        entitle(ax, title)
    return ax


def sides(log_odds: Mapping[str, npt.ArrayLike], lines: Mapping[str, float], *, title: str = "") -> Axes:
    """Draw strips of dots, each a pair's log-odds, and upright lines: on their right the answer is yes.

    A dot is orange on the right of the first line, and blue on its left. Dots that would hide each other lie
    above each other. Beside each line stands how many dots of a strip lie on its right: on the left of the
    leftmost line, on the right of the others.

    Parameters
    ----------
    log_odds
        A name for each strip, and its log-odds.
    lines
        What each line is called, and where it is; the one that counts now is the first.
    title
        The finding, in a sentence.
    """
    strips = {name: np.sort(np.asarray(each, np.float64)) for name, each in log_odds.items()}
    every = np.concatenate([*strips.values(), [*lines.values()]])
    step = float(np.ptp(every)) / 60 or 1.0
    now = next(iter(lines.values()))
    with style():
        _, ax = plt.subplots(figsize=(9.6, 1.35 * len(strips) + 1.6))
        for row, values in enumerate(strips.values()):
            places, counts = np.unique(np.floor(values / step), return_counts=True)
            level = np.concatenate([np.arange(count) - (count - 1) / 2 for count in counts])
            height = row + level * min(0.13, 0.8 / counts.max())
            across = np.repeat((places + 0.5) * step, counts)
            for line in lines.values():  # no dot changes sides
                across = np.where((across > line) == (values > line), across, values)
                beyond, left = int(np.sum(values > line)), line == min(lines.values())
                ax.annotate(
                    f"{beyond} →", (line, row - 0.38), (-3 if left else 3, 0), textcoords="offset points",
                    va="center", ha="right" if left else "left", fontsize=11, path_effects=HALO,
                )  # fmt: skip
            yes = values > now
            for some, colour in ((yes, _YES), (~yes, _NO)):
                ax.scatter(across[some], height[some], s=34, color=colour, edgecolor="white", linewidth=0.6)
        reference_lines(ax, lines)
        write_ticks(ax.yaxis, range(len(strips)), [f"{n} ({len(each)})" for n, each in strips.items()])
        ax.tick_params(axis="y", length=0)
        ax.set_ylim(len(strips) - 0.45, -0.55)
        describe_axes(ax, "log-odds (orange: yes, blue: no; beside a line: how many lie on its right)")
        figure = ax.get_figure(root=True)
        if figure is not None:
            take_literally(figure.legend(loc="outside lower center", ncols=2, fontsize=11))
        entitle(ax, title)
    return ax


def seeds(
    shares: Mapping[str, Mapping[str, npt.ArrayLike]], *, title: str = "", label: str = "share right"
) -> list[Axes]:
    """Draw what share is right, a dot for each seed: a panel for each kind of pairs, a row for each training.

    Beside the dots of a row stands their mean.

    Parameters
    ----------
    shares
        The kinds of pairs; for each, the trainings and the shares of their seeds. Every kind has the same
        trainings.
    title
        The finding, in a sentence.
    label
        What the shares are.
    """
    rows = list(next(iter(shares.values())))
    with style():
        size = (9.6, 0.5 * len(rows) + 2.0)
        figure, axes = plt.subplots(1, len(shares), figsize=size, sharey=True, squeeze=False)
        for ax, (kind, of_kind) in zip(axes[0], shares.items(), strict=True):
            for row, name in enumerate(rows):
                values = np.asarray(of_kind[name], np.float64)
                height = row + 0.13 * (np.arange(len(values)) - (len(values) - 1) / 2)
                ax.scatter(values, height, s=45, color=_RIGHT, edgecolor="white", linewidth=0.8, zorder=2.5)
                mean, left = float(values.mean()), values.mean() > 0.75
                ax.annotate(
                    f"{mean:.2f}", (values.min() if left else values.max(), row), (-9 if left else 9, 0),
                    textcoords="offset points", va="center", ha="right" if left else "left", fontsize=12,
                    path_effects=HALO,
                )  # fmt: skip
            first = ax is axes[0][0]
            ax.axvline(0.5, color="0.35", linewidth=1.5, linestyle="--", label="guessing" if first else None)
            ax.set_xlim(0.42, 1.04)
            ax.set_xticks([0.5, 0.75, 1.0])
            ax.grid(axis="x", color="0.9")
            ax.set_axisbelow(True)
            ax.tick_params(axis="y", length=0)
            ax.set_title(kind, fontsize=12, fontweight="normal", loc="center", parse_math=False)
            describe_axes(ax, label)
        write_ticks(axes[0][0].yaxis, range(len(rows)), rows)
        axes[0][0].set_ylim(len(rows) - 0.4, -0.6)
        figure.legend(loc="outside lower center", fontsize=11)
        headline(figure, title)
    return [*axes[0]]
