"""What the time-lapse shows without scripts: a picture of one moment, a sentence on it, tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from bertviz_lite import plots
from bertviz_lite.basics.text import clip, readable
from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import drawable
from bertviz_lite.views.base.view import Static, Table
from bertviz_lite.views.time_lapse.training_run import place, steps_of_ten

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    from bertviz_lite.views.time_lapse.training_run import Ability, TrainingRun
    from bertviz_lite.views.time_lapse.view import TimeLapse

    Floats = npt.NDArray[np.float64]

__all__ = ["static"]

_LOSSES = (("mlm_loss", "loss: masked words"), ("nsp_loss", "loss: next sentence"))
_IN_ALT = 3
_SOFT = "#59636e"
_BADGE = {"facecolor": "white", "linewidth": 0, "pad": 1.5}


def static(view: TimeLapse) -> Static:
    """Return the script-free layer of the present state."""
    abilities = view.run.abilities(view.threshold)
    return Static(
        _draw(view, abilities),
        _alt(view, abilities),
        " ".join(view.run.notes),
        (_score_table(view, abilities), _loss_table(view)),
    )


def weights_of(view: TimeLapse) -> Floats:
    """Return the weights of every head at the moment, (num_layers, num_heads, seq_len, seq_len)."""
    from bertviz_lite.training.history import decode_attention

    return decode_attention(view.run.attention[view.text][view.moment])


def best_heads(view: TimeLapse, abilities: Sequence[Ability]) -> dict[Ability, tuple[int, int]]:
    """Return the (layer, head) that is best for a relation now, where its score says that it is there."""
    best = {}
    for one in abilities:
        head = view.run.moments[view.moment]["heads"].get(one.name.removeprefix("head."))
        value = one.values[view.moment]
        if head is not None and one.level is not None and value is not None and value >= one.level:
            best[one] = (head[0], head[1])
    return best


def count(number: int) -> str:
    """Write a large count in words: three digits that matter.

    >>> count(5_790_267)
    '5.79 million'
    """
    for unit, name in ((10**9, "billion"), (10**6, "million")):
        if number >= unit:
            return f"{float(f'{number / unit:.3g}'):g} {name}"
    return f"{number:,}"


def when(view: TimeLapse) -> str:
    """Say which moment is shown: "Step 1,124 of 13,500, 5.79 million tokens read"."""
    entry = view.run.moments[view.moment]
    read = "" if entry["tokens"] is None else f", {count(entry['tokens'])} tokens read"
    return f"Step {entry['step']:,} of {view.run.steps[-1]:,}{read}"


# ------------------------------------------------------------------------------------------ the figure


def _draw(view: TimeLapse, abilities: Sequence[Ability]) -> Figure:
    with style():
        figure = Figure(figsize=(10.0, 4.0 + 0.42 * len(abilities)))
        figure.suptitle(when(view), x=0.01, ha="left", weight="bold", size=14)
        left, right = figure.subfigures(1, 2, squeeze=False, width_ratios=[1.45, 1])[0]
        losses = left.subplots(3, 1, sharex=True, height_ratios=[1.0, 1.0, 0.55 * max(len(abilities), 2)])
        large, small = right.subplots(2, 1)
        for ax, (name, title) in zip(losses, _LOSSES, strict=False):
            _draw_loss(ax, view, name, title)
        _draw_abilities(losses[2], view, abilities)
        _draw_head(large, view)
        _draw_heads(small, view, abilities)
    return figure


def _draw_loss(ax: Axes, view: TimeLapse, name: str, title: str) -> None:
    run = view.run
    ax.plot(
        [place(one["step"], run.steps) for one in run.losses], [one[name] for one in run.losses], "#d55e00"
    )
    ax.set_ylim(bottom=0)
    ax.yaxis.tick_right()
    ax.spines["left"].set_visible(False)
    ax.set_ylabel(title, rotation=0, ha="right", va="center")
    _mark(ax, view)


def _draw_abilities(ax: Axes, view: TimeLapse, abilities: Sequence[Ability]) -> None:
    """Draw a strip for each score, from 0 to 1, up to the moment."""
    steps = view.run.steps
    places = [place(step, steps) for step in steps]
    last = view.moment + 1
    for row, one in enumerate(abilities):
        base = len(abilities) - 1 - row
        ax.axhspan(base, base + 0.8, color="#f3f5f7", linewidth=0)
        heights = [np.nan if value is None else base + 0.8 * value for value in one.values[:last]]
        ax.plot(places[:last], heights, color=CYCLE[0], marker="o", markersize=4)
        there = one.first is not None and one.first <= view.moment
        said = _since(view.run, one) if there else one.absence or "not yet"
        if said == "no rise" and last < len(steps):
            said = "not yet"  # as far as has been seen
        ax.text(1.01, base + 0.4, said.replace(", at", ",\nat"), va="center", color=INK if there else _SOFT)
    ax.text(1.01, len(abilities) + 0.1, "appears, step", va="center", color=_SOFT)
    names = [drawable(readable(clip(one.title, 40))) for one in abilities]
    ax.set_yticks([len(abilities) - 0.6 - row for row in range(len(abilities))], names, parse_math=False)
    ax.set_ylim(-0.1, max(len(abilities), 1))
    ticks = steps_of_ten(steps)
    ax.set_xticks([place(step, steps) for step in ticks], [f"{step:,}" for step in ticks])
    ax.set_xlim(0, 1)
    ax.set_xlabel("step")
    ax.tick_params(axis="y", length=0)
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    _mark(ax, view)


def _mark(ax: Axes, view: TimeLapse) -> None:
    ax.axvline(place(view.run.steps[view.moment], view.run.steps), color=INK, linewidth=1.5, alpha=0.6)


def _draw_head(ax: Axes, view: TimeLapse) -> None:
    weights = weights_of(view)[view.layer, view.head]
    names = [drawable(readable(clip(token, 12))) for token in view.run.tokens[view.text]]
    ax.imshow(np.sqrt(weights), cmap=plots.UNSIGNED, vmin=0, vmax=1)
    size = 8 if len(names) > 14 else 10
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks(range(len(names)), names, parse_math=False)
        axis.set_tick_params(length=0, labelsize=size)
    ax.tick_params(axis="x", rotation=90)
    ax.set_title(f"layer {view.layer}, head {view.head}", fontsize=12)


def _draw_heads(ax: Axes, view: TimeLapse, abilities: Sequence[Ability]) -> None:
    """Draw the maps of all heads, a row for each layer, in one image with gaps."""
    weights = np.sqrt(weights_of(view))
    layers, heads, size, _ = weights.shape
    gap = max(1, size // 10)
    pitch = size + gap
    image = np.full((layers * pitch - gap, heads * pitch - gap), np.nan)
    for layer, head in np.ndindex(layers, heads):
        top, left = layer * pitch, head * pitch
        image[top : top + size, left : left + size] = weights[layer, head]
    ax.imshow(image, cmap=plots.UNSIGNED, vmin=0, vmax=1)
    top, left = view.layer * pitch - 1, view.head * pitch - 1
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
    for one, (layer, head) in best_heads(view, abilities).items():
        letter = one.name.removeprefix("head.")[:1].upper()
        place_of = head * pitch + 0.88 * size, layer * pitch + 0.14 * size
        ax.text(*place_of, letter, ha="center", va="center", weight="bold", bbox=_BADGE)


# ------------------------------------------------------------------------------------------- the words


def _since(run: TrainingRun, one: Ability) -> str:
    """Say between which steps an ability appeared."""
    if one.first is None:
        return one.absence
    until = f"{run.steps[one.first]:,}"
    return f"at {until}" if one.below is None else f"{run.steps[one.below]:,} – {until}"


def _alt(view: TimeLapse, abilities: Sequence[Ability]) -> str:
    losses = view.run.losses_at(view.moment)
    parts = [f"{when(view)}."]
    if losses is not None:
        told = ", ".join(f"{title.removeprefix('loss: ')} {losses[name]:.2f}" for name, title in _LOSSES)
        parts.append(f"Losses: {told}.")
    there = [one for one in abilities if one.first is not None and one.first <= view.moment]
    share = f"{100 * view.threshold:.0f} %"
    parts.append(
        f"{len(there)} of {len(abilities)} abilities have made {share} of their way"
        + (": " if there else ".")
        + "; ".join(f"{readable(one.title)} ({_since(view.run, one)})" for one in there)
        + ("." if there else "")
    )
    for one, head in best_heads(view, abilities).items():
        parts.append(f"Best at “{readable(one.title)}”: {_pair(head)}.")
    weights = weights_of(view)[view.layer, view.head]
    tokens = view.run.tokens[view.text]
    largest = np.argsort(-weights, axis=None, kind="stable")[:_IN_ALT].tolist()
    pairs = "; ".join(
        f"{readable(clip(tokens[query]))} → {readable(clip(tokens[key]))} {weights[query, key]:.2f}"
        for query, key in (divmod(index, len(tokens)) for index in largest)
    )
    parts.append(
        f"Attention maps of {view.run.num_layers} layers of {view.run.num_heads} heads for "
        f"“{readable(clip(view.run.texts[view.text], 200))}”; the largest weights of layer {view.layer}, "
        f"head {view.head}: {pairs}."
    )
    return " ".join(parts)


def _score_table(view: TimeLapse, abilities: Sequence[Ability]) -> Table:
    rows = [
        [
            readable(one.title),
            *("–" if value is None else f"{value:.4f}" for value in one.values),
            "–" if one.level is None else f"{one.level:.4f}",
            one.absence if one.first is None else f"{view.run.steps[one.first]:,}",
        ]
        for one in abilities
    ]
    columns = ("score", *(f"step {step:,}" for step in view.run.steps), "there at", "from step")
    return Table("Every score at every moment", columns, rows)


def _loss_table(view: TimeLapse) -> Table:
    rows = []
    for moment, entry in enumerate(view.run.moments):
        losses = view.run.losses_at(moment)
        told = ["–" if losses is None else f"{losses[name]:.3f}" for name, _ in _LOSSES]
        read = "–" if entry["tokens"] is None else f"{entry['tokens']:,}"
        heads = [_pair(entry["heads"].get(name)) for name in ("subject", "person")]
        rows.append([f"{entry['step']:,}", read, *told, *heads])
    columns = (
        "step", "tokens read", *(title for _, title in _LOSSES), "best head: verb → subject",
        "best head: pronoun → person",
    )  # fmt: skip
    return Table("Losses and best heads at every moment", columns, rows)


def _pair(head: Sequence[int] | None) -> str:
    return "–" if head is None else f"layer {head[0]}, head {head[1]}"
