"""A block of pairs with every text put together again, and with parts in the wrong order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.pairs import PairBlock

Array = NDArray[np.int64]


def own_parts(block: PairBlock, corpus: Corpus) -> PairBlock:
    """Return the same pairs, each of one text and in its order, label 0.

    In a block the second parts of false pairs have changed places two by two, so each text's own second part
    is in the block. First parts and single parts stay what they are.

    Parameters
    ----------
    block
        As ``TrainingInputs.block`` returns it.
    corpus
        Its texts.
    """
    pair = block.b_last > block.b_first
    text_of_a, text_of_b = (_text(corpus, firsts) for firsts in (block.a_first, block.b_first))
    exchanged = pair & (text_of_a != text_of_b)
    turned = pair & ~exchanged & (block.b_first < block.a_first)

    own = replace(
        block,
        a_first=np.where(turned, block.b_first, block.a_first),
        a_last=np.where(turned, block.b_last, block.a_last),
        b_first=np.where(turned, block.a_first, block.b_first),
        b_last=np.where(turned, block.a_last, block.b_last),
        labels=np.where(pair, 0, block.labels),
        renamed=np.zeros_like(block.renamed),
    )
    holders = dict(zip(block.b_first[exchanged].tolist(), block.b_last[exchanged].tolist(), strict=True))
    for row in np.flatnonzero(exchanged).tolist():
        own.b_first[row] = own.a_last[row]
        own.b_last[row] = holders[int(own.a_last[row])]
    return replace(own, lengths=_lengths(own, corpus))


def in_wrong_order(block: PairBlock, rows: NDArray[np.bool_]) -> PairBlock:
    """Let the two parts of some pairs change places, label 1."""
    return replace(
        block,
        a_first=np.where(rows, block.b_first, block.a_first),
        a_last=np.where(rows, block.b_last, block.a_last),
        b_first=np.where(rows, block.a_first, block.b_first),
        b_last=np.where(rows, block.a_last, block.b_last),
        labels=np.where(rows, 1, block.labels),
    )


def _text(corpus: Corpus, sentences: Array) -> Array:
    """Return the text of each of some sentences, both numbered from 0."""
    return np.searchsorted(corpus.story_starts, sentences, side="right") - 1


def _lengths(block: PairBlock, corpus: Corpus) -> Array:
    """Return the number of tokens of each input, special ones included."""
    starts = corpus.sentence_starts
    first, second = (
        starts[last] - starts[start]
        for start, last in ((block.a_first, block.a_last), (block.b_first, block.b_last))
    )
    lengths: Array = first + second + 2 + (block.b_last > block.b_first)
    return lengths
