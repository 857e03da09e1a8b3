"""Four jobs for one BERT: the input of each, the tokens that its head reads, the head, its answer."""

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
_HEIGHT, _LETTER, _EDGE, _GAP = 1.38, 0.092, 0.21, 0.05  # inches: a job, a letter, a box's edges, to the next
_STOREY, _BOX = 0.36, 0.29  # inches: a box on top of another with its gap, and without
_BODY, _BODY_FACE = 0.21, "0.9"  # inches: BERT itself, a bar over all tokens, without its gap
_LEFT_OUT = "−100"


@dataclass(frozen=True)
class Job:
    """A job: its name, the tokens that go in, by spaces, which of them the head reads, what comes out.

    `numbers` is how many numbers the head makes of a vector. `pooler` is the place whose vector goes through
    the pooler before the head reads it; None where none does.
    """

    name: str
    text: str
    read: Sequence[int]
    numbers: int
    out: Mapping[int, str]
    pooler: int | None = None

    @property
    def height(self) -> float:
        """Its height in the drawing, in inches."""
        body = _BODY + _STOREY - _BOX
        return _HEIGHT + body + (0.0 if self.pooler is None else _STOREY)

    @property
    def tokens(self) -> list[str]:
        """The tokens, one by one."""
        return self.text.split()


JOBS = (
    Job("A label for a text: the head reads [CLS], through the pooler",
        "[CLS] nina won the race . [SEP]", (0,), 4, {0: "glad"}, 0),
    Job("A label for two texts: again [CLS], through the pooler",
        "[CLS] nina won the race . [SEP] she was last . [SEP]", (0,), 3, {0: "contradicts"}, 0),
    Job("A tag for each word: the head reads every token; −100 is left out of the loss",
        "[CLS] tina rivers plays the o ##bo ##e . [SEP]", range(10), 6,
        dict.fromkeys(range(10), _LEFT_OUT)
        | {1: "B-person", 2: "I-person", 3: "O", 4: "O", 5: "O", 8: "O"}),
    Job("An answer: the head reads every token, once for the start, once for the end",
        "[CLS] where did noah read ? [SEP] noah read in the park . [SEP]", range(14), 2,
        {9: "start", 11: "end"}),
)  # fmt: skip
"""The four jobs of the chapter, each on a short example; its tokens are the pocket model's."""


def where_heads_read(*, title: str = "", jobs: Sequence[Job] = JOBS) -> Axes:
    """Draw the input of each job as boxes, BERT as a bar over them, its head as an orange one, its answers.

    Where the head reads BERT's vector, the token is filled. A box between BERT and the head is the pooler.

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
    above_body = bottom + _STOREY + _BODY + _STOREY - _BOX
    head = f"linear: {job.numbers} numbers" + (" for each token" if len(job.read) > 1 else "")
    ends = []
    for place, token in enumerate(job.tokens):
        above, is_read = job.out.get(place, ""), place in job.read
        letters = max(len(token), len(above))
        if len(job.read) == 1 and is_read:
            letters = max(letters, len(head))  # the head must fit above its only token
        width = _LETTER * letters + _EDGE
        face, edge = (_READ, _LINE) if is_read else ("white", "0.75")
        _box(ax, (left, bottom), (width, _BOX), token, face=face, edge=edge)
        if place == job.pooler:
            _box(ax, (left, above_body), (width, _BOX), "pooler", face="white", edge=_LINE)
        if is_read:
            ends.append((left, left + width))
        left_out = above == _LEFT_OUT
        ax.text(
            left + width / 2, top - 0.32, above, ha="center", va="center", fontsize=11,
            weight="normal" if left_out else "bold", color=_SOFT if left_out else CYCLE[1],
        )  # fmt: skip
        left += width + _GAP
    bar = 0.02, bottom + _STOREY
    _box(ax, bar, (left - _GAP - 0.02, _BODY), "BERT", face=_BODY_FACE, edge=_BODY_FACE)
    at = ends[0][0], above_body + (0.0 if job.pooler is None else _STOREY)
    _box(ax, at, (ends[-1][1] - at[0], _BOX), head, face="white", edge=CYCLE[1], linewidth=2.5)


def _box(
    ax: Axes,
    corner: tuple[float, float],
    size: tuple[float, float],
    name: str,
    *,
    face: str,
    edge: str,
    linewidth: float = 1.0,
) -> None:
    width, height = size
    box = FancyBboxPatch(
        corner, width, height, boxstyle="round,pad=0,rounding_size=0.05",
        facecolor=face, edgecolor=edge, linewidth=linewidth,
    )  # fmt: skip
    ax.add_patch(box)
    left, bottom = corner
    ax.text(left + width / 2, bottom + height / 2, name, ha="center", va="center", fontsize=11)
