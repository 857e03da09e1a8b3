"""Figures of chapter 04: what is right, what reaches an activation, where gradients go, what all costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
import torch

from bertviz_lite.plots import SIGNED, bars, heatmap, lines
from bertviz_lite.plots.course_style import CYCLE, style
from bertviz_lite.plots.lettering import headline, without_colour_bar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes
    from torch import Tensor

__all__ = [
    "alike", "arrivals", "cost_lines", "left_out", "lengths_below", "parameter_bars", "right_bars",
    "right_without", "whose",
]  # fmt: skip

_EVERY = 5
"""Every fifth token of a square is numbered."""

_BIN = 0.25
_GREY = "#9aa1a9"


def arrivals(
    numbers: npt.ArrayLike,
    activation: Callable[[Tensor], Tensor],
    *,
    title: str = "",
    name: str = "",
) -> list[Axes]:
    """Draw an activation, and below it a histogram of the numbers that reach it, on one axis.

    A dashed line shows what there would be without it: the numbers themselves.

    Parameters
    ----------
    numbers
        What reaches the activation, of any shape. A thousandth at each end may lie outside of the figure.
    activation
        The function, from a tensor to one of the same shape.
    title
        The finding, in a sentence.
    name
        What the activation is called.

    Returns
    -------
    list of Axes
        The curve's and the histogram's, in which what is above 0 is orange.
    """
    values = np.ravel(np.asarray(numbers, float))
    low, high = np.quantile(values, [0.001, 0.999])
    edges = np.arange(np.floor(min(low, 0)), np.ceil(max(high, 0)) + _BIN / 2, _BIN)
    shares = np.histogram(values, bins=edges)[0] / values.size
    places = torch.linspace(edges[0], edges[-1], 401, dtype=torch.float64)
    with style():
        figure, grid = plt.subplots(2, 1, figsize=(8.0, 6.0), sharex=True)
        upper, lower = axes = list(grid)
        headline(figure, title)
        upper.plot(places, activation(places), color=CYCLE[0], linewidth=2.5)
        ends = [edges[0], edges[-1]]
        upper.plot(ends, ends, color=_GREY, linewidth=2, linestyle="--")
        upper.set_ylabel("what becomes of x")
        upper.text(edges[0] / 2, 0.4, name, color=CYCLE[0], ha="center", fontsize=14)
        upper.text(
            edges[0] / 2, edges[0] / 2 - 0.4, f"  without {name}", color="#5b626a", va="top", fontsize=14
        )
        colours = [_GREY if left < 0 else CYCLE[1] for left in edges[:-1]]
        lower.bar(edges[:-1], shares, width=_BIN, align="edge", color=colours, edgecolor="white")
        lower.set(xlabel="x: an inner number", ylabel="share of them", xlim=(edges[0], edges[-1]))
        for ax in axes:
            ax.axvline(0, color="black", linewidth=0.8)
        top = shares.max() * 0.9
        above = (values > 0).mean()
        lower.text(edges[0] + _BIN, top, f"{1 - above:.0%} “no”", color="#5b626a", fontsize=14)
        lower.text(edges[-1] - _BIN, top, f"{above:.0%} “yes”", color=CYCLE[1], ha="right", fontsize=14)
    return axes


def whose(shares: Mapping[str, npt.ArrayLike], *, title: str = "") -> list[Axes]:
    """Draw from which input token each output token's reaction comes, a square for each stack of layers.

    Parameters
    ----------
    shares
        Names and arrays of shape (n, n): of each output's reaction, row, the share of each input, column.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        One a square, of one figure; a colour bar beside the last.
    """
    with style():
        size = 1.8 + 3.9 * len(shares), 4.9
        figure, axes = plt.subplots(1, len(shares), figsize=size, squeeze=False)
        headline(figure, title)
        squares: list[Axes] = list(axes[0])
        for ax, (name, values) in zip(squares, shares.items(), strict=True):
            square = np.asarray(values, float)
            numbers = [str(place) for place in range(len(square))]
            heatmap(square, numbers, numbers, limit=1, label="share of a row's reaction", ax=ax)
            if ax is not squares[-1]:
                without_colour_bar(ax)
            ax.set_xticks(range(0, len(square), _EVERY), numbers[::_EVERY], rotation=0, ha="center")
            ax.set_yticks(range(0, len(square), _EVERY), numbers[::_EVERY])
            own = f"{name}: {square.diagonal().mean():.0%} from its own token"
            ax.set_title(own, fontsize=12, fontweight="normal")
            ax.set(xlabel="input token, nudged", ylabel="output token, reacting" if ax is squares[0] else "")
    return squares


def alike(squares: Mapping[str, npt.ArrayLike], tokens: Sequence[str], *, title: str = "") -> list[Axes]:
    """Draw how alike the tokens of a text are, a square for each model.

    Parameters
    ----------
    squares
        Names and arrays of shape (n, n): the cosine of any two tokens.
    tokens
        The n tokens.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        One a square, of one figure; blue is below 0, orange above. A colour bar stands beside the last.
    """
    with style():
        size = 2.4 + 4.2 * len(squares), 5.6
        figure, grid = plt.subplots(1, len(squares), figsize=size, squeeze=False, sharey=True)
        headline(figure, title)
        axes: list[Axes] = list(grid[0])
        for ax, (name, square) in zip(axes, squares.items(), strict=True):
            image = ax.imshow(np.asarray(square, float), cmap=SIGNED, vmin=-1, vmax=1)
            ax.set_title(name, fontsize=13, fontweight="normal")
            ax.set_xticks(range(len(tokens)), tokens, rotation=90, fontsize=12)
            ax.set_yticks(range(len(tokens)), tokens, fontsize=12)
            ax.tick_params(length=0)
        figure.colorbar(image, ax=axes, label="cosine of two tokens", shrink=0.8)
    return axes


def lengths_below(lengths: Mapping[str, npt.ArrayLike], *, title: str = "") -> Axes:
    """Draw how long a gradient still is, layer by layer on its way down.

    Parameters
    ----------
    lengths
        Names and lengths of gradients, shape (layers + 1,), from the output down to the input; the output's
        is 1.
    title
        The finding, in a sentence.
    """
    rows = [np.asarray(each) for each in lengths.values()]
    below = "layers below the output"
    ax = lines(np.arange(len(rows[0])), rows, [*lengths], title=title, across=below)
    ax.set_yscale("log")
    ax.set_ylabel("length of the gradient\n(at the output: 1)")
    return ax


def right_bars(shares: Mapping[str, float], *, of: str, title: str = "") -> Axes:
    """Draw what is guessed right, in percent, the largest share on top.

    Parameters
    ----------
    shares
        What guesses, and the share that it gets right, from 0 to 1.
    of
        What is guessed: "348 hidden tokens".
    title
        The finding, in a sentence.
    """
    order = sorted(shares, key=lambda name: -shares[name])
    percent = np.round([100 * shares[name] for name in order])
    ax = bars(percent, order, title=title, label=f"% of {of} guessed right")
    ax.set_xlim(0, 100)
    return ax


def right_without(
    right: Mapping[str, Mapping[str, float]], whole: float, *, of: str, title: str = ""
) -> Axes:
    """Draw what is still guessed right without a part, in percent: a bar for each part, in each place.

    Parameters
    ----------
    right
        For each place ("layer 0") the parts, and the share that is right without each, from 0 to 1.
    whole
        The share that is right if nothing is left out, drawn as a line.
    of
        What is guessed: "348 hidden tokens".
    title
        The finding, in a sentence.
    """
    parts = [*next(iter(right.values()))]
    percent = np.round([[100 * each[part] for each in right.values()] for part in parts])
    series = [f"without {part}" for part in parts]
    label, reference = f"% of {of} guessed right", {"with both": float(np.round(100 * whole))}
    ax = bars(percent, [*right], series, title=title, label=label, reference=reference)
    ax.set_xlim(0, 100)
    return ax


def left_out(right: Mapping[str, Mapping[str, float]], whole: float, *, of: str, title: str = "") -> Axes:
    """Draw what is lost, in points of a hundred: a row for each place, a column for each part left out there.

    Parameters
    ----------
    right
        For each place ("layer 0") the parts, and the share that is right without each, from 0 to 1.
    whole
        The share that is right if nothing is left out.
    of
        What is guessed: "348 hidden tokens".
    title
        The finding, in a sentence.
    """
    parts = [*next(iter(right.values()))]
    lost = np.round([[100 * (whole - each[part]) for part in parts] for each in right.values()])
    label = f"points lost ({100 * whole:.0f} is all)"
    with style():
        _, ax = plt.subplots(figsize=(9.6, 4.4))
        heatmap(lost, [*right], parts, title=title, label=label, limit=100 * whole, ax=ax)
        ax.set(aspect="auto", xlabel=f"left out (with all parts, {whole:.0%} of {of} are right)")
        ax.set_xticks(ax.get_xticks(), parts, rotation=0, ha="center")
        for text in ax.texts:
            text.set_fontsize(14)
    return ax


def parameter_bars(
    counts: Mapping[str, Mapping[str, int]],
    totals: Mapping[str, int],
    parts: Sequence[str],
    *,
    title: str = "",
) -> Axes:
    """Draw what share of its parameters a BERT has in some parts, in percent, several models side by side.

    Parameters
    ----------
    counts
        For each model the parameters of its parts, by name.
    totals
        For each model all its parameters.
    parts
        Which parts are drawn. What they do not hold is drawn as one more.
    title
        The finding, in a sentence.
    """
    percent = []
    for name, count in counts.items():
        held = [100 * count[part] / totals[name] for part in parts]
        percent.append([*held, 100 - sum(held)])
    labels = [*parts, "embeddings, pooler, norms"]
    return bars(np.round(percent), labels, [*counts], title=title, label="% of the model's parameters")


def cost_lines(
    tokens: npt.ArrayLike, parts: Mapping[str, npt.ArrayLike], *, title: str = "", at: Mapping[str, float]
) -> Axes:
    """Draw what one token costs in one layer, a line for each part, over the length of its text.

    Parameters
    ----------
    tokens
        Lengths of texts, rising, shape (n,).
    parts
        Names and operations for the whole text in one layer, each of shape (n,).
    title
        The finding, in a sentence.
    at
        Lengths to mark, by name: {"512, Base's limit": 512}. What is left of the shortest is shaded.
    """
    lengths = np.asarray(tokens)
    each = [np.asarray(operations) / lengths / 1e6 for operations in parts.values()]
    ax = lines(lengths, each, list(parts), title=title, across="tokens in the text")
    ax.set_ylabel("million operations\n1 token, 1 layer")
    top = ax.get_ylim()[1]
    for name, place in at.items():
        ax.axvline(place, color="#59636e", linewidth=1.2, linestyle=":")
        ax.annotate(name, (place, top), (5, -4), textcoords="offset points", va="top", fontsize=11)
    ax.axvspan(0, min(at.values()), color="#59636e", alpha=0.15, lw=0)
    ax.set_xlim(0, lengths[-1])
    return ax
