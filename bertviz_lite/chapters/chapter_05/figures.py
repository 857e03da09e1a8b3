"""Figures of chapter 05: where a clue stands, readers and layers compared, and one word at three heights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyArrowPatch, Rectangle
from matplotlib.ticker import PercentFormatter

from bertviz_lite.chapters.chapter_05.reading_layers import heights_of
from bertviz_lite.chapters.chapter_05.xor import xor_square
from bertviz_lite.plots import CYCLE, bars, heatmap, pca, scatter_map
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.heat_maps import draw_cells
from bertviz_lite.plots.lettering import (
    describe_axes,
    entitle,
    headline,
    legend as write_legend,
    names as write_names,
    with_decimals,
    without_colour_bar,
    write,
)
from bertviz_lite.plots.line_charts import draw_lines
from bertviz_lite.plots.point_names import apart

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    from bertviz_lite.evaluation.probes import TagResult

    Floats = npt.NDArray[np.float64]

__all__ = [
    "clue_maps",
    "fair_bars",
    "fewer_layers",
    "guess_grid",
    "look_lines",
    "order_bars",
    "sense_maps",
    "sight_grids",
    "tag_map",
    "xor_square",
]

_CLOSE = 0.055
"""How far two names beside dots must be from each other, as a weight."""

_NAMED = 0.2
"""The smallest weight at which a head's name is worth its room."""

_LEAST = 0.05
"""The smallest share that a map of clues writes and colours."""


def clue_maps(clues: Mapping[str, tuple[Sequence[str], Floats]], *, title: str = "") -> list[Axes]:
    """Draw, one above the other, which vector decides the guess at each height: the first height below.

    An arrow leads to [MASK] from the vector that decides before it, if that stands further off. The top row
    is grey: there the guess is read off [MASK], so no other vector can count.

    Parameters
    ----------
    clues
        For each name the tokens, and shares of shape (heights, seq_len). Those below 0.05 are left empty.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        One a clue, of one figure.
    """
    with style():
        figure, axes = plt.subplots(len(clues), 1, figsize=(9.4, 2.0 * len(clues) + 0.8), squeeze=False)
        headline(figure, title)
        across = "token whose vector is swapped\n"
        across += f"(number: share of the way to the twin's guess; empty: below {_LEAST};\n"
        across += "grey: must be so, since the guess is read off [MASK])"
        figure.supxlabel(across, fontsize=12)
        figure.supylabel("height of the swap", fontsize=12)
    column: list[Axes] = list(axes[:, 0])
    for ax, (name, (tokens, shares)) in zip(column, clues.items(), strict=True):
        seen = np.where(np.abs(shares) < _LEAST, 0.0, shares.round(2))
        heatmap(np.flipud(seen), heights_of(len(shares) - 1)[::-1], tokens, limit=1, ax=ax)
        ax.set_aspect("auto")
        without_colour_bar(ax)
        with_decimals(ax, 2)
        for text in ax.texts:
            text.set_fontsize(11)
            text.set_visible(text.get_text() != "0.00")  # the few squares that count stand out
        ax.set_title(name, fontsize=12, fontweight="normal")
        _grey_top(ax, shares[-1])
        if "[MASK]" in tokens:
            _point_at_jump(ax, shares, tokens.index("[MASK]"))
    return column


def _grey_top(ax: Axes, shares: Floats) -> None:
    """Draw grey over the squares of the top row that count, their numbers dark."""
    for place in np.flatnonzero(np.abs(shares) >= _LEAST):
        ax.add_patch(Rectangle((place - 0.5, -0.5), 1, 1, fc="#c9cdd3", ec="none"))
    for text in ax.texts:
        if round(text.get_position()[1]) == 0:
            text.set_color(INK)


def _point_at_jump(ax: Axes, shares: Floats, place: int) -> None:
    """Draw an arrow from the vector that counts most to `place`, where more than half of the way is first.

    There is none to a neighbour: it has no room, and needs none.
    """
    arrival = int((shares[:, place] > 0.5).argmax())
    source = int(shares[arrival - 1].argmax())
    if arrival == 0 or abs(place - source) < 2:
        return
    side = float(np.sign(place - source))
    rows = len(shares) - arrival, len(shares) - 1 - arrival  # the first height is the lowest row
    start, end = (source + 0.52 * side, rows[0] - 0.1), (place - 0.52 * side, rows[1] + 0.1)
    look: dict[str, Any] = {
        "arrowstyle": "-|>",
        "mutation_scale": 16,
        "lw": 2.5,
        "color": CYCLE[1],
        "zorder": 4,
    }
    ax.add_patch(FancyArrowPatch(start, end, shrinkA=0, shrinkB=0, **look))


