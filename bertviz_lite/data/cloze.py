"""Inputs with hidden tokens whose ids are known, and what a model predicts for them.

Left out on purpose: what the predictions are worth (``evaluation``), and vectors and attention (``probes``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray

from bertviz_lite.basics.arguments import ArgumentError, a_or_an, instance, members, whole_number
from bertviz_lite.data.batches import batches, pad, ready
from bertviz_lite.data.encoded_stories import bare_tokenizer, word_spans
from bertviz_lite.data.vocabulary import MAX_LENGTH

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerFast


@dataclass(frozen=True)
class Cloze:
    """An input with some neighbouring positions whose ids are to be predicted.

    Attributes
    ----------
    input_ids
        int64, shape (seq_len,), before anything is hidden.
    positions
        int64, the positions to predict.
    hidden
        int64, the positions that become [MASK]; None for ``positions``.
    answers
        int64, the right ids; None for those of ``input_ids``.
    """

    input_ids: NDArray[np.int64]
    positions: NDArray[np.int64]
    hidden: NDArray[np.int64] | None = None
    answers: NDArray[np.int64] | None = None

    @classmethod
    def word(cls, input_ids: NDArray[np.int64], start: int, stop: int) -> Cloze:
        """Hide all tokens of one word, and predict all of them."""
        return cls(input_ids, np.arange(start, stop))


@dataclass(frozen=True)
class Guesses:
    """A model's predictions at the positions of a cloze; arrays of shape (positions,).

    ``best`` is the id with the highest probability, ``answers`` the right id, ``log_probability`` the natural
    logarithm of the right id's probability.
    """

    best: NDArray[np.int64]
    answers: NDArray[np.int64]
    log_probability: NDArray[np.float64]

    @property
    def right(self) -> bool:
        """Whether every token is guessed."""
        return bool((self.best == self.answers).all())


def guess(model: BertForPreTraining, clozes: Sequence[Cloze], mask_id: int) -> list[Guesses]:
    """Run the masked-language-model head in batches; results in the order of ``clozes``."""
    clozes = members("clozes", clozes, Cloze, "a list of Cloze")
    mask_id = whole_number("mask_id", mask_id, least=0)
    if not hasattr(getattr(model, "cls", None), "predictions"):
        raise ArgumentError(
            f"model: a BERT with a masked-language-model head is needed, as load()[1], not {a_or_an(model)}."
        )
    results: list[Any] = [None] * len(clozes)
    with ready(model):
        for batch in batches([len(cloze.input_ids) for cloze in clozes]):
            chosen = [clozes[index] for index in batch]
            rows = []
            for cloze in chosen:
                row = cloze.input_ids.copy()
                row[cloze.positions if cloze.hidden is None else cloze.hidden] = mask_id
                rows.append(row)
            input_ids, attention_mask = pad(rows, model.device)
            hidden_states = model.bert(input_ids, attention_mask=attention_mask).last_hidden_state
            at = [
                (row, position) for row, cloze in enumerate(chosen) for position in cloze.positions.tolist()
            ]
            picked = hidden_states[[row for row, _ in at], [position for _, position in at]]
            log_probabilities = model.cls.predictions(picked).float().log_softmax(-1)
            answers = np.concatenate([_answers(cloze) for cloze in chosen])
            best = log_probabilities.argmax(-1).cpu().numpy()
            scored = log_probabilities.gather(1, torch.from_numpy(answers).to(model.device)[:, None])[:, 0]
            bounds = np.cumsum([len(cloze.positions) for cloze in chosen])[:-1]
            parts = [np.split(values, bounds) for values in (best, answers, scored.double().cpu().numpy())]
            for index, *arrays in zip(batch, *parts, strict=True):
                results[index] = Guesses(*arrays)
    return results


def _answers(cloze: Cloze) -> NDArray[np.int64]:
    return cloze.input_ids[cloze.positions] if cloze.answers is None else cloze.answers


def slot_clozes(
    before: str, word: str, after: str, tokenizer: PreTrainedTokenizerFast, max_length: int = MAX_LENGTH
) -> list[Cloze]:
    """Return the clozes whose log-probabilities add up to that of ``word`` in its place.

    The word's tokens are predicted from left to right: the token and the later ones are hidden, the earlier
    ones are seen (so that a rare word does not become likely through its own second half). Text
    beyond ``max_length`` is cut off at the far end.
    """
    for name, part in (("before", before), ("word", word), ("after", after)):
        instance(name, part, str, "a text")
    max_length = whole_number("max_length", max_length, least=3)
    text = before + word + after
    encoding = bare_tokenizer(tokenizer).encode(text, add_special_tokens=False)
    ((start, stop),) = word_spans(text, [_letters(before, word)], encoding.offsets, shift=0)
    ids, budget = encoding.ids, max_length - 2
    cut = min(max(0, stop - budget), start)
    ids, start, stop = ids[cut : cut + budget], start - cut + 1, stop - cut + 1
    row = np.array([tokenizer.cls_token_id, *ids, tokenizer.sep_token_id])
    return [Cloze(row, np.array([position]), np.arange(position, stop)) for position in range(start, stop)]


def slot_log_probabilities(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, slots: Sequence[tuple[str, str, str]]
) -> NDArray[np.float64]:
    """Return the log-probability of each word in its place, shape (slots,); a slot is (before, word, after).

    For a word of one token, that of the token at one [MASK]; for others, see ``slot_clozes``.
    """
    clozes, owners = [], []
    for number, (before, word, after) in enumerate(slots):
        for cloze in slot_clozes(before, word, after, tokenizer):
            clozes.append(cloze)
            owners.append(number)
    sums = np.zeros(len(slots))
    for number, guesses in zip(owners, guess(model, clozes, tokenizer.mask_token_id), strict=True):
        sums[number] += guesses.log_probability.sum()
    return sums


def _letters(before: str, word: str) -> tuple[int, int]:
    """Return the characters of the slot without spaces at its ends."""
    start = len(before) + len(word) - len(word.lstrip())
    return start, start + len(word.strip())
