"""What vectors and attention know: senses of two-sense words, gold tags, and heads that follow a relation.

What is chosen or fitted (a layer, a probe, a head) is so on one half of the stories and scored on another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray

from bertviz_lite.data.batches import batches, pad, ready
from bertviz_lite.data.encoded_stories import EncodedStory

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import BertForPreTraining

    from bertviz_lite.world import Story, Word

# Words


@dataclass(frozen=True)
class WordVectors:
    """Vectors of chosen words in some stories.

    Attributes
    ----------
    words
        Each occurrence with the story it stands in.
    vectors
        float64, shape (num_layers + 1, occurrences, hidden_size): mean over the pieces of the word, after the
        embeddings and after every layer.
    static
        float64, shape (occurrences, hidden_size): the same from the word embedding alone, without position,
        segment and normalisation.
    """

    words: tuple[tuple[Story, Word], ...]
    vectors: NDArray[np.float64]
    static: NDArray[np.float64]


def word_vectors(
    model: BertForPreTraining, encoded: Sequence[EncodedStory], wanted: Callable[[Word], bool]
) -> WordVectors:
    """Run the model over the stories that hold a wanted word."""
    found = [(story, [(word, *span) for word, *span in story.words if wanted(word)]) for story in encoded]
    found = [(story, words) for story, words in found if words]
    words_found: list[tuple[Story, Word]] = []
    vectors: list[NDArray[np.float64]] = []
    static: list[NDArray[np.float64]] = []
    table = model.bert.embeddings.word_embeddings.weight.detach().double().cpu().numpy()
    with ready(model):
        for batch in batches([len(story.input_ids) for story, _ in found]):
            input_ids, attention_mask = pad([found[index][0].input_ids for index in batch], model.device)
            outputs = model.bert(input_ids, attention_mask=attention_mask, output_hidden_states=True)
            rows: list[int] = []
            places: list[int] = []
            firsts: list[int] = []
            for row, index in enumerate(batch):
                story, words = found[index]
                for word, start, stop in words:
                    words_found.append((story.story, word))
                    firsts.append(len(places))
                    places += range(start, stop)
                    rows += [row] * (stop - start)
            layers = torch.stack([layer[rows, places] for layer in outputs.hidden_states])
            vectors.append(_means(layers.double().cpu().numpy(), firsts))
            static.append(_means(table[input_ids[rows, places].cpu().numpy()][None], firsts)[0])
    size = model.config.hidden_size
    if not words_found:
        vectors, static = [np.zeros((model.config.num_hidden_layers + 1, 0, size))], [np.zeros((0, size))]
    return WordVectors(tuple(words_found), np.concatenate(vectors, 1), np.concatenate(static))


def _means(pieces: NDArray[np.float64], firsts: Sequence[int]) -> NDArray[np.float64]:
    """Average the vectors, (layers, pieces, size), of each word, whose first pieces are given."""
    counts = np.diff([*firsts, pieces.shape[1]])
    means: NDArray[np.float64] = np.add.reduceat(pieces, firsts, axis=1) / counts[:, None]
    return means


@dataclass(frozen=True)
class TagResult:
    """How many tags a linear probe reads off the vectors of words, on stories it was not fitted on.

    Attributes
    ----------
    by_layer
        Share that is right: after the embeddings and after every layer.
    static
        The same from the word embedding alone.
    spelling
        The same for who takes each spelling's most frequent tag.
    occurrences
        Words in the scored half.
    """

    by_layer: tuple[float, ...]
    static: float
    spelling: float
    occurrences: int


def score_tags(
    known: WordVectors,
    asked: WordVectors,
    tag: Callable[[Word, Story], str | None],
    *,
    ridge: float = 1.0,
    fewest: int = 3,
) -> TagResult:
    """Score linear probes for a tag, one a layer, on words whose spelling leaves the tag open.

    Parameters
    ----------
    known, asked
        Words to fit the probes on, and words of other stories to score them on.
    tag
        Gives a word's tag in its story; None leaves the word out.
    ridge
        See :func:`linear_probe`.
    fewest
        A spelling is left out unless it stands at least so often among `known` with another tag than its
        most frequent one: a table of spellings could do the others.

    Raises
    ------
    ValueError
        If no word is left.
    """
    here, there = ([tag(word, story) for story, word in one.words] for one in (known, asked))
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for (_, word), name in zip(known.words, here, strict=True):
        if name is not None:
            counts[word.text.lower()][name] += 1
    usual = {
        text: tags.most_common(1)[0][0]
        for text, tags in counts.items()
        if tags.total() - tags.most_common(1)[0][1] >= fewest
    }
    fit, ask = (
        [
            index
            for index, name in enumerate(names)
            if name is not None and one.words[index][1].text.lower() in usual
        ]
        for names, one in ((here, known), (there, asked))
    )
    if not fit or not ask:
        raise ValueError(f"no spelling has {fewest} or more words of a rarer tag: give more stories.")
    tags, right = np.array([here[index] for index in fit]), np.array([there[index] for index in ask])

    def share(old: NDArray[np.float64], new: NDArray[np.float64]) -> float:
        return float((linear_probe(old[fit], tags, new[ask], ridge) == right).mean())

    guessed = [usual[asked.words[index][1].text.lower()] for index in ask]
    return TagResult(
        by_layer=tuple(share(*layers) for layers in zip(known.vectors, asked.vectors, strict=True)),
        static=share(known.static, asked.static),
        spelling=float((np.array(guessed) == right).mean()),
        occurrences=len(ask),
    )


def linear_probe(
    known: NDArray[np.float64], tags: NDArray[np.str_], asked: NDArray[np.float64], ridge: float = 1.0
) -> NDArray[np.str_]:
    """Fit a linear map from vectors to tags, and read off the tags of other vectors.

    Least squares against one column of zeros and ones a tag, with a ridge penalty; the largest score wins.

    Parameters
    ----------
    known, asked
        float64, shape (n, size) and (m, size).
    tags
        The n tags of `known`.
    ridge
        The penalty, in units of the variance of `known` (mean over its columns): as if so many more words
        without a tag stood along every axis.

    Returns
    -------
    ndarray of str, shape (m,)
    """
    names, numbers = np.unique(tags, return_inverse=True)
    columns = np.eye(len(names))[numbers]
    mean, share = known.mean(0), columns.mean(0)
    centred = known - mean
    # A variance of zero (all vectors the same) would leave nothing to divide by.
    penalty = ridge * (float((centred**2).mean()) or 1.0)
    weights = np.linalg.solve(
        centred.T @ centred + penalty * np.eye(known.shape[1]), centred.T @ (columns - share)
    )
    picked: NDArray[np.str_] = names[((asked - mean) @ weights + share).argmax(1)]
    return picked


# Senses


@dataclass(frozen=True)
class SenseVectors:
    """Vectors of all two-sense words in some stories.

    Attributes
    ----------
    senses
        The sense of each occurrence, such as ``"bank.river"``.
    vectors
        float64, shape (num_layers + 1, occurrences, hidden_size): mean over the pieces of the word, after the
        embeddings and after every layer.
    static
        float64, shape (occurrences, hidden_size): the same from the word embedding alone, without position,
        segment and normalisation.
    """

    senses: tuple[str, ...]
    vectors: NDArray[np.float64]
    static: NDArray[np.float64]


def sense_vectors(model: BertForPreTraining, encoded: Sequence[EncodedStory]) -> SenseVectors:
    """Run the model over the stories that hold a two-sense word."""
    found = word_vectors(model, encoded, lambda word: word.sense is not None)
    senses = tuple(word.sense for _, word in found.words if word.sense is not None)
    return SenseVectors(senses, found.vectors, found.static)


@dataclass(frozen=True)
class SenseResult:
    """Nearest-centroid accuracy: the mean over words, of the mean over a word's senses.

    ``layer`` was chosen on the centroid half; ``by_layer`` and ``by_word`` are for reading.
    """

    accuracy: float
    static: float
    layer: int
    by_layer: tuple[float, ...]
    by_word: dict[str, float]
    occurrences: int


def score_senses(known: SenseVectors, asked: SenseVectors, fewest: int = 5) -> SenseResult:
    """Tell senses apart by the nearest centroid (Euclidean).

    Parameters
    ----------
    known
        Occurrences from which the centroids, and the layer, come: the layer is the one that does best when
        the centroids of every other occurrence are tried on the rest.
    asked
        Occurrences to be told apart, of other stories.
    fewest
        Senses with fewer occurrences on either side are left out (with their word).
    """
    words = two_sense_words(known.senses, asked.senses, fewest)
    if not words:
        nothing = float("nan")
        return SenseResult(nothing, nothing, 0, (), {}, 0)
    here = np.array(known.senses)
    even = np.arange(len(here)) % 2 == 0
    tried = [
        _mean(_by_word(layer[even], here[even], layer[~even], here[~even], words)) for layer in known.vectors
    ]
    layer = int(np.nanargmax(tried))
    there = np.array(asked.senses)
    by_layer = [
        _by_word(old, here, new, there, words) for old, new in zip(known.vectors, asked.vectors, strict=True)
    ]
    return SenseResult(
        accuracy=_mean(by_layer[layer]),
        static=_mean(_by_word(known.static, here, asked.static, there, words)),
        layer=layer,
        by_layer=tuple(_mean(result) for result in by_layer),
        by_word=by_layer[layer],
        occurrences=sum(1 for sense in asked.senses if sense.partition(".")[0] in words),
    )


def two_sense_words(known: Sequence[str], asked: Sequence[str], fewest: int) -> list[str]:
    """Return the words with two or more senses that are frequent enough in both lists of senses."""
    counts: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for side, senses in enumerate((known, asked)):
        for sense in senses:
            counts[sense.partition(".")[0]][sense][side] += 1
    return sorted(
        word for word, senses in counts.items()
        if len(senses) > 1 and all(min(sides) >= fewest for sides in senses.values())
    )  # fmt: skip


def _by_word(
    known: NDArray[np.float64],
    known_senses: NDArray[np.str_],
    asked: NDArray[np.float64],
    asked_senses: NDArray[np.str_],
    words: Sequence[str],
) -> dict[str, float]:
    """Return, by word, the mean over its senses of the share of occurrences nearest to their centroid."""
    result = {}
    for word in words:
        names = sorted({sense for sense in known_senses.tolist() if sense.partition(".")[0] == word})
        centroids = np.array([known[known_senses == name].mean(0) for name in names])
        shares = []
        for number, name in enumerate(names):
            vectors = asked[asked_senses == name]
            distances = np.linalg.norm(vectors[:, None] - centroids[None], axis=-1)
            if len(vectors):
                shares.append(float((distances.argmin(1) == number).mean()))
        result[word] = float(np.mean(shares)) if shares else float("nan")
    return result


def _mean(by_word: dict[str, float]) -> float:
    return float(np.nanmean(list(by_word.values())))


# Heads


@dataclass(frozen=True)
class Relation:
    """A word of an input, and the positions where a head that follows the relation should look.

    Attributes
    ----------
    story
        Number of the input.
    start, stop
        The positions of the word that looks.
    targets
        The positions to be looked at, any of them.
    """

    story: int
    start: int
    stop: int
    targets: tuple[int, ...]


def subject_relations(encoded: Sequence[EncodedStory]) -> list[Relation]:
    """Return every verb with the head word of its subject."""
    relations = []
    for number, story in enumerate(encoded):
        for word, start, stop in story.words:
            if word.subject is not None:
                relations.append(
                    Relation(number, start, stop, tuple(range(*story.of(word.sentence, word.subject))))
                )
    return relations


def person_relations(encoded: Sequence[EncodedStory]) -> list[Relation]:
    """Return every pronoun with the earlier names and nouns of the same person or thing, if any."""
    relations = []
    for number, story in enumerate(encoded):
        mentions: dict[int, list[int]] = defaultdict(list)
        for word, start, stop in story.words:
            if word.entity is None:
                continue
            if word.pos == "PRON" and mentions[word.entity]:
                relations.append(Relation(number, start, stop, tuple(mentions[word.entity])))
            elif word.pos in {"NOUN", "PROPN"}:
                mentions[word.entity] += range(start, stop)
    return relations


def largest_weights(
    model: BertForPreTraining, encoded: Sequence[EncodedStory], relations: Sequence[Relation]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find where each head looks most, for each relation's word.

    The rows of a word's pieces are averaged.

    Returns
    -------
    tuple
        Positions, each of shape (relations, num_layers, num_heads): with [CLS] and [SEP] left out, and with
        them in.
    """
    config = model.config
    without = np.zeros((len(relations), config.num_hidden_layers, config.num_attention_heads), np.int64)
    with_special = without.copy()
    for index, weights in _rows(model, encoded, relations):
        with_special[index] = weights.argmax(-1)
        without[index] = weights[..., 1:-1].argmax(-1) + 1
    return without, with_special


