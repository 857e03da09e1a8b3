"""Figures of chapter 07: tanh, four ways to pool, the nearest candidates, probes, trainings and starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import PercentFormatter

from bertviz_lite.chapters.chapter_07.same_event import KINDS_OF_CANDIDATES
from bertviz_lite.plots import CYCLE, heatmap
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.heat_maps import UNSIGNED, draw_cells
from bertviz_lite.plots.lettering import HALO, entitle, headline, without_colour_bar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = [
    "before_and_after",
    "curves",
    "four_ways",
    "nearest_map",
    "nearest_maps",
    "read_off",
    "starts",
    "tanh_curve",
    "told",
    "two_orders",
]

_SHADES = 51  # of 2 % each: no eye sees the steps, and a PNG's palette holds them all beside letters


def four_ways(
    tokens: Sequence[str],
    states: npt.ArrayLike,
    pooled: Mapping[str, npt.ArrayLike],
    another: Mapping[str, npt.ArrayLike],
    *,
    title: str = "",
) -> list[Axes]:
    """Draw the vectors of a text's tokens, what every pooling makes of them, and the tokens of another text.

    Parameters
    ----------
    tokens
        The tokens of one text.
    states
        Some components of their vectors, shape (tokens, components).
    pooled
        Names of poolings, and the same components of the vector that each makes.
    another
        The tokens of another text, and the same components of their vectors.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        That of the tokens, that of the poolings, and that of the other text.
    """
    parts = [np.asarray(states, float), *(np.array([*rows.values()], float) for rows in (pooled, another))]
    limit = float(np.abs(np.concatenate(parts)).max())
    with style():
        heights = [len(part) for part in parts]
        figure, axes = plt.subplots(
            3, 1, figsize=(8.4, 1.0 + 0.33 * sum(heights)), height_ratios=heights, layout="constrained"
        )
        headline(figure, title)
        for ax, values, names in zip(axes, parts, (tokens, [*pooled], [*another]), strict=True):
            # by the root, so that the pooler's numbers, never beyond 1, are not pale beside the tokens'
            draw_cells(ax, values, limit, aspect="auto", signed=True, by_root=True)
            ax.set_yticks(range(len(names)), names)
            ax.set_xticks([])
            ax.tick_params(length=0)
            ax.grid(visible=False)
        for ax, label in zip(axes, ("tokens", "pooled", "another text"), strict=True):
            ax.set_ylabel(label)
        count = parts[0].shape[1]
        axes[-1].set_xlabel(f"the first {count} components; blue below 0, orange above; strong: far from 0")
    return list(axes)


def tanh_curve(numbers: npt.ArrayLike, *, title: str = "") -> Axes:
    """Draw tanh, and on it what becomes of some numbers.

    Parameters
    ----------
    numbers
        What goes into tanh. Near 0, they are written by turns right and left of the curve.
    title
        The finding, in a sentence.
    """
    across = np.linspace(-8.5, 8.5, 341)
    with style():
        _, ax = plt.subplots(figsize=(8.0, 3.6))
    ax.plot(across, np.tanh(across), linewidth=2.5)
    for place, x in enumerate(np.asarray(numbers, float)):
        ax.plot(x, np.tanh(x), "o", color=INK, zorder=3)
        near: dict[str, Any] = {"textcoords": "offset points", "fontsize": 12}
        if abs(np.tanh(x)) > 0.5:
            near |= {"xytext": (0, -10), "ha": "center", "va": "top"}
        else:
            near |= {"xytext": ((12, -10), (-12, 8))[place % 2], "ha": ("left", "right")[place % 2]}
        ax.annotate(f"{x:.1f} → {np.tanh(x):.2f}", (x, np.tanh(x)), **near)
    ax.set(
        xlabel="what the linear map gives, Wh + b",
        ylabel="p",
        yticks=(-1, -0.5, 0, 0.5, 1),
        ylim=(-1.1, 1.15),
    )
    with style():
        entitle(ax, title)
    return ax


def nearest_map(
    shares: Mapping[str, npt.ArrayLike],
    *,
    of: Mapping[str, int] | None = None,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw which candidate is nearest how often: a row for each way to compare, a column for each candidate.

    All such maps have the same colours, from 0 to 100 %.

    Parameters
    ----------
    shares
        Names, and for each what `scoring.nearest` gives.
    of
        For each candidate, how many queries have one: written below those that not all queries have.
    title
        The finding, in a sentence.
    ax
        Where to draw; a figure of its own if None.
    """
    exact = 100 * np.array(list(shares.values()), float)
    percent = exact.round()
    if ax is None:
        with style():
            _, ax = plt.subplots(figsize=(8.4, 4.0))
    heatmap(percent, [*shares], KINDS_OF_CANDIDATES, title=title, label="% nearest", limit=100, ax=ax)
    ax.images[0].set_cmap(UNSIGNED.resampled(_SHADES))
    for text, value in zip(ax.texts, exact.flat, strict=True):
        if 0 < value <= 0.5:
            text.set_text("<1")  # one query of 200 isn't none
    broken = [name.replace(" ", "\n") for name in KINDS_OF_CANDIDATES]
    if of:
        broken = [
            name if of[kind] == max(of.values()) else f"{name}\n(of {of[kind]})"
            for kind, name in zip(KINDS_OF_CANDIDATES, broken, strict=True)
        ]
    ax.set_xticks(range(len(KINDS_OF_CANDIDATES)), broken, rotation=0, ha="center")
    ax.set_xlabel(
        "the candidate that is nearest, in % of the queries that have one\n(so a row needn't add up to 100)"
    )
    ax.set_aspect("auto")
    return ax


