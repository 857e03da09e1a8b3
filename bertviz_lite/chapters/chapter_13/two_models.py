"""Two models side by side, drawn: shares by group, and findings with intervals, beside guessing and rules."""

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
_TALL = 0.15
"""How far a mark for a simple rule reaches above and below a model's dot."""
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
    """Draw two models' findings, a row for each, beside guessing and simple rules; its verdict on the right.

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
            rules = [
                (finding.rule.share, h)
                for finding, h in zip(ours.values(), heights, strict=True)
                if finding.rule
            ]
            for at, (share, height) in enumerate(rules):
                label = "simple rule" if k and not at else None
                upright = height - _TALL, height + _TALL
                ax.plot([share] * 2, upright, color=INK, linewidth=3, zorder=5, label=label)
            ax.hlines(heights, *zip(*ends, strict=True), linewidth=4, alpha=0.4, **look)
            for share, height, (_, high) in zip(shares, heights, ends, strict=True):
                ax.annotate(
                    f"{share:.2f}", (high, height), (8, 0), textcoords="offset points", va="center",
                    fontsize=11, path_effects=HALO, zorder=4,
                )  # fmt: skip
        for row, name in enumerate(one):
            guess = one[name].guess
            label = None if row else "guessing"
            ax.plot([guess] * 2, [row - 0.4, row + 0.4], color=INK, linewidth=2, linestyle=":", label=label)
            verdict = carries_over(one[name], other[name])
            weight = "bold" if verdict == "no" else "normal"
            ax.text(1.24, row, verdict, va="center", fontsize=12, fontweight=weight)
        ax.text(1.18, -0.7, "carries over?", va="center", fontsize=11)
        write_ticks(ax.yaxis, range(len(one)), list(one))
        ax.set(xlim=(-0.04, 1.14), ylim=(len(one) - 0.4, -1.05), xticks=(0, 0.2, 0.4, 0.6, 0.8, 1))
        ax.spines["bottom"].set_bounds(-0.04, 1)  # a share is at most 1; beyond it stand numbers
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
        shares = ", ".join(
            f"{model} {ours[name].share:.2f}" + (f" (simple rule {rule.share:.2f})" if rule else "")
            for model, ours in found.items()
            for rule in [ours[name].rule]
        )
        verdict = carries_over(finding, other[name])
        lines.append(f"{name}: {shares}, guessing {finding.guess:.2f}, carries over: {verdict}")
    return "; ".join(lines)