def look_lines(weights: Mapping[str, Floats], *, even: float | None = None, title: str = "") -> Axes:
    """Draw, layer by layer, the weight of the head that looks hardest, and the head's name beside it.

    A head that looks with less than 0.2 goes without its name. A name stands above its line, on the side of
    the lower neighbour; in the last layer, where no line goes on, to the right of its dot.

    Parameters
    ----------
    weights
        For each kind of text an array of shape (layers, heads).
    even
        The weight that each token has if all have the same; drawn as a line.
    title
        The finding, in a sentence.
    """
    tables = list(weights.values())
    layers = np.arange(len(tables[0]))
    with style():
        _, ax = plt.subplots(figsize=(9.4, 5.0))
        draw_lines(ax, layers, [table.max(axis=1) for table in tables], list(weights))
        colours = [line.get_color() for line in ax.lines]
        for line in ax.lines:
            line.set_marker("o")
        for layer in layers:
            hardest = [float(table[layer].max()) for table in tables]
            heights = apart(hardest, _CLOSE, lowest=_CLOSE / 2)  # no name below the axis
            for table, colour, height in zip(tables, colours, heights, strict=True):
                if table[layer].max() >= _NAMED:
                    ends = layer == layers[-1]
                    comes = 0 < layer < layers[-1] and table[layer - 1].max() < table[layer + 1].max()
                    look = {"ha": "right" if comes else "left", "va": "center" if ends else "bottom"}
                    where = layer + (-0.04 if comes else 0.07 if ends else 0.04)
                    lift = 0.0 if ends else 0.015
                    write(
                        ax,
                        where,
                        height + lift,
                        f"head {layer}.{table[layer].argmax()}",
                        color=colour,
                        **look,
                    )
        if even is not None:
            ax.axhline(even, color=INK, lw=1.2, ls=":", label="even share", zorder=1)
        ax.set_xticks(layers, [f"layer {layer}" for layer in layers])
        ax.set(ylim=(0, 1), xlim=(-0.15, layers[-1] + 0.5))
        describe_axes(ax, "", f"weight on the name, head that looks hardest\n(named from {_NAMED} on)")
        write_legend(ax)
        entitle(ax, title)
    return ax


def sight_grids(
    may_look: Mapping[str, npt.NDArray[np.bool_]], tokens: Sequence[str], place: int, *, title: str = ""
) -> list[Axes]:
    """Draw, side by side, who may look at whom: a row looks, a column is looked at, dark means yes.

    Parameters
    ----------
    may_look
        For each reader, by name, True and False of shape (seq_len, seq_len).
    tokens
        What stands at each place.
    place
        The row that is framed.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        One a reader, of one figure.
    """
    with style():
        figure, axes = plt.subplots(1, len(may_look), figsize=(11.0, 4.6), squeeze=False)
        headline(figure, title)
        figure.supxlabel("is looked at (dark: may be seen)", fontsize=12)
    row: list[Axes] = list(axes[0])
    for ax, (name, allowed) in zip(row, may_look.items(), strict=True):
        draw_cells(ax, np.where(allowed, 0.7, 0.0).astype(np.float64), 1.0)
        write_names(ax, tokens if ax is row[0] else [""] * len(tokens), tokens)
        ax.set_xticks(range(len(tokens)), tokens, rotation=90, ha="center", va="top", fontsize=11)
        for text in ax.get_xticklabels():
            text.set_rotation_mode("default")
        _part_cells(ax, len(tokens), len(tokens), 1.5)
        frame = (-0.5, place - 0.5), len(tokens), 1
        ax.add_patch(Rectangle(*frame, fill=False, ec=CYCLE[1], lw=3, clip_on=False, zorder=3))
        ax.set_title(name, fontsize=13, fontweight="normal")
    row[0].set_ylabel("looks")
    return row


