"""The way of a sentence through BERT in four steps: ids, vectors, layers, an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.patches import Rectangle

from bertviz_lite.basics.text import percent
from bertviz_lite.capture import capture
from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import drawable, entitle

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    Floats = npt.NDArray[np.floating]

__all__ = ["draw_steps"]

_NUMBERS = 16  # of each vector, as many as are seen as cells
_LEAST = 0.06  # weights below it are not drawn
_TOKEN, _ID = 7.2, 11.7  # where tokens end, where ids end
_FIRST, _LAYERS, _LAST = (16.0, 29.0), (31.5, 60.0), (62.5, 75.5)
_WORDS, _ENDS = 79.5, 100.0
_GREY = "#59636e"
# The strips leave blue to the row of the hidden word, and orange to its lines.
_STRIPS = LinearSegmentedColormap.from_list("strips", ["#00441b", "#5aae61", "#f7f7f7", "#9970ab", "#40004b"])


def draw_steps(tokenizer: PreTrainedTokenizerBase, model: PreTrainedModel, text: str, *, k: int = 3) -> Axes:
    """Draw a line for each token, from its id to its last vector, and the likeliest words at ``[MASK]``.

    Parameters
    ----------
    tokenizer, model
        A BERT that can guess words, and its tokenizer.
    text
        A sentence with one hidden word.
    k
        How many words are written.
    """
    seen = capture(model, tokenizer, text)
    ids: list[int] = tokenizer(text)["input_ids"]
    n, gap = len(ids), ids.index(tokenizer.mask_token_id)
    answers = seen.predictions(gap, k)
    with style():
        figure, ax = plt.subplots(figsize=(10.0, 0.3 * n + 2.3))
        ax.set(xlim=(0, _ENDS), ylim=(n + 2.9, -2.3))
        ax.axis("off")
        for left, right in ((0, _LAYERS[0] - 1), (_LAYERS[1] + 1, _ENDS)):
            ax.add_patch(Rectangle((left, gap - 0.5), right - left, 1, color="#dcebf7", lw=0, zorder=0))
        for row, (token, number) in enumerate(zip(seen.tokens, ids, strict=True)):
            weight = "bold" if row == gap else "normal"
            ax.text(_TOKEN, row, drawable(token), ha="right", va="center", weight=weight, parse_math=False)
            ax.text(_ID, row, str(number), ha="right", va="center", fontsize=10, color=_GREY)
        _draw_vectors(ax, seen.hidden_states[0], _FIRST)
        _draw_layers(ax, [weights.mean(axis=0) for weights in seen.attentions], gap)
        _draw_vectors(ax, seen.hidden_states[-1], _LAST)
        _draw_answers(ax, answers, gap)
        _draw_key(ax, len(seen.attentions), n, drawable(tokenizer.mask_token))
        names = {
            0.2: "tokens, ids",
            _FIRST[0]: "vectors",
            _LAYERS[0]: "layers: vectors collect numbers from others",
            _WORDS: "a head's answer",
        }
        for step, (x, name) in enumerate(names.items(), start=1):
            ax.text(x + 1, -1.55, str(step), ha="center", va="center", color="white", weight="bold", **_DISC)
            ax.text(x + 2.8, -1.55, name, va="center", weight="bold")
        entitle(ax, f"From {n} tokens to “{answers[0][0]}” in four steps")
        figure.canvas.draw_idle()
    return ax


_DISC = {"bbox": {"boxstyle": "circle,pad=0.25", "facecolor": CYCLE[0], "edgecolor": "none"}}


def _draw_vectors(ax: Axes, vectors: Floats, across: tuple[float, float]) -> None:
    """Draw the first numbers of each vector as a row of cells, purple above zero and green below."""
    shown = np.asarray(vectors)[:, :_NUMBERS]
    left, right = across
    side = (right - left) / _NUMBERS
    colours = _STRIPS(0.5 + 0.5 * shown / np.abs(shown).max())
    for row, cells in enumerate(colours):
        for column, colour in enumerate(cells):
            ax.add_patch(Rectangle((left + column * side, row - 0.38), side, 0.76, color=colour, lw=0))


def _draw_layers(ax: Axes, weights: list[Floats], gap: int) -> None:
    """Draw a column of dots before the first layer and after each, and lines from dots to the next column's.

    A line is as dark as the weight, the mean over the heads, with which the token on its right looks at the
    one on its left; small weights are left out. Those that lead to `gap` are orange, and a ring of the same
    colour marks where each begins: among so many lines nobody could follow it back.
    """
    places = np.linspace(*_LAYERS, len(weights) + 1)
    n = len(weights[0])
    for layer, of_layer in enumerate(weights):
        for row in range(n):
            sources = [source for source in range(n) if of_layer[row, source] > _LEAST]
            ends = [((places[layer], source), (places[layer + 1], row)) for source in sources]
            ink, width, front, dark = (CYCLE[1], 2.2, 3, 4.0) if row == gap else (_GREY, 0.8, 1, 1.2)
            share = np.clip(dark * of_layer[row, sources], 0, 1)[:, None]
            colours = share * to_rgb(ink) + (1 - share) * np.ones(3)
            ax.add_collection(LineCollection(ends, colors=colours, linewidths=width, zorder=front))
            if row == gap:
                ring = {"facecolor": "none", "edgecolor": colours, "linewidth": 2.0, "zorder": 4}
                ax.scatter([places[layer]] * len(sources), sources, s=70, **ring)
    for x in places:
        dots = [CYCLE[1] if row == gap else INK for row in range(n)]
        ax.scatter([x] * n, range(n), s=14, color=dots, zorder=5)


def _draw_key(ax: Axes, layers: int, n: int, mask: str) -> None:
    """Write each layer's number under its lines, and what the colours of strips and lines mean."""
    places = np.linspace(*_LAYERS, layers + 1)
    for layer, x in enumerate((places[:-1] + places[1:]) / 2):
        ax.text(x, n, f"layer {layer}", ha="center", va="center", fontsize=11, color=_GREY)
    for left, right in (_FIRST, _LAST):
        ax.text(
            (left + right) / 2, n, "green < 0 < purple", ha="center", va="center", fontsize=10, color=_GREY
        )
    lines = {CYCLE[1]: f"what {mask} takes (darker: more)", _GREY: "what the others take"}
    for x, (ink, meaning) in zip((19.0, 58.0), lines.items(), strict=True):
        ax.plot([x, x + 3], [n + 1.3] * 2, color=ink, linewidth=2.2 if ink == CYCLE[1] else 0.8)
        ax.text(x + 4, n + 1.3, meaning, va="center", fontsize=11, parse_math=False)
    least = f"In a layer, a token's shares add up to 100%. Shares below {_LEAST:.0%} aren't drawn."
    ax.text(_ENDS / 2, n + 2.3, least, ha="center", va="center", fontsize=11, color=_GREY)


def _draw_answers(ax: Axes, answers: list[tuple[str, float]], gap: int) -> None:
    arrow = {"arrowstyle": "-|>", "color": INK, "lw": 1.6}
    ax.annotate("", (_WORDS - 0.3, gap), (_LAST[1] + 0.3, gap), arrowprops=arrow)
    for number, (word, share) in enumerate(answers):
        size, weight = (14, "bold") if number == 0 else (11, "normal")
        ax.text(
            _WORDS + 0.4,
            gap + 1.05 * number,
            f"{drawable(word)} {percent(share)}",
            va="center",
            fontsize=size,
            weight=weight,
            color=INK if number == 0 else _GREY,
            parse_math=False,
        )
