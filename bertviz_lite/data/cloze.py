"""Inputs with a known answer: what evaluation asks the model, as ids and positions.

Left out on purpose: what the answers are worth (``evaluation``), and vectors and attention (``probes``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bertviz_lite.data.corpus import MAX_LENGTH

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerFast

    from bertviz_lite.world import Story, Word

# What a layer of the pocket model makes of so many stays in the processor's cache; with four times as many, a
# third of the time goes into getting memory from the system and giving it back.
POSITIONS_PER_BATCH = 2_048


@dataclass(frozen=True)
class EncodedStory:
    """A whole story as one part, ``[CLS] … [SEP]``.

    Attributes
    ----------
    story
        The story with its gold marks.
    input_ids
        int64, shape (seq_len,).
    spans
        First position and the one after the last, for every word of ``story.words``.
    """

    story: Story
    input_ids: NDArray[np.int64]
    spans: tuple[tuple[int, int], ...]

    @property
    def words(self) -> list[tuple[Word, int, int]]:
        """Every word with its first position and the one after its last."""
        return [(word, *span) for word, span in zip(self.story.words, self.spans, strict=True)]

    def of(self, sentence: int, index: int) -> tuple[int, int]:
        """Return the span of word ``index`` of sentence ``sentence``."""
        before = sum(len(earlier.words) for earlier in self.story.sentences[:sentence])
        return self.spans[before + index]


def encode_stories(
    told: Sequence[Story], tokenizer: PreTrainedTokenizerFast, max_length: int = MAX_LENGTH
) -> list[EncodedStory]:
    """Encode the stories that fit; the others are left out.

    Raises
    ------
    ValueError
        Where a word has no piece of its own, so that its mark would point nowhere.
    """
    rust = _bare(tokenizer)
    texts = [str(sentence) for story in told for sentence in story.sentences]
    encodings = iter(rust.encode_batch(texts, add_special_tokens=False))
    encoded = []
    for story in told:
        ids, spans = [tokenizer.cls_token_id], []
        for sentence in story.sentences:
            encoding = next(encodings)
            spans += _word_spans(str(sentence), sentence.spans, encoding.offsets, len(ids))
            ids += encoding.ids
        ids.append(tokenizer.sep_token_id)
        if len(ids) <= max_length:
            encoded.append(EncodedStory(story, np.array(ids), tuple(spans)))
    return encoded


def _bare(tokenizer: PreTrainedTokenizerFast) -> Any:  # noqa: ANN401 - tokenizers.Tokenizer, which is not typed
    """Return the tokenizer behind ``tokenizer``, free of the padding and truncation of an earlier call.

    Nothing is lost: ``tokenizer(…)`` sets both again each time.
    """
    rust = tokenizer.backend_tokenizer
    rust.no_padding()
    rust.no_truncation()
    return rust


def _word_spans(
    text: str, words: Sequence[tuple[int, int]], pieces: Sequence[tuple[int, int]], shift: int
) -> list[tuple[int, int]]:
    """Turn spans of characters into spans of pieces; ``shift`` is the position of the first piece."""
    starts = [start for start, _ in pieces]
    spans = []
    for start, end in words:
        first, last = bisect_left(starts, start), bisect_left(starts, end)
        if first == last:
            raise ValueError(f"the word {text[start:end]!r} of {text!r} has no piece of its own")
        spans.append((first + shift, last + shift))
    return spans


@dataclass(frozen=True)
class Cloze:
    """An input with some neighbouring positions to be guessed.

    Attributes
    ----------
    input_ids
        int64, shape (seq_len,), as they are before hiding.
    positions
        int64, the positions that are asked for.
    hidden
        int64, the positions that become [MASK]; None for ``positions``.
    answers
        int64, the ids asked for; None for those that stand there.
    """

    input_ids: NDArray[np.int64]
    positions: NDArray[np.int64]
    hidden: NDArray[np.int64] | None = None
    answers: NDArray[np.int64] | None = None

    @classmethod
    def word(cls, input_ids: NDArray[np.int64], start: int, stop: int) -> Cloze:
        """Hide all pieces of one word and ask for all of them."""
        return cls(input_ids, np.arange(start, stop))


@dataclass(frozen=True)
class Guesses:
    """What the model says at the positions of a cloze; arrays of shape (positions,).

    ``best`` is the id with the highest probability of all, ``answers`` the id asked for, ``log_probability``
    its natural logarithm of probability.
    """

    best: NDArray[np.int64]
    answers: NDArray[np.int64]
    log_probability: NDArray[np.float64]

    @property
    def right(self) -> bool:
        """Whether every piece is guessed."""
        return bool((self.best == self.answers).all())


def batches(lengths: Sequence[int], positions: int = POSITIONS_PER_BATCH) -> Iterator[NDArray[np.int64]]:
    """Yield index arrays of inputs of like length, each batch at most ``positions`` positions when padded."""
    order = np.argsort(np.array(lengths, dtype=np.int64), kind="stable")
    start = 0
    while start < len(order):
        stop = start + 1
        while stop < len(order) and (stop + 1 - start) * lengths[order[stop]] <= positions:
            stop += 1
        yield order[start:stop]
        start = stop


def pad(rows: Sequence[NDArray[np.int64]], device: torch.device) -> tuple[Tensor, Tensor]:
    """Return ``(input_ids, attention_mask)``, shape (batch, seq_len), padded with 0 on the right."""
    ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
    mask = np.zeros_like(ids)
    for index, row in enumerate(rows):
        ids[index, : len(row)] = row
        mask[index, : len(row)] = 1
    return torch.from_numpy(ids).to(device), torch.from_numpy(mask).to(device)


@contextmanager
def ready(model: BertForPreTraining, attention: str = "sdpa") -> Iterator[None]:
    """Set evaluation mode and the kind of attention for a while; gradients are off. All is put back."""
    training, implementation = model.training, model.config._attn_implementation
    try:
        model.eval()
        model.set_attn_implementation(attention)
        with torch.inference_mode():
            yield
    finally:
        model.set_attn_implementation(implementation)
        model.train(training)


def guess(model: BertForPreTraining, clozes: Sequence[Cloze], mask_id: int) -> list[Guesses]:
    """Ask the masked-language-model head, in batches; results in the order of ``clozes``."""
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
    """Return the questions whose log-probabilities add up to that of ``word`` in its place.

    Pieces are guessed from left to right: for each one it and the later pieces of the word are hidden, the
    earlier ones are seen (so that a rare word does not become likely through its own second half). Text
    beyond ``max_length`` is cut off at the far end.
    """
    text = before + word + after
    encoding = _bare(tokenizer).encode(text, add_special_tokens=False)
    ((start, stop),) = _word_spans(text, [_letters(before, word)], encoding.offsets, shift=0)
    ids, budget = encoding.ids, max_length - 2
    cut = min(max(0, stop - budget), start)
    ids, start, stop = ids[cut : cut + budget], start - cut + 1, stop - cut + 1
    row = np.array([tokenizer.cls_token_id, *ids, tokenizer.sep_token_id])
    return [Cloze(row, np.array([piece]), np.arange(piece, stop)) for piece in range(start, stop)]


def _letters(before: str, word: str) -> tuple[int, int]:
    """Return the characters of the slot without spaces at its ends."""
    start = len(before) + len(word) - len(word.lstrip())
    return start, start + len(word.strip())
