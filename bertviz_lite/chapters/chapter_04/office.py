"""The little story of chapter 04: a meeting, then time to think; both only add to the notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bertviz_lite.chapters.people import draw_box, draw_person, fit_line, scenes
from bertviz_lite.plots import CYCLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["day"]

_PLACES = {"thirsty": 0.8, "[MASK]": 2.45, "glass": 4.1}
"""Where each detective is, in inches from the left of a panel."""
_HEAD, _NOTES = 2.35, 1.1
_MEETING = {
    "thirsty": "thirsty\n+ Anna is",
    "[MASK]": "a gap\n+ thirsty\n+ a glass",
    "glass": "a glass\n+ of water",
}
_OFFICE = {
    "thirsty": "thirsty\nAnna is\n+ wants water",
    "[MASK]": "a gap\nthirsty\na glass\n+ drinks!",
    "glass": "a glass\nof water\n+ full",
}


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
    both = scenes(names, figsize=(10.2, 3.75), xlim=(0, 4.9), ylim=(0.3, 2.95), title=title)
    meeting, office = both
    for ax, notes in ((meeting, _MEETING), (office, _OFFICE)):
        for who, x in _PLACES.items():
            draw_person(ax, x, _HEAD, who)
            draw_box(ax, (x, _NOTES), notes[who], CYCLE[1 if who == "[MASK]" else 0], width=1.45)
    for who in ("thirsty", "glass"):
        side = 0.3 if who == "thirsty" else -0.3
        fit_line(meeting, (_PLACES[who] + side, _HEAD), (_PLACES["[MASK]"] - side, _HEAD), CYCLE[2], fit=0.8)
    for wall in (1.625, 3.275):
        office.axvline(wall, color="#59636e", lw=3)
    return both
