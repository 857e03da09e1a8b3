"""BERTs that miss a part in every layer, and hidden words to ask them for."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.data.batches import pad
from bertviz_lite.data.encoded_stories import encode_stories
from bertviz_lite.world.life import story

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import BertForPreTraining, PreTrainedTokenizerBase, TokenizersBackend

__all__ = ["HiddenWords", "best_guesses", "hidden_words", "nearest_linear", "share_right", "without"]

_PARTS = ("attention", "FFN")


@dataclass(frozen=True)
class HiddenWords:
    """Stories in which some words are hidden, as a batch."""

    input_ids: Tensor
    """Shape (batch, seq_len), with `[MASK]` for every token of a hidden word."""
    attention_mask: Tensor
    """Shape (batch, seq_len): 0 for padding."""
    hidden: Tensor
    """Boolean, shape (batch, seq_len)."""
    answers: Tensor
    """The hidden tokens, in reading order, shape (n,)."""

    @property
    def most_frequent(self) -> float:
        """The share that is right if the most frequent answer is given everywhere."""
        return int(self.answers.bincount().max()) / len(self.answers)


def without(model: BertForPreTraining, part: str) -> BertForPreTraining:
    """Return a copy of a model in which a part adds nothing to the stream, in all layers.

    Parameters
    ----------
    model
        It is left as it was.
    part
        "attention" or "FFN". The last linear map of the part gets zeros for its weights and biases.
    """
    if part not in _PARTS:
        raise ArgumentError(f"part={part!r}: {' or '.join(_PARTS)} is needed.")
    copy = deepcopy(model)
    block: Any
    for block in copy.bert.encoder.layer:
        last = block.attention.output.dense if part == "attention" else block.output.dense
        with torch.no_grad():
            last.weight.zero_()
            last.bias.zero_()
    return copy


def best_guesses(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerBase, text: str, k: int = 3
) -> list[tuple[str, float]]:
    """Return the `k` likeliest tokens for the first [MASK] of a text, with their probabilities."""
    batch = tokenizer(text, return_tensors="pt")
    place = batch["input_ids"][0].tolist().index(tokenizer.mask_token_id)
    with torch.no_grad():
        probabilities = model(**batch).prediction_logits[0, place].softmax(dim=-1)
    top = probabilities.topk(k)
    tokens = tokenizer.convert_ids_to_tokens(top.indices.tolist())
    return list(zip(tokens, top.values.tolist(), strict=True))


def hidden_words(tokenizer: TokenizersBackend, seed: int, n: int, *, share: float = 0.15) -> HiddenWords:
    """Hide a share of the words of whole stories, chosen at random; punctuation stays in sight.

    Parameters
    ----------
    tokenizer
        That of the model that will be asked.
    seed
        Which stories.
    n
        How many of them: the first that fit.
    share
        The probability that a word is hidden, with all its tokens.
    """
    whole = [story(seed, index) for index in range(2 * n)]
    encoded = encode_stories(whole, tokenizer)[:n]
    input_ids, attention_mask = pad([each.input_ids for each in encoded], torch.device("cpu"))
    draw = np.random.default_rng(0)
    hidden = torch.zeros_like(input_ids, dtype=torch.bool)
    for row, each in enumerate(encoded):
        for word, start, stop in each.words:
            hidden[row, start:stop] = word.pos != "PUNCT" and draw.random() < share
    masked = input_ids.masked_fill(hidden, tokenizer.mask_token_id)
    return HiddenWords(masked, attention_mask, hidden, input_ids[hidden])


def share_right(model: BertForPreTraining, words: HiddenWords) -> float:
    """Return the share of hidden tokens that a model names right."""
    with torch.no_grad():
        logits = model(words.input_ids, attention_mask=words.attention_mask).prediction_logits
    right = logits[words.hidden].argmax(dim=-1) == words.answers
    return float(right.double().mean())


def nearest_linear(vectors: Tensor, wanted: Tensor) -> torch.nn.Linear:
    """Return the linear map, with a bias, of vectors (n, in) that comes nearest to what is wanted, (n, out).

    Of all such maps it has the least squared error, summed over everything. Exercise 5 fits one by hand.
    """
    ones = torch.ones_like(vectors[:, :1])
    solution = torch.linalg.lstsq(torch.cat([vectors, ones], dim=-1), wanted).solution
    nearest = torch.nn.Linear(vectors.shape[-1], wanted.shape[-1], dtype=vectors.dtype)
    with torch.no_grad():
        nearest.weight.copy_(solution[:-1].T)
        nearest.bias.copy_(solution[-1])
    return nearest