def weights_on_targets(
    model: BertForPreTraining, encoded: Sequence[EncodedStory], relations: Sequence[Relation]
) -> NDArray[np.float64]:
    """Measure how much of its weight each head puts on the targets of each relation, all of them together.

    The rows of a word's pieces are averaged.

    Returns
    -------
    ndarray
        Shares, float64, shape (relations, num_layers, num_heads).
    """
    config = model.config
    shares = np.zeros((len(relations), config.num_hidden_layers, config.num_attention_heads))
    for index, weights in _rows(model, encoded, relations):
        shares[index] = weights[..., list(relations[index].targets)].sum(-1)
    return shares


def hide_words(
    encoded: Sequence[EncodedStory], relations: Sequence[Relation], mask_id: int
) -> tuple[list[EncodedStory], list[Relation]]:
    """Hide the word of every relation behind [MASK], one at a time.

    Returns
    -------
    tuple
        A story per relation, the pieces of its word replaced, and the same relations in these stories.
    """
    hidden = []
    for relation in relations:
        input_ids = encoded[relation.story].input_ids.copy()
        input_ids[relation.start : relation.stop] = mask_id
        hidden.append(replace(encoded[relation.story], input_ids=input_ids))
    return hidden, [replace(relation, story=number) for number, relation in enumerate(relations)]


