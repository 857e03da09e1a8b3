"""Two models side by side, drawn: shares by group, and findings with intervals, beside guessing and rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt

from bertviz_lite.chapters.chapter_13.carry_over import (
    ahead,
    both_beat,
    both_show,
    bounds,
    rival,
)
from bertviz_lite.plots import bars
from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import HALO, describe_axes, entitle, legend, write_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from bertviz_lite.chapters.chapter_13.carry_over import Finding

__all__ = ["beside_chance", "in_words", "leads", "leads_in_words", "two_models"]

_APART = 0.2
"""How far above and below the middle of its row a model's dot lies."""
_MARKERS = "os"
_ALIKE = 0.01
"""How near the guesses of two models are that are drawn as one."""
_AGAINST = 69
"""Where the names of rivals stand in the figure of leads, in points."""


def beside_chance(
    shares: Mapping[str, Sequence[float]], groups: Sequence[str], *, title: str = "", label: str = ""
) -> Axes:
    """Draw bars for each group of words, a bar a model, and a mark across them for chance.

    Parameters
    ----------
    shares
        Names, and a share for each group; the last is chance.
    groups
        The groups' names.
    title
        The finding, in a sentence.
    label
        What the shares are.
    """
    *models, chance = shares
    ax = bars([shares[model] for model in models], groups, models, label=label)
    with style():
        for old in [*ax.get_figure(root=True).legends]:  # type: ignore[union-attr]
            old.remove()
        places = range(len(groups))
        ax.plot(shares[chance], places, "|", color=INK, markersize=24, markeredgewidth=2.5, label=chance)
        legend(ax, markerscale=0.6)
        entitle(ax, title)
    return ax


def two_models(found: Mapping[str, Mapping[str, Finding]], *, title: str = "") -> Axes:
    """Draw two models' findings, a row for each, beside guessing; the verdict on the right.

    Parameters
    ----------
    found
        Two models' names, and what `findings` returned of each.
    title
        The finding, in a sentence.
    """
    one, other = found.values()
    with style():
        ax = _rows(
            {
                model: {name: (each.share, *bounds(each)) for name, each in ours.items()}
                for model, ours in found.items()
            },
            "{:.2f}",
        )
        for row, name in enumerate(one):
            guesses = one[name].guess, other[name].guess
            alike = abs(guesses[0] - guesses[1]) < _ALIKE
            label = None if row else "guessing"
            for guess, start, end in [(guesses[0], -0.4, 0.4)] if alike else _halves(guesses):
                heights = row + start, row + end
                ax.plot([guess] * 2, heights, color=INK, linewidth=2, linestyle=":", label=label)
                label = None
        _verdicts(ax, [both_show(one[name], other[name]) for name in one], 1.18)
        ax.set(xlim=(-0.04, 1.14), xticks=(0, 0.2, 0.4, 0.6, 0.8, 1))
        ax.spines["bottom"].set_bounds(-0.04, 1)  # a share is at most 1; beyond it stand numbers
        describe_axes(ax, "share, with its 95 % interval")
        legend(ax)
        entitle(ax, title)
    return ax


def leads(found: Mapping[str, Mapping[str, Finding]], *, title: str = "") -> Axes:
    """Draw how far two models are ahead of the better of guessing and a rule; the verdict on the right.

    Parameters
    ----------
    found
        Two models' names, and what `findings` returned of each. What has no rule gets a row of words.
    title
        The finding, in a sentence.
    """
    one, other = found.values()
    ruled = _ruled(found)
    with style():
        ax = _rows(
            {
                model: {name: tuple(100 * number for number in ahead(ours[name])) for name in ruled}
                for model, ours in found.items()
            },
            "{:+.0f}",
            without=(without := [name for name in one if name not in ruled]),
        )
        upto = [-1.05, len(ruled) - 0.4]
        ax.plot([0, 0], upto, color=INK, linewidth=2, linestyle=":", label="no better")
        for row, name in enumerate(ruled):
            ax.text(_AGAINST, row, _rivals(one[name], other[name]), va="center", fontsize=12)
        for row in range(len(ruled), len(ruled) + len(without)):
            ax.text(_AGAINST, row, "no rule tried", va="center", fontsize=12, fontstyle="italic")
        ax.text(_AGAINST, -0.7, "against", va="center", fontsize=11)
        _verdicts(ax, [both_beat(one[name], other[name]) for name in ruled], 118)
        ax.set(xlim=(-58, 116), xticks=range(-50, 51, 25))
        ax.spines["bottom"].set_bounds(-58, 60)
        describe_axes(ax, "points ahead, with the 95 % interval")
        legend(ax)
        entitle(ax, title)
    return ax


