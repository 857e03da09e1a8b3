"""One masked text, token by token: what stood there, what the model reads, and what it is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bertviz_lite.data.ignored_label import IGNORED

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedTokenizerBase

__all__ = ["table"]


def table(tokenizer: PreTrainedTokenizerBase, input_ids: Tensor, masked: Tensor, labels: Tensor) -> str:
    """Write a line for each token of a text.

    Parameters
    ----------
    tokenizer
        What the ids are named by.
    input_ids, masked, labels
        The original ids, what the model reads, and the labels with -100; (1, seq_len) each.
    """
    tokens, reads = (tokenizer.convert_ids_to_tokens(ids[0].tolist()) for ids in (input_ids, masked))
    lines = []
    for token, read, label in zip(tokens, reads, labels[0].tolist(), strict=True):
        changed = "hidden" if read == tokenizer.mask_token else "replaced" if read != token else "stays"
        outcome = "" if label == IGNORED else changed
        lines.append(f"{token:6} is read as {read:8} label {label:5}  {outcome}".rstrip())
    return "\n".join(lines)
