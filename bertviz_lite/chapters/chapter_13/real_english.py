"""How vectors of a BERT are scored on the two sets of everyday English, by senses of a word and by meaning.

``python -m experiments.real_english`` scores all-MiniLM-L6-v2.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bertviz_lite.chapters.chapter_13.english_sentences import BANK, PAIRS, RELATIONS, TOWN_PAIRS
from bertviz_lite.evaluation.intervals import interval
from bertviz_lite.evaluation.poolings import poolings
from bertviz_lite.evaluation.similarity import chosen

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = [
    "BANK",
    "PAIRS",
    "QUESTIONS",
    "RELATIONS",
    "TOWN_PAIRS",
    "Occurrences",
    "between",
    "crossed_hits",
    "nearer",
    "occurrences",
    "overlap",
    "pair_cosines",
    "report",
    "sense_hits",
    "sentence_vectors",
    "word_rows",
]

Floats = NDArray[np.float64]

QUESTIONS = {
    "denied": "nearer than its denial",
    "same topic": "nearer than the same topic",
    "unrelated": "nearer than unrelated",
}
"""What is asked of the same meaning, by the relation of the other sentence."""


class Occurrences(NamedTuple):
    """Vectors of ``BANK``'s occurrences, float64; n sentences."""

    layers: Floats
    """The word *bank* after the embeddings and after every layer, (layers + 1, n, hidden_size)."""
    others: Floats
    """The sentence without it: the mean word embedding of its other tokens, (n, hidden_size)."""