def nearest_maps(
    panels: Mapping[str, Mapping[str, npt.ArrayLike]],
    *,
    of: Mapping[str, int] | None = None,
    title: str = "",
) -> list[Axes]:
    """Draw several maps of `nearest_map`, one above the other, with one bar; the lowest names the candidates.

    Parameters
    ----------
    panels
        For each panel's name what `nearest_map` draws.
    of
        See `nearest_map`.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        One for each panel, of one figure.
    """
    with style():
        height = 1.7 + sum(0.25 + 0.42 * len(shares) for shares in panels.values())
        figure, grid = plt.subplots(
            len(panels), 1, figsize=(8.4, height), squeeze=False, layout="constrained"
        )
        headline(figure, title)
    axes: list[Axes] = [*grid[:, 0]]
    for ax, (name, shares) in zip(axes, panels.items(), strict=True):
        nearest_map(shares, of=of, ax=ax)
        ax.set_title(name, fontsize=12, fontweight="normal", loc="left")
        if ax is not axes[-1]:
            ax.set_xlabel("")
            ax.set_xticklabels([])
        without_colour_bar(ax)
    bar = figure.colorbar(axes[0].images[0], ax=axes, shrink=0.6, label="% nearest")
    bar.outline.set_visible(False)
    return axes


def told(rows: Sequence[tuple[str, Sequence[float]]]) -> str:
    """Tell the rows of `two_orders` in words, for those who don't see it.

    Examples
    --------
    >>> told([("gifts", []), ("all", [0.9, 0.85]), ("none", [0.2, 0.5])])
    'gifts; all 90%, 85%; none 20%, 50%'
    """
    return "; ".join(f"{name} {', '.join(f'{run:.0%}' for run in runs)}".strip() for name, runs in rows)


def before_and_after(
    before: Mapping[str, float], rows: Sequence[tuple[str, Sequence[float]]], *, title: str = ""
) -> Axes:
    """Draw what four ways to pool find before a training and after, beside chance and the shared words.

    Parameters
    ----------
    before
        For each row's name what it found before; and what "shared words" finds.
    rows
        See `two_orders`.
    title
        The finding, in a sentence.
    """
    reference = {"chance": 0.2, "shared words": before["shared words"]}
    return two_orders(rows, before=[before[name] for name, _ in rows], reference=reference, title=title)


def two_orders(
    rows: Sequence[tuple[str, Sequence[float]]],
    *,
    before: Sequence[float] = (),
    reference: Mapping[str, float] | None = None,
    title: str = "",
) -> Axes:
    """Draw what trainings reach: a row for each, and in it a dot for each order of the questions.

    Parameters
    ----------
    rows
        Names, and for each its shares; a name without shares is a heading.
    before
        For each row what it had before the training: a grey dot, and a line from there.
    reference
        Lines to compare with: {"by chance": 0.2}.
    title
        The finding, in a sentence.
    """
    near: dict[str, Any] = {"textcoords": "offset points", "va": "center", "path_effects": HALO}
    with style():
        _, ax = plt.subplots(figsize=(8.4, 1.5 + (0.4 if len(rows) < 8 else 0.31) * len(rows)))
        for place, (_, runs) in enumerate(rows):
            if not runs:
                continue
            for start in before[place : place + 1]:
                ax.plot([start, max(runs)], [place, place], color="#c9d0d6", linewidth=2, zorder=1)
                ax.plot(start, place, "o", color="#7d868e", markersize=9, zorder=3)
                ax.annotate(f"{start:.0%}", (start, place), xytext=(-9, 0), ha="right", fontsize=12, **near)
            heights = place + 0.3 * ((np.arange(len(runs)) + 0.5) / len(runs) - 0.5)  # no dot hides another
            ax.plot(runs, heights, "o", color=CYCLE[0], markersize=9, zorder=3)
            told = ", ".join(f"{run:.0%}" for run in runs)
            ax.annotate(told, (max(runs), place), xytext=(11, 0), fontsize=12, **near)
        for number, (name, at) in enumerate((reference or {}).items()):
            ax.axvline(at, color=INK, linestyle=("--", ":")[number % 2], linewidth=1.5, zorder=0)
            side: dict[str, Any] = {"ha": ("right", "left")[number % 2], "xytext": ((-5, 5)[number % 2], 0)}
            ax.annotate(f"{name} {at:.0%}", (at, len(rows) - 0.35), fontsize=12, **near | side)
        ax.set_yticks(range(len(rows)), [name for name, _ in rows])
        for label, (_, runs) in zip(ax.get_yticklabels(), rows, strict=True):
            label.set_fontweight("normal" if runs else "bold")
        ax.set(xlim=(0, 1.24), ylim=(len(rows) - (0.1 if reference else 0.5), -0.5), xticks=(0, 0.5, 1))
        ax.spines["bottom"].set_bounds(0, 1)  # room for what is written, but no share beyond 1
        ax.xaxis.set_major_formatter(PercentFormatter(1))
        ax.tick_params(axis="y", length=0)
        ax.grid(axis="y", visible=False)
        ax.set_xlabel(("grey: before; blue: " if before else "") + "right, in one order and in another")
        entitle(ax, title)
    return ax


