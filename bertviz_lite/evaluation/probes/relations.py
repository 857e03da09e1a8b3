"""Gold relations between words of a story: a verb and its subject, a pronoun and its person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bertviz_lite.data.encoded_stories import EncodedStory


@dataclass(frozen=True)
class Relation:
    """A word of an input, and the positions where a head that follows the relation should look.

    Attributes
    ----------
    story
        Number of the input.
    start, stop
        The positions of the word.
    targets
        The right positions, any of them.
    nearest
        The positions of the last noun or name before the word, for a verb also pronoun: where somebody
        looks who knows no grammar. None where there is no such word.
    """

    story: int
    start: int
    stop: int
    targets: tuple[int, ...]
    nearest: tuple[int, ...] = ()


def subject_relations(encoded: Sequence[EncodedStory]) -> list[Relation]:
    """Return every verb with the head word of its subject."""
    relations = []
    for number, story in enumerate(encoded):
        nearest: tuple[int, ...] = ()
        for word, start, stop in story.words:
            if word.subject is not None:
                subject = tuple(range(*story.of(word.sentence, word.subject)))
                relations.append(Relation(number, start, stop, subject, nearest))
            if word.pos in {"NOUN", "PROPN", "PRON"}:
                nearest = tuple(range(start, stop))
    return relations


def person_relations(encoded: Sequence[EncodedStory]) -> list[Relation]:
    """Return every pronoun with the earlier names and nouns of the same person or thing, if any."""
    relations = []
    for number, story in enumerate(encoded):
        mentions: dict[int, list[int]] = defaultdict(list)
        nearest: tuple[int, ...] = ()
        for word, start, stop in story.words:
            if word.pos in {"NOUN", "PROPN"}:
                nearest = tuple(range(start, stop))
            if word.entity is None:
                continue
            if word.pos == "PRON" and mentions[word.entity]:
                relations.append(Relation(number, start, stop, tuple(mentions[word.entity]), nearest))
            elif word.pos in {"NOUN", "PROPN"}:
                mentions[word.entity] += range(start, stop)
    return relations


def hide_words(
    encoded: Sequence[EncodedStory], relations: Sequence[Relation], mask_id: int
) -> tuple[list[EncodedStory], list[Relation]]:
    """Hide the word of every relation behind [MASK], one at a time.

    Returns
    -------
    tuple
        A story for each relation with the tokens of its word hidden; the same relations in these stories.
    """
    hidden = []
    for relation in relations:
        input_ids = encoded[relation.story].input_ids.copy()
        input_ids[relation.start : relation.stop] = mask_id
        hidden.append(replace(encoded[relation.story], input_ids=input_ids))
    return hidden, [replace(relation, story=number) for number, relation in enumerate(relations)]