def occurrences(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> Occurrences:
    """Run a BERT over ``BANK``.

    A word of several tokens is their mean. [CLS], [SEP] and padding are no "others".
    """
    import torch

    base: Any = model.base_model
    batch = tokenizer([occurrence.text for occurrence in BANK], padding=True, return_tensors="pt")
    place = torch.zeros(batch["input_ids"].shape)
    for row, occurrence in enumerate(BANK):
        word = re.search(r"\bbank\b", occurrence.text)
        assert word is not None
        for place_in_row, token in enumerate(batch.token_to_chars(row, k) for k in range(place.shape[1])):
            if token is not None and word.start() <= token.start < word.end():
                place[row, place_in_row] = 1
    others = torch.tensor([[s is not None for s in batch.sequence_ids(row)] for row in range(len(BANK))]) * (
        1 - place
    )
    with torch.no_grad():
        states = base(**batch, output_hidden_states=True).hidden_states
        static = base.get_input_embeddings()(batch["input_ids"])
    return Occurrences(np.stack([_mean(layer, place) for layer in states]), _mean(static, others))


def _mean(states: Any, weights: Any) -> Floats:  # noqa: ANN401 - tensors
    """Average over the tokens with weight 1: (n, seq_len, size) -> (n, size)."""
    weights = weights[..., None].to(states.dtype)
    mean: Floats = ((states * weights).sum(1) / weights.sum(1)).double().cpu().numpy()
    return mean


def sense_hits(vectors: ArrayLike) -> Floats:
    """Separate the two senses in ``BANK`` by the nearest centroid (Euclidean).

    The centroids are those of the matched pairs. A sentence of a pair is compared with centroids that its
    pair had no part in, a crossed one with those of all pairs.

    Parameters
    ----------
    vectors
        Shape (56, size): one for each sentence of ``BANK``.

    Returns
    -------
    ndarray
        Shape (56,): 1 where the nearest centroid is that of the true sense, 0 where it is the other, 0.5
        where both are equally near. A vector of the word and its place alone gets 0.5: each place
        occurs once in either centroid.
    """
    rows, centroids = _centroids(vectors)
    return _right(rows, centroids)


def crossed_hits(vectors: ArrayLike) -> Floats:
    """Separate the senses in the crossed sentences of ``BANK`` by centroids of crossed ones.

    Two neighbours in the list, one of each sense, are left out together, as a matched pair is.

    Parameters
    ----------
    vectors
        Shape (56, size), as for `sense_hits`.

    Returns
    -------
    ndarray
        Shape (24,): 1, 0 or 0.5, as in `sense_hits`.
    """
    rows, _ = _centroids(vectors)
    crossed = rows[[occurrence.crossed for occurrence in BANK]]
    return _right(crossed, _left_out(crossed))


def _right(rows: Floats, centroids: Floats) -> Floats:
    """Say whether each row is nearer to its own sense's centroid; rows are river and money in turn."""
    distances = np.linalg.norm(rows[:, None] - centroids, axis=-1)
    hits: Floats = chosen(-distances)[np.arange(len(rows)), np.arange(len(rows)) % 2]
    return hits


def _left_out(rows: Floats) -> Floats:
    """Give for each row the means of either sense, without its pair: (n, 2, size)."""
    pairs = rows.reshape(-1, 2, rows.shape[1])
    return np.repeat((pairs.sum(0) - pairs) / (len(pairs) - 1), 2, axis=0)


def _centroids(vectors: ArrayLike) -> tuple[Floats, Floats]:
    """Check the rows, and give for each the means of either sense: (56, size) and (56, 2, size)."""
    rows = np.asarray(vectors, dtype=np.float64)
    if rows.ndim != 2 or len(rows) != len(BANK):
        raise ValueError(f"vectors is {rows.shape}: a row for each of the {len(BANK)} sentences is needed.")
    matched = sum(not occurrence.crossed for occurrence in BANK)
    means = rows[:matched].reshape(-1, 2, rows.shape[1]).mean(0)
    every = np.broadcast_to(means, (len(rows) - matched, *means.shape))
    return rows, np.concatenate([_left_out(rows[:matched]), every])


def between(vectors: ArrayLike) -> Floats:
    """Say how far each vector of ``BANK`` is on the way from the river's centroid to the money's.

    Parameters
    ----------
    vectors
        Shape (56, size), as for `sense_hits`, with the same centroids.

    Returns
    -------
    ndarray
        Shape (56,): 0 at the river's centroid, 1 at the money's, 0.5 where both are equally near (also where
        they are one point): the place on the straight line through both that is nearest to the vector.
    """
    rows, centroids = _centroids(vectors)
    way = centroids[:, 1] - centroids[:, 0]
    length = (way**2).sum(axis=1)
    apart = length > 1e-18  # rounding must not make a way
    gone = ((rows - centroids[:, 0]) * way).sum(axis=1)
    places: Floats = np.where(apart, gone / np.where(apart, length, 1), 0.5)
    return places


def sentence_vectors(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, texts: Sequence[str]
) -> dict[str, Floats]:
    """Make one vector of each text in chapter 07's ways: by name, (texts, hidden_size), float64."""
    import torch

    bert: Any = model.base_model
    batch = tokenizer(list(texts), padding=True, return_tensors="pt")
    with torch.no_grad():
        states = bert(**batch).last_hidden_state
        return {
            name: pool(bert, states, batch["attention_mask"]).double().cpu().numpy()
            for name, pool in poolings().items()
            if name != "pooler" or bert.pooler is not None
        }


def word_rows(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, texts: Sequence[str]) -> Floats:
    """Give the mean row of each text's tokens in the word table, without any layer: (texts, hidden_size).

    [CLS], [SEP] and padding have no part in it.
    """
    import torch

    base: Any = model.base_model
    batch = tokenizer(list(texts), padding=True, return_tensors="pt", add_special_tokens=False)
    with torch.no_grad():
        return _mean(base.get_input_embeddings()(batch["input_ids"]), batch["attention_mask"])


def pair_cosines(vectors: ArrayLike) -> Floats:
    """Compare each sentence of ``PAIRS``, or ``TOWN_PAIRS``, with its four partners by the cosine.

    Parameters
    ----------
    vectors
        Shape (80, size): of all texts in order.

    Returns
    -------
    ndarray
        Shape (20, 4), columns in the order of ``RELATIONS``.
    """
    rows = np.asarray(vectors, dtype=np.float64)
    if rows.ndim != 2 or len(rows) != 4 * len(PAIRS):
        raise ValueError(f"vectors is {rows.shape}: a row for each of the {4 * len(PAIRS)} texts is needed.")
    unit = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).reshape(len(PAIRS), 4, -1)
    partners = np.concatenate([unit[:, 1:], np.roll(unit[:, :1], -1, axis=0)], axis=1)
    cosines: Floats = (unit[:, :1] * partners).sum(-1)
    return cosines


def nearer(cosines: Floats) -> dict[str, Floats]:
    """Return for each sentence whether the same meaning is nearer than each other relation, (20,).

    1 where it is, 0 where it is farther, 0.5 where both are as near: a count of shared words has such ties.
    """
    return {
        relation: (np.sign(cosines[:, 0] - cosines[:, column]) + 1) / 2
        for column, relation in enumerate(RELATIONS)
        if column
    }


def overlap(text: str, other: str) -> float:
    """Give the share of two texts' different words that are in both.

    >>> overlap("A dog sees a cat.", "The cat sees a dog.")
    0.8
    """
    one, two = (set(re.findall(r"\w+", each.lower())) for each in (text, other))
    return len(one & two) / len(one | two)


def report(hits: Floats) -> str:
    """Write the mean of hits as a share, with Wilson's interval.

    >>> report(np.array([1.0, 1.0, 0.0, 1.0]))
    ' 75% (30% to 95%)'
    """
    low, high = interval(round(float(hits.sum())), len(hits))
    return f"{hits.mean():4.0%} ({low:.0%} to {high:.0%})"
