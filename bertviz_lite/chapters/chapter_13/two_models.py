"""Two models side by side, drawn: shares by group, and findings with their intervals, beside guessing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt

from bertviz_lite.chapters.chapter_13.carry_over import bounds, carries_over
from bertviz_lite.plots import bars
from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import HALO, describe_axes, entitle, legend, write_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from bertviz_lite.chapters.chapter_13.carry_over import Finding

__all__ = ["beside_chance", "in_words", "two_models"]

_APART = 0.2
"""How far above and below the middle of its row a model's dot lies."""
_FULL = 0.95
"""From here on a share's number stands to the left."""
_MARKERS = "os"


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
    """Draw two models' findings, a row for each, with its verdict on the right.

    Parameters
    ----------
    found
        Two models' names, and what `findings` returned of each.
    title
        The finding, in a sentence.
    """
    one, other = found.values()
    with style():
        _, ax = plt.subplots(figsize=(9.6, 0.53 * len(one) + 1.3))
        for k, (model, ours) in enumerate(found.items()):
            heights = [row + (_APART if k else -_APART) for row in range(len(ours))]
            shares = [finding.share for finding in ours.values()]
            look: dict[str, Any] = {"color": CYCLE[k], "zorder": 3}
            ax.plot(shares, heights, _MARKERS[k], markersize=8, label=model, **look)
            ends = [*map(bounds, ours.values())]
            ax.hlines(heights, *zip(*ends, strict=True), linewidth=4, alpha=0.4, **look)
            for share, height, (low, high) in zip(shares, heights, ends, strict=True):
                is_full = high > _FULL  # there is no room on the right
                ax.annotate(
                    f"{share:.2f}", (low if is_full else high, height), (-8 if is_full else 8, 0),
                    textcoords="offset points", ha="right" if is_full else "left", va="center", fontsize=11,
                    path_effects=HALO, zorder=4,
                )  # fmt: skip
        for row, name in enumerate(one):
            guess = one[name].guess
            label = None if row else "guessing"
            ax.plot([guess] * 2, [row - 0.4, row + 0.4], color=INK, linewidth=2, linestyle=":", label=label)
            verdict = carries_over(one[name], other[name])
            weight = "bold" if verdict == "no" else "normal"
            ax.text(1.12, row, verdict, va="center", fontsize=12, fontweight=weight)
        ax.text(1.06, -0.7, "carries over?", va="center", fontsize=11)
        write_ticks(ax.yaxis, range(len(one)), list(one))
        ax.set(xlim=(-0.04, 1.04), ylim=(len(one) - 0.4, -1.05))
        ax.tick_params(axis="y", length=0)
        describe_axes(ax, "share, with its 95 % interval")
        legend(ax)
        entitle(ax, title)
    return ax


def in_words(found: Mapping[str, Mapping[str, Finding]]) -> str:
    """Say every number of the drawing, for who cannot see it."""
    one, other = found.values()
    lines = []
    for name, finding in one.items():
        shares = ", ".join(f"{model} {ours[name].share:.2f}" for model, ours in found.items())
        verdict = carries_over(finding, other[name])
        lines.append(f"{name}: {shares}, guessing {finding.guess:.2f}, carries over: {verdict}")
    return "; ".join(lines)
