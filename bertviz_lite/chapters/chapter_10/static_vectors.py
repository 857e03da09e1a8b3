"""Vectors from before BERT: word2vec, and the two-way LSTM that used to be put on top of it.

Chapter 10 sets them against BERT on the same labelled texts. Skip-gram learns one vector for each word, the
same in every sentence; the LSTM then reads the vectors in order, once from each end, and a linear map makes
logits of its two last states.

Left out: hierarchical softmax, words made of pieces (fastText), attention over the LSTM's states.

>>> from bertviz_lite.world import stories
>>> texts = [str(story) for story in stories(seed=1, n=3)]
>>> vocabulary = Vocabulary.of(texts, fewest=1)
>>> vectors, losses = word2vec(texts, vocabulary, SkipGrams(size=8, epochs=1), progress=False)
>>> vectors.shape == (len(vocabulary.words), 8)
True
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, logsigmoid
from torch.nn.utils.rnn import pack_padded_sequence
from tqdm.auto import tqdm

from bertviz_lite.basics.threads import threads
from bertviz_lite.training.finetuning.progress import bars_are_wanted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "BiLSTM",
    "Fitting",
    "SkipGram",
    "SkipGrams",
    "Vocabulary",
    "fit",
    "nearest",
    "predict",
    "word2vec",
    "words_of",
]

PADDING, UNKNOWN = 0, 1
RULED_OUT = -1e9  # a cosine that no word has

Ints = NDArray[np.int64]

# Words


def words_of(text: str) -> list[str]:
    """Cut a text into words and punctuation marks, in small letters, as BERT does before its pieces.

    >>> words_of("Anna's key!")
    ['anna', "'", 's', 'key', '!']
    """
    return re.findall(r"\w+|[^\w\s]", text.lower())


@dataclass(frozen=True)
class Vocabulary:
    """Whole words with their numbers: 0 is padding, 1 any word that is not in it.

    Attributes
    ----------
    words
        The word of every number.
    counts
        How often each stood in the texts; 1 for the two special ones.
    """

    words: tuple[str, ...]
    counts: tuple[int, ...]
    number_of: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "number_of", {word: number for number, word in enumerate(self.words)})

    @classmethod
    def of(cls, texts: Iterable[str], fewest: int = 3) -> Vocabulary:
        """Take the words that stand at least `fewest` times in the texts, the most frequent first.

        Raises
        ------
        ValueError
            If no word stands so often.
        """
        counts = Counter(word for text in texts for word in words_of(text))
        kept = sorted((word for word in counts if counts[word] >= fewest), key=lambda word: -counts[word])
        if not kept:
            raise ValueError(
                f"no word stands {fewest} times in the texts: give more texts, or a lower fewest."
            )
        return cls(("[PAD]", "[UNK]", *kept), (1, 1, *(counts[word] for word in kept)))

    def ids(self, text: str) -> list[int]:
        """Turn a text into the numbers of its words."""
        return [self.number_of.get(word, UNKNOWN) for word in words_of(text)]


# word2vec


class SkipGram(nn.Module):
    """Guess a word's neighbours from its vector: skip-gram with negative sampling.

    Every word has two vectors, one as the word in the middle, one as a neighbour. Their product should be
    large for words that stand near each other, small for words drawn by chance. Source: Mikolov et al., 2013,
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
        neighbours come more often.
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
        with torch.enable_grad(), threads(1), _bar("word2vec", how.epochs, progress) as bar:
            for epoch in range(how.epochs):
                pairs = rng.permutation(_pairs(rows, share, how, rng))
                for start in range(0, len(pairs), how.batch):
                    part = pairs[start : start + how.batch]
                    drawn = np.searchsorted(drawn_below, rng.random((len(part), how.negatives)))
                    drawn = drawn.clip(max=len(share) - 1)
                    done = (epoch + start / len(pairs)) / how.epochs
                    optimizer.param_groups[0]["lr"] = how.rate * (1 - done)
                    losses.append(_step(model(*map(torch.from_numpy, (*part.T, drawn))), optimizer))
                bar.update()
                bar.set_postfix(loss=f"{losses[-1]:.2f}")
    except KeyboardInterrupt:
        pass
    vectors = model.centre.weight.detach().clone()
    vectors[PADDING] = 0
    return vectors, losses


def _bar(name: str, total: int, progress: bool) -> Any:  # noqa: ANN401 - a bar of tqdm's
    return tqdm(total=total, desc=name, leave=False, disable=not (progress and bars_are_wanted()))


def _pairs(
    rows: Sequence[Ints], share: NDArray[np.float64], how: SkipGrams, rng: np.random.Generator
) -> Ints:
    """List the (centre, neighbour) pairs of one pass over the texts, shape (pairs, 2)."""
    keep = np.minimum(1.0, np.sqrt(how.frequent / share))
    kept = [row[rng.random(len(row)) < keep[row]] for row in rows]
    words = np.concatenate(kept)
    text = np.repeat(np.arange(len(kept)), [len(row) for row in kept])
    reach = rng.integers(1, how.window + 1, len(words))
    found = []
    for distance in range(1, how.window + 1):
        left, right = np.arange(len(words) - distance), np.arange(distance, len(words))
        for one, other in ((left, right), (right, left)):
            near = (text[one] == text[other]) & (reach[one] >= distance)
            found.append(np.stack([words[one[near]], words[other[near]]], axis=1))
    pairs: Ints = np.concatenate(found)
    return pairs


