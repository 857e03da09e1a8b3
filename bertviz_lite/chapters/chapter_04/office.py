"""The little story of chapter 04: a meeting, then time to think; both only add to the notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.patches import FancyArrowPatch

from bertviz_lite.chapters.people import draw_box, draw_person, fit_line, scenes
from bertviz_lite.plots import CYCLE
from bertviz_lite.plots.course_style import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["day"]

_PLACES = {"thirsty": 0.8, "[MASK]": 2.45, "glass": 4.1}
"""Where each detective is, in inches from the left of a panel."""
_HEAD, _NOTES = 2.35, 1.1
_LINE = 0.24
_GREY = "#59636e"
_MEETING = {
    "thirsty": "thirsty\n+ a glass",
    "[MASK]": "a gap\n+ thirsty\n+ a glass",
    "glass": "a glass\n+ thirsty",
}
_OFFICE = {
    "thirsty": "thirsty\na glass\n+ not for long",
    "[MASK]": "a gap\nthirsty\na glass\n+ drinks!",
    "glass": "a glass\nthirsty\n+ soon empty",
}
_COPIED = "then all is copied out to one size (LayerNorm)"


def day(*, title: str = "") -> list[Axes]:
    """Draw the meeting and the offices side by side, each detective with a notebook that grows.

    Parameters
    ----------
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        The meeting and the offices, of one figure.
    """
    names = "the meeting (attention)", "the offices (feed-forward network)"
    both = scenes(names, figsize=(10.2, 4.2), xlim=(0, 4.9), ylim=(-0.05, 3.15), title=title)
    meeting, office = both
    for ax, notes in ((meeting, _MEETING), (office, _OFFICE)):
        for who, x in _PLACES.items():
            draw_person(ax, x, _HEAD, who)
            _write(ax, x, notes[who].split("\n"), CYCLE[1 if who == "[MASK]" else 0])
        ax.text(2.45, 0.06, _COPIED, ha="center", va="center", fontsize=12, color=INK)
    far = (_PLACES["thirsty"], _HEAD + 0.42), (_PLACES["glass"], _HEAD + 0.42)
    arch = FancyArrowPatch(*far, connectionstyle="arc3,rad=-0.12", arrowstyle="-", color=CYCLE[2], lw=4)
    meeting.add_patch(arch)
    for who in ("thirsty", "glass"):
        side = 0.3 if who == "thirsty" else -0.3
        fit_line(meeting, (_PLACES[who] + side, _HEAD), (_PLACES["[MASK]"] - side, _HEAD), CYCLE[2], fit=0.8)
    for wall in (1.625, 3.275):
        office.plot([wall, wall], [0.3, 3.1], color=_GREY, lw=3)
    return both


def _write(ax: Axes, x: float, notes: list[str], colour: str) -> None:
    """Draw a notebook: a line for each note, what is new in bold, what was there before in grey."""
    draw_box(ax, (x, _NOTES), "\n" * (len(notes) - 1), colour, width=1.45)
    top = _NOTES + _LINE * (len(notes) - 1) / 2
    for row, note in enumerate(notes):
        is_new = note.startswith("+")
        text = ax.text(x, top - _LINE * row, note, ha="center", va="center", fontsize=11, zorder=3)
        text.set(color=INK if is_new else _GREY, fontweight="bold" if is_new else "normal")
