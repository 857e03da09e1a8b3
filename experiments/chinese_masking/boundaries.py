"""Which tokens go on with the word before, in each arm, for a corpus of one token a character."""

from __future__ import annotations

import copy
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from experiments.chinese_masking.segmenter import learn_segmenter, spans_of, word_f1

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

    from bertviz_lite.data.pretraining.corpus import Corpus

TOWN, CHARACTERS, SEGMENTER, SHUFFLED = "town", "characters", "segmenter", "shuffled"
LEARNED_FROM = 40_000  # sentences
_ANY = "□"  # stands for a token that is not one character

Marks = NDArray[np.bool_]


def with_boundaries(
    corpus: Corpus, tokenizer: PreTrainedTokenizerFast, boundaries: str, seed: int = 0
) -> Corpus:
    """Return the same texts with the words of an arm.

    Parameters
    ----------
    corpus
        With the town's own words in ``continues``.
    tokenizer
        One token for each character.
    boundaries
        ``"town"``, ``"characters"``, ``"segmenter"`` or ``"shuffled"``.
    seed
        Of the shuffling.
    """
    assert corpus.continues is not None
    if boundaries == TOWN:
        return corpus
    changed = copy.copy(corpus)
    if boundaries == CHARACTERS:
        changed.continues = np.zeros_like(corpus.continues)
    elif boundaries == SEGMENTER:
        texts = sentences_of(corpus, tokenizer)
        changed.continues = marks_of(spans_of(learn_segmenter(texts[:LEARNED_FROM]), texts))
    else:
        changed.continues = shuffled(corpus, tokenizer, seed)
    return changed


def sentences_of(corpus: Corpus, tokenizer: PreTrainedTokenizerFast) -> list[str]:
    """Return the sentences of a corpus as texts in which every token is one character."""
    tokens = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    characters = np.array([token if len(token) == 1 else _ANY for token in tokens])
    whole = "".join(characters[corpus.ids])
    starts = corpus.sentence_starts.tolist()
    return [whole[first:last] for first, last in pairwise(starts)]


def marks_of(spans: list[list[tuple[int, int]]]) -> Marks:
    """Return which characters go on with a word, given the words of each sentence."""
    lengths = np.array([last - first for words in spans for first, last in words])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    marks = np.ones(int(lengths.sum()), np.bool_)
    marks[starts] = False
    return marks


def spans_from(marks: Marks, sentence_starts: NDArray[np.int64]) -> list[list[tuple[int, int]]]:
    """Return the words of each sentence: the other way round."""
    spans = []
    for first, last in pairwise(sentence_starts.tolist()):
        starts = [*np.flatnonzero(~marks[first:last]).tolist(), last - first]
        spans.append(list(pairwise(starts)))
    return spans


def shuffled(corpus: Corpus, tokenizer: PreTrainedTokenizerFast, seed: int) -> Marks:
    """Return the town's words with their lengths in another order between two punctuation marks."""
    assert corpus.continues is not None
    rng = np.random.default_rng(seed)
    tokens = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    is_mark = np.array([not token.isalnum() for token in tokens])[corpus.ids]
    ends = np.union1d(np.flatnonzero(is_mark), corpus.sentence_starts[:-1])
    starts = np.flatnonzero(~corpus.continues)
    lengths = np.diff([*starts.tolist(), len(corpus.ids)])
    stretch = np.searchsorted(ends, starts, side="right")
    # Punctuation keeps its place: it is the first word of its stretch, and is sorted to the front.
    order = np.lexsort((np.where(is_mark[starts], -1.0, rng.random(len(starts))), stretch))
    marks = np.ones(len(corpus.ids), np.bool_)
    marks[np.concatenate([[0], np.cumsum(lengths[order])[:-1]])] = False
    return marks


def found_words(corpus: Corpus, changed: Corpus) -> float:
    """Return the F1 of an arm's words against the town's."""
    assert corpus.continues is not None
    assert changed.continues is not None
    both = [spans_from(marks, corpus.sentence_starts) for marks in (changed.continues, corpus.continues)]
    return word_f1(*both)
