"""Shares as shadows: how far a part reaches along the result, drawn in the plane of the two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import headline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from bertviz_lite.evaluation.embeddings.parts import InputParts

__all__ = ["draw_shares", "shadow"]

_COLOURS = {"token": CYCLE[0], "position": CYCLE[1], "segment": CYCLE[2], "bias": "#767d86"}


def shadow(parts: InputParts, name: str, token: int) -> tuple[float, float, float]:
    """Return how far a part reaches along the result, how far away from it, and how long the result is.

    Parameters
    ----------
    parts
        Of one text.
    name
        "token", "position", "segment" or "bias".
    token
        The place of the token.
    """
    part, result = parts.contributions[name][token], parts.normalised[token]
    length = float(np.linalg.norm(result))
    along = float(part @ result) / length
    away = max(0.0, float(part @ part) - along**2) ** 0.5
    return along, away, length


def draw_shares(parts: InputParts, chosen: Sequence[tuple[str, int]]) -> tuple[list[Axes], str]:
    """Draw parts of the sum, each with the result and its shadow on it, beside each other on one scale.

    Parameters
    ----------
    parts
        Of one text.
    chosen
        The name of each part, and the place of its token.

    Returns
    -------
    tuple of list of Axes and str
        The axes, and the finding that is their title.
    """
    reaches = [shadow(parts, name, token) for name, token in chosen]
    written = [f"{along / length:.0%}".replace("-", "−") for along, _, length in reaches]
    lowest = min(-0.1, *(along / length for along, _, length in reaches))
    finding = f"Shares are shadows: {' and '.join(written)} of the result"
    with style():
        figure, grid = plt.subplots(1, len(chosen), figsize=(9.0, 3.1), squeeze=False)
        axes: list[Axes] = list(grid[0])
        tallest = max(away / length for _, away, length in reaches)
        rows = zip(axes, chosen, reaches, written, strict=True)
        for ax, (name, token), (along, away, length), share in rows:
            x, y, colour = along / length, away / length, _COLOURS[name]
            whose = "LayerNorm’s bias" if name == "bias" else f"its {name}"
            ax.set_title(f"“{parts.tokens[token]}”: {whose}", fontsize=12, fontweight="normal", loc="left")
            ax.plot((0, x), (0, 0), color=colour, linewidth=9, alpha=0.45, solid_capstyle="butt", zorder=1)
            ax.plot((x, x), (y, 0), "--", color=colour, linewidth=1.6)
            for end, look in (((1.0, 0.0), INK), ((x, y), colour)):
                arrow: dict[str, Any] = {
                    "arrowstyle": "-|>",
                    "color": look,
                    "lw": 2.3,
                    "shrinkA": 0,
                    "shrinkB": 0,
                }
                ax.annotate("", end, (0.0, 0.0), arrowprops={**arrow, "mutation_scale": 16})
            ax.annotate(
                "result", (1, 0), (0, 8), textcoords="offset points", ha="right", va="bottom", color=INK
            )
            ax.annotate(name, (x, y), (7, 2), textcoords="offset points", va="bottom", color=colour)
            below: dict[str, Any] = {
                "textcoords": "offset points",
                "ha": "center",
                "va": "top",
                "color": colour,
            }
            ax.annotate(f"share {share}", (x / 2, 0), (0, -9), fontweight="bold", **below)
            ax.set(xlim=(lowest - 0.2, 1.08), ylim=(-0.2, 1.25 * tallest), aspect="equal")
            ax.axis("off")
        headline(figure, finding)
    return axes, finding
