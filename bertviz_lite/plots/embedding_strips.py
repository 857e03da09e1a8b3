"""Token, position and segment vectors, their sum and LayerNorm's result as strips under each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.basics.text import clip
from bertviz_lite.plots import lettering
from bertviz_lite.plots.course_style import fit, style
from bertviz_lite.plots.heat_maps import draw_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    from bertviz_lite.evaluation.embeddings import InputParts

    Floats = npt.NDArray[np.float64]

__all__ = ["decomposition"]


def decomposition(parts: InputParts, *, title: str = "", one_scale: bool = False) -> list[Axes]:
    """Draw token, position and segment vectors, their sum and LayerNorm's result as five aligned strips.

    Parameters
    ----------
    parts
        What :func:`bertviz_lite.evaluation.embeddings.input_parts` returns.
    title
        The finding, in a sentence.
    one_scale
        The four strips above LayerNorm always share one scale. LayerNorm makes every row about
        ``sqrt(hidden_size)`` long, often ten times longer, so its strip has a scale of its own, written
        beside it; True gives it the same one, to show just that. Trained models have a few components far
        larger than all others: where these would leave the rest white, the scale ends below them, and its
        bar in points.

    Returns
    -------
    list of Axes
        Five, top to bottom; rows are tokens, columns the ``hidden_size`` components.

    Raises
    ------
    TypeError
        If `parts` is not what ``input_parts`` returns.
    """
    from bertviz_lite.evaluation.embeddings import InputParts

    if not isinstance(parts, InputParts):
        raise ArgumentError(f"decomposition() draws what input_parts() returns, not {type(parts).__name__}.")
    strips = parts.vectors()
    before = [rows for name, rows in strips.items() if name != "result"]
    after = [strips["result"]]
    groups = (before + after,) * 2 if one_scale else (before, after)
    scales = [(_reach(group), "both" if _reach(group) < _largest(group) else "neither") for group in groups]
    n = len(parts)
    signs = {"token": "", "position": "+ ", "segment": "+ ", "sum": "= ", "result": "LayerNorm → "}
    with style():
        height = fit(n, 0.14, 0.8, 2.0)  # up to 14 tokens, each has its name
        figure, grid = plt.subplots(5, 1, figsize=(10.0, 5 * height + 1.2), sharex=True)
        axes: list[Axes] = list(grid)
        for ax, (name, rows) in zip(axes, strips.items(), strict=True):
            limit, points = scales[name == "result"]
            image = draw_cells(ax, rows, limit, aspect="auto", signed=True)
            every = max(1, int(np.ceil(n / (height / 0.139))))
            shown = [clip(token, lettering.LONGEST) for token in parts.tokens[::every]]
            lettering.write_ticks(ax.yaxis, range(0, n, every), shown, fontsize=9)
            ax.tick_params(length=0)
            ax.set_title(signs[name] + name, fontsize=12)
            if name == "result":
                figure.colorbar(image, ax=ax, aspect=8 * height, pad=0.01, extend=points)
            elif name == "sum":
                label = "one scale for all five" if one_scale else "one scale for the four"
                figure.colorbar(image, ax=axes[:4], aspect=30 * height, pad=0.01, extend=points, label=label)
            for spine in ax.spines.values():
                spine.set_visible(False)
        axes[-1].set_xlabel(f"component, 0 to {parts.hidden_size - 1}")
        if title:
            figure.suptitle(title, x=0.01, ha="left", fontsize=14, fontweight="bold", parse_math=False)
    return axes


def _largest(strips: Sequence[Floats]) -> float:
    return max(float(np.abs(rows).max()) for rows in strips)


def _reach(strips: Sequence[Floats]) -> float:
    """Return the largest absolute value, or that of all but 0.5 % where those few are three times larger."""
    most = _largest(strips)
    nearly = max(float(np.quantile(np.abs(rows), 0.995)) for rows in strips)
    return nearly if most > 3 * nearly > 0 else most
