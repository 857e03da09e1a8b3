"""Figures of chapter 03: attention by hand as arrows, and numbers of all heads side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from bertviz_lite.chapters.arrows import draw_arrow
from bertviz_lite.plots import CYCLE, bars, lettering
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.heat_maps import draw_cells
from bertviz_lite.plots.lettering import HALO, headline, with_decimals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    from bertviz_lite.chapters.chapter_03.agreement import HiddenVerbs

    Floats = npt.NDArray[np.float64]

__all__ = [
    "arrows",
    "framed_weights",
    "gazes",
    "head_maps",
    "looked_at",
    "swaps_told",
    "verb_bars",
]

_PALE = "#4d7d6d"
"""A value as it is, before its weight."""

_GREY = CYCLE[6]
"""What a model's heads are compared with: rules that need no model."""

_HEIGHT = 0.9
"""How high the two pictures of arrows are, as a share of their width."""


def arrows(
    tokens: Sequence[str],
    vectors: Mapping[str, npt.ArrayLike],
    *,
    asking: str,
    title: str = "",
) -> list[Axes]:
    """Draw attention with two numbers a vector: the query among the keys; the values and their blend.

    Beside each key stands its dot product with the query.

    Parameters
    ----------
    tokens
        A name for each key.
    vectors
        "query" of shape (2,), "keys" and "values" of shape (len(tokens), 2), "weights" of shape
        (len(tokens),).
    asking
        The name of the token whose query it is.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        Two, of one figure.
    """
    query, keys, values, weights = (
        np.asarray(vectors[name], float) for name in ("query", "keys", "values", "weights")
    )
    with style():
        figure, both = plt.subplots(1, 2, figsize=(9.6, 4.7))
        headline(figure, title)
        ask, mix = both
        draw_arrow(ask, query, f"{asking} asks", CYCLE[1])
        for token, key in zip(tokens, keys, strict=True):
            draw_arrow(ask, key, token, CYCLE[0])
            _dot_product(ask, query, key)
        for token, value in zip(tokens, values, strict=True):
            level = abs(value[1]) < abs(value[0]) / 3  # its name below, clear of the steps
            draw_arrow(mix, value, "" if level else token, _PALE, share=0.0)
            if level:
                where = {"textcoords": "offset points", "ha": "center", "va": "top"}
                mix.annotate(token, tuple(value), (0, -8), **where, color=_PALE, fontsize=12)
        _tip_to_tail(mix, tokens, values, weights)
        draw_arrow(mix, weights @ values, "blend", CYCLE[1])
        for ax, text, inside in (
            (ask, "the query among the keys; beside each, q · k", [query, *keys]),
            (mix, "weighted values, tip to tail", [*values, weights @ values]),
        ):
            ax.set_title(text, fontsize=12, fontweight="normal")
            _frame(ax, np.array(inside))
    return list(both)


def _dot_product(ax: Axes, query: Floats, key: Floats) -> None:
    """Write a key's dot product with the query beside its arrow, on the side away from the query."""
    aside = np.array([-key[1], key[0]])
    if aside @ query > 0:
        aside = -aside
    right, up = (float(number) for number in 12 * aside / max(np.hypot(*aside), 1e-9))
    product = f"{query @ key:g}".replace("-", "−")
    look: dict[str, Any] = {
        "ha": "center",
        "va": "center",
        "color": CYCLE[0],
        "fontsize": 12,
        "fontweight": "bold",
    }
    middle = float(key[0] / 2), float(key[1] / 2)
    ax.annotate(product, middle, (right, up), textcoords="offset points", path_effects=HALO, **look)


def _tip_to_tail(ax: Axes, tokens: Sequence[str], values: Floats, weights: Floats) -> None:
    """Draw each value times its weight, the heaviest first, each from where the one before ends."""
    start = np.zeros(2)
    for number in np.argsort(-weights):
        step = weights[number] * values[number]
        if np.hypot(*step) < 0.02 * np.hypot(*values.T).max():
            continue  # nothing to be seen
        look = {"color": CYCLE[2], "lw": 3.5, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 16}
        begin, end = ((float(x), float(y)) for x, y in (start, start + step))
        ax.annotate("", end, begin, arrowprops={"arrowstyle": "-|>", **look})
        level = abs(step[0]) > abs(step[1])
        place = start + step * (0.72 if level else 0.5)  # of its name
        ax.annotate(
            f"{weights[number]:.2f} × {tokens[number]}",
            (float(place[0]), float(place[1])),
            (0, -8) if level else (8, 0),
            textcoords="offset points",
            ha="center" if level else "left",
            va="top" if level else "center",
            color=CYCLE[2],
            fontsize=12,
            path_effects=HALO,
        )
        start = start + step


