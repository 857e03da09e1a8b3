"""What a model answers: the likelier word of a choice, and whether a text continues another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.data.cloze import slot_log_probabilities
from bertviz_lite.data.encoded_stories import bare_tokenizer
from bertviz_lite.evaluation.scores.next_part import predicted_labels
from bertviz_lite.evaluation.scores.own_words.exam import Choice, Pair

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerFast


def choose_words(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, choices: Sequence[Choice]
) -> list[bool]:
    """Return for each choice whether the right word is likelier than the wrong one, in the text as typed.

    The text stands alone, ``[CLS] text [SEP]``. Where both words are single tokens, their probabilities at
    the one [MASK] are compared. The same method covers words of several tokens: a word has as many [MASK]
    as tokens, these are predicted from left to right, each with the earlier ones in view, and their
    log-probabilities are added up. The sum is divided by nothing: a word of two tokens has to be guessed
    twice. (Kauf and Ivanova, 2023, "A better way to do masked language model scoring".)
    """
    slots = [
        (choice.before, word, choice.after) for choice in choices for word in (choice.right, choice.wrong)
    ]
    right, wrong = slot_log_probabilities(model, tokenizer, slots).reshape(-1, 2).T
    return [bool(better) for better in right > wrong]


def judge_pairs(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, pairs: Sequence[Pair]
) -> list[bool]:
    """Return for each pair whether the next-sentence head says of it what is true.

    Raises
    ------
    ArgumentError
        Where a pair is longer than the model can read.
    """
    rust = bare_tokenizer(tokenizer)
    most = model.config.max_position_embeddings
    rows, firsts = [], []
    for pair in pairs:
        first, second = (
            rust.encode(text, add_special_tokens=False).ids for text in (pair.first, pair.second)
        )
        row = [tokenizer.cls_token_id, *first, tokenizer.sep_token_id, *second, tokenizer.sep_token_id]
        if len(row) > most:
            raise ArgumentError(f"a pair has {len(row)} tokens: the model reads at most {most}.")
        rows.append(np.array(row, dtype=np.int64))
        firsts.append(len(first) + 2)
    labels = predicted_labels(model, rows, firsts)
    # Label 0: the second text continues the first.
    return [bool((label == 0) == pair.follows) for label, pair in zip(labels, pairs, strict=True)]
