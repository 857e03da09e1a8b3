"""Three copies of a model that miss one part each, and what their streams show of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor
    from transformers import BertForPreTraining

    from bertviz_lite.chapters.chapter_04.broken import HiddenWords

__all__ = ["signs"]

_HIDDEN = 3
"""The place of the token that is exchanged."""


def signs(model: BertForPreTraining, words: HiddenWords, changed: Callable[..., Tensor], other: int) -> str:
    """Return a table of four models, the whole one and "A", "B" and "C", which miss a part in every layer.

    Parameters
    ----------
    model
        The whole one.
    words
        The texts.
    changed
        The chapter's layer: of a `BertLayer`, its input and what is added to the scores, with the switches
        `attend`, `residual` and `norm`.
    other
        The token that is put in place of the third of each text, to see who hears it.
    """
    copies: dict[str, dict[str, Any]] = {
        "whole": {},
        "A": {"residual": 0},
        "B": {"attend": 0},
        "C": {"norm": lambda _, vectors: vectors},
    }
    here = words.attention_mask == 1
    padding = (~here)[:, None, None].double() * torch.finfo(torch.float64).min
    exchanged = words.input_ids.clone()
    exchanged[:, _HIDDEN] = other
    lines = [f"{'':7}length after each layer   two tokens correlate by   moved by another word"]
    for name, change in copies.items():
        x, y = (model.bert.embeddings(each) for each in (words.input_ids, exchanged))
        lengths, alike = [], []
        for block in model.bert.encoder.layer:
            x, y = (changed(block, each, padding, **change) for each in (x, y))
            lengths.append(f"{x[here].norm(dim=-1).mean():6,.0f}")
            alike.append(f"{_alike(x, here):6.2f}")
        moved = (x - y).norm(dim=-1) / x.norm(dim=-1)
        rest = here.clone()
        rest[:, _HIDDEN] = False
        lines.append(f"{name:5}{''.join(lengths)}    {''.join(alike)}    {moved[rest].mean():.2f}")
    return "\n".join(lines)


def _alike(vectors: Tensor, here: Tensor) -> float:
    """Return how two tokens of a text correlate, on average."""
    means = []
    for text, seen in zip(vectors, here, strict=True):
        square = torch.corrcoef(text[seen])
        means.append(square[~torch.eye(len(square), dtype=torch.bool)].mean())
    return float(torch.stack(means).mean())
