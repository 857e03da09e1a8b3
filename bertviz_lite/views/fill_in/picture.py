"""The fill-in view without scripts: bars of the best words, lines over the layers, tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite import plots
from bertviz_lite.basics.text import clip, readable
from bertviz_lite.plots import lettering
from bertviz_lite.plots.course_style import style
from bertviz_lite.views.base.static import Static, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from bertviz_lite.views.fill_in.readings import MaskReading

__all__ = ["Shown", "rows_listed", "static"]

_IN_PICTURE = 7


@dataclass(frozen=True)
class Shown:
    """What the view shows: a text with its readings, and which mask, layer and scale are chosen."""

    text: str
    mask_token: str
    readings: Sequence[MaskReading]
    follow: Sequence[str]
    mask: int
    layer: int
    k: int
    scale: str

    @property
    def reading(self) -> MaskReading:
        """What is read at the chosen mask."""
        return self.readings[self.mask]

    @property
    def num_layers(self) -> int:
        """Layers of the model, the embeddings not counted."""
        return len(self.reading.ranks[0]) - 1

    @property
    def place(self) -> str:
        """After how many layers the words are read: the model's own names of its layers begin at 0."""
        return "0 layers, the embeddings" if self.layer == 0 else f"{self.layer} of {self.num_layers} layers"


def static(shown: Shown) -> Static:
    """Return the script-free layer."""
    rows = rows_listed(shown)
    tables = (_layer_table(shown.reading, rows), *_other_masks(shown.readings))
    return Static(_draw(shown, rows), _alt(shown, rows), tables=tables)


def rows_listed(shown: Shown) -> list[int]:
    """Return the rows of the reading that the view lists: the k best, then the followed."""
    words, shares = shown.reading.words, shown.reading.probabilities
    best: list[int] = np.argsort(-shares[:, shown.layer], kind="stable")[: shown.k].tolist()
    return best + [words.index(word) for word in shown.follow if words.index(word) not in best]


def _draw(shown: Shown, rows: Sequence[int]) -> Figure:
    words, shares, ranks = shown.reading.words, shown.reading.probabilities, shown.reading.ranks
    with style():
        figure, (left, right) = plt.subplots(1, 2, figsize=(11.0, 0.32 * max(len(rows), 9) + 1.4))
    plots.bars(
        100 * shares[rows, shown.layer],
        [words[row] for row in rows],
        label=f"probability after {shown.place}, %",
        ax=left,
    )
    lines = rows[:_IN_PICTURE]
    is_rank = shown.scale == "rank"
    heights = ranks[lines] if is_rank else 100 * shares[lines]
    with style():
        plots.draw_lines(right, range(shares.shape[1]), heights, [words[row] for row in lines])
        unit = "rank in the vocabulary" if is_rank else "probability, %"
        lettering.describe_axes(right, "layers before the reading (0: the embeddings)", unit)
        lettering.legend(right)
    right.set_xticks(range(shares.shape[1]))
    if is_rank:
        right.set_yscale("log")
        right.invert_yaxis()
    return figure


def _alt(shown: Shown, rows: Sequence[int]) -> str:
    words, shares, ranks = shown.reading.words, shown.reading.probabilities, shown.reading.ranks
    count = len(shown.readings)
    at = f"mask {shown.mask + 1} of {count}" if count > 1 else shown.mask_token
    best = ", ".join(f"{words[row]} {_percent(shares[row, shown.layer])}" for row in rows[:5])
    path = ", ".join(f"{rank:,}" for rank in ranks[rows[0]])
    return (
        f"Left, bars: the words that BERT puts for {at} in “{readable(clip(shown.text, 200))}”, "
        f"read after {shown.place}: {best}. Right, lines: their {shown.scale} after every layer; "
        f"{words[rows[0]]} has rank {path} from the embeddings to the last layer."
    )


def _layer_table(reading: MaskReading, listed: Sequence[int]) -> Table:
    rows = []
    for row in listed:
        pairs = zip(reading.probabilities[row], reading.ranks[row], strict=True)
        rows.append([reading.words[row], *(f"{_percent(share)} ({rank:,})" for share, rank in pairs)])
    passed = (f"{i} layer{'s' * (i > 1)}" for i in range(1, reading.ranks.shape[1]))
    return Table("Probability (and rank) after every layer", ("word", "embeddings", *passed), rows)


def _other_masks(readings: Sequence[MaskReading]) -> list[Table]:
    if len(readings) == 1:
        return []
    rows = []
    for number, reading in enumerate(readings):
        last = reading.probabilities[:, -1]
        best = np.argsort(-last, kind="stable")[:3]
        rows.append([str(number + 1), *(f"{reading.words[i]} {_percent(last[i])}" for i in best)])
    columns = ("mask", "first", "second", "third")[: len(rows[0])]
    return [Table("Every mask of the sentence, after the last layer", columns, rows)]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
