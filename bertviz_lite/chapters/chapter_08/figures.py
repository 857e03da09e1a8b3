"""Figures of chapter 08: the LM head in one picture, its table, what it reads off layers, and its bias."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from bertviz_lite.chapters.arrows import draw_arrow
from bertviz_lite.plots import CYCLE, SIGNED, intervals, lines, style
from bertviz_lite.plots.lettering import HALO, drawable, headline, write, write_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    Floats = npt.NDArray[np.float64]

__all__ = [
    "bias_by_frequency",
    "kinds_over_layers",
    "near_misses",
    "one_table",
    "shares_over_layers",
    "small_dictionary",
    "vector_to_word",
]

_LEFT, _RIGHT = 1.35, 5.2
"""Where the strips begin and end, in inches."""
_FIT, _BIAS, _LOGIT, _BAR, _END = 6.05, 6.95, 7.85, 8.45, 10.2
"""Where the columns beside a row are: three numbers, and the bar of its probability."""
_HIGH = 0.3
_SUM = 0.4
"""How high the largest running sum of a row's products is drawn, in inches."""
_LEAST = 0.2
"""What a running sum has room for above its line at least: a line of letters."""
_INK, _SOFT = "#1a1a1a", "#59636e"
_HEADING = {"color": CYCLE[0], "weight": "bold"}


def small_dictionary(
    words: Sequence[str],
    table: npt.ArrayLike,
    wanted: npt.ArrayLike,
    names: Sequence[str],
    *,
    title: str = "",
) -> Axes:
    """Draw words of two numbers as arrows, the vector that is held against them, and how far each reaches.

    Parameters
    ----------
    words
        One a row of the table.
    table
        Shape (len(words), 2).
    wanted
        The vector, shape (2,). A dot product with it is how far a word's arrow reaches along it, times its
        length.
    names
        What the two numbers stand for.
    title
        The finding, in a sentence.
    """
    rows, aim = np.asarray(table, np.float64), np.asarray(wanted, np.float64)
    along = aim / np.linalg.norm(aim)
    with style():
        figure, ax = plt.subplots(figsize=(6.4, 4.6))
        ax.axline((0, 0), (along[0], along[1]), color=_SOFT, linewidth=1, linestyle=":")
        draw_arrow(ax, aim, "the vector", _INK)
        for word, row, colour in zip(words, rows, CYCLE, strict=False):
            foot = (row @ along) * along
            ax.plot(*zip(row, foot, strict=True), color=colour, linewidth=1.5, linestyle="--")
            ax.plot(*foot, "o", color=colour, markersize=6)
            score = f"{word}: {row @ aim:.0f}".replace("-", "−")
            draw_arrow(ax, row, score, colour, share=0.4)
        ax.set(xlim=(-1.9, 2.9), ylim=(-1.5, 1.7), xlabel=names[0], ylabel=names[1], aspect="equal")
        ax.set_xticks(range(-1, 3))
        ax.set_yticks(range(-1, 2))
        headline(figure, title)
    return ax


