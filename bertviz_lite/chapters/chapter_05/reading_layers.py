"""What the vectors of each layer hold: senses of words, and tags that a probe reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.evaluation.probes import SenseVectors, TagResult, WordVectors, score_tags, word_vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy.typing as npt
    from transformers import BertForPreTraining

    from bertviz_lite.data.encoded_stories import EncodedStory
    from bertviz_lite.world import Story, Word

    Tag = Callable[[Word, Story], str | None]

__all__ = [
    "FORM",
    "MEANING",
    "heights_of",
    "join_last_layers",
    "neighbours_of_one_sense",
    "sense_vectors_of",
    "table",
    "tag_scores",
    "tagged_vectors",
    "two_sense_word",
]


def _person(word: Word, story: Story) -> str | None:
    """Return the name of the person that "he", "her" … stands for."""
    names = (other.text for other in story.words if other.entity == word.entity and other.name == "person")
    return next(names, None) if word.pos == "PRON" and word.entity is not None else None


FORM: dict[str, Tag] = {
    "part of speech": lambda word, _: word.pos,
    "form of a verb": lambda word, _: word.form if word.pos in ("VERB", "AUX") else None,
    "name or not": lambda word, _: word.name or "none",
}
MEANING: dict[str, Tag] = {"sense": lambda word, _: word.sense, "who is meant": _person}
"""The town's tags, by their names in the chapter; None for words that are not scored."""


def heights_of(num_layers: int) -> list[str]:
    """Name the heights of a model: the input, and each layer."""
    return ["input", *(f"after layer {number}" for number in range(num_layers))]


def table(columns: Sequence[str], rows: Mapping[str, Sequence[str]], corner: str = "") -> str:
    """Return rows of words, each with its name before it, under the names of their columns."""
    names = max(map(len, (corner, *rows))) + 2
    width = max(len(cell) for cells in (columns, *rows.values()) for cell in cells) + 2
    lines = {corner: columns} | dict(rows)
    return "\n".join(
        f"{name:{names}}" + "".join(f"{cell:{width}}" for cell in cells) for name, cells in lines.items()
    )


def tagged_vectors(
    model: BertForPreTraining, encoded: Sequence[EncodedStory], everything: int = 300
) -> dict[str, WordVectors]:
    """Return the vectors of the words that have tags: "form" and "meaning".

    Tags of form are on every word, so a few stories are enough for them. Few words have two senses or stand
    for a person: for these all stories are read.
    """
    return {
        "form": word_vectors(model, encoded[:everything], lambda word: word.pos != "PUNCT"),
        "meaning": word_vectors(
            model, encoded, lambda word: bool(word.sense) or (word.pos == "PRON" and word.entity is not None)
        ),
    }


def sense_vectors_of(found: WordVectors) -> SenseVectors:
    """Keep the words with a sense, each by its spelling: *waves* has another row than *wave*."""
    rows = [row for row, (_, word) in enumerate(found.words) if word.sense]
    words = [found.words[row][1] for row in rows]
    senses = tuple(f"{word.text.lower()}.{str(word.sense).partition('.')[2]}" for word in words)
    return SenseVectors(senses, found.vectors[:, rows], found.static[rows])


def two_sense_word(
    first: SenseVectors, second: SenseVectors, words: Iterable[str]
) -> tuple[str, npt.NDArray[np.str_], npt.NDArray[np.float64]]:
    """Return, of some words, the one whose rarer sense occurs most often, its senses, and its vectors.

    The senses are those of its occurrences, and the vectors have shape (heights, occurrences, hidden_size).
    """
    senses = np.array(first.senses + second.senses)
    stems = np.array([sense.split(".")[0] for sense in senses])
    rarer = {word: min(np.unique(senses[stems == word], return_counts=True)[1]) for word in sorted(words)}
    word = max(rarer, key=lambda word: rarer[word])
    vectors = np.concatenate([first.vectors, second.vectors], axis=1)
    return word, senses[stems == word], vectors[:, stems == word]


def neighbours_of_one_sense(
    vectors: npt.NDArray[np.float64], senses: npt.NDArray[np.str_]
) -> tuple[int, float]:
    """Count the vectors whose nearest other has the same sense, and say how many that would be by chance.

    By chance: if the nearest were any of the others. `vectors` has shape (occurrences, hidden_size).
    """
    distances = np.square(vectors[:, None] - vectors[None]).sum(axis=-1)
    np.fill_diagonal(distances, np.inf)
    same = int((senses[distances.argmin(axis=1)] == senses).sum())
    counts = np.unique(senses, return_counts=True)[1]
    return same, float((counts * (counts - 1)).sum() / (len(senses) - 1))


def tag_scores(fit: Mapping[str, WordVectors], score: Mapping[str, WordVectors]) -> dict[str, TagResult]:
    """Fit a linear probe on some stories for each tag, and score it on others, at every height."""
    return {
        name: score_tags(fit[kind], score[kind], tag)
        for kind, tags in {"form": FORM, "meaning": MEANING}.items()
        for name, tag in tags.items()
    }


def join_last_layers(found: WordVectors, number: int = 4) -> WordVectors:
    """Put the vectors of the last layers end to end, as if they were those of one layer."""
    return WordVectors(found.words, np.concatenate(found.vectors[-number:], axis=-1)[None], found.static)
