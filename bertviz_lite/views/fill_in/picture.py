"""The fill-in view without scripts: bars of the best words, lines over the layers, tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import NullLocator

from bertviz_lite.basics.text import clip, percent, readable
from bertviz_lite.plots import lettering
from bertviz_lite.plots.course_style import style
from bertviz_lite.views.base.static import Static, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bertviz_lite.views.fill_in.readings import MaskReading

__all__ = ["Shown", "rows_listed", "static"]

_COLOURS = ("#0072b2", "#c27400", "#00875f", "#9c4f94", "#3b4350")
_SOFT = "#59636e"
_LEFT, _RIGHT = -0.66, 1.83  # of the list of words, in widths of a full bar


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
    vocab_size: int
    heading: str = ""
    lines: bool = True

    @property
    def title(self) -> str:
        """What stands above the words, as the page has it."""
        count = len(self.readings)
        number = f"{self.mask_token} {self.mask + 1} of {count}" if count > 1 else ""
        return ": ".join(filter(None, (self.heading, number))) or f"What BERT puts for {self.mask_token}"

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
        """What the words are read after: the model's own names of its layers begin at 0."""
        if self.layer == 0:
            return "the embeddings"
        return f"layer {self.layer - 1} ({self.layer} of {self.num_layers})"


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
    """Return the picture: what the page shows, in its order, colours and words."""
    with style():
        slots = _slots(shown, rows)
        height = 0.31 * slots + (1.75 if shown.lines else 0.75)
        if shown.lines:
            figure, (left, right) = plt.subplots(1, 2, figsize=(11.0, height), width_ratios=[1, 1.2])
        else:
            figure, left = plt.subplots(figsize=(5.2, height))
        figure.suptitle(
            lettering.drawable(shown.title), x=0.01, ha="left", weight="bold", size=14, parse_math=False
        )
        _draw_list(left, shown, rows)
        if shown.lines:
            _draw_paths(right, shown, rows)
    return figure


def _slots(shown: Shown, rows: Sequence[int]) -> int:
    """Return for how many words there is room: beside the lines, for eight at least."""
    return max(len(rows), 8) if shown.lines else len(rows)


def _draw_list(ax: Axes, shown: Shown, rows: Sequence[int]) -> None:
    """Draw a bar for each word, with its probability and its rank; those that are followed below a line."""
    words, shares, ranks = shown.reading.words, shown.reading.probabilities, shown.reading.ranks
    ax.barh(range(len(rows)), [1.0] * len(rows), height=0.62, color="#f3f5f7")
    fills = shares[rows, shown.layer]
    ax.barh(range(len(rows)), fills, height=0.62, color=[_COLOURS[i % 5] for i in range(len(rows))])
    for i, row in enumerate(rows):
        ax.plot([_LEFT, _LEFT + 0.09], [i, i], **_dashed(i), solid_capstyle="butt")
        name = lettering.drawable(clip(words[row], 12))
        ax.text(_LEFT + 0.13, i, name, va="center", fontsize=11, parse_math=False)
        ax.text(1.45, i, percent(shares[row, shown.layer]), va="center", ha="right", fontsize=11)
        if shown.lines:
            rank = f"#{ranks[row, shown.layer]:,}"
            ax.text(_RIGHT, i, rank, va="center", ha="right", fontsize=11, color=_SOFT)
    if shown.k < len(rows):
        ax.axhline(shown.k - 0.5, color="#d1d9e0", linewidth=1)
    ax.set(xlim=(_LEFT, _RIGHT), xticks=[], yticks=[], ylim=(_slots(shown, rows) - 0.5, -0.5))
    lettering.bare(ax)
    if shown.lines:
        ax.set_title(f"Probability after {shown.place}", fontsize=11, weight="normal", color=_SOFT)