def vector_to_word(
    vector: npt.ArrayLike,
    rephrased: npt.ArrayLike,
    rows: npt.ArrayLike,
    words: Sequence[str],
    scores: npt.ArrayLike,
    *,
    of: int,
    title: str = "",
) -> Axes:
    """Draw what the head does with one vector: strips of numbers, and for some words their scores.

    Below the row of a word runs the sum of its products with the rephrased vector, from left to right: where
    it ends, the dot product is written.

    Parameters
    ----------
    vector, rephrased
        Under the mask, before and after the transform; shape (hidden_size,).
    rows
        The table's rows of the words that are shown, shape (len(words), hidden_size).
    words
        Top to bottom.
    scores
        Each word's dot product, bias and probability, shape (len(words), 3).
    of
        How many rows the whole table has.
    title
        The finding, in a sentence.
    """
    strips, numbers = np.asarray(rows, np.float64), np.asarray(scores, np.float64)
    before, after = np.asarray(vector, np.float64), np.asarray(rephrased, np.float64)
    size = strips.shape[1]
    sums = (strips * after).cumsum(axis=1)
    sums *= _SUM / np.abs(sums).max()
    rooms = [(max(_LEAST, one.max()), max(0.0, -one.min())) for one in sums]
    tops = -1.98 - np.cumsum([0.0, *(_HIGH + up + down + 0.27 for up, down in rooms)])
    foot = float(tops[-1]) - 0.3
    with style():
        figure, ax = plt.subplots(figsize=(10.4, 0.35 - foot))
        _strip(ax, before, -0.35)
        _write(ax, _LEFT - 0.12, -0.5, "[MASK]", ha="right", weight="bold")
        _write(ax, _RIGHT + 0.15, -0.5, f"the last layer's {size} numbers", color=_SOFT)
        middle = (_LEFT + _RIGHT) / 2
        arrow = {"arrowstyle": "-|>", "color": _INK, "linewidth": 1.5}
        ax.annotate("", (middle, -1.1), (middle, -0.67), arrowprops=arrow)
        _write(ax, middle + 0.15, -0.88, "transform: linear map, GELU, LayerNorm", **_HEADING)
        _strip(ax, after, -1.12)
        _write(ax, _LEFT - 0.12, -1.27, "rephrased", ha="right", weight="bold")
        for x, name in ((_FIT, "product"), (_BIAS, "+ bias"), (_LOGIT, "= logit")):
            _write(ax, x, -1.72, name, ha="right", **_HEADING)
        _write(ax, _BAR, -1.72, "softmax: probability", **_HEADING)
        _write(ax, middle, -1.72, f"times each row: {size} products, added up", ha="center", **_HEADING)
        rows_of = zip(words, strips, sums, numbers, rooms, tops[:-1].tolist(), strict=True)
        for word, strip, heights, line, (up, _), top in rows_of:
            _strip(ax, strip, top, limit=float(np.abs(strips).max()))
            base = top - _HIGH - 0.06 - up
            _running_sum(ax, heights, base)
            if top < tops[0]:
                ax.plot([0.3, _END], [top + 0.1] * 2, color="#d1d9e0", linewidth=1, zorder=0)
            _write(ax, _LEFT - 0.16, top - _HIGH / 2, drawable(word), ha="right", weight="bold")
            _write(ax, _LEFT - 0.16, base + _LEAST / 2, "running sum", ha="right", size=9.5, color=_SOFT)
            _row(ax, line, base + float(heights[-1]))
        _write(ax, middle, foot + 0.17, f"… and {of - len(words):,} more rows", ha="center", color=_SOFT)
        edge = Rectangle(
            (_LEFT - 0.08, foot + 0.02), _RIGHT - _LEFT + 0.16, -1.9 - foot,
            fill=False, linestyle="--", linewidth=1.5, edgecolor=_INK,
        )  # fmt: skip
        ax.add_patch(edge)
        note = "dashed: the table of words, a row for each"
        _write(ax, _RIGHT + 0.2, foot + 0.17, note, color=_INK)
        ax.set(xlim=(0, 10.4), ylim=(foot - 0.05, 0))
        ax.set_axis_off()
        headline(figure, title)
    return ax


def shares_over_layers(
    curves: Mapping[str, npt.ArrayLike], *, title: str = "", label: str = "share right"
) -> Axes:
    """Draw shares after each layer, a line for each name; the first number is of the input."""
    numbers = np.array([np.asarray(curve, np.float64) for curve in curves.values()])
    layers = numbers.shape[1] - 1
    ax = lines(range(layers + 1), numbers, list(curves), title=title, label=label, across="after layer")
    ax.set_xticks(range(layers + 1), _readings(layers))
    ax.yaxis.set_major_formatter("{x:.0%}")
    return ax


def _readings(layers: int) -> list[str]:
    """Name the places at which a head can read, as the view FillIn does."""
    return ["input", *map(str, range(layers))]


