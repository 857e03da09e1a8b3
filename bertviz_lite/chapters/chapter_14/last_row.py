"""The map's last row alone, for each of some models: which heads a class has, and whether it has a pooler."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.patches import FancyBboxPatch

from bertviz_lite.chapters.chapter_14.parts import parts_of
from bertviz_lite.plots import SIGNED, lettering
from bertviz_lite.plots.course_style import INK, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["PARTS", "last_row", "row_in_words"]

PARTS = {"LM head": "LM head", "pooler": "Pooler", "NSP head": "NSP head"}
"""The boxes of the map's last row: their names in `parts`, and on the map."""

_EDGE, _FACE, _GONE = "#0550ae", "#ddebf9", "#6b7280"
_LEFT, _WIDE, _STEP, _TALL, _LINE = 3.1, 2.7, 2.95, 0.86, 1.12


def last_row(
    models: Sequence[PreTrainedModel], tokenizer: PreTrainedTokenizerBase, text: str, *, title: str
) -> Axes:
    """Draw a row of three boxes for each model; a part that its class doesn't have is empty and dashed.

    Parameters
    ----------
    models
        BERTs of ``transformers``, with or without heads.
    tokenizer, text
        What goes through them: one gap, for which the LM head's best word is written.
    title
        The finding, in a sentence.
    """
    with style():
        _, ax = plt.subplots(figsize=(9.6, 0.86 * len(models) + 1.1))
        ax.set(xlim=(0, _LEFT + 2 * _STEP + _WIDE + 0.05), ylim=(len(models) * _LINE, -0.5))
        ax.set_axis_off()
        for column, name in enumerate(PARTS.values()):
            _write(ax, _LEFT + column * _STEP + _WIDE / 2, -0.25, name, color=_EDGE, weight="bold", size=13)
        for line, model in enumerate(models):
            top = line * _LINE
            _write(ax, 0, top + _TALL / 2, type(model).__name__, weight="bold", size=13, ha="left")
            own = parts_of(model)
            for column, part in enumerate(PARTS):
                corner = (_LEFT + column * _STEP, top)
                _box(ax, corner, is_there=part in own)
                if part == "pooler" and part in own:
                    _strip(ax, corner, _pooled(model, tokenizer, text))
                elif part in own:
                    words = "needs two texts" if part == "NSP head" else _best(model, tokenizer, text)
                    _write(ax, corner[0] + _WIDE / 2, top + _TALL / 2, words, size=13)
        lettering.entitle(ax, title)
    return ax


def row_in_words(models: Sequence[PreTrainedModel]) -> str:
    """Say which of the three parts each model has: "BertModel: Pooler; not LM head, NSP head."."""
    told = []
    for model in models:
        own = parts_of(model)
        there = [name for part, name in PARTS.items() if part in own]
        gone = [name for part, name in PARTS.items() if part not in own]
        missing = f"; not {', '.join(gone)}" if gone else ""
        told.append(f"{type(model).__name__}: {', '.join(there) or 'none'}{missing}.")
    return " ".join(told)


@torch.no_grad()
def _best(model: Any, tokenizer: PreTrainedTokenizerBase, text: str) -> str:  # noqa: ANN401
    batch = tokenizer(text, return_tensors="pt")
    vectors = model.base_model(**batch).last_hidden_state
    logits = model.get_output_embeddings()(model.cls.predictions.transform(vectors))
    share, best = logits[batch["input_ids"] == tokenizer.mask_token_id][0].softmax(dim=-1).max(dim=-1)
    return f"{tokenizer.convert_ids_to_tokens(int(best))}  {100 * float(share):.0f} %"


@torch.no_grad()
def _pooled(model: Any, tokenizer: PreTrainedTokenizerBase, text: str) -> Any:  # noqa: ANN401
    return model.base_model(**tokenizer(text, return_tensors="pt")).pooler_output[0].double().numpy()


def _box(ax: Axes, corner: tuple[float, float], *, is_there: bool) -> None:
    patch = FancyBboxPatch(corner, _WIDE, _TALL, boxstyle="round,pad=0,rounding_size=0.06", linewidth=1.8)
    edge, face, line = (_EDGE, _FACE, "-") if is_there else (_GONE, "none", (0, (4, 4)))
    patch.set(edgecolor=edge, facecolor=face, linestyle=line)
    ax.add_patch(patch)


def _strip(ax: Axes, corner: tuple[float, float], vector: Any) -> None:  # noqa: ANN401
    """Draw a vector as a strip of colours, of every fourth number."""
    left, top = corner
    extent = (left + 0.15, left + _WIDE - 0.15, top + _TALL - 0.2, top + 0.2)
    limit = float(np.abs(vector).max())
    row = vector[None, ::4]
    ax.imshow(row, extent=extent, aspect="auto", zorder=3, cmap=SIGNED, vmin=-limit, vmax=limit)


def _write(ax: Axes, x: float, y: float, words: str, **look: Any) -> None:  # noqa: ANN401
    options = {"size": 11.0, "color": INK, "ha": "center", "va": "center", **look}
    ax.text(x, y, words, parse_math=False, **options)
