"""The map's last row alone, for each of some models: which heads a class has, and whether it has a pooler."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.colors import LinearSegmentedColormap

from bertviz_lite.basics.text import percent
from bertviz_lite.chapters.chapter_14.boxes import FIT, draw_box
from bertviz_lite.chapters.chapter_14.parts import parts_of
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.lettering import entitle, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    Floats = npt.NDArray[np.float64]

__all__ = ["PARTS", "last_row", "row_in_words", "stripes"]

PARTS = {"LM head": "LM head", "pooler": "Pooler", "NSP head": "NSP head"}
"""The boxes of the map's last row: their names in `parts`, and on the map."""

# As the map has them (bertviz_lite/views/machine/drawing.py): edge and face of a box, and of one that isn't
# there; the colours of the stripes, and how strong the strongest of them is.
_THERE, _ABSENT, _SOFT = ("#d1d9e0", "#f3f5f7"), ("#8c959f", "white"), "#59636e"
_SIGNED = LinearSegmentedColormap.from_list("page", ["#2166ac", "#ffffff", "#d66028"], 11)
_STRIPES, _AT_REST = 52, 0.8
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
            write(ax, _LEFT + column * _STEP + _WIDE / 2, -0.25, name, color=FIT[0], weight="bold", size=13)
        for line, model in enumerate(models):
            top = line * _LINE
            write(ax, 0, top + _TALL / 2, type(model).__name__, weight="bold", size=13, ha="left")
            own = parts_of(model)
            for column, part in enumerate(PARTS):
                corner = (_LEFT + column * _STEP, top)
                is_there = part in own
                draw_box(ax, corner, (_WIDE, _TALL), _THERE if is_there else _ABSENT, dashed=not is_there)
                middle = corner[0] + _WIDE / 2, top + _TALL / 2
                if not is_there:
                    write(ax, *middle, "not in this model", size=12, color=_SOFT)
                elif part == "pooler":
                    place = (corner[0] + 0.15, corner[0] + _WIDE - 0.15, top + _TALL - 0.2, top + 0.2)
                    _draw_stripes(ax, _pooled(model, tokenizer, text), place)
                else:
                    words = "needs two texts" if part == "NSP head" else _best(model, tokenizer, text)
                    write(ax, *middle, words, size=13, weight="bold")
        entitle(ax, title)
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


def stripes(numbers: Floats, most: int = _STRIPES) -> Floats:
    """Return at most so many numbers: of neighbours the one that is farthest from 0, as on the map.

    >>> stripes(np.array([0.1, -0.5, 0.3, 0.2]), 2).tolist()
    [-0.5, 0.3]
    """
    edges = np.linspace(0, len(numbers), min(most, len(numbers)) + 1).astype(int).tolist()
    return np.array(
        [numbers[start:stop][np.abs(numbers[start:stop]).argmax()] for start, stop in pairwise(edges)]
    )


def _draw_stripes(ax: Axes, numbers: Floats, place: tuple[float, float, float, float]) -> None:
    limit = float(np.percentile(np.abs(numbers), 99)) / _AT_REST or 1.0
    look: dict[str, Any] = {"cmap": _SIGNED, "vmin": -limit, "vmax": limit, "zorder": 3}
    ax.imshow(stripes(numbers)[None], extent=place, aspect="auto", interpolation="none", **look)


@torch.no_grad()
def _best(model: Any, tokenizer: PreTrainedTokenizerBase, text: str) -> str:  # noqa: ANN401
    batch = tokenizer(text, return_tensors="pt")
    vectors = model.base_model(**batch).last_hidden_state
    logits = model.get_output_embeddings()(model.cls.predictions.transform(vectors))
    share, best = logits[batch["input_ids"] == tokenizer.mask_token_id][0].softmax(dim=-1).max(dim=-1)
    return f"{tokenizer.convert_ids_to_tokens(int(best))}  {percent(float(share))}"


@torch.no_grad()
def _pooled(model: Any, tokenizer: PreTrainedTokenizerBase, text: str) -> Any:  # noqa: ANN401
    return model.base_model(**tokenizer(text, return_tensors="pt")).pooler_output[0].double().numpy()
