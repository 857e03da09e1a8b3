"""The time-lapse's picture of one moment: losses, abilities so far, attention."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from bertviz_lite import plots
from bertviz_lite.basics.text import clip, readable
from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import drawable
from bertviz_lite.views.time_lapse.step_axis import place, steps_of_ten
from bertviz_lite.views.time_lapse.words import LOSSES, since, when

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bertviz_lite.views.time_lapse.moment import Moment

__all__ = ["draw"]

_SOFT = "#59636e"
_BADGE = {"facecolor": "white", "linewidth": 0, "pad": 1.5}


def draw(moment: Moment) -> Figure:
    """Return the picture of a moment: losses, abilities, one head large, all heads small."""
    count = len(moment.abilities)
    with style():
        figure = Figure(figsize=(10.0, 4.0 + 0.42 * count))
        figure.suptitle(when(moment), x=0.01, ha="left", weight="bold", size=14)
        left, right = figure.subfigures(1, 2, squeeze=False, width_ratios=[1.45, 1])[0]
        losses = left.subplots(3, 1, sharex=True, height_ratios=[1.0, 1.0, 0.55 * max(count, 2)])
        large, small = right.subplots(2, 1)
        for ax, (name, title) in zip(losses, LOSSES, strict=False):
            _draw_loss(ax, moment, name, title)
        _draw_abilities(losses[2], moment)
        _draw_head(large, moment)
        _draw_heads(small, moment)
    return figure


def _draw_loss(ax: Axes, moment: Moment, name: str, title: str) -> None:
    run = moment.run
    places = [place(entry["step"], run.steps) for entry in run.losses]
    ax.plot(places, [entry[name] for entry in run.losses], "#d55e00")
    ax.set_ylim(bottom=0)
    ax.yaxis.tick_right()
    ax.spines["left"].set_visible(False)
    ax.set_ylabel(title, rotation=0, ha="right", va="center")
    _mark(ax, moment)


def _draw_abilities(ax: Axes, moment: Moment) -> None:
    """Draw a strip for each score, from 0 to 1, up to the moment."""
    steps = moment.run.steps
    places = [place(step, steps) for step in steps]
    last, count = moment.index + 1, len(moment.abilities)
    for row, ability in enumerate(moment.abilities):
        base = count - 1 - row
        ax.axhspan(base, base + 0.8, color="#f3f5f7", linewidth=0)
        heights = [np.nan if value is None else base + 0.8 * value for value in ability.values[:last]]
        ax.plot(places[:last], heights, color=CYCLE[0], marker="o", markersize=4)
        there = moment.is_there(ability)
        note = since(moment.run, ability) if there else ability.absence or "not yet"
        if note == "no rise" and last < len(steps):
            note = "not yet"  # as far as has been seen
        ax.text(1.01, base + 0.4, note.replace(", at", ",\nat"), va="center", color=INK if there else _SOFT)
    ax.text(1.01, count + 0.1, "appears, step", va="center", color=_SOFT)
    names = [drawable(readable(clip(ability.title, 40))) for ability in moment.abilities]
    ax.set_yticks([count - 0.6 - row for row in range(count)], names, parse_math=False)
    ax.set_ylim(-0.1, max(count, 1))
    ticks = steps_of_ten(steps)
    ax.set_xticks([place(step, steps) for step in ticks], [f"{step:,}" for step in ticks])
    ax.set_xlim(0, 1)
    ax.set_xlabel("step")
    ax.tick_params(axis="y", length=0)
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    _mark(ax, moment)


def _mark(ax: Axes, moment: Moment) -> None:
    ax.axvline(place(moment.step, moment.run.steps), color=INK, linewidth=1.5, alpha=0.6)


def _draw_head(ax: Axes, moment: Moment) -> None:
    weights = moment.weights[moment.layer, moment.head]
    names = [drawable(readable(clip(token, 12))) for token in moment.tokens]
    ax.imshow(np.sqrt(weights), cmap=plots.UNSIGNED, vmin=0, vmax=1)
    size = 8 if len(names) > 14 else 10
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks(range(len(names)), names, parse_math=False)
        axis.set_tick_params(length=0, labelsize=size)
    ax.tick_params(axis="x", rotation=90)
    ax.set_title(f"layer {moment.layer}, head {moment.head}", fontsize=12)


def _draw_heads(ax: Axes, moment: Moment) -> None:
    """Draw the maps of all heads, a row for each layer, in one image with gaps."""
    weights = np.sqrt(moment.weights)
    layers, heads, size, _ = weights.shape
    gap = max(1, size // 10)
    pitch = size + gap
    image = np.full((layers * pitch - gap, heads * pitch - gap), np.nan)
    for layer, head in np.ndindex(layers, heads):
        top, left = layer * pitch, head * pitch
        image[top : top + size, left : left + size] = weights[layer, head]
    ax.imshow(image, cmap=plots.UNSIGNED, vmin=0, vmax=1)
    top, left = moment.layer * pitch - 1, moment.head * pitch - 1
    side = size + 1
    ax.plot(
        [left, left + side, left + side, left, left], [top, top, top + side, top + side, top], color=CYCLE[1]
    )
    ax.set_xticks([head * pitch + size / 2 for head in range(heads)], map(str, range(heads)))
    ax.set_yticks([layer * pitch + size / 2 for layer in range(layers)], map(str, range(layers)))
    ax.tick_params(length=0)
    ax.set_xlabel("head")
    ax.set_ylabel("layer")
    for spine in ax.spines.values():
        spine.set_visible(False)
    for ability, (layer, head) in moment.best_heads.items():
        letter = ability.name.removeprefix("head.")[:1].upper()
        place_of = head * pitch + 0.88 * size, layer * pitch + 0.14 * size
        ax.text(*place_of, letter, ha="center", va="center", weight="bold", bbox=_BADGE)
