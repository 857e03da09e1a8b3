"""An exercise whose answer harms a healthy model, so that the batch of the proof does not show it.

The model counts as sick where any tensor of any text that it may be given differs from the healthy model's.
Left out: texts longer than its positions, ids that are not in its vocabulary.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from bertviz_lite.basics.arguments import a_or_an
from bertviz_lite.chapters.chapter_12.first_difference import compare
from bertviz_lite.chapters.chapter_12.patients import healthy
from bertviz_lite.chapters.chapter_12.treatment import Treatment
from bertviz_lite.chapters.chapter_12.whole_bert import WholeBert
from bertviz_lite.exercises import Case, Exercise
from bertviz_lite.models.loading import load

__all__ = ["CASES", "harm"]

CASES = "the batch of the proof", "other texts, some of full length"
_PLACES = {
    "hidden_states[0]": ": its texts have 16 tokens and two segments, and it reads a row for each",
    "prediction_logits": ": the LM head gives every word a logit, so it reads the numbers of each",
}

Batch = dict[str, Tensor]


@lru_cache(maxsize=1)
def _proof() -> Batch:
    """Make the batch that the chapter proves the page on."""
    tokenizer, _ = load("pocket")
    firsts = ["Anna lost her key in the park.", "Max sleeps."]
    return dict(tokenizer(firsts, ["She looked for it.", "It rains."], padding=True, return_tensors="pt"))


@lru_cache(maxsize=1)
def _others() -> tuple[Batch, ...]:
    """Make texts as long as may be, a hidden token in the middle, one token, and ids alone."""
    config = healthy().config
    longest = config.max_position_embeddings
    ids = torch.randint(5, config.vocab_size, (2, longest), generator=torch.Generator().manual_seed(12))
    mask, segments = torch.ones_like(ids), torch.zeros_like(ids)
    mask[1, longest // 2 :] = 0
    segments[:, longest // 3 :] = 1
    hole = torch.tensor([[1, 0, 1]])
    return (
        {"input_ids": ids, "attention_mask": mask, "token_type_ids": segments},
        {"input_ids": ids[:, :3], "attention_mask": hole.expand(2, 3), "token_type_ids": segments[:, -3:]},
        {"input_ids": ids[:1, :1]},
        {"input_ids": ids},
    )


def _examine(answer: Callable[[Any], object], label: str) -> object:
    """Let the answer harm a healthy model; return in one sentence what came of it."""
    well = healthy()
    returned = answer(well)
    if returned is ...:
        return ...
    harmed = well if returned is None else returned
    if not isinstance(harmed, WholeBert):
        return f"It returns {a_or_an(returned)}; return the model itself."
    with torch.no_grad():
        if label == CASES[0]:
            first = compare(harmed(**_proof()), healthy()(**_proof())).first
            place = _PLACES.get(first or "", "")
            return "All tensors are equal." if first is None else f"The first to differ is {first}{place}."
        try:
            if any(compare(harmed(**batch), healthy()(**batch)).first for batch in _others()):
                return "Some tensor differs."
        except Exception as error:  # noqa: BLE001 - whatever a reader's model raises is feedback
            return f"It raises {type(error).__name__}: anyone would notice that."
    return None if returned is None else "All tensors are equal here too: the model is still well."


def harm(*, hints: tuple[str, ...], note: str) -> Callable[[Callable[[Any], Any]], Exercise]:
    """Make an exercise of harming, from a reference solution; parameters are those of `exercise`."""
    return lambda reference: Treatment(
        reference, hints, lambda: [Case(label, label=label) for label in CASES], _examine, note, 1e-4
    )