def _frame(ax: Axes, points: Floats) -> None:
    """Frame the tips and their names, which stand to the right of a tip or, left of zero, to its left."""
    low, high = np.minimum(points.min(axis=0), 0), np.maximum(points.max(axis=0), 0)
    (wide, tall), (middle, centre) = high - low, (low + high) / 2
    before, after = (0.2 if low[0] < 0 else 0.1), 0.32  # shares of the width that names need
    width = max(wide / (1 - before - after), 1.4 * tall / _HEIGHT, 0.1)
    left = middle - width * (1 + before - after) / 2
    half = width * _HEIGHT / 2
    ax.set(xlim=(left, left + width), ylim=(centre - half, centre + half))
    ax.set_aspect("equal")  # angles look as they are
    ax.axhline(0, color="#bbbbbb", lw=1, zorder=0)
    ax.axvline(0, color="#bbbbbb", lw=1, zorder=0)


def gazes(rows: Mapping[str, npt.ArrayLike], tokens: Sequence[str], *, title: str = "") -> Axes:
    """Draw where a word looks in some heads: a row for each, a column for each token that it may look at.

    The colours are those of the live view: by the root of a weight.

    Parameters
    ----------
    rows
        Names and weights, each of shape (len(tokens),).
    tokens
        A name for each column.
    title
        The finding, in a sentence.
    """
    weights = np.array([np.asarray(row, float) for row in rows.values()])
    with style():
        figure, ax = plt.subplots(figsize=(10.4, 0.5 * len(weights) + 1.7))
        headline(figure, title)
    _cells(ax, weights.round(2), (list(rows), tokens), limit=1, by_root=True)
    ax.set_aspect("auto")
    ax.set_yticks(range(len(rows)), list(rows))
    with_decimals(ax, 2)
    return ax


def looked_at(rows: Mapping[str, npt.ArrayLike], tokens: Sequence[str], token: str) -> str:
    """Say in which rows of weights a token gets the largest: the finding of :func:`gazes`.

    Parameters
    ----------
    rows
        Names as "she, head 0.3", and weights, each of shape (len(tokens),).
    tokens
        A name for each weight.
    token
        One of them.

    Examples
    --------
    >>> rows = {"she, head 0.3": [0.7, 0.3], "he, head 0.3": [0.2, 0.8], "he, head 3.0": [0.6, 0.4]}
    >>> looked_at(rows, ["anna", "was"], "anna")
    'Anna gets the largest weight from “she” in head 0.3, from “he” in head 3.0'
    """
    found: dict[str, list[str]] = {}
    for name, weights in rows.items():
        word, _, head = name.partition(", head ")
        if tokens[int(np.argmax(np.asarray(weights, float)))] == token:
            found.setdefault(word, []).append(head)
    words = {word: word if word.startswith("[") else f"“{word}”" for word in found}
    parts = [
        f"from {words[word]} in head{'s' * (len(heads) > 1)} {' and '.join(heads)}"
        for word, heads in found.items()
    ]
    return f"{token.capitalize()} gets the largest weight " + (", ".join(parts) or "nowhere")


def swaps_told(weights: npt.ArrayLike, pronouns: npt.ArrayLike, names: npt.ArrayLike, *, count: int) -> str:
    """Say whether the head that looks hardest is the one whose swap changes most: the finding of three maps.

    Parameters
    ----------
    weights
        Of each head on the name, shape (num_layers, num_heads).
    pronouns, names
        How many answers change by a swap in it, of the same shape.
    count
        Of how many sentences.
    """
    looks, changed, moved = (np.asarray(numbers) for numbers in (weights, pronouns, names))
    hardest, most = (
        tuple(map(int, np.unravel_index(numbers.argmax(), numbers.shape))) for numbers in (looks, changed)
    )
    one, other = (f"{layer}.{head}" for layer, head in (hardest, most))
    if one == other:
        return f"Head {one} looks hardest, and changes {changed[most]} of {count} pronouns"
    told = f"Head {one} looks harder; yet {other} changes {changed[most]} of {count} pronouns, "
    return f"{told}{one} changes {moved[hardest]} names"


def _cells(
    ax: Axes,
    values: Floats,
    names: tuple[Sequence[str], Sequence[str]],
    *,
    limit: float | None,
    by_root: bool,
) -> None:
    """Draw a matrix as cells with their numbers, which need no colour bar."""
    with style():
        image = draw_cells(ax, values, limit, by_root=by_root)
        lettering.names(ax, *names)
        strong_from = 0.3 if by_root else 0.55
        lettering.write_values(ax, values, image.get_clim()[1], strong_from=strong_from)


