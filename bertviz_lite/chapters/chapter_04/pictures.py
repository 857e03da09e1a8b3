"""The pictures of chapter 04, each with its finding as title and the same numbers in its alt text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from torch.nn.functional import gelu

from bertviz_lite.chapters.chapter_04 import arrows, figures, thoughts
from bertviz_lite.plots import lines
from bertviz_lite.plots.display import picture

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from torch import Tensor

    from bertviz_lite.chapters.chapter_04.bill import Weighed
    from bertviz_lite.chapters.chapter_04.reactions import Reactions
    from bertviz_lite.plots.display import Picture

__all__ = [
    "addresses", "animals_and_things", "corners", "halves", "left_out", "parameters", "quiet", "rivals",
    "softer_cut", "way",
]  # fmt: skip


def halves(shares: Mapping[str, float], of: str) -> Picture:
    """Show what is guessed right without either half of each layer."""
    return _bars(shares, of, "Take either half away, and next to nothing is guessed right")


def left_out(right: Mapping[str, Mapping[str, float]], whole: float, of: str) -> Picture:
    """Show what is lost if one part is left out, in one layer or in all."""
    single = [each for place, each in right.items() if place.startswith("layer")]
    worst = sum(each["activation"] == min(each.values()) for each in single)
    title = f"In {worst} layers of {len(single)}, losing only the activation does the most harm"
    title = title if 2 * worst > len(single) else "What is lost without a part"
    ax = figures.left_out(right, whole, of=of, title=title)
    rows = "; ".join(
        f"{place}: " + ", ".join(f"{part} {100 * (whole - share):.0f}" for part, share in each.items())
        for place, each in right.items()
    )
    return picture(ax, alt=f"A table of the points lost without a part (whole {whole:.0%}). {rows}. {title}.")


def rivals(right: Mapping[str, float], of: str) -> Picture:
    """Show what is right with the FFNs as trained, with simpler things in their place, and without them."""
    title = f"With a linear map in place of each FFN, {right['nearest linear map']:.0%} are right"
    return _bars(right, of, title)


def way(vectors: Mapping[str, npt.ArrayLike]) -> Picture:
    """Show one token's vector in a layer: three of attention's half, then three of the FFN's."""
    named = [*vectors.items()]
    halves = [arrows.Half(*named[:3]), arrows.Half(*named[3:])]
    title = "Each half adds a long arrow, mostly in a new direction; LayerNorm resizes and turns the sum"
    axes = arrows.way(halves, title=title)
    lengths = ", ".join(f"{name} {np.linalg.norm(np.asarray(each, float)):.1f}" for name, each in named)
    return picture(axes, alt=f"Two triangles of arrows, with their lengths: {lengths}. {title}.")


def _bars(shares: Mapping[str, float], of: str, title: str) -> Picture:
    ax = figures.right_bars(shares, of=of, title=title)
    each = ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
    return picture(ax, alt=f"A bar for each: {each}. {title}.")


def corners() -> Picture:
    """Show the four cases of two facts as the corners of a square, before and after the cut."""
    title = "The cut keeps one corner of four: both facts"
    axes = thoughts.corners(title=title)
    alt = "A square twice. Its corners are −1, 0, 0, 1 before the cut, and 0, 0, 0, 1 after it. "
    return picture(axes, alt=f"{alt}{title}.")


def animals_and_things(kinds: Mapping[str, Mapping[str, float]], number: int) -> Picture:
    """Show an inner number at "it", a dot for each noun that it may stand for."""
    rows = list(kinds.values())
    apart = min(rows[0].values()) > max(rows[1].values())
    title = f"Inner number {number} at “it”: "
    title += "every animal above every thing" if apart else "animals and things"
    ax = thoughts.dots(kinds, label=f"inner number {number} at “it”", title=title)
    ends = "; ".join(
        f"{name} from {min(row.values()):.2f} to {max(row.values()):.2f}" for name, row in kinds.items()
    )
    return picture(ax, alt=f"A dot for each word, in two rows: {ends}. {title}.")


def softer_cut(places: Tensor) -> Picture:
    """Show GELU and ReLU over the same places."""
    curves = {"GELU": gelu(places), "ReLU": places.relu()}
    title = f"GELU is a softer cut: no corner, and a dip of {-curves['GELU'].min():.2f} below 0"
    ax = lines(places, [*curves.values()], [*curves], title=title, across="x")
    ax.set_ylabel("what becomes of x")
    return picture(ax, alt=f"Two curves, flat below 0 and rising above. {title}.")


def parameters(counts: Mapping[str, Mapping[str, int]], library: Mapping[str, Weighed]) -> Picture:
    """Show what share of three models' parameters attention and the FFNs hold."""
    totals = {name: weighed.bare for name, weighed in library.items()}
    held = [f"{counts[name]['FFN'] / totals[name]:.0%}" for name in counts]
    title = "The FFNs hold {} of the pocket model, {} of Base, {} of Large".format(*held)
    ax = figures.parameter_bars(counts, totals, ("attention", "FFN"), title=title)
    return picture(ax, alt=f"Three bars for each part: pocket, Base, Large. {title}.")


def quiet(inner: npt.ArrayLike | Tensor, above: float) -> Picture:
    """Show which inner numbers reach GELU, and what it makes of them."""
    title = f"{above:.0%} of the inner numbers are above 0; GELU keeps the others quiet"
    axes = figures.arrivals(inner, gelu, title=title, name="GELU")
    return picture(axes, alt=f"GELU's curve; below it a histogram, mostly left of 0. {title}.")


def addresses(reacted: Mapping[str, Reactions]) -> Picture:
    """Show whose nudge each output reacts to, with residuals and without."""
    title = "Without residuals, each output reacts to every token alike"
    axes = figures.whose({name: each.shares for name, each in reacted.items()}, title=title)
    own = ", ".join(f"{name} {each.own:.0%}" for name, each in reacted.items())
    alt = f"Two squares: a dark diagonal, and an even one. From its own token: {own}. "
    return picture(axes, alt=f"{alt}{title}.")