def kinds_over_layers(
    curves: Mapping[str, npt.ArrayLike], habits: Mapping[str, tuple[str, float]], *, title: str = ""
) -> list[Axes]:
    """Draw a panel for each kind of word: shares right after each layer, and what a habit would give.

    Parameters
    ----------
    curves
        The kind, with what stands below it after a colon: shares, (layers + 1,), the first of the input.
    habits
        By the same names: a word, and the share right of always saying it; dashed.
    title
        The finding, in a sentence.
    """
    with style():
        figure, axes = plt.subplots(1, len(curves), figsize=(10.8, 4.4), sharey=True, layout="constrained")
        for ax, (name, curve), colour in zip(axes, curves.items(), CYCLE, strict=False):
            shares, (word, habit) = np.asarray(curve, np.float64), habits[name]
            last = len(shares) - 1
            ax.plot(shares, "o-", color=colour, linewidth=2.5, markersize=6, clip_on=False)
            ax.axhline(habit, color=_INK, linewidth=1.5, linestyle="--")
            for at in (last - 1, last):
                look = {"ha": "right", "va": "bottom", "weight": "bold", "color": colour}
                _write(ax, at - 0.15, shares[at] + 0.02, f"{shares[at]:.0%}", **look, path_effects=HALO)
            kind, _, counts = name.partition(": ")
            note = f"dashed: always “{drawable(word)}”,\ncommonest in training, {habit:.0%}"
            ax.set_title(f"{kind}\n{counts}\n{note}", fontsize=11, weight="normal", loc="left")
            ax.set_xticks(range(last + 1), _readings(last))
            ax.set(ylim=(-0.02, 1.12), xlim=(-0.3, last + 0.2), xlabel="after layer")
            ax.yaxis.set_major_formatter("{x:.0%}")
        axes[0].set_ylabel("share right")
        headline(figure, title)
    return list(axes)


_NEARNESS = {
    "right": CYCLE[0],
    "only the tense, or the person, wrong": "#8cc0e3",
    "another form, or pronoun": "#b6bec7",
    "another word": "#e4e8ec",
}


def near_misses(
    counts: Mapping[str, Mapping[str, int]],
    near: Mapping[str, int],
    always: Mapping[str, tuple[str, int]],
    *,
    title: str = "",
) -> Axes:
    """Draw how near guesses are, a stacked bar for each row, with a mark for one word that is always said.

    Parameters
    ----------
    counts
        By row: how many guesses are right, nearly right, of the right kind, and other words, in this order.
    near
        By row: how many are right or nearly; written where these two parts end.
    always
        By row: a word, and how many would be right or nearly if it were always said.
    title
        The finding, in a sentence.
    """
    with style():
        figure, ax = plt.subplots(figsize=(10.4, 0.5 * len(counts) + 1.9), layout="constrained")
        numbers = np.array([list(parts.values()) for parts in counts.values()], np.float64)
        ends = numbers.cumsum(axis=1)
        for part, (name, colour) in enumerate(_NEARNESS.items()):
            begins = ends[:, part] - numbers[:, part]
            ax.barh(range(len(counts)), numbers[:, part], left=begins, color=colour, label=name, height=0.7)
        for row, name in enumerate(counts):
            _write(ax, ends[row, 1] - 0.8, row, str(near[name]), ha="right", weight="bold", size=13)
            word, fits = always[name]
            ax.plot([fits, fits], [row - 0.46, row + 0.46], color=_INK, linewidth=2, linestyle="--")
            side = -1 if fits < near[name] else 1  # the left, where the bar's own number stands right of it
            look = {"ha": "right" if side < 0 else "left", "size": 10.5}
            look["color"] = "white" if side < 0 and fits <= ends[row, 0] else _INK
            _write(ax, fits + side * 0.8, row, f"always “{drawable(word)}” {fits}", **look)
        write_ticks(ax.yaxis, range(len(counts)), list(counts))
        ax.invert_yaxis()
        ax.tick_params(axis="y", length=0)
        ax.set(xlim=(0, float(ends[:, -1].max())), xlabel="gaps")
        figure.legend(loc="outside lower center", ncols=2)
        headline(figure, title)
    return ax


