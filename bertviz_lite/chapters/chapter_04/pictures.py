"""The pictures of chapter 04, each with its finding as title and the same numbers in its alt text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.nn.functional import gelu

from bertviz_lite.chapters.chapter_04 import figures, thoughts
from bertviz_lite.plots import lines
from bertviz_lite.plots.display import picture

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from torch import Tensor

    from bertviz_lite.chapters.chapter_04.bill import Weighed
    from bertviz_lite.chapters.chapter_04.reactions import Reactions
    from bertviz_lite.plots.display import Picture

__all__ = [
    "addresses", "animals_and_things", "corners", "halves", "left_out", "one_vector", "parameters", "quiet",
    "rivals", "softer_cut", "without_gelu",
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


def without_gelu(right: Mapping[str, Mapping[str, float]], whole: float, of: str) -> Picture:
    """Show what is right without the FFN, and without GELU alone, in one layer or in all."""
    single = [each for place, each in right.items() if place.startswith("layer")]
    worse = sum(each["only its GELU"] < each["the whole FFN"] for each in single)
    where = "every layer" if worse == len(single) else f"{worse} layers of {len(single)}"
    title = f"In {where}, losing GELU is worse than losing the whole FFN"
    ax = figures.right_without(right, whole, of=of, title=title)
    rows = "; ".join(
        f"{place}: " + ", ".join(f"without {part} {share:.0%}" for part, share in each.items())
        for place, each in right.items()
    )
    return picture(ax, alt=f"Two bars for each layer; {rows}; with both {whole:.0%}. {title}.")


def one_vector(squares: Mapping[str, Tensor], tokens: Sequence[str], layers: int) -> Picture:
    """Show how alike the tokens of a text are after some layers, with residuals and without."""
    title = f"Without residuals, all tokens are nearly one vector after {layers} layers"
    axes = figures.alike(squares, tokens, title=title)
    lowest = ", ".join(f"{name} {square.min():.2f}" for name, square in squares.items())
    alt = f"Two squares: an orange diagonal, and all orange. Lowest cosines: {lowest}. "
    return picture(axes, alt=f"{alt}{title}.")


def rivals(right: Mapping[str, float], of: str) -> Picture:
    """Show what is right with the FFNs as trained, with simpler things in their place, and without them."""
    title = f"With a linear map in place of each FFN, {right['nearest linear map']:.0%} are right"
    return _bars(right, of, title)


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
    places = torch.linspace(-4, 0, 401, dtype=torch.float64)
    title = f"{above:.0%} say “yes”; GELU turns every “no” down to {-gelu(places).min():.2f} or less"
    axes = figures.arrivals(inner, gelu, title=title, name="GELU")
    return picture(
        axes, alt=f"GELU's curve and a straight line; below, a histogram, mostly left of 0. {title}."
    )


def addresses(reacted: Mapping[str, Reactions]) -> Picture:
    """Show whose nudge each output reacts to, with residuals and without."""
    title = "Without residuals, each output reacts to every token alike"
    axes = figures.whose({name: each.shares for name, each in reacted.items()}, title=title)
    own = ", ".join(f"{name} {each.own:.0%}" for name, each in reacted.items())
    alt = f"Two squares: a dark diagonal, and an even one. From its own token: {own}. "
    return picture(axes, alt=f"{alt}{title}.")
