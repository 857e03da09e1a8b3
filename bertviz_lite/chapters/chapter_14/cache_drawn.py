"""A cache folder drawn: from a name over `main` to a commit's folder, and with `revision=` past `main`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
from matplotlib.patches import FancyArrowPatch

from bertviz_lite.chapters.chapter_14.boxes import FIT, GONE, MADE_UP, draw_box
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.lettering import entitle, write

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from matplotlib.axes import Axes

__all__ = ["cache_in_words", "draw_cache", "newest"]

_TALL, _STEP, _NAME, _REF, _FOLDER = 0.9, 1.75, (0.0, 2.2), (4.0, 2.2), (8.2, 3.6)
"""Heights of a box and from folder to folder; left edge and width of the three columns."""


def newest(cache: Path, name: str, days: Mapping[str, str]) -> str:
    """Return the day whose commit `main` holds.

    Raises
    ------
    ValueError
        Where a day's commit has no folder in the cache, or `main` holds none of theirs.
    """
    repository = cache / f"models--{name.replace('/', '--')}"
    main = (repository / "refs" / "main").read_text(encoding="utf-8")
    without = [day for day, commit in days.items() if not (repository / "snapshots" / commit).is_dir()]
    if without:
        raise ValueError(f"the cache has no folder for {', '.join(without)}.")
    found = next((day for day, commit in days.items() if commit == main), None)
    if found is None:
        raise ValueError("main holds none of these commits.")
    return found


def draw_cache(
    cache: Path, name: str, days: Mapping[str, str], answers: Mapping[str, str], *, title: str
) -> Axes:
    """Draw the way from a name over `main` to a commit's folder, and that of the first day's `revision`.

    Blue is what you meant, the first day's model and the way to it; orange is where `main` has moved.

    Parameters
    ----------
    cache
        The folder that was given as ``cache_dir``.
    name
        The model's name, ``"owner/model"``.
    days, answers
        Day -> the commit published then, oldest first; day -> what that model answers.
    title
        The finding, in a sentence.
    """
    last, first = newest(cache, name, days), next(iter(days))
    middle = (len(days) - 1) * _STEP / 2
    with style():
        _, ax = plt.subplots(figsize=(9.6, 1.05 * len(days) + 1.5))
        ax.set(xlim=(-0.05, sum(_FOLDER) + 0.05), ylim=((len(days) - 1) * _STEP + _TALL + 0.1, -1.2))
        ax.set_axis_off()
        for column, words in ((_NAME, "you write"), (_REF, "refs/main"), (_FOLDER, "snapshots")):
            write(ax, column[0] + column[1] / 2, -0.85, words, weight="bold", size=13)
        draw_box(ax, (_NAME[0], middle), (_NAME[1], _TALL), FIT, f'"{name}"')
        draw_box(ax, (_REF[0], middle), (_REF[1], _TALL), FIT)
        _write_ref(ax, middle, [f"{day}'s commit" for day in days if day != last], f"{last}'s commit")
        for row, day in enumerate(days):
            colours = FIT if day == first else MADE_UP if day == last else GONE
            place = (_FOLDER[0], row * _STEP)
            draw_box(ax, place, (_FOLDER[1], _TALL), colours, f"{day}'s commit: {answers[day]}")
        start = (sum(_NAME), middle + _TALL / 2)
        _arrow(ax, start, (_REF[0], middle + _TALL / 2), MADE_UP[0])
        for row, day in enumerate(days):
            ends = (sum(_REF), middle + _TALL / 2), (_FOLDER[0], row * _STEP + _TALL / 2)
            halfway = (ends[0][1] + ends[1][1]) / 2 + 0.32
            if day == last:
                _arrow(ax, *ends, MADE_UP[0])
                write(ax, 6.75, halfway, f"on {day}", color=MADE_UP[0])
            else:
                _arrow(ax, *ends, GONE[0], style="--")
                write(ax, 7.65, halfway, f"on {day}", color=GONE[0])
        _arrow(ax, (_NAME[0] + _NAME[1] / 2, middle), (_FOLDER[0], 0.2), FIT[0], bend=True)
        words = f'revision="{first}\'s commit"'
        write(ax, 4.6, 0.0, words, color=FIT[0], weight="bold", size=12)
        entitle(ax, title)
    return ax


def cache_in_words(cache: Path, name: str, days: Mapping[str, str], answers: Mapping[str, str]) -> str:
    """Say where the name leads and where the first day's revision does."""
    last, first = newest(cache, name, days), next(iter(days))
    return (
        f"An arrow leads from {name} to main, and on to {last}'s commit, which answers {answers[last]}. "
        f"Another, revision=, leads past main to {first}'s commit, which answers {answers[first]}."
    )


def _write_ref(ax: Axes, top: float, before: list[str], now: str) -> None:
    """Write what the file holds; above it, struck out, what it held before."""
    x, step = _REF[0] + _REF[1] / 2, _TALL / (len(before) + 1)
    for line, words in enumerate([*before, now]):
        y = top + (line + 0.5) * step
        write(ax, x, y, words, color=GONE[0] if words != now else INK, size=11)
        if words != now:
            half = 0.057 * len(words)
            ax.plot([x - half, x + half], [y, y], color=GONE[0], linewidth=1.5)


def _arrow(
    ax: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    color: str,
    *,
    style: str = "-",
    bend: bool = False,
) -> None:
    way = "angle,angleA=90,angleB=0,rad=8" if bend else "arc3"
    look: dict[str, Any] = {"color": color, "linewidth": 2.0, "linestyle": style, "connectionstyle": way}
    ax.add_patch(
        FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=16, shrinkA=0, shrinkB=0, **look)
    )
