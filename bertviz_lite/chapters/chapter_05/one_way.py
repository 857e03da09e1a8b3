"""A BERT that reads one way: the bias that hides a side, and how frequent tokens are.

What such readers guess after training is measured by ``python -m experiments.one_way``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from bertviz_lite.data.encoded_stories import EncodedStory

if TYPE_CHECKING:
    from transformers import BertForPreTraining, TokenizersBackend

__all__ = ["hearing_bias", "hidden_states", "log_frequencies", "one_way_bias", "preferences"]


def one_way_bias(attention_mask: Tensor, special: Tensor, side: str, dtype: torch.dtype) -> Tensor:
    """Say what may be seen, as a bias on the scores of attention: 0 for yes, the dtype's minimum for no.

    [CLS] and [SEP] can be seen from everywhere, as a place to rest on, but see only each other: otherwise
    they would carry news from the hidden side.

    Parameters
    ----------
    attention_mask
        Shape (batch, seq_len): 0 for padding.
    special
        Boolean, shape (batch, seq_len): True for [CLS] and [SEP].
    side
        "left", "right" or "both" (where nothing but padding is hidden).

    Returns
    -------
    Tensor, shape (batch, 1, seq_len, seq_len)
        Row: the position that looks; column: the one that is looked at.
    """
    places = torch.arange(attention_mask.shape[1], device=attention_mask.device)
    here, there = places[:, None], places[None, :]
    allowed = {"left": there <= here, "right": there >= here, "both": here + there >= 0}[side]
    if side != "both":
        allowed = (allowed & ~special[:, :, None]) | special[:, None, :]
    return _bias(allowed & attention_mask[:, None, :].bool(), dtype)[:, None]


def hearing_bias(special: Tensor, hears: Mapping[int, Sequence[int]], dtype: torch.dtype) -> Tensor:
    """Make some places hard of hearing, by a bias on the scores of attention: 0 to be seen, else the minimum.

    As in `one_way_bias`, [CLS] and [SEP] can be seen from everywhere, and see only each other: a place that
    may look at nothing but itself has no place to rest on, and breaks for that reason alone.

    Parameters
    ----------
    special
        Boolean, shape (seq_len,): True for [CLS] and [SEP].
    hears
        For each place that is hard of hearing, the places that it may look at besides itself, [CLS] and
        [SEP]: none if it is deaf. Words that aren't named look at everything.

    Returns
    -------
    Tensor, shape (1, 1, seq_len, seq_len)
        Row: the position that looks; column: the one that is looked at.
    """
    seen = special | ~special[:, None]
    for place, others in hears.items():
        seen[place] = special
        seen[place, [place, *others]] = True
    return _bias(seen, dtype)[None, None]


def _bias(seen: Tensor, dtype: torch.dtype) -> Tensor:
    nothing = torch.zeros(seen.shape, dtype=dtype, device=seen.device)
    return nothing.masked_fill(~seen, torch.finfo(dtype).min)


def hidden_states(
    model: BertForPreTraining, input_ids: Tensor, bias: Tensor, order: Sequence[int] | None = None
) -> Tensor:
    """Run the layers with a bias on the scores of attention: (batch, seq_len, hidden_size).

    ``order`` has the numbers of the layers that are run, in this order; every layer once if None.
    """
    states: Tensor = model.bert.embeddings(input_ids)
    blocks = model.bert.encoder.layer
    for number in range(len(blocks)) if order is None else order:
        states = blocks[number](states, bias)
    return states


def log_frequencies(stories: Sequence[EncodedStory], vocab_size: int) -> Tensor:
    """Return the logarithm of how frequent each token is, (vocab_size,); half a token is added to each."""
    tokens = np.concatenate([story.input_ids for story in stories])
    counts = np.bincount(tokens, minlength=vocab_size) + 0.5
    return torch.from_numpy(np.log(counts / counts.sum()))


def preferences(
    model: BertForPreTraining, tokenizer: TokenizersBackend, texts: Sequence[str], words: Sequence[str]
) -> dict[str, Tensor]:
    """Say how far each reader prefers the second of two words at [MASK]: its logit less the first's.

    Parameters
    ----------
    model, tokenizer
        A BERT with an LM head, and the tokenizer that belongs to it.
    texts
        Sentences of the same number of tokens, each with one [MASK].
    words
        Two words of one token each.

    Returns
    -------
    dict
        For "left", "right" and "both", a number for each text: above 0, the second word leads.
    """
    rows: list[Any] = tokenizer(list(texts))["input_ids"]
    input_ids = torch.tensor(rows)
    special = (input_ids == tokenizer.cls_token_id) | (input_ids == tokenizer.sep_token_id)
    first, second = (int(tokenizer.convert_tokens_to_ids(word)) for word in words)  # type: ignore[arg-type]
    found: dict[str, Tensor] = {}
    with torch.no_grad():
        for side in ("left", "right", "both"):
            bias = one_way_bias(torch.ones_like(input_ids), special, side, model.dtype)
            states = hidden_states(model, input_ids, bias)
            logits = model.cls.predictions(states[input_ids == tokenizer.mask_token_id])
            found[side] = logits[:, second] - logits[:, first]
    return found
