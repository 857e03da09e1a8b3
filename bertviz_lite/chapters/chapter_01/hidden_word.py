"""What a model answers for the hidden word of a text, and its vector there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["Answer", "hidden_word"]


class Answer(NamedTuple):
    """A model's answer at [MASK]."""

    text: str
    """The likeliest tokens with their probabilities, in one line."""
    state: Tensor
    """The last layer's vector there, (hidden_size,)."""

    def off(self, other: Answer) -> float:
        """Return the length of the difference to another's state, as a share of the other state's length."""
        return float((self.state - other.state).norm() / other.state.norm())


def hidden_word(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, batch: Mapping[str, Any], count: int = 3
) -> Answer:
    """Return the answer at the first [MASK] of the first text of a batch."""
    place = (batch["input_ids"][0] == tokenizer.mask_token_id).nonzero()[0, 0]
    output = model(**batch, output_hidden_states=True)
    best = output.prediction_logits[0, place].softmax(dim=-1).topk(count)
    tokens = tokenizer.convert_ids_to_tokens(best.indices.tolist())
    text = "  ".join(f"{token} {p:.2f}" for token, p in zip(tokens, best.values.tolist(), strict=True))
    return Answer(text, output.hidden_states[-1][0, place])