def one_table(
    words: Sequence[str],
    ids: Sequence[int],
    rows: npt.ArrayLike,
    rephrased: npt.ArrayLike,
    *,
    read: Sequence[int],
    of: int,
    title: str = "",
) -> Axes:
    """Draw the table that is read and said with: ids pick rows of it, and all its rows meet one vector.

    The rows that are read leave on the left, from a dot each, go up through the layers and become the vector;
    it comes down to every row.

    Parameters
    ----------
    words, ids
        Top to bottom.
    rows
        The table's rows of these words, shape (len(words), hidden_size).
    rephrased
        What comes out of the transform under the mask, shape (hidden_size,).
    read
        The text's ids, each of which picks a row, shown or not.
    of
        How many rows the whole table has.
    title
        The finding, in a sentence.
    """
    strips, vector = np.asarray(rows, np.float64), np.asarray(rephrased, np.float64)
    way_in, way_out, step = CYCLE[0], CYCLE[1], 0.48
    left, right, end, bus = 3.4, 7.0, 8.6, 0.3
    foot = -1.85 - step * len(words)
    across = left, right
    arrow = {"arrowstyle": "-|>", "linewidth": 2.0, "mutation_scale": 15}
    thin = {**arrow, "linewidth": 1.5, "shrinkA": 0, "shrinkB": 0}
    with style():
        figure, ax = plt.subplots(figsize=(10.4, 0.35 - foot))
        _strip(ax, vector, -0.5, across=across)
        _write(ax, right + 0.15, -0.65, "[MASK]'s vector, rephrased", color=way_out)
        stages = {"boxstyle": "round,pad=0.45", "facecolor": "#eef1f4", "edgecolor": _SOFT, "linewidth": 1.5}
        _write(ax, 1.78, -0.65, "all layers, then transform", ha="center", bbox=stages, zorder=5)
        picked = len(set(ids) & set(read))
        _write(ax, 0.6, -1.12, f"{picked} of the {len(set(read))} rows that are read", color=_SOFT)
        _write(ax, 0.6, -1.37, "in: an id picks one row", color=way_in, weight="bold")
        _write(ax, right + 0.15, -1.12, "out: every row, a dot product,", color=way_out, weight="bold")
        _write(ax, right + 0.15, -1.37, "without the bias", color=way_out, weight="bold")
        middle = (left + right) / 2
        ax.annotate("", (middle, -1.5), (middle, -0.84), arrowprops={**arrow, "color": way_out})
        for place, (word, number, strip) in enumerate(zip(words, ids, strips, strict=True)):
            top = -1.6 - step * place
            y = top - _HIGH / 2
            _strip(ax, strip, top, limit=float(np.abs(strips).max()), across=across)
            stands = number in read
            look = {"color": _INK, "weight": "bold"} if stands else {"color": _SOFT}
            _write(ax, 1.5, y, drawable(word), ha="right", **look)
            if stands:
                _write(ax, 1.7, y, f"id {number:,}", color=way_in)
                ax.annotate("", (left - 0.06, y), (2.7, y), arrowprops={**arrow, "color": way_in})
                out = top - _HIGH - 0.05
                ax.plot(left + 0.05, out + 0.05, "o", color=_SOFT, markersize=7, zorder=3, clip_on=False)
                ax.plot([left + 0.05, left + 0.05], [out + 0.05, out], color=_SOFT, linewidth=1.5)
                ax.annotate("", (bus, out), (left + 0.05, out), arrowprops={**thin, "color": _SOFT})
                ax.plot([bus, bus], [out, -0.65], color=_SOFT, linewidth=1.5)
            else:
                _write(ax, 1.7, y, "not in this text", color=_SOFT)
            ax.annotate("", (right + 0.75, y), (right + 0.06, y), arrowprops={**arrow, "color": way_out})
            _write(ax, end, y, f"{strip @ vector:.1f}".replace("-", "−"), ha="right")
        _write(ax, middle, foot + 0.13, f"… and {of - len(words):,} more rows", ha="center", color=_SOFT)
        ax.annotate("", (left - 0.06, -0.65), (bus - 0.02, -0.65), arrowprops={**arrow, "color": _SOFT})
        ax.set(xlim=(0, 10.4), ylim=(foot - 0.05, -0.1))
        ax.set_axis_off()
        headline(figure, title)
    return ax


