"""The embedding view without scripts: shares, rows and neighbours as bars, a sentence on them, tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.basics.text import clip, percent
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.lettering import drawable
from bertviz_lite.views.base.static import Static, Table
from bertviz_lite.views.embedding.rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes

    from bertviz_lite.evaluation.embeddings import InputParts
    from bertviz_lite.views.embedding.rows import Shown

__all__ = ["static", "static_near"]

_SIGNS = {"token": "", "position": "+ ", "segment": "+ ", "sum": "= ", "bias": "", "result": "→ "}
_SCALED_SIGNS = {**_SIGNS, "bias": "+ ", "result": "= "}
"""Below LayerNorm the rows add up only as it scales them."""
_SOFT = "#59636e"
_COLOURS = {
    "token": "#0072b2",
    "position": "#c27400",
    "segment": "#00875f",
    "sum": "#3b4350",
    "bias": "#767d86",
    "result": "#9c4f94",
}
_TOKENS_IN_PICTURE = 24
_ROWS_IN_TABLE = 64
_NEIGHBOURS = 5


def static(shown: Shown) -> Static:
    """Return the script-free layer."""
    on, name, lengths = shown.on, shown.name, shown.lengths
    near = _neighbours(shown)
    with style():
        ratios = [2.2, *[1.0] * 6, *([2.4] if near else [])]
        size = (9.0, 8.8 if near else 8.0)
        figure, axes = plt.subplots(len(ratios), 1, figsize=size, height_ratios=ratios)
        _draw_shares(axes[0], on, shown.token)
        _draw_rows(axes[1:7], shown)
        if near:
            _draw_neighbours(axes[7], near, on.tokens[shown.token])
    shares = ", ".join(f"{key} {percent(on.shares[key][shown.token])}" for key in on.shares)
    sizes = ", ".join(f"{key} {_number(lengths[key])}" for key in ROWS)
    alt = f"Input embedding of {name}, bar by bar. Lengths: {sizes}. Shares of the result: {shares}."
    if near:
        alt += f" {_near_in_words(shown, near)}"
    return Static(figure, alt, tables=(_row_table(shown), _token_table(on)))


def static_near(shown: Shown) -> Static:
    """Return the script-free layer of the view that shows nothing but what is near the token."""
    near, token = _neighbours(shown), shown.parts.tokens[shown.token]
    with style():
        figure, ax = plt.subplots(figsize=(9.0, 2.6))
        _draw_neighbours(ax, near, token)
    return Static(figure, _near_in_words(shown, near))


def _near_in_words(shown: Shown, near: Sequence[tuple[str, float]]) -> str:
    words = ", ".join(f"{word} {_cosine(cosine)}" for word, cosine in near)
    return f"Near “{shown.parts.tokens[shown.token]}”, by cosine: {words or 'nothing'}."


def _neighbours(shown: Shown) -> list[tuple[str, float]]:
    """Return what is nearest to the token in the vocabulary; nothing without a table, or a vector."""
    table, token = shown.parts.word_table, shown.parts.tokens[shown.token]
    return table.nearest(token, _NEIGHBOURS) if table is not None and token in table.tokens else []


def _draw_neighbours(ax: Axes, near: Sequence[tuple[str, float]], token: str) -> None:
    rows, cosines = range(len(near)), [cosine for _, cosine in near]
    ax.barh(rows, cosines, color=_COLOURS["token"], height=0.7)
    ax.set_yticks(rows, [drawable(clip(word, 14)) for word, _ in near], parse_math=False)
    for row, cosine in zip(rows, cosines, strict=True):
        ax.text(max(cosine, 0.0) + 0.01, row, _cosine(cosine), va="center")
    ax.set(xlim=(min(0.0, *cosines), 1) if cosines else (0, 1), xticks=[])
    ax.invert_yaxis()
    ax.tick_params(axis="y", length=0)
    ax.spines["bottom"].set_visible(False)
    ax.set_title(drawable(f"What is near “{clip(token, 14)}”? (cosine of their rows)"), parse_math=False)


def _cosine(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def _row_table(shown: Shown) -> Table:
    on, token = shown.on, shown.token
    cosines = on.cosines(token)
    at = {"token": 0, "position": 1, "segment": 2, "sum": 3, "result": 4}
    lines = []
    for row in ROWS:
        share = percent(on.shares[row][token]) if row in on.shares else ""
        angles = [_number(cosines[at[row], at[to]]) if row in at else "" for to in ("sum", "result")]
        lines.append([row, _number(shown.lengths[row]), "100.0 %" if row == "result" else share, *angles])
    columns = (
        "row",
        "length",
        f"share of the result of token {token}",
        "cosine with sum",
        "cosine with result",
    )
    return Table(f"The rows of {shown.name} in numbers", columns, lines)


def _token_table(parts: InputParts) -> Table:
    shown = min(len(parts), _ROWS_IN_TABLE)
    ids = zip(parts.input_ids, parts.position_ids, parts.token_type_ids, strict=True)
    lines = [
        [f"{i} {parts.tokens[i]}", *map(str, of), *(percent(parts.shares[key][i]) for key in parts.shares)]
        for i, of in zip(range(shown), ids, strict=False)
    ]
    what = "All tokens" if shown == len(parts) else f"The first {shown} of {len(parts)} tokens"
    return Table(
        f"{what} in numbers", ("token", "input_ids", "position_ids", "token_type_ids", *parts.shares), lines
    )


def _draw_shares(ax: Axes, parts: InputParts, index: int) -> None:
    """Draw every token's shares as stacked bars, those around `index` if there are many."""
    first = max(0, min(index - _TOKENS_IN_PICTURE // 2, len(parts) - _TOKENS_IN_PICTURE))
    shown = list(range(first, min(len(parts), first + _TOKENS_IN_PICTURE)))
    above, below = np.zeros(len(shown)), np.zeros(len(shown))
    for name, shares in parts.shares.items():
        values = 100 * shares[shown]
        ax.bar(
            range(len(shown)),
            values,
            bottom=np.where(values >= 0, above, below),
            color=_COLOURS[name],
            label="LayerNorm’s bias" if name == "bias" else name,
            width=0.7,
        )
        above += np.clip(values, 0, None)
        below += np.clip(values, None, 0)
    names = [drawable(clip(parts.tokens[i], 10)) for i in shown]
    ax.set_xticks(range(len(shown)), names, fontsize=10, parse_math=False)
    if len(shown) > 12:
        for name_below in ax.get_xticklabels():
            name_below.set(rotation=45, ha="right", rotation_mode="anchor")
    ax.get_xticklabels()[shown.index(index)].set_fontweight("bold")
    ax.tick_params(axis="x", length=0)
    ax.axhline(0, color=_SOFT, linewidth=1)
    ax.set_ylabel("share, %")
    ax.set_title("What each part adds to the result (below 0: it works against it)")
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def _draw_rows(axes: Iterable[Axes], shown: Shown) -> None:
    """Draw the six rows as bars; the four above LayerNorm share a scale, the two below it do.

    What the height of a strip means is written above the first row of either scale.
    """
    rows, signs = shown.rows, _SCALED_SIGNS if shown.scaled else _SIGNS
    upper = max(float(np.abs(rows[name]).max()) for name in ("token", "position", "segment", "sum"))
    lower = max(float(np.abs(rows[name]).max()) for name in ("bias", "result"))
    if shown.one_scale or shown.scaled:
        upper = lower = max(upper, lower)
    for ax, name in zip(axes, ROWS, strict=True):
        limit = (lower if name in ("bias", "result") else upper) or 1.0
        ax.stairs(
            rows[name], fill=True, baseline=0, color=_COLOURS[name], linewidth=0
        )  # one shape, not 768 bars
        ax.axhline(0, color=_SOFT, linewidth=0.8)
        ax.set(xlim=(0, len(rows[name])), ylim=(-limit, limit), xticks=[], yticks=[])
        for spine in ax.spines.values():
            spine.set_visible(False)
        ax.set_facecolor("#f3f5f7")
        ax.set_ylabel(
            signs[name] + name, rotation=0, ha="right", va="center", color=_COLOURS[name], weight="bold"
        )
        ax.text(
            1.01,
            0.5,
            f"length {_number(shown.lengths[name])}{_share_of(name, shown)}",
            transform=ax.transAxes,
            va="center",
        )
        if name == "token":
            of = drawable(shown.name[:1].upper() + shown.name[1:])
            ax.set_title(f"{of}, number by number (a strip reaches to ±{_number(limit)})", parse_math=False)
        elif name == "bias":
            how = "the scaled sum plus bias" if shown.scaled else "(sum − mean) ÷ std × gain + bias"
            norm = f"LayerNorm: {how}; here to ±{_number(limit)}"
            ax.set_title(norm, fontsize=11, weight="normal", color=_SOFT)


def _share_of(row: str, shown: Shown) -> str:
    """Return the share of a row in the result, in a line of its own."""
    if row == "result":
        return "\nshare 100 %"
    return f"\nshare {percent(shown.on.shares[row][shown.token])}" if row in shown.on.shares else ""


def _number(value: float) -> str:
    """Write a number as the page does: four digits that matter, a true minus sign, a dash for none."""
    if not np.isfinite(value):
        return "–"
    size = abs(value)
    digits = 0 if size >= 1000 else 3 - max(0, int(np.floor(np.log10(size)))) if size > 0 else 0
    text = f"{size:.{digits}f}" if size >= 0.001 or size == 0 else f"{size:.2e}"
    return f"−{text}" if value < 0 and float(text) != 0 else text