def read_off(
    stages: Mapping[str, Mapping[str, float]],
    chance: Mapping[str, float],
    *,
    again: Mapping[str, Mapping[str, float]] | None = None,
    title: str = "",
) -> Axes:
    """Draw what can be read off a vector, stage by stage: a line for each thing that is asked.

    Parameters
    ----------
    stages
        Names of stages, left to right, and what `reading_off.read_off_cls` gives at each.
    chance
        What `reading_off.commonest` gives: dotted.
    again
        Names of stages that have a second run, and what it gives: rings on a dashed line.
    title
        The finding, in a sentence.
    """
    places = range(len(stages))
    with style():
        _, ax = plt.subplots(figsize=(8.4, 4.2))
        for number, asked in enumerate(chance):
            shares = [stage[asked] for stage in stages.values()]
            colour = CYCLE[number]
            ax.plot(places, shares, "o-", color=colour, linewidth=3, markersize=9)
            # dots by turns, so that of two equal levels both are seen
            dots = (2 * number, (1.5, 4.5))
            ax.axhline(chance[asked], color=colour, linestyle=dots, linewidth=2)
            for place, share in zip(places, shares, strict=True):
                last = place == len(stages) - 1
                told = f"{share:.0%} {asked}" if last else f"{share:.0%}"
                near: dict[str, Any] = {"textcoords": "offset points", "color": colour, "fontsize": 13}
                is_valley = 0 < place < len(shares) - 1 and share < min(shares[place - 1], shares[place + 1])
                above = (0, 16 if is_valley else 9)  # clear of the two lines that meet there
                near |= {"xytext": (11, 0), "va": "center"} if last else {"xytext": above, "ha": "center"}
                ax.annotate(told, (place, share), path_effects=HALO, **near)
            for place, name in enumerate(stages):
                if name in (again or {}):
                    share = (again or {})[name][asked]
                    if place:
                        ax.plot(
                            [place - 1, place], [shares[place - 1], share], "--", color=colour, linewidth=1.5
                        )
                    ring: dict[str, Any] = {"color": colour, "markerfacecolor": "white", "markersize": 9}
                    ax.plot(place, share, "o", markeredgewidth=2, zorder=3, **ring)
        ax.set(xlim=(-0.3, len(stages) - 0.45), ylim=(0, 1.14), yticks=(0, 0.5, 1))
        ax.set_xticks(places, [*stages])
        ax.yaxis.set_major_formatter(PercentFormatter(1))
        ax.set_ylabel("read off [CLS]")
        levels = ", ".join(f"{asked} {share:.0%}" for asked, share in chance.items())
        ax.set_xlabel(f"dotted: always saying the commonest ({levels})")
        entitle(ax, title)
    return ax