def _step(loss: Tensor, optimizer: torch.optim.Optimizer) -> float:
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def nearest(vectors: Tensor, vocabulary: Vocabulary, word: str, k: int = 5) -> list[tuple[str, float]]:
    """Name the `k` words whose vectors have the largest cosine with a word's, with these cosines.

    Raises
    ------
    ValueError
        If the word is not in the vocabulary.
    """
    if word not in vocabulary.number_of:
        raise ValueError(f"{word!r} is not among the {len(vocabulary.words):,} words of the vocabulary.")
    number = vocabulary.number_of[word]
    cosines = torch.cosine_similarity(vectors, vectors[number][None])
    cosines[[PADDING, UNKNOWN, number]] = RULED_OUT
    best = cosines.topk(k)
    return [(vocabulary.words[i], float(c)) for i, c in zip(best.indices, best.values, strict=True)]


# The classifier


class BiLSTM(nn.Module):
    """Read a text's vectors once from each end, and make logits of the two last states.

    Parameters
    ----------
    vectors
        One for each word, (words, size), that of padding first. They are copied, and trained like the rest.
    num_labels, hidden_size
        Logits that come out; numbers in each of the two states.
    """

    def __init__(self, vectors: Tensor, num_labels: int, hidden_size: int = 64) -> None:
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(vectors.clone(), freeze=False, padding_idx=PADDING)
        self.lstm = nn.LSTM(vectors.shape[1], hidden_size, batch_first=True, bidirectional=True)
        self.dropout = nn.Dropout(0.1)
        self.classifier = nn.Linear(2 * hidden_size, num_labels)
        self.to(vectors.dtype)

    def forward(self, input_ids: Tensor, lengths: Tensor) -> Tensor:
        """Give logits (batch, num_labels) for ids (batch, seq_len), of which `lengths` (batch,) are words."""
        vectors = self.embedding(input_ids)
        packed = pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
        _, (last, _) = self.lstm(packed)  # (2, batch, hidden_size): forwards, backwards
        logits: Tensor = self.classifier(self.dropout(torch.cat([last[0], last[1]], dim=-1)))
        return logits


@dataclass(frozen=True)
class Fitting:
    """How a classifier is trained: AdamW, the learning rate falling to 0 in a straight line.

    Attributes
    ----------
    epochs, batch, rate, seed
        Passes over the examples; examples in a step; the highest learning rate; for order and dropout.
    """

    epochs: int = 10
    batch: int = 16
    rate: float = 3e-3
    seed: int = 0


def fit(
    model: BiLSTM,
    vocabulary: Vocabulary,
    texts: Sequence[str],
    labels: Sequence[int],
    how: Fitting | None = None,
    *,
    progress: bool = True,
) -> list[float]:
    """Train a classifier in place on labelled texts, and return the loss of every step.

    A KeyboardInterrupt ends the training; the model keeps what it has learned.

    Raises
    ------
    ValueError
        If the texts and labels differ in number, or there are none.
    """
    if len(texts) != len(labels) or not texts:
        raise ValueError(f"{len(texts)} texts and {len(labels)} labels: give as many of each, at least one.")
    how = how or Fitting()
    rows, wanted = [vocabulary.ids(text) for text in texts], torch.tensor(labels)
    optimizer = torch.optim.AdamW(model.parameters(), lr=how.rate, fused=True)
    steps = how.epochs * math.ceil(len(rows) / how.batch)
    losses: list[float] = []
    try:
        with torch.enable_grad(), threads(1), _bar("BiLSTM", steps, progress) as bar:
            for number, chosen in enumerate(_draws(len(rows), how)):
                optimizer.param_groups[0]["lr"] = how.rate * (1 - number / steps)
                with torch.random.fork_rng(devices=[]):
                    torch.manual_seed(how.seed * steps + number)  # for dropout
                    logits = model.train()(*_padded([rows[index] for index in chosen]))
                losses.append(_step(cross_entropy(logits, wanted[chosen]), optimizer))
                bar.update()
    except KeyboardInterrupt:
        pass
    model.eval()
    return losses


def _draws(count: int, how: Fitting) -> Iterator[Ints]:
    """Yield the examples of every step; each once an epoch."""
    rng = np.random.default_rng(how.seed)
    for _ in range(how.epochs):
        order = rng.permutation(count)
        for start in range(0, count, how.batch):
            yield order[start : start + how.batch]


def _padded(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Give ids (batch, seq_len), filled up with padding, and lengths (batch,)."""
    lengths = torch.tensor([max(1, len(row)) for row in rows])
    ids = torch.full((len(rows), int(lengths.max())), PADDING)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = torch.tensor(row, dtype=torch.long)
    return ids, lengths


def predict(model: BiLSTM, vocabulary: Vocabulary, texts: Sequence[str], batch: int = 256) -> Ints:
    """Give the number of the likeliest label for each text, int64, shape (texts,)."""
    guessed = [np.zeros(0, np.int64)]
    model.eval()
    with torch.inference_mode():
        for start in range(0, len(texts), batch):
            rows = [vocabulary.ids(text) for text in texts[start : start + batch]]
            guessed.append(cast("Any", model(*_padded(rows))).argmax(dim=-1).numpy())
    return np.concatenate(guessed)