def _rows(
    model: BertForPreTraining, encoded: Sequence[EncodedStory], relations: Sequence[Relation]
) -> Iterator[tuple[int, NDArray[np.floating[Any]]]]:
    """Yield each relation's index and its word's weights, shape (num_layers, num_heads, seq_len)."""
    wanted: dict[int, list[int]] = defaultdict(list)
    for index, relation in enumerate(relations):
        wanted[relation.story].append(index)
    stories = sorted(wanted)
    with ready(model, "eager"):
        for batch in batches([len(encoded[story].input_ids) for story in stories]):
            chosen = [stories[index] for index in batch]
            input_ids, attention_mask = pad([encoded[story].input_ids for story in chosen], model.device)
            outputs = model.bert(input_ids, attention_mask=attention_mask, output_attentions=True)
            attentions = np.stack([_numpy(layer) for layer in outputs.attentions], 1)
            for row, story in enumerate(chosen):
                seq_len = len(encoded[story].input_ids)
                for index in wanted[story]:
                    relation = relations[index]
                    weights = attentions[row, :, :, relation.start : relation.stop, :seq_len]
                    yield index, weights.mean(2)


def _numpy(weights: Tensor) -> NDArray[np.floating[Any]]:
    """Copy weights to the processor; half precision, which numpy may not know, becomes float32."""
    array: NDArray[np.floating[Any]] = (
        weights.to(torch.promote_types(weights.dtype, torch.float32)).cpu().numpy()
    )
    return array