def starts(
    strengths: Mapping[str, npt.ArrayLike],
    found: Mapping[str, Sequence[float]],
    *,
    title: str = "",
) -> list[Axes]:
    """Draw how unevenly some matrices stretch, and beside it what a training reaches from each of them.

    Parameters
    ----------
    strengths
        For some names the singular values of a matrix, the largest first; drawn as shares of the largest.
    found
        Names, those of `strengths` among them, and for each the accuracies of its runs. A bar is their mean.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        That of the strengths, and that of the accuracies.
    """
    colours = dict(zip(found, (CYCLE[place % len(CYCLE)] for place in range(len(found))), strict=True))
    with style():
        figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.9), layout="constrained")
        headline(figure, title)
        for number, (name, values) in enumerate(strengths.items()):
            curve = np.asarray(values, float)
            look: dict[str, Any] = {"color": colours[name], "linestyle": ("-", (0, (2, 2)))[number % 2]}
            left.plot(range(1, len(curve) + 1), curve / curve[0], linewidth=3, label=name, **look)
        left.set(xlabel="directions, the strongest first", ylabel="strength / strongest", ylim=(0, 1.05))
        left.legend(fontsize=11, loc="upper right", bbox_to_anchor=(1.0, 0.95))
        for place, (name, runs) in enumerate(found.items()):
            right.barh(place, np.mean(runs), height=0.62, color=colours[name], alpha=0.55)
            heights = place + 0.4 * ((np.arange(len(runs)) + 0.5) / len(runs) - 0.5)  # no dot hides another
            right.plot(runs, heights, "o", color=INK, markersize=5, zorder=3)
            told = ", ".join(f"{run:.0%}" for run in runs)
            right.annotate(
                told, (max(runs), place), xytext=(9, 0), textcoords="offset points", va="center", fontsize=11
            )
        right.set_yticks(range(len(found)), [*found])
        right.set(xlabel="right, of 200; a dot is a run", xlim=(0, 1.45), ylim=(len(found) - 0.5, -0.5))
        right.set_xticks((0, 0.5, 1))
        right.spines["bottom"].set_bounds(0, 1)  # room for what is written, but no share beyond 1
        right.xaxis.set_major_formatter(PercentFormatter(1))
        right.tick_params(axis="y", length=0)
        right.grid(axis="y", visible=False)
    return [left, right]


def curves(
    steps: Sequence[int],
    panels: Mapping[str, Mapping[str, npt.ArrayLike]],
    *,
    title: str = "",
    reference: int | None = None,
) -> list[Axes]:
    """Draw accuracies over steps in small panels: a row for each training, a column for each name.

    In a panel the runs of one name stand out, and those of the others are grey: all in one panel cover each
    other.

    Parameters
    ----------
    steps
        Where the accuracies were measured.
    panels
        For each row's heading, names and accuracies of shape (runs, len(steps)); the same names in each. A
        single row has no heading.
    title
        The finding, in a sentence.
    reference
        One of the steps, to mark by an upright line, and by what the runs have there.

    Returns
    -------
    list of Axes
        One for each row and name, row by row, of one figure.
    """
    names = [*next(iter(panels.values()))]
    with style():
        figure, grid = plt.subplots(
            len(panels),
            len(names),
            figsize=(9.6, 1.4 + 1.6 * len(panels)),
            sharex=True,
            sharey=True,
            squeeze=False,
        )
        headline(figure, title)
    for (heading, runs_of), row in zip(panels.items(), grid, strict=True):
        for number, (name, ax) in enumerate(zip(names, row, strict=True)):
            others = np.concatenate([np.asarray(runs_of[other], float) for other in names if other != name])
            ax.plot(steps, others.T, color="#d5dae0", linewidth=1.2, zorder=1)
            for run, accuracies in enumerate(np.asarray(runs_of[name], float)):
                look: dict[str, Any] = {"color": CYCLE[number], "linestyle": ("-", "--")[run % 2]}
                ax.plot(steps, accuracies, linewidth=2, marker="o", markersize=3.5, **look)
            if reference is not None:
                _mark(ax, reference, np.asarray(runs_of[name], float)[:, [*steps].index(reference)])
            ax.set(ylim=(0, 1.05), xticks=steps[::4])
            ax.yaxis.set_major_formatter(PercentFormatter(1))
        if len(panels) > 1:  # beside the label of all, one row's own would read as a part of it
            row[0].set_ylabel(heading, fontsize=12)
    for number, (name, ax) in enumerate(zip(names, grid[0], strict=True)):
        ax.set_title(name, fontsize=13, color=CYCLE[number])
    figure.supxlabel("steps; solid and dashed: two runs; grey: those of the others", fontsize=12)
    figure.supylabel("right, of 200", fontsize=12)
    return [ax for row in grid for ax in row]


def _mark(ax: Axes, place: float, values: npt.NDArray[np.float64]) -> None:
    """Mark a place by an upright line, and write what the runs have there."""
    ax.axvline(place, color="#888888", linestyle=":", linewidth=1.5)
    low, high = f"{values.min():.0%}", f"{values.max():.0%}"
    told = low if low == high else f"{low[:-1]} to {high}"
    mark: dict[str, Any] = {"xytext": (5, 3), "textcoords": "offset points", "fontsize": 11}
    ax.annotate(f"at {place:g}: {told}", (place, 0.04), color=INK, **mark)
