"""Gold relations between words of a story: a verb and its subject, a pronoun and its person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from bertviz_lite.data.encoded_stories import EncodedStory
from bertviz_lite.world.events.text import Sentence


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


def subject_relations(encoded: Sequence[EncodedStory], *, joined: bool = False) -> list[Relation]:
    """Return every verb with the head word of its subject.

    Parameters
    ----------
    encoded
        The stories.
    joined
        Of a subject such as *Ivy and Luke*, count both names, not the first alone.
    """
    relations = []
    for number, story in enumerate(encoded):
        nearest: tuple[int, ...] = ()
        for word, start, stop in story.words:
            if word.subject is not None:
                heads = [word.subject]
                if joined:
                    heads += joined_heads(story.story.sentences[word.sentence], word.subject)
                targets = [position for head in heads for position in range(*story.of(word.sentence, head))]
                relations.append(Relation(number, start, stop, tuple(targets), nearest))
            if word.pos in {"NOUN", "PROPN", "PRON"}:
                nearest = tuple(range(start, stop))
    return relations


def joined_heads(sentence: Sentence, head: int) -> list[int]:
    """Return the head words that *and* joins to the first: of *Ivy, Luke and a dog* those of the last two.

    The town marks the first. A name or noun that is marked as the subject of a verb of its own begins another
    clause: *"Yes," said Ivy and Luke laughed.*
    """
    words = sentence.words
    own = {word.subject for word in words}
    heads: list[int] = []
    place = head + 1
    while place < len(words) and words[place].text in (",", "and"):
        following = _head_after(sentence, place)
        if following is None or following in own:
            return []
        heads.append(following)
        if words[place].text == "and":
            return heads
        place = following + 1
    return []


_BEFORE_A_NOUN = {"DET", "ADJ", "NUM", "ADV", "PART"}
_OWNERS = {"my", "your", "his", "her", "its", "our", "their"}


def _head_after(sentence: Sentence, place: int) -> int | None:
    """Return the head of the noun phrase that begins after a word, if one does."""
    for word, following in pairwise([*sentence.words[place + 1 :], None]):
        assert word is not None
        if word.pos in {"NOUN", "PROPN"}:
            owner = following is not None and following.text in ("'s", "'")
            compound = following is not None and following.pos == word.pos
            if not owner and not compound:
                return word.index
        elif word.pos == "PRON" and word.text.lower() not in _OWNERS:
            return word.index
        elif word.pos not in _BEFORE_A_NOUN and word.text.lower() not in _OWNERS:
            return None
    return None


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
