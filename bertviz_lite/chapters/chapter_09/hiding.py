"""What is hidden by [MASK]: some tokens of a batch of pairs, as in pre-training; or all words of A or B."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.masking import Masking, mask_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torch import Tensor
    from transformers import PreTrainedTokenizerFast

    from bertviz_lite.data.story_pairs import StoryPair
    from bertviz_lite.world import Sentence

__all__ = ["a_hidden", "b_hidden", "hide_some"]


def hide_some(
    batch: Mapping[str, Tensor], tokenizer: PreTrainedTokenizerFast, *, rate: float = 0.15, seed: int = 0
) -> tuple[dict[str, Tensor], Tensor]:
    """Return the batch with some ordinary tokens hidden, and where they were.

    Parameters
    ----------
    batch
        As the tokenizer makes it: "input_ids" and what else the model takes; left as it is.
    tokenizer
        Says which ids are special (they stay), and which is [MASK].
    rate
        The share of ordinary tokens that are hidden, about.
    seed
        The same seed hides the same tokens.

    Returns
    -------
    tuple
        The batch, and a boolean of shape (batch, seq_len): True where a token is hidden.
    """
    rules = Masking(
        vocab_size=len(tokenizer),
        special_ids=tuple(tokenizer.all_special_ids),
        mask_id=tokenizer.mask_token_id,
        rate=rate,
        mask_share=1.0,
        random_share=0.0,
    )
    masked, labels = mask_tokens(batch["input_ids"], rules, torch.Generator().manual_seed(seed))
    return {**batch, "input_ids": masked}, labels != IGNORED


def a_hidden(pairs: Sequence[StoryPair]) -> list[StoryPair]:
    """Put one [MASK] in the place of every word of A, full stops too; B stays.

    Parameters
    ----------
    pairs
        True or false ones; A is the part that comes first.
    """
    return [replace(pair, first=tuple(map(_gaps, pair.first))) for pair in pairs]


def b_hidden(pairs: Sequence[StoryPair]) -> list[StoryPair]:
    """Put one [MASK] in the place of every word of B, full stops too; A stays.

    Parameters
    ----------
    pairs
        True or false ones; B is the part that comes second.
    """
    return [replace(pair, second=tuple(map(_gaps, pair.second))) for pair in pairs]


def _gaps(sentence: Sentence) -> Sentence:
    return replace(sentence, words=tuple(replace(word, text="[MASK]") for word in sentence.words))
