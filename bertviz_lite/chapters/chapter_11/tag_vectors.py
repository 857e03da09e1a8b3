"""Vectors of words as features: from the token table, from each layer, from the last four."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray

from bertviz_lite.data.task_inputs import collate, encode
from bertviz_lite.evaluation.probes.vectors import state_name

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerFast

    from bertviz_lite.world.tasks.sets import Tagged


def tag_vectors(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, examples: Sequence[Tagged]
) -> dict[str, NDArray[np.float64]]:
    """Return the vectors of all words' first tokens, by where they are taken: shape (words, size) each."""
    rows = encode(examples, tokenizer)
    parts: dict[str, list[NDArray[np.float64]]] = defaultdict(list)
    table = model.bert.embeddings.word_embeddings.weight.detach().double().numpy()
    with torch.inference_mode():
        for start in range(0, len(rows), 64):
            chosen = rows[start : start + 64]
            batch = collate(chosen)
            labels = batch.pop("labels")
            hidden = model.bert(**batch, output_hidden_states=True).hidden_states
            first = (labels >= 0).numpy()
            layers = [layer.double().numpy()[first] for layer in hidden]
            parts["static"].append(table[batch["input_ids"].numpy()[first]])
            for number, layer in enumerate(layers):
                parts[state_name(number)].append(layer)
            parts["sum of the last four"].append(np.sum(layers[-4:], axis=0))
            parts["last four end to end"].append(np.concatenate(layers[-4:], axis=-1))
    return {title: np.concatenate(batches) for title, batches in parts.items()}
