"""Sentences of the exam that are also sentences of the training text, and how to keep them out of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bertviz_lite.data.pretraining.forbidden import FEWEST_WORDS, Forbidden
from bertviz_lite.data.typed_words import normal_sentence, normal_sentences, sentences_of
from bertviz_lite.evaluation.scores.own_words.exam import HALVES, MASK, Exam, read_exam
from bertviz_lite.evaluation.scores.own_words.ngrams.counts import Source, training_stories
from bertviz_lite.world import stories


@dataclass(frozen=True)
class SharedSentences:
    """Sentences of an exam that also occur in training text.

    Attributes
    ----------
    sentences
        Different sentences of the exam that were looked for: those of ``FEWEST_WORDS`` words or more.
    stories
        Training stories that were read.
    shared
        The sentences that occur in both, as words in lower case without punctuation. Not for printing where
        the exam is not to be read.
    places
        Where they are in the exam: file and line, so that they can be taken out unread.
    """

    sentences: int
    stories: int
    shared: tuple[str, ...]
    places: tuple[str, ...]


def shared_sentences(exam: Exam, count: int, source: Source = stories, seed: int = 0) -> SharedSentences:
    """Look for the exam's sentences among those of the first ``count`` stories of a training run.

    A choice is looked for with the right word in its gap. Case, punctuation and quotation marks do not
    matter.
    """
    wanted: dict[str, list[str]] = defaultdict(list)
    for sentence, place in _sentences_of_exam(exam):
        normal = normal_sentence(sentence)
        if len(normal.split()) >= FEWEST_WORDS:
            wanted[normal].append(place)
    shared: set[str] = set()
    for story in training_stories(source, count, seed):
        for whole in map(str, story.sentences):
            shared.update(normal for normal in normal_sentences(whole) if normal in wanted)
    places = dict.fromkeys(place for normal in sorted(shared) for place in wanted[normal])
    return SharedSentences(len(wanted), count, tuple(sorted(shared)), tuple(places))


def forbidden_sentences(folder: Path) -> Forbidden:
    """Return the hashes of all sentences of an exam: of both halves, the choices with either word.

    Parameters
    ----------
    folder
        The exam's folder, such as ``tests/own_words``.
    """
    exams = [read_exam(folder, half) for half in HALVES]
    return Forbidden.of(
        sentence
        for exam in exams
        for wrong in (False, True)
        for sentence, _ in _sentences_of_exam(exam, wrong=wrong)
    )


def _sentences_of_exam(exam: Exam, *, wrong: bool = False) -> Iterator[tuple[str, str]]:
    """Yield every sentence with its place; in choices with the right word in the gap, or the wrong one."""
    for line, choice in enumerate(exam.choices, start=1):
        for sentence in sentences_of(choice.before + MASK + choice.after):
            word = choice.wrong if wrong else choice.right
            yield sentence.replace(MASK, word), f"choices.tsv, line {line}"
    for line, pair in enumerate(exam.pairs, start=1):
        for text in (pair.first, pair.second):
            for sentence in sentences_of(text):
                yield sentence, f"pairs.tsv, line {line}"