@dataclass(frozen=True)
class HeadResult:
    """The best head for a relation, chosen on one half of the occurrences and scored on the other.

    Attributes
    ----------
    accuracy
        Share of the words whose largest weight, [CLS] and [SEP] left out, falls on a target.
    with_special
        The same with [CLS] and [SEP] taking part.
    layer, head
        The head.
    guess
        Share that is right when one looks always at the same distance.
    offset
        This distance, in pieces: -1 is the piece before.
    occurrences
        Words in the scored half.
    """

    accuracy: float
    with_special: float
    layer: int
    head: int
    guess: float
    offset: int
    occurrences: int


def score_heads(
    model: BertForPreTraining, encoded: Sequence[EncodedStory], relations: Sequence[Relation]
) -> HeadResult:
    """Score all heads for one relation; stories of even number choose, the others score."""
    return best_head(relations, *largest_weights(model, encoded, relations))


def best_head(
    relations: Sequence[Relation], without: NDArray[np.int64], with_special: NDArray[np.int64]
) -> HeadResult:
    """Score all heads for one relation from what ``largest_weights`` has found."""
    nothing = float("nan")
    choosing = np.array([relation.story % 2 == 0 for relation in relations], dtype=bool)
    if choosing.all() or not choosing.any():
        return HeadResult(nothing, nothing, 0, 0, nothing, 0, 0)
    hits = np.array(
        [np.isin(places, relation.targets) for places, relation in zip(without, relations, strict=True)]
    )
    shares = hits[choosing].mean(0)
    layer, head = (int(index) for index in np.unravel_index(shares.argmax(), shares.shape))
    hits_with = np.array(
        [
            place in relation.targets
            for place, relation in zip(with_special[:, layer, head], relations, strict=True)
        ]
    )
    offset = best_offset([relation for relation, chooses in zip(relations, choosing, strict=True) if chooses])
    guessed = np.array([relation.start + offset in relation.targets for relation in relations])
    return HeadResult(
        accuracy=float(hits[~choosing, layer, head].mean()),
        with_special=float(hits_with[~choosing].mean()),
        layer=layer,
        head=head,
        guess=float(guessed[~choosing].mean()),
        offset=offset,
        occurrences=int((~choosing).sum()),
    )


def best_offset(relations: Sequence[Relation]) -> int:
    """Return the distance, in pieces, at which a target stands most often; of equals the nearest."""
    counts: dict[int, int] = defaultdict(int)
    for relation in relations:
        for target in relation.targets:
            counts[target - relation.start] += 1
    return min(counts, key=lambda offset: (-counts[offset], abs(offset)))
