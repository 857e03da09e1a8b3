"""Figures of chapter 05: where a clue stands, readers and layers compared, and one word at three heights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Patch, Rectangle

from bertviz_lite.chapters.chapter_05.reading_layers import heights_of
from bertviz_lite.plots import CYCLE, bars, heatmap, pca, scatter_map
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.lettering import headline, with_decimals, without_colour_bar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    from bertviz_lite.evaluation.probes import TagResult

    Floats = npt.NDArray[np.float64]

__all__ = ["clue_maps", "fair_bars", "order_bars", "question_maps", "sense_maps", "tag_map"]


def clue_maps(clues: Mapping[str, tuple[Sequence[str], Floats]], *, title: str = "") -> list[Axes]:
    """Draw, one above the other, which vector decides the guess at each height: the first height below.

    Parameters
    ----------
    clues
        For each name the tokens, and shares of shape (heights, seq_len).
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        One a clue, of one figure.
    """
    with style():
        figure, axes = plt.subplots(len(clues), 1, figsize=(9.4, 2.2 * len(clues) + 0.8), squeeze=False)
        headline(figure, title)
        across = "token whose vector is swapped (number: share of guesses that become the twin's)"
        figure.supxlabel(across, fontsize=12)
        figure.supylabel("height of the swap", fontsize=12)
    column: list[Axes] = list(axes[:, 0])
    for ax, (name, (tokens, shares)) in zip(column, clues.items(), strict=True):
        heatmap(np.flipud(shares), heights_of(len(shares) - 1)[::-1], tokens, limit=1, ax=ax)
        ax.set_aspect("auto")
        without_colour_bar(ax)
        for text in ax.texts:
            text.set_visible(text.get_text() != "0")  # the few squares that count stand out
        ax.set_title(name, fontsize=12, fontweight="normal")
    return column


def question_maps(weights: Mapping[str, Floats], *, title: str = "") -> list[Axes]:
    """Draw a weight for each pair of heights, side by side: the query's height up, the keys' across.

    The input is below, as in the maps of clues. A frame marks the upper right cell, in which both are from
    the height that the head really reads.

    Parameters
    ----------
    weights
        For each name an array of shape (heights, heights), the input first.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        One a name, of one figure.
    """
    with style():
        figure, axes = plt.subplots(1, len(weights), figsize=(10.2, 4.5), squeeze=False)
        headline(figure, title)
    row: list[Axes] = list(axes[0])
    for ax, (name, table) in zip(row, weights.items(), strict=True):
        last = len(table) - 1
        heights = [height.replace(" layer", "\nlayer") for height in heights_of(last)]
        upward = np.flipud(table)
        heatmap(upward.round(2), heights[::-1], heights, limit=1, ax=ax)
        without_colour_bar(ax)
        with_decimals(ax, 2)
        ax.set_xticks(range(len(table)), heights, rotation=0, ha="center")
        ax.set_yticks(range(len(table)), heights[::-1])
        ax.add_patch(Rectangle((last - 0.46, -0.46), 0.92, 0.92, fill=False, ec=CYCLE[1], lw=3))
        up = "question (query) from" if ax is row[0] else ""
        ax.set(xlabel="labels (keys) from", ylabel=up, aspect="auto")
        ax.set_title(name, fontsize=12, fontweight="normal")
    framed = [Patch(fill=False, edgecolor=CYCLE[1], linewidth=3, label="as it is in the model")]
    figure.legend(handles=framed, loc="outside lower center")
    return row


def fair_bars(record: Mapping[str, Any], *, title: str = "") -> Axes:
    """Draw what readers of one side, their glue and a reader of both get right, before and after training.

    Parameters
    ----------
    record
        Of ``python -m experiments.one_way``.
    title
        The finding, in a sentence.
    """
    readers = {"left": "left", "right": "right", "glued": "glued", "best glue": "best glue"}
    readers["both"] = "both at once"
    accuracy = [[100 * record[when][name] for name in readers] for when in ("before", "after")]
    series = ["as it is", f"all trained alike, {record['steps']:,} steps"]
    label = f"accuracy for {record['after']['pieces']:,} hidden tokens, in %"
    ax = bars(accuracy, list(readers.values()), series, title=title, label=label)
    for text, share in zip(ax.texts, np.ravel(accuracy), strict=True):
        text.set_text(f"{share:.1f}")
    return ax


def order_bars(
    one_layer: Mapping[str, Sequence[float]],
    exchanged: Mapping[str, float],
    reference: Mapping[str, float],
    *,
    title: str = "",
    label: str = "",
) -> list[Axes]:
    """Draw what is right with a layer left out beside that layer run twice; below, with layers exchanged.

    Parameters
    ----------
    one_layer
        For each thing done to one layer, what is right for layer 0, 1, ….
    exchanged
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
    layers = [f"layer {number}" for number in range(len(next(iter(one_layer.values()))))]
    heights = [len(layers) * len(one_layer), len(exchanged) * 1.2]
    with style():
        size = (9.4, 0.36 * sum(heights) + 2.2)
        figure, (upper, lower) = plt.subplots(2, 1, figsize=size, sharex=True, height_ratios=heights)
        headline(figure, title)
    bars([*one_layer.values()], layers, [*one_layer], reference=reference, ax=upper)
    bars([*exchanged.values()], [*exchanged], label=label, reference=reference, ax=lower)
    for bar in lower.patches:
        bar.set_facecolor(CYCLE[len(one_layer)])
    handles, names = upper.get_legend_handles_labels()
    for ax in (upper, lower):
        if (legend := ax.get_legend()) is not None:
            legend.remove()
    figure.legend(handles, names, loc="outside right center")
    return [upper, lower]


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