def _part_cells(ax: Axes, rows: int, columns: int, width: float) -> None:
    """Draw white lines between the cells of a grid, and no ticks."""
    ax.set_xticks(np.arange(columns + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(rows + 1) - 0.5, minor=True)
    ax.grid(which="minor", color="white", linewidth=width)
    ax.tick_params(which="both", length=0)


def guess_grid(
    guesses: Mapping[str, Sequence[Counter[str]]],
    groups: Sequence[str],
    *,
    ahead: Mapping[str, Sequence[int]],
    title: str = "",
) -> Axes:
    """Draw each group's commonest guess, and how many have it; dark where it is still that of the first row.

    Under it stands in how many the first row's word is ahead of one other word, whatever is the best of all.

    Parameters
    ----------
    guesses
        For each thing that is left out, nothing first, the guesses of each group.
    groups
        Their names.
    ahead
        For each thing that is left out, in how many texts of each group the first row's word is ahead of that
        of the texts' twins.
    title
        The finding, in a sentence.
    """
    usual = [counts.most_common(1)[0][0] for counts in next(iter(guesses.values()))]
    still = np.array(
        [
            [counts[word] / counts.total() for word, counts in zip(usual, row, strict=True)]
            for row in guesses.values()
        ]
    )
    with style():
        figure, ax = plt.subplots(figsize=(10.2, 0.8 * len(guesses) + 1.8))
        headline(figure, title)
    draw_cells(ax, 0.8 * still, 1.0, aspect="auto")
    write_names(ax, list(guesses), groups)
    for row, (name, of_row) in enumerate(guesses.items()):
        for column, (counts, leads) in enumerate(zip(of_row, ahead[name], strict=True)):
            ((word, count),) = counts.most_common(1)
            colour = "white" if still[row, column] > 0.7 else INK
            text = f"{word}\n{count} of {counts.total()}\nahead: {leads}"
            ax.text(column, row, text, ha="center", va="center", fontsize=11, color=colour)
    _part_cells(ax, len(guesses), len(groups), 2)
    across = "dark: still the word of the top row; ahead: how often this is before its twin's word"
    ax.set(xlabel=across, ylabel="left out")
    return ax


def fair_bars(record: Mapping[str, Any], *, title: str = "") -> Axes:
    """Draw what readers of one side, their glue and a reader of both get right, before and after training.

    Parameters
    ----------
    record
        Of ``python -m experiments.one_way``.
    title
        The finding, in a sentence.
    """
    readers = {"left": "left", "right": "right", "glued": "glued", "both": "both at once"}
    accuracy = [[100 * record[when][name] for name in readers] for when in ("before", "after")]
    series = ["as it is", f"after {record['steps']:,} more steps each"]
    label = f"accuracy for {record['after']['pieces']:,} hidden tokens, in %"
    ax = bars(accuracy, list(readers.values()), series, title=title, label=label)
    names = [*readers] * len(accuracy)
    for number, (text, share) in enumerate(zip(ax.texts, np.ravel(accuracy), strict=True)):
        both = accuracy[number // len(readers)][-1]
        behind = f"  ({both - share:.0f} behind {both:.1f})" if names[number] == "glued" else ""
        text.set_text(f"{share:.1f}{behind}")
    ax.set_xlim(0, 100)
    return ax


def order_bars(
    left_out: Sequence[float],
    reordered: Mapping[str, float],
    reference: Mapping[str, float],
    *,
    title: str = "",
    label: str = "",
) -> list[Axes]:
    """Draw what is right with one layer left out; below, with the layers in another order.

    Parameters
    ----------
    left_out
        What is right without layer 0, 1, ….
    reordered
        What is right, by the names of other orders.
    reference
        Lines to compare with, through both panels.
    title
        The finding, in a sentence.
    label
        What the numbers are.

    Returns
    -------
    list of Axes
        The upper and the lower panel, of one figure.
    """
    without = {f"layer {number}": share for number, share in enumerate(left_out)}
    with style():
        size = (9.4, 0.4 * (len(without) + len(reordered)) + 2.6)
        heights = [len(without), len(reordered)]
        figure, (upper, lower) = plt.subplots(2, 1, figsize=size, sharex=True, height_ratios=heights)
        headline(figure, title)
    bars([*without.values()], [*without], reference=reference, ax=upper)
    bars([*reordered.values()], [*reordered], label=label, reference=reference, ax=lower)
    for bar in lower.patches:
        bar.set_facecolor(CYCLE[1])
    panels = {"one left out": (upper, without), "order changed": (lower, reordered)}
    for name, (ax, shares) in panels.items():
        ax.set_title(name, fontsize=12, fontweight="normal")
        for text, share in zip(ax.texts, shares.values(), strict=True):
            text.set_text(f"{share:.0%}")
        ax.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    handles, names = upper.get_legend_handles_labels()
    for ax in (upper, lower):
        if (legend := ax.get_legend()) is not None:
            legend.remove()
    figure.legend(handles, names, loc="outside right center")
    return [upper, lower]


def fewer_layers(
    shares: Mapping[str, Mapping[str, Sequence[float]]], *, chance: float = 0.5, title: str = ""
) -> list[Axes]:
    """Draw how far above chance models of some depths answer: a bar is the mean, a dot one training run.

    Parameters
    ----------
    shares
        For each kind of questions, by the models' names: the share that is right in each training.
    chance
        What guessing gets.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        One for each kind.
    """
    with style():
        count = len(next(iter(shares.values())))
        size = (9.4, 0.55 * count + 1.7)
        figure, axes = plt.subplots(1, len(shares), figsize=size, sharey=True, layout="constrained")
        headline(figure, title)
        for ax, (kind, models) in zip(axes, shares.items(), strict=True):
            for place, runs in enumerate(models.values()):
                mean = np.mean(runs)
                ax.barh(place, mean - chance, left=chance, height=0.62, color=CYCLE[place], alpha=0.55)
                spread = np.linspace(-0.2, 0.2, len(runs))
                ax.plot(runs, place + spread, "o", color=INK, markersize=4, zorder=3)
                end = {"xytext": (9, 0), "textcoords": "offset points", "va": "center"}
                ax.annotate(f"{mean:.0%}", (max(runs), place), **end)
            ax.set_title(kind, fontsize=12)
            ax.set(xlim=(chance, 1.1), ylim=(count - 0.5, -0.5))
            ax.set_xticks(np.linspace(chance, 1, 3))
            ax.xaxis.set_major_formatter(PercentFormatter(1))
            ax.tick_params(axis="y", length=0)
            ax.grid(axis="y", visible=False)
        axes[0].set_yticks(range(count), [*next(iter(shares.values()))])
        label = f"verbs right, from guessing ({chance:.0%}) up; each dot is one training run"
        figure.supxlabel(label, fontsize=axes[0].xaxis.label.get_fontsize())
    return [*axes]


def tag_map(results: Mapping[str, TagResult], *, title: str = "") -> Axes:
    """Draw the accuracy of probes: a row for each tag, from the spelling up to the last layer.

    Parameters
    ----------
    results
        What the probes score, by the names of the tags.
    title
        The finding, in a sentence.
    """
    table = np.array([[tag.spelling, tag.static, *tag.by_layer] for tag in results.values()])
    columns = ["spelling", "token row", *heights_of(table.shape[1] - 3)]
    with style():
        figure, ax = plt.subplots(figsize=(11.0, 4.2))
        headline(figure, title)
    heatmap(table.round(2), list(results), columns, limit=1, label="accuracy", ax=ax)
    with_decimals(ax, 2)
    names = [f"{name}, n = {tag.occurrences:,}" for name, tag in results.items()]
    ax.set_yticks(range(len(names)), names)
    ax.set_xticks(range(len(columns)), [column.replace(" layer", "\nlayer") for column in columns])
    ax.set_aspect("auto")
    return ax


def sense_maps(
    vectors: Mapping[str, Floats], senses: Sequence[str] | npt.NDArray[np.str_], *, title: str = ""
) -> list[Axes]:
    """Draw the occurrences of one word on the two axes of their own PCA, a map for each height.

    Parameters
    ----------
    vectors
        For each height, by name, an array of shape (occurrences, hidden_size).
    senses
        The sense of each occurrence, such as "spring.season".
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        One a height, of one figure.
    """
    names = [str(sense).split(".")[0] for sense in senses]
    readable = ["“{}” ({})".format(*str(sense).split(".", 1)) for sense in senses]
    with style():
        figure, axes = plt.subplots(1, len(vectors), figsize=(11, 4.2), squeeze=False)
        figure.suptitle(title, x=0.01, ha="left", fontweight="bold", fontsize=14)
    row: list[Axes] = list(axes[0])
    for ax, (name, rows) in zip(row, vectors.items(), strict=True):
        scatter_map(pca(rows).points, names, readable, annotate=0, ax=ax)
        ax.set_title(name, fontsize=12, fontweight="normal")
        if (legend := ax.get_legend()) is not None:
            legend.remove()
    figure.legend(*row[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return row
