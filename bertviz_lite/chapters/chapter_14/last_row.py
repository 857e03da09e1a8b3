"""The map's last row alone, for each of some models: which heads a class has, and whether it has a pooler."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import torch

from bertviz_lite.chapters.chapter_14.boxes import FIT, GONE, draw_box
from bertviz_lite.chapters.chapter_14.parts import parts_of
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.heat_maps import draw_cells
from bertviz_lite.plots.lettering import entitle, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["PARTS", "last_row", "row_in_words"]

PARTS = {"LM head": "LM head", "pooler": "Pooler", "NSP head": "NSP head"}
"""The boxes of the map's last row: their names in `parts`, and on the map."""

_ABSENT = (GONE[0], "none")
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
                draw_box(ax, corner, (_WIDE, _TALL), FIT if is_there else _ABSENT, dashed=not is_there)
                if part == "pooler" and is_there:
                    place = (corner[0] + 0.15, corner[0] + _WIDE - 0.15, top + _TALL - 0.2, top + 0.2)
                    every_fourth = _pooled(model, tokenizer, text)[None, ::4]
                    draw_cells(ax, every_fourth, None, aspect="auto", signed=True, extent=place)
                elif is_there:
                    words = "needs two texts" if part == "NSP head" else _best(model, tokenizer, text)
                    write(ax, corner[0] + _WIDE / 2, top + _TALL / 2, words, size=13)
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
