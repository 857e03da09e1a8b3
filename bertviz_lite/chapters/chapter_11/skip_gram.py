"""word2vec: one vector for each word, the same in every sentence, learned from its neighbours.

Left out: hierarchical softmax, words made of word pieces (fastText).

>>> from bertviz_lite.world import stories
>>> texts = [str(story) for story in stories(seed=1, n=3)]
>>> vocabulary = Vocabulary.of(texts, fewest=1)
>>> vectors, losses = word2vec(texts, vocabulary, SkipGrams(size=8, epochs=1), progress=False)
>>> vectors.shape == (len(vocabulary.words), 8)
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from bertviz_lite.basics.threads import threads
from bertviz_lite.chapters.chapter_11.small_training import do_step, progress_bar
from bertviz_lite.chapters.chapter_11.whole_words import PADDING, UNKNOWN, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["SkipGram", "SkipGrams", "nearest", "word2vec"]

_RULED_OUT = -1e9  # a cosine that no word has

Ints = NDArray[np.int64]


class SkipGram(nn.Module):
    """Guess a word's neighbours from its vector: skip-gram with negative sampling.

    Every word has two vectors, one as the word in the middle, one as a neighbour. Their product should be
    large for words that occur near each other, small for words drawn by chance. Source: Mikolov et al., 2013,
    "Distributed representations of words and phrases and their compositionality", equation 4.
    """

    def __init__(self, vocab_size: int, size: int) -> None:
        super().__init__()
        self.centre = nn.Embedding(vocab_size, size)
        self.neighbour = nn.Embedding(vocab_size, size)

    def forward(self, centre: Tensor, neighbour: Tensor, drawn: Tensor) -> Tensor:
        """Give the loss of a batch; ids of shape (batch,), (batch,) and (batch, negatives)."""
        vectors = self.centre(centre)
        true = (vectors * self.neighbour(neighbour)).sum(dim=-1)
        false = torch.einsum("bh,bnh->bn", vectors, self.neighbour(drawn))
        return -(logsigmoid(true) + logsigmoid(-false).sum(dim=-1)).mean()


@dataclass(frozen=True)
class SkipGrams:
    """How word2vec is trained.

    Attributes
    ----------
    size
        Components of a vector.
    window
        The farthest neighbour, in words. For each word the distance is drawn from 1 to this, so that near
        neighbours occur more often.
    negatives
        Words drawn by chance for each true neighbour.
    frequent
        Words with a larger share of the texts than this are left out at times, with the probability
        1 - sqrt(frequent / share).
    epochs, batch, rate, seed
        Passes over the texts; pairs in a step; Adam's highest learning rate, which falls to 0; for the first
        vectors and all draws.
    """

    size: int = 64
    window: int = 4
    negatives: int = 5
    frequent: float = 1e-3
    epochs: int = 3
    batch: int = 2048
    rate: float = 0.01
    seed: int = 0


def word2vec(
    texts: Sequence[str],
    vocabulary: Vocabulary,
    how: SkipGrams | None = None,
    *,
    progress: bool = True,
) -> tuple[Tensor, list[float]]:
    """Train one vector for every word of the vocabulary on unlabelled texts.

    A KeyboardInterrupt ends the training, and what is learned so far is returned.

    Returns
    -------
    tuple
        The vectors of the words in the middle, float64, shape (words, size), padding being 0; and the loss of
        every step.
    """
    how = how or SkipGrams()
    rng = np.random.default_rng(how.seed)
    rows = [np.array(vocabulary.ids(text)) for text in texts]
    model = SkipGram(len(vocabulary.words), how.size).double()
    with torch.no_grad():  # numpy's draws are the same on every processor, and float64 keeps what follows so
        shape = model.centre.weight.shape
        model.centre.weight.copy_(torch.from_numpy(rng.uniform(-0.5, 0.5, shape) / how.size))
        model.neighbour.weight.zero_()
    share = np.array(vocabulary.counts) / sum(vocabulary.counts)
    drawn_below = np.cumsum(share**0.75 / (share**0.75).sum())
    optimizer = torch.optim.Adam(model.parameters(), lr=how.rate, fused=True)
    losses: list[float] = []
    try:
        with torch.enable_grad(), threads(1), progress_bar("word2vec", how.epochs, progress) as bar:
            for epoch in range(how.epochs):
                pairs = rng.permutation(_pairs(rows, share, how, rng))
                for start in range(0, len(pairs), how.batch):
                    part = pairs[start : start + how.batch]
                    drawn = np.searchsorted(drawn_below, rng.random((len(part), how.negatives)))
                    drawn = drawn.clip(max=len(share) - 1)
                    done = (epoch + start / len(pairs)) / how.epochs
                    optimizer.param_groups[0]["lr"] = how.rate * (1 - done)
                    losses.append(do_step(model(*map(torch.from_numpy, (*part.T, drawn))), optimizer))
                bar.update()
                bar.set_postfix(loss=f"{losses[-1]:.2f}")
    except KeyboardInterrupt:
        pass
    vectors = model.centre.weight.detach().clone()
    vectors[PADDING] = 0
    return vectors, losses


def _pairs(
    rows: Sequence[Ints], share: NDArray[np.float64], how: SkipGrams, rng: np.random.Generator
) -> Ints:
    """List the (centre, neighbour) pairs of one pass over the texts, shape (pairs, 2)."""
    keep = np.minimum(1.0, np.sqrt(how.frequent / share))
    kept = [row[rng.random(len(row)) < keep[row]] for row in rows]
    words = np.concatenate(kept)
    text = np.repeat(np.arange(len(kept)), [len(row) for row in kept])
    reach = rng.integers(1, how.window + 1, len(words))
    pairs = []
    for distance in range(1, how.window + 1):
        left, right = np.arange(len(words) - distance), np.arange(distance, len(words))
        for centre, neighbour in ((left, right), (right, left)):
            near = (text[centre] == text[neighbour]) & (reach[centre] >= distance)
            pairs.append(np.stack([words[centre[near]], words[neighbour[near]]], axis=1))
    joined: Ints = np.concatenate(pairs)
    return joined


def nearest(vectors: Tensor, vocabulary: Vocabulary, word: str, k: int = 5) -> list[tuple[str, float]]:
    """List the `k` words whose vectors have the largest cosine with a word's, with these cosines.

    Raises
    ------
    ValueError
        If the word is not in the vocabulary.
    """
    if word not in vocabulary.number_of:
        raise ValueError(f"{word!r} is not among the {len(vocabulary.words):,} words of the vocabulary.")
    number = vocabulary.number_of[word]
    cosines = torch.cosine_similarity(vectors, vectors[number][None])
    cosines[[PADDING, UNKNOWN, number]] = _RULED_OUT
    best = cosines.topk(k)
    return [(vocabulary.words[i], float(c)) for i, c in zip(best.indices, best.values, strict=True)]