def _draw_paths(ax: Axes, shown: Shown, rows: Sequence[int]) -> None:
    """Draw a line over the layers for each word, with its name at the end."""
    words, shares, ranks = shown.reading.words, shown.reading.probabilities, shown.reading.ranks
    is_rank, last = shown.scale == "rank", shares.shape[1] - 1
    heights = ranks[rows] if is_rank else 100 * shares[rows]
    for i, path in enumerate(heights):
        ax.plot(range(last + 1), path, **_dashed(i), marker="o", markersize=4, clip_on=False, zorder=3)
    if is_rank:
        ax.set_yscale("log")
        power = int(np.ceil(np.log10(heights.max()) - 1e-9))
        end = min(shown.vocab_size, max(10, 10**power))  # the last rank that there is, or a power of ten
        ax.set_ylim(end, 1)
        ax.set_yticks([*(10**i for i in range(int(np.ceil(np.log10(end) - 1e-9)))), end])
        ax.yaxis.set_major_formatter(lambda rank, _: f"{rank:,.0f}")
        ax.yaxis.set_minor_locator(NullLocator())
        ax.tick_params(axis="x", pad=10)  # else "input" touches the last rank beside it
    else:
        end = 100 * _axis_end(float(shares[rows].max()))
        ax.set(ylim=(0, end), yticks=np.linspace(0, end, 5))
        ax.yaxis.set_major_formatter(lambda share, _: f"{float(f'{share:.3g}'):g} %")
    ax.axvline(shown.layer, color="#0550ae", alpha=0.35, linewidth=3, zorder=1)
    ax.grid(axis="y", color="#d1d9e0", linewidth=1)
    ax.set_axisbelow(True)
    ax.set(xlim=(0, max(last, 1)), xticks=range(last + 1), xticklabels=["input", *map(str, range(last))])
    ax.get_xticklabels()[shown.layer].set_fontweight("bold")
    ax.tick_params(length=0, labelcolor=_SOFT)
    for spine in ax.spines.values():
        spine.set_visible(False)
    places = ax.transScale.transform([(0.0, height) for height in heights[:, last]])[:, 1]
    top, bottom = ax.transScale.transform([(0.0, ax.get_ylim()[1]), (0.0, ax.get_ylim()[0])])[:, 1]
    from_top = 1 - (places - bottom) / (top - bottom)
    for i, (row, at, name_at) in enumerate(zip(rows, from_top, _spread(from_top, 0.072), strict=True)):
        leader: dict[str, Any] = {
            "color": _COLOURS[i % 5],
            "linewidth": 1,
            "transform": ax.transAxes,
            "clip_on": False,
        }
        ax.plot([1.0, 1.025], [1 - at, 1 - name_at], **leader)
        name = lettering.drawable(clip(words[row], 12))
        ax.text(1.035, 1 - name_at, name, transform=ax.transAxes, va="center", fontsize=10, parse_math=False)
    measure = f"Rank among {shown.vocab_size:,} words, 1 at the top" if is_rank else "Probability"
    by = "after each layer"
    between = ",\n" if is_rank else ", "  # the page breaks the line, too, where it is narrow
    ax.set_title(f"{measure}{between}{by}", fontsize=11, weight="normal", color=_SOFT, x=-0.08)


def _dashed(number: int) -> dict[str, Any]:
    """Return how line `number` is drawn: five colours, then again with other dashes."""
    dashes = ("-", (0, (3.2, 1.8)), (0, (0.9, 1.8)))
    return {"color": _COLOURS[number % 5], "linestyle": dashes[number // 5 % 3], "linewidth": 2}


def _axis_end(most: float) -> float:
    """Return the end of an axis of shares: a round number, at least `most`, at most 1."""
    if most <= 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(most))
    times = next((times for times in (1, 2, 3, 4, 5, 6, 8) if times * power >= most * (1 - 1e-9)), 10)
    return float(min(1.0, times * power))


def _spread(places: npt.NDArray[np.float64], gap: float) -> list[float]:
    """Move names apart so that none covers another; their order from the top stays."""
    order = np.argsort(places, kind="stable").tolist()
    room = min(gap, 1 / max(len(order) - 1, 1))
    moved: list[float] = places.tolist()
    least = 0.0
    for i in order:
        moved[i] = max(least, moved[i])
        least = moved[i] + room
    most = 1.0
    for i in reversed(order):
        moved[i] = min(most, moved[i])
        most = moved[i] - room
    return moved


def _alt(shown: Shown, rows: Sequence[int]) -> str:
    words, shares, ranks = shown.reading.words, shown.reading.probabilities, shown.reading.ranks
    count = len(shown.readings)
    at = f"mask {shown.mask + 1} of {count}" if count > 1 else shown.mask_token
    best = ", ".join(f"{words[row]} {percent(shares[row, shown.layer])}" for row in rows[:5])
    path = ", ".join(f"{rank:,}" for rank in ranks[rows[0]])
    said = f"{shown.heading}. " if shown.heading else ""
    puts = f"the words that BERT puts for {at} in “{readable(clip(shown.text, 200))}”"
    if not shown.lines:
        return f"{said}Bars: {puts}: {best}."
    return (
        f"{said}Left, bars: {puts}, read after {shown.place}: {best}. "
        f"Right, lines: their {shown.scale} after every layer; "
        f"{words[rows[0]]} has rank {path} from the embeddings to the last layer."
    )


def _layer_table(reading: MaskReading, listed: Sequence[int]) -> Table:
    rows = []
    for row in listed:
        pairs = zip(reading.probabilities[row], reading.ranks[row], strict=True)
        rows.append([reading.words[row], *(f"{percent(share)} ({rank:,})" for share, rank in pairs)])
    after = (f"after layer {i}" for i in range(reading.ranks.shape[1] - 1))
    return Table("Probability (and rank) after every layer", ("word", "embeddings", *after), rows)


def _other_masks(readings: Sequence[MaskReading]) -> list[Table]:
    if len(readings) == 1:
        return []
    rows = []
    for number, reading in enumerate(readings):
        last = reading.probabilities[:, -1]
        best = np.argsort(-last, kind="stable")[:3]
        rows.append([str(number + 1), *(f"{reading.words[i]} {percent(last[i])}" for i in best)])
    columns = ("mask", "first", "second", "third")[: len(rows[0])]
    return [Table("Every mask of the sentence, after the last layer", columns, rows)]
