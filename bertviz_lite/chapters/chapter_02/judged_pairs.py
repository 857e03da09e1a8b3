"""How often a BERT tells a story's own second part from a stranger's, by what it is told of segments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from bertviz_lite.world.life import story

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerBase

__all__ = ["judged_pairs"]


def judged_pairs(
    tokenizer: PreTrainedTokenizerBase, model: BertForPreTraining, n: int = 64
) -> dict[str, list[bool]]:
    """Return which of `n` true and `n` false pairs the NSP head judges right, by segments.

    Each story is cut in the middle. A true pair is its two halves (label 0); in a false one the second half
    is the next story's (label 1). They are whole stories of the town; the model has read none of them.

    Returns
    -------
    dict
        "given": segments as they should be; "left out": all 0.
    """
    cut = [[str(sentence) for sentence in story(900_000_001, index).sentences] for index in range(n)]
    first = [" ".join(sentences[: len(sentences) // 2]) for sentences in cut]
    second = [" ".join(sentences[len(sentences) // 2 :]) for sentences in cut]
    strange = second[1:] + second[:1]
    longest = model.config.max_position_embeddings
    batch = tokenizer(
        first + first,
        second + strange,
        padding=True,
        truncation=True,
        max_length=longest,
        return_tensors="pt",
    )
    segments, label = batch["token_type_ids"], torch.arange(2 * n) // n
    right = {}
    for name, ids in {"given": segments, "left out": 0 * segments}.items():
        with torch.inference_mode():
            output = model(batch["input_ids"], attention_mask=batch["attention_mask"], token_type_ids=ids)
        right[name] = (output.seq_relationship_logits.argmax(dim=-1) == label).tolist()
    return right
