"""The time-lapse's picture of one moment: losses, abilities so far, attention."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from bertviz_lite import plots
from bertviz_lite.basics.text import clip, readable
from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import bare, describe_axes, drawable
from bertviz_lite.views.time_lapse.step_axis import place, steps_of_ten
from bertviz_lite.views.time_lapse.words import LOSSES, since, when

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bertviz_lite.views.time_lapse.ability import Ability
    from bertviz_lite.views.time_lapse.moment import Moment

__all__ = ["draw"]

_SOFT, _RAISED, _LOSS = "#59636e", "#f3f5f7", "#d66028"
_NOW, _APPEARS = 40, 156  # right ends of the columns beside the strips, in points
_BADGE = {"facecolor": "white", "linewidth": 0, "pad": 1.5}


def draw(moment: Moment) -> Figure:
    """Return the picture of a moment, in the order of the page: losses and abilities, all heads, one head."""
    count = len(moment.abilities) + len(LOSSES)
    with style():
        figure = Figure(figsize=(10.9, max(0.46 * count + 1.4, 6.6)))
        figure.suptitle(when(moment), x=0.01, ha="left", weight="bold", size=14)
        left, right = figure.subfigures(1, 2, squeeze=False, width_ratios=[1.6, 1])[0]
        small, large = right.subplots(2, 1, height_ratios=[1, 1.25])
        _draw_run(left.subplots(), moment)
        _draw_heads(small, moment)
        _draw_head(large, moment)
    return figure


def _draw_run(ax: Axes, moment: Moment) -> None:
    """Draw a strip for each loss and, up to the moment, for each score; beside it what it is now."""
    run, count = moment.run, len(moment.abilities)
    losses = run.losses_at(moment.index)
    names = []
    for row, (name, title) in enumerate(LOSSES):
        base, values = count + len(LOSSES) - 1 - row, [entry[name] for entry in run.losses]
        most = max([*values, 0.0])
        places = [place(entry["step"], run.steps) for entry in run.losses]
        ax.axhspan(base, base + 0.8, color=_RAISED, linewidth=0)
        ax.plot(places, [base + 0.8 * value / (most or 1.0) for value in values], color=_LOSS, linewidth=1.5)
        _write_beside(ax, base + 0.4, _NOW, "–" if losses is None else f"{losses[name]:.2f}")
        names.append(f"{title}\n0 to {most:.2g}")
    for row, ability in enumerate(moment.abilities):
        _draw_ability(ax, moment, ability, count - 1 - row)
        names.append(textwrap.fill(drawable(readable(clip(ability.title, 40))), 24))
    ax.set_yticks([count + 1.4 - row for row in range(count + 2)], names, parse_math=False, fontsize=10)
    for label, ability in zip(ax.get_yticklabels()[len(LOSSES) :], moment.abilities, strict=True):
        label.set_fontweight("bold" if moment.is_there(ability) else "normal")
    for heading, across in (("now", _NOW), ("appears", _APPEARS)):
        _write_beside(ax, count + 2.2, across, heading, color=_SOFT)
    ax.axhline(count - 0.1, color=INK, linewidth=1)
    ticks = steps_of_ten(run.steps)
    places = [place(step, run.steps) for step in ticks]
    ax.set_xticks(places, [f"{step:,}" for step in ticks], color=_SOFT, fontsize=10)
    ax.set(xlim=(0, 1), ylim=(-0.1, count + 1.9), xlabel="step")
    ax.vlines(places, -0.1, count + 1.8, color="#d1d9e0", linewidth=1, zorder=0.9)
    ax.xaxis.set_ticks_position("top")
    ax.xaxis.set_label_position("top")
    bare(ax)
    ax.axvline(place(moment.step, run.steps), color=INK, linewidth=1.5, alpha=0.6)


def _draw_ability(ax: Axes, moment: Moment, ability: Ability, base: int) -> None:
    """Draw a score from 0 to 1 up to the moment; a dashed line says how far it must come."""
    steps, last = moment.run.steps, moment.index + 1
    there = moment.is_there(ability)
    ax.axhspan(base, base + 0.8, color=_RAISED, linewidth=0)
    if ability.level is not None:
        ax.hlines(base + 0.8 * ability.level, 0, 1, color=_SOFT, linewidth=1, linestyle=(0, (3, 2)))
    heights = [np.nan if value is None else base + 0.8 * value for value in ability.values[:last]]
    places = [place(step, steps) for step in steps[:last]]
    ax.plot(places, heights, color=CYCLE[0], marker="o", markersize=4, clip_on=False)
    note = since(moment.run, ability) if there else ability.absence or "not yet"
    if note == "no rise" and last < len(steps):
        note = "not yet"  # as far as has been seen
    now = ability.values[moment.index]
    _write_beside(ax, base + 0.4, _NOW, "–" if now is None else f"{now:.2f}")
    look = {"color": INK, "weight": "bold"} if there else {"color": _SOFT}
    _write_beside(ax, base + 0.4, _APPEARS, note.replace(", at", ",\nat"), **look)


def _write_beside(ax: Axes, y: float, right: float, text: str, **look: Any) -> None:  # noqa: ANN401 - passed on
    """Write in a column beside the strips, which ends so many points right of them."""
    place_beside: dict[str, Any] = {
        "xytext": (right, 0),
        "textcoords": "offset points",
        "va": "center",
        "ha": "right",
    }
    place_beside["annotation_clip"] = False
    ax.annotate(text, (1.0, y), fontsize=11, **place_beside, **look)


def _draw_head(ax: Axes, moment: Moment) -> None:
    weights = moment.weights[moment.layer, moment.head]
    names = [drawable(readable(clip(token, 12))) for token in moment.tokens]
    ax.imshow(np.sqrt(weights), cmap=plots.UNSIGNED, vmin=0, vmax=1)
    size = 8 if len(names) > 14 else 10
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks(range(len(names)), names, parse_math=False)
        axis.set_tick_params(length=0, labelsize=size)
    ax.tick_params(axis="x", rotation=90)
    ax.set_title(f"Layer {moment.layer}, head {moment.head}", fontsize=12)


def _draw_heads(ax: Axes, moment: Moment) -> None:
    """Draw the maps of all heads, and a letter where one is the best for a relation."""
    layer, head, size = moment.layer, moment.head, moment.weights.shape[-1]
    plots.draw_heads(ax, moment.weights, (range(layer, layer + 1), range(head, head + 1)))
    describe_axes(ax, "head", "layer")
    pitch = size + max(1, round(size / 10))
    for ability, (row, column) in moment.best_heads.items():
        letter = ability.name.removeprefix("head.")[:1].upper()
        place_of = column * pitch + 0.88 * size, row * pitch + 0.14 * size
        ax.text(*place_of, letter, ha="center", va="center", weight="bold", bbox=_BADGE)
