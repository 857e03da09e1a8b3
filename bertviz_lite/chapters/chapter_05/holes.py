"""Stories with hidden words, run through the layers of a model in any order and with any mask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from bertviz_lite.chapters.chapter_05.one_way import hidden_states
from bertviz_lite.data.batches import pad
from bertviz_lite.data.encoded_stories import encode_stories

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor
    from transformers import BertForPreTraining, TokenizersBackend

    from bertviz_lite.world import Story

__all__ = ["Holes", "hide_words"]


@dataclass(frozen=True)
class Holes:
    """Stories as one batch, with some of their words hidden.

    Attributes
    ----------
    input_ids, attention_mask
        Shape (batch, seq_len), nothing hidden; 0 in the mask for padding.
    is_special
        True for [CLS] and [SEP].
    is_hidden
        True where the model reads [MASK].
    mask_id
        The id of [MASK].
    """

    input_ids: Tensor
    attention_mask: Tensor
    is_special: Tensor
    is_hidden: Tensor
    mask_id: int

    @property
    def read(self) -> Tensor:
        """What the model reads, (batch, seq_len)."""
        return self.input_ids.masked_fill(self.is_hidden, self.mask_id)

    @property
    def answers(self) -> Tensor:
        """The ids that are hidden, (hidden tokens,)."""
        return self.input_ids[self.is_hidden]

    def bias(self, dtype: torch.dtype) -> Tensor:
        """Return what is added to the scores so that nobody reads padding, (batch, 1, 1, seq_len)."""
        hidden = self.attention_mask[:, None, None, :] == 0
        return torch.zeros(hidden.shape, dtype=dtype).masked_fill(hidden, torch.finfo(dtype).min)

    def guesses(
        self,
        model: BertForPreTraining,
        bias: Tensor | None = None,
        order: Sequence[int] | None = None,
    ) -> Tensor:
        """Return the log-probability of every token at every hidden place, (hidden tokens, vocab_size).

        Parameters
        ----------
        model
            A BERT with an LM head.
        bias
            What is added to the scores of attention; padding alone is hidden if None.
        order
            The numbers of the layers that are run, in this order; every layer once if None.
        """
        bias = self.bias(model.dtype) if bias is None else bias
        with torch.no_grad():
            states = hidden_states(model, self.read, bias, order)
            logits: Tensor = model.cls.predictions(states[self.is_hidden])
        return logits.log_softmax(dim=-1)

    def right(self, log_probabilities: Tensor) -> float:
        """Return the share of hidden tokens whose most probable guess is right."""
        return (log_probabilities.argmax(dim=-1) == self.answers).double().mean().item()


def hide_words(
    stories: Sequence[Story], tokenizer: TokenizersBackend, rate: float = 0.15, seed: int = 0
) -> Holes:
    """Hide each word of some stories with probability `rate`, all its tokens together, no punctuation.

    Parameters
    ----------
    stories
        Stories of the town.
    tokenizer
        The tokenizer of the model that is to guess.
    rate
        The probability of each word to be hidden.
    seed
        What fixes the random draws.
    """
    encoded = encode_stories(stories, tokenizer)
    input_ids, attention_mask = pad([story.input_ids for story in encoded], torch.device("cpu"))
    choose_draw = np.random.default_rng(seed)
    is_hidden = torch.zeros_like(input_ids, dtype=torch.bool)
    for row, story in enumerate(encoded):
        for word, start, stop in story.words:
            is_hidden[row, start:stop] = word.pos != "PUNCT" and choose_draw.random() < rate
    is_special = (input_ids == tokenizer.cls_token_id) | (input_ids == tokenizer.sep_token_id)
    return Holes(input_ids, attention_mask, is_special, is_hidden, tokenizer.mask_token_id)
