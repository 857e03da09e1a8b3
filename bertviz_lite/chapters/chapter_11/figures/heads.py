"""Four jobs for one BERT: the input of each, the tokens whose vectors its head reads, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
from matplotlib.patches import FancyBboxPatch

from bertviz_lite.plots import CYCLE, style
from bertviz_lite.plots.lettering import headline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

__all__ = ["JOBS", "Job", "where_heads_read"]

_READ, _LINE, _SOFT = "#cfe4f3", "#0072b2", "#59636e"
_HEIGHT, _LETTER, _EDGE, _GAP = 1.02, 0.092, 0.21, 0.05  # inches: a job, a letter, a box's edges, to the next
_POOLER = 0.38  # inches, for a pooler and the gap below it


@dataclass(frozen=True)
class Job:
    """A job: its name, the tokens that go in, by spaces, which of them the head reads, what comes out.

    `pooler` is the place whose vector goes through the pooler before the head reads it; None where none does.
    """

    name: str
    text: str
    read: Sequence[int]
    out: Mapping[int, str]
    pooler: int | None = None

    @property
    def height(self) -> float:
        """Its height in the drawing, in inches."""
        return _HEIGHT + (0.0 if self.pooler is None else _POOLER)

    @property
    def tokens(self) -> list[str]:
        """The tokens, one by one."""
        return self.text.split()


JOBS = (
    Job("A label for a text: the head reads [CLS], through the pooler",
        "[CLS] nina won the race . [SEP]", (0,), {0: "glad"}, 0),
    Job("A label for two texts: again [CLS], through the pooler",
        "[CLS] nina won the race . [SEP] she was last . [SEP]", (0,), {0: "contradicts"}, 0),
    Job("A tag for each word: the first token of each",
        "[CLS] tina rivers plays the o ##bo ##e . [SEP]", (1, 2, 3, 4, 5, 8),
        {1: "B-person", 2: "I-person", 3: "O", 4: "O", 5: "O", 8: "O"}),
    Job("An answer: two numbers at every token, for its start and for its end",
        "[CLS] where did noah read ? [SEP] noah read in the park . [SEP]", range(14),
        {9: "start", 11: "end"}),
)  # fmt: skip
"""The four jobs of the chapter, each on a short example; its tokens are the pocket model's."""


def where_heads_read(*, title: str = "", jobs: Sequence[Job] = JOBS) -> Axes:
    """Draw the input of each job as boxes; filled are those that the head reads, above them its answers.

    A box between a token and the answer is the pooler.

    Parameters
    ----------
    title
        The finding, in a sentence.
    jobs
        Top to bottom.
    """
    with style():
        tall = sum(job.height for job in jobs)
        figure, ax = plt.subplots(figsize=(8.0, tall + 0.5))
        top = 0.0
        for job in jobs:
            _draw(ax, job, top)
            top -= job.height
        ax.set(xlim=(0, 9.0), ylim=(0.1 - tall, 0.1))
        ax.set_axis_off()
        headline(figure, title)
    return ax


def _draw(ax: Axes, job: Job, top: float) -> None:
    ax.text(0.02, top - 0.07, job.name, fontsize=11, va="center", weight="bold", color=_SOFT, in_layout=False)
    left, bottom = 0.02, top - job.height + 0.24
    for place, token in enumerate(job.tokens):
        above, is_read = job.out.get(place, ""), place in job.read
        width = _LETTER * max(len(token), len(above)) + _EDGE
        middle = left + width / 2
        _box(ax, (left, bottom), width, token, face=_READ if is_read else "white", is_read=is_read)
        if place == job.pooler:
            _box(ax, (left, bottom + _POOLER), width, "pooler", face="white", is_read=True)
        ax.text(
            middle, top - 0.34, above, ha="center", va="center", weight="bold", color=CYCLE[1], fontsize=11
        )
        left += width + _GAP


def _box(ax: Axes, corner: tuple[float, float], width: float, name: str, *, face: str, is_read: bool) -> None:
    box = FancyBboxPatch(
        corner, width, 0.3, boxstyle="round,pad=0,rounding_size=0.05",
        facecolor=face, edgecolor=_LINE if is_read else "0.75",
    )  # fmt: skip
    ax.add_patch(box)
    left, bottom = corner
    ax.text(left + width / 2, bottom + 0.15, name, ha="center", va="center", fontsize=11)
