"""A segmenter that learns from bare text: the unigram model of `tokenizers`.

Its words have at most four characters. It begins with all frequent strings, and drops in rounds those without
which the text is hardly less probable (Kudo 2018, Subword Regularization). No gold boundary is used, nor a
list of words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tokenizers import Tokenizer
from tokenizers.models import Unigram
from tokenizers.pre_tokenizers import Punctuation
from tokenizers.trainers import UnigramTrainer

Spans = Sequence[tuple[int, int]]

WORDS = 3_000
"""Size of its list: about that of the town's list of words, and not tuned on gold boundaries."""


def learn_segmenter(texts: Iterable[str], words: int = WORDS) -> Tokenizer:
    """Learn a list of words, and how frequent each is, from texts without spaces."""
    segmenter = Tokenizer(Unigram())
    segmenter.pre_tokenizer = Punctuation()
    trainer = UnigramTrainer(
        vocab_size=words, max_piece_length=4, unk_token="[UNK]", special_tokens=["[UNK]"], show_progress=False
    )
    segmenter.train_from_iterator(texts, trainer)
    return segmenter


def spans_of(segmenter: Tokenizer, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
    """Return start and end of every word of each text."""
    return [encoding.offsets for encoding in segmenter.encode_batch(list(texts))]


def word_f1(found: Sequence[Spans], gold: Sequence[Spans]) -> float:
    """Return the F1 of words with both ends right, as the bake-offs of word segmentation count it.

    >>> word_f1([[(0, 2), (2, 3)]], [[(0, 1), (1, 2), (2, 3)]])
    0.4
    """
    right = sum(len(set(ours) & set(theirs)) for ours, theirs in zip(found, gold, strict=True))
    return 2 * right / (sum(map(len, found)) + sum(map(len, gold)))
