"""Two runs of a BERT drawn: every tensor of both in the order of their making, and below it what differs."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap

from bertviz_lite.chapters.chapter_12.first_difference import Row, compare, tensors
from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.heat_maps import SIGNED
from bertviz_lite.plots.lettering import headline

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from torch import Tensor

    Floats = npt.NDArray[np.float64]

__all__ = ["part_of", "short_name", "side_by_side"]

_OFF = CYCLE[1]
_DIFFERENCE = LinearSegmentedColormap.from_list("difference", ["#ffffff", "#f3b183", _OFF, "#7f2c00"])
_WEIGHTS = LinearSegmentedColormap.from_list("weights", ["#f7fcf5", "#a1d99b", "#238b45", "#00441b"])
"""Green, for attention weights: orange and blue are the signs of the other numbers."""
_SIDE, _BETWEEN, _NEXT_PART = 0.58, 0.08, 0.2
"""Inches: a picture's side, the gap inside of a part of BERT, and the gap before the next part."""
_LEFT, _RIGHT, _BELOW, _ABOVE = 1.05, 1.0, 1.82, 1.65
_SQUARES = 16
"""Squares along a picture, at most: of a longer axis neighbours share one."""
_PARTS = {
    "pooler_output": "pooler",
    "prediction_logits": "LM\nhead",
    "seq_relationship_logits": "NSP\nhead",
    "hidden_states[0]": "embed-\ndings",
}
_SHORT = {"prediction_logits": "LM logits", "seq_relationship_logits": "NSP logits"}
_LEGEND = (
    "Each square shows the batch's first text, a line for each token. Of a long axis, only 16 numbers are "
    "drawn.\nThe two runs: orange is above 0, blue below it. Attention weights are green, the mean of the "
    "heads.\nDifference: darker is larger, on a scale of its own for each tensor. A pale line is a token "
    "that the mistake hardly changes.\nThe number below it is the largest difference of the whole tensor: "
    "all texts, all heads."
)


def side_by_side(runs: Mapping[str, object], *, title: str = "") -> list[Axes]:
    """Draw the tensors of two runs for the first text of their batch, and their largest differences.

    Parameters
    ----------
    runs
        Two names and outputs, as `compare` takes them; of several heads the mean is drawn.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        Three a tensor, of one figure: both runs, and the difference on a scale of its own.
    """
    (first, ours), (second, theirs) = runs.items()
    rows, others = compare(ours, theirs).rows, dict(tensors(theirs))
    drawn = [(name, tensor, others[name]) for name, tensor in tensors(ours) if name in others]
    parts = [part_of(name) for name, *_ in drawn]
    steps = [_SIDE + (_BETWEEN if a == b else _NEXT_PART) for a, b in pairwise(parts)]
    lefts = np.cumsum([_LEFT, *steps])
    width = float(lefts[-1]) + _SIDE + _RIGHT
    height = _BELOW + 3 * _SIDE + 2 * _BETWEEN + _ABOVE
    with style():
        figure = plt.figure(figsize=(width, height), layout="none")
        headline(figure, title)
        for line, words in enumerate((first, second, "difference")):
            figure.text(0.9 / width, _middle(line) / height, words, ha="right", va="center", fontsize=12)
        wrong = next((row.name for row in rows if not row.equal), None)
        axes = []
        for left, row, (_, our, their) in zip(lefts.tolist(), rows, drawn, strict=True):
            axes += _column(figure, left, row, (our, their))
            _letter(axes[-3], axes[-1], row, is_first=row.name == wrong)
        for part in dict.fromkeys(parts):
            own = [left for left, other in zip(lefts.tolist(), parts, strict=True) if other == part]
            middle = (own[0] + own[-1] + _SIDE) / 2 / width
            figure.text(middle, 0.99 / height, part, ha="center", va="bottom", fontsize=11, color="0.35")
        figure.text(0.1 / width, 0.1 / height, _LEGEND, va="bottom", fontsize=10, color="0.35")
    return axes


def part_of(name: str) -> str:
    """Say which part of BERT makes a tensor: layer 1 makes attentions[1] and hidden_states[2]."""
    if name in _PARTS:
        return _PARTS[name]
    kind, _, place = name.rstrip("]").partition("[")
    return f"layer {int(place) - (kind == 'hidden_states')}"


def short_name(name: str) -> str:
    """Give a tensor's name as figures have it: "LM logits" for prediction_logits."""
    return _SHORT.get(name, name)


def _middle(line: int) -> float:
    return _BELOW + (2 - line) * (_SIDE + _BETWEEN) + _SIDE / 2


def _column(figure: Figure, left: float, row: Row, pair: tuple[Tensor, Tensor]) -> list[Axes]:
    """Draw one tensor of both runs and the difference, top to bottom."""
    width, height = figure.get_size_inches()
    pictures = (*map(_squares, pair), _squares(pair[0] - pair[1], largest=True))
    most = float(np.abs(pictures[1]).max())
    palette, least = (_WEIGHTS, 0.0) if row.name.startswith("attentions") else (SIGNED, -most)
    axes = []
    for line, cells in enumerate(pictures):
        bottom = _middle(line) - _SIDE / 2
        ax = figure.add_axes((left / width, bottom / height, _SIDE / width, _SIDE / height))
        if line == 2:
            palette, least, most = _DIFFERENCE, 0.0, 1.0 if row.equal else float(cells.max())
        ax.imshow(cells, cmap=palette, vmin=least, vmax=most, aspect="auto")
        ax.set(xticks=[], yticks=[])
        for spine in ax.spines.values():
            spine.set(visible=True, color="0.6", linewidth=0.8)
        axes.append(ax)
    return axes


def _squares(tensor: Tensor, *, largest: bool = False) -> Floats:
    """Cut the first text's numbers down to a small square, which keeps the largest of a difference."""
    values = np.atleast_2d(tensor[0].numpy().astype(np.float64))
    if largest:
        values = np.abs(values)
    if values.ndim == 3:
        values = values.max(axis=0) if largest else values.mean(axis=0)
    ends = np.linspace(0, values.shape[1], min(_SQUARES, values.shape[1]) + 1).astype(int)[:-1]
    small: Floats = np.maximum.reduceat(values, ends, axis=1) if largest else values[:, ends]
    return small


def _letter(top: Axes, bottom: Axes, row: Row, *, is_first: bool) -> None:
    """Write a tensor's name above, and below how far the two runs are apart; the first that differs bold."""
    look: dict[str, Any] = {
        "color": _OFF if is_first else INK,
        "fontweight": "bold" if is_first else "normal",
    }
    top.annotate(
        short_name(row.name), (0.35, 1.0), (0, 4), xycoords="axes fraction", textcoords="offset points",
        rotation=45, rotation_mode="anchor", ha="left", va="bottom", fontsize=11, linespacing=1.1, **look,
    )  # fmt: skip
    words = "equal" if row.equal else f"{row.difference:.2g}"
    bottom.set_xlabel(words + ("\nfirst" if is_first else ""), fontsize=11, labelpad=3, **look)