def head_maps(
    maps: Mapping[str, npt.ArrayLike],
    *,
    title: str = "",
    limits: Sequence[float] | None = None,
    outlined: Mapping[str, npt.ArrayLike] | None = None,
) -> list[Axes]:
    """Draw one number a head as a square for each name, side by side: layers down, heads across.

    Weights, which are no whole numbers, have the colours of the live view, by their root.

    Parameters
    ----------
    maps
        Names and arrays, each of shape (num_layers, num_heads).
    title
        The finding, in a sentence.
    limits
        The number with the strongest colour, one a map; the largest of its own if None.
    outlined
        For a name of ``maps``, which heads get a frame: booleans of the same shape.

    Returns
    -------
    list of Axes
        One a map, of one figure.
    """
    with style():
        figure, axes = plt.subplots(1, len(maps), figsize=(1.4 + 3.0 * len(maps), 3.2), squeeze=False)
        headline(figure, title)
    row: list[Axes] = list(axes[0])
    chosen: Sequence[Any] = limits if limits is not None else [None] * len(maps)
    for ax, (name, numbers), limit in zip(row, maps.items(), chosen, strict=True):
        values = np.asarray(numbers, float).round(2)
        layers = [f"layer {layer}" if ax is row[0] else str(layer) for layer in range(values.shape[0])]
        heads = [f"{head}" for head in range(values.shape[1])]
        shares = np.asarray(numbers).dtype.kind == "f"
        _cells(ax, values, (layers, heads), limit=limit, by_root=shares)
        for layer, head in np.argwhere(np.asarray((outlined or {}).get(name, False))):
            box = Rectangle((head - 0.47, layer - 0.47), 0.94, 0.94, fill=False, ec=CYCLE[1], lw=2.5)
            ax.add_patch(box)
        ax.set_title(name, fontsize=12, fontweight="normal")
        ax.set_xlabel("head")
    return row


def framed_weights(
    maps: Mapping[str, npt.ArrayLike], outlined: Mapping[str, npt.ArrayLike]
) -> tuple[str, float]:
    """Say in how many heads the first of some maps is framed, and with which weights.

    Parameters
    ----------
    maps
        "on Anna" and the like, and arrays of weights, each of shape (num_layers, num_heads).
    outlined
        For each name which heads are framed: booleans of the same shape.

    Returns
    -------
    tuple of str and float
        A title; the largest weight without a frame, of all maps.
    """
    weights = {name: np.asarray(numbers, float) for name, numbers in maps.items()}
    framed = {name: np.asarray(outlined[name], bool) for name in weights}
    first = next(iter(weights))
    largest = np.sort(weights[first][framed[first]])
    title = f"In {largest.size} of {weights[first].size} heads, {first.removeprefix('on ')} gets "
    title += "the largest weight: " + " and ".join(f"{weight:.2f}" for weight in largest)
    rest = max(float(weights[name][~framed[name]].max()) for name in weights)
    return title, rest


def share_bars(
    found: Mapping[str, float],
    rules: Mapping[str, float],
    *,
    title: str = "",
    label: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw shares as bars: what the model or its heads get right; below, in grey, what rules do.

    Parameters
    ----------
    found, rules
        Names and shares.
    title
        The finding, in a sentence.
    label
        What the shares are of.
    ax
        Where to draw; a figure of its own if None.
    """
    rows = {**found, **rules}
    ax = bars([*rows.values()], [*rows], title=title, label=label, ax=ax)
    for bar in ax.containers[0][len(found) :]:
        bar.set_color(_GREY)
    return ax


def verb_bars(result: HiddenVerbs, *, title: str = "") -> list[Axes]:
    """Draw how many hidden verbs are guessed right, and how many of their subjects are found; rules in grey.

    Parameters
    ----------
    result
        What :func:`bertviz_lite.chapters.chapter_03.agreement.hidden_verbs` returns.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        Two, of one figure: the forms, the subjects.
    """
    side = "before" if result.offset < 0 else "after"
    head = f"head {result.best[0]}.{result.best[1]}"
    guess = f"always {abs(result.offset)} tokens {side}"
    with style():
        figure, axes = plt.subplots(2, 1, figsize=(8.0, 4.2), sharex=True, height_ratios=[2, 3])
        headline(figure, title)
    both: list[Axes] = list(axes)
    forms, subjects = both
    share_bars({"the model": result.right}, {"always the commoner form": result.usual}, ax=forms)
    rules = {guess: result.guess, "a word at random": result.chance}
    share_bars({head: result.head}, rules, label=f"share of {result.n} verbs", ax=subjects)
    for ax, name in (forms, "the right form"), (subjects, "the subject found"):
        ax.set_title(name, fontsize=12, fontweight="normal", loc="left")
    return both