_FREQUENCIES = {
    "never": (0, 1),
    "once": (1, 2),
    "2 to 9 times": (2, 10),
    "10 to 99": (10, 100),
    "100 to 999": (100, 1_000),
    "1,000 and more": (1_000, np.inf),
}
_SEEN = list(_FREQUENCIES.values())[1:]
"""Those that have a logarithm."""


def bias_by_frequency(bias: npt.ArrayLike, count: npt.ArrayLike) -> Axes:
    """Draw the middle bias, and the middle 80 % of them, of words that are equally frequent.

    A hollow dot is the middle log of the frequency, shifted by one number for all: so that it meets the
    bias at "10 to 99". `bias` and `count`, how often a word occurs, have shape (vocab_size,).
    """
    numbers, times = np.asarray(bias, np.float64), np.asarray(count, np.float64)
    groups = [numbers[(times >= least) & (times < end)] for least, end in _FREQUENCIES.values()]
    rows = [f"{name} ({len(group):,})" for name, group in zip(_FREQUENCIES, groups, strict=True)]
    middles = [float(np.median(group)) for group in groups]
    ends = [np.quantile(group, (0.1, 0.9)).tolist() for group in groups]
    title = f"The rarer a word, the lower its bias: {middles[0]:.1f} if it never occurs, "
    title = f"{title}{middles[3]:.1f} for 10 to 99 times".replace("-", "−")
    if middles != sorted(middles):
        raise ValueError(title)
    logs = np.array([np.log(np.median(times[(times >= least) & (times < end)])) for least, end in _SEEN])
    expected = logs - logs[2] + middles[3]
    label = "bias: the middle one, and the middle 80 % of the words\n"
    label += "hollow: log of the frequency, shifted to meet the bias at “10 to 99”"
    ax = intervals(middles, ends, rows, title=title, label=label)
    look: dict[str, Any] = {"markerfacecolor": "none", "markeredgecolor": CYCLE[1], "markeredgewidth": 2}
    ax.plot(expected, range(1, len(rows)), "o", markersize=12, zorder=3, **look)
    return ax


def _strip(
    ax: Axes,
    numbers: Floats,
    top: float,
    *,
    limit: float | None = None,
    across: tuple[float, float] = (_LEFT, _RIGHT),
) -> None:
    """Draw numbers as cells in a row, blue below zero and orange above."""
    most = limit or float(np.quantile(np.abs(numbers), 0.98))
    extent = (*across, top - _HIGH, top)
    look: dict[str, Any] = {"cmap": SIGNED, "vmin": -most, "vmax": most, "aspect": "auto"}
    ax.imshow(numbers[None], extent=extent, interpolation="nearest", **look)


def _running_sum(ax: Axes, heights: Floats, y: float) -> None:
    """Draw a sum as it grows, in inches, from a line at `y`: orange above, blue below, a dot at its end."""
    across = np.linspace(_LEFT, _RIGHT, len(heights))
    line = y + heights
    ax.fill_between(across, y, line, where=heights >= 0, color=CYCLE[1], linewidth=0, interpolate=True)
    ax.fill_between(across, y, line, where=heights < 0, color=CYCLE[0], linewidth=0, interpolate=True)
    ax.plot([_LEFT, _RIGHT], [y, y], color=_SOFT, linewidth=0.8)
    ax.plot([_RIGHT, _RIGHT + 0.16], [line[-1]] * 2, color=_INK, linewidth=1.2)
    ax.plot(_RIGHT, line[-1], "o", color=_INK, markersize=5)


def _row(ax: Axes, line: Floats, y: float) -> None:
    """Write a word's numbers and the bar of its probability."""
    product, bias, probability = line.tolist()
    for x, number, sign in ((_FIT, product, ""), (_BIAS, bias, "+"), (_LOGIT, product + bias, "")):
        _write(ax, x, y, f"{number:{sign}.2f}".replace("-", "−"), ha="right")
    ax.barh(y, (_END - 0.4 - _BAR) * probability, left=_BAR, height=0.24, color=CYCLE[1])
    at = _BAR + 0.07 + (_END - 0.4 - _BAR) * probability
    share = f"{probability:.3f}" if probability >= 0.0005 else "< 0.001"
    _write(ax, at, y, share, path_effects=HALO)


_write = partial(write, ha="left")