def _ruled(found: Mapping[str, Mapping[str, Finding]]) -> list[str]:
    one, other = found.values()
    return [name for name in one if one[name].rule and other[name].rule]


def _rivals(*findings: Finding) -> str:
    """Name what each is measured against, once if it is the same."""
    return ", ".join(
        dict.fromkeys("a coin" if rival(each) == "guessing" else rival(each) for each in findings)
    )


def _rows(
    found: Mapping[str, Mapping[str, tuple[float, ...]]], form: str, without: Sequence[str] = ()
) -> Axes:
    """Draw a dot, its interval and its number for each model and row: (value, low, high); then empty rows."""
    names = [*next(iter(found.values())), *without]
    _, ax = plt.subplots(figsize=(9.6, 0.53 * len(names) + (1.3 if len(names) > 5 else 1.7)))
    for k, (model, ours) in enumerate(found.items()):
        heights = [row + (_APART if k else -_APART) for row in range(len(ours))]
        values, lows, highs = zip(*ours.values(), strict=True)
        look: dict[str, Any] = {"color": CYCLE[k], "zorder": 3}
        ax.plot(values, heights, _MARKERS[k], markersize=8, label=model, **look)
        ax.hlines(heights, lows, highs, linewidth=4, alpha=0.4, **look)
        for value, height, high in zip(values, heights, highs, strict=True):
            ax.annotate(
                form.format(value).replace("-", "−"), (high, height), (8, 0), textcoords="offset points",
                va="center", fontsize=11, path_effects=HALO, zorder=4,
            )  # fmt: skip
    write_ticks(ax.yaxis, range(len(names)), names)
    ax.set_ylim(len(names) - 0.4, -1.05)
    ax.tick_params(axis="y", length=0)
    return ax


def _halves(guesses: tuple[float, float]) -> list[tuple[float, float, float]]:
    """Give each model's guess the half of the row in which its dot lies: (guess, start, end)."""
    return [(guesses[0], -0.4, -0.02), (guesses[1], 0.02, 0.4)]


def _verdicts(ax: Axes, verdicts: Sequence[str], place: float) -> None:
    for row, verdict in enumerate(verdicts):
        weight = "normal" if verdict == "yes" else "bold"
        ax.text(place, row, verdict, va="center", fontsize=12, fontweight=weight)
    ax.text(place, -0.7, "both?", va="center", fontsize=11)


def in_words(found: Mapping[str, Mapping[str, Finding]]) -> str:
    """Say every number of the first drawing, for who cannot see it."""
    one, other = found.values()
    lines = []
    for name, finding in one.items():
        shares = ", ".join(f"{model} {ours[name].share:.2f}" for model, ours in found.items())
        verdict = both_show(finding, other[name])
        guesses = dict.fromkeys(f"{each.guess:.2f}" for each in (finding, other[name]))
        lines.append(f"{name}: {shares}, guessing {' and '.join(guesses)}, both: {verdict}")
    return "; ".join(lines)


def leads_in_words(found: Mapping[str, Mapping[str, Finding]]) -> str:
    """Say every number of the second drawing, and what had no rule."""
    one, other = found.values()
    lines = []
    for name in _ruled(found):
        each = []
        for model, ours in found.items():
            lead, low, high = (100 * number for number in ahead(ours[name]))
            each.append(
                f"{model} {lead:+.0f} points ({low:+.0f} to {high:+.0f}) against {_rivals(ours[name])}"
            )
        verdict = both_beat(one[name], other[name])
        lines.append(f"{name}: {', '.join(each)}, both: {verdict}")
    lines += [f"{name}: no rule tried" for name in one if name not in _ruled(found)]
    return "; ".join(lines)
