"""A BERT that reads one way: the bias that hides a side, and how frequent tokens are.

What such readers guess after training is measured by ``python -m experiments.one_way``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from bertviz_lite.data.encoded_stories import EncodedStory


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
    seen = allowed & attention_mask[:, None, :].bool()
    nothing = torch.zeros(seen.shape, dtype=dtype, device=seen.device)
    return nothing.masked_fill(~seen, torch.finfo(dtype).min)[:, None]


def log_frequencies(stories: Sequence[EncodedStory], vocab_size: int) -> Tensor:
    """Return the logarithm of how frequent each token is, (vocab_size,); half a token is added to each."""
    tokens = np.concatenate([story.input_ids for story in stories])
    counts = np.bincount(tokens, minlength=vocab_size) + 0.5
    return torch.from_numpy(np.log(counts / counts.sum()))
