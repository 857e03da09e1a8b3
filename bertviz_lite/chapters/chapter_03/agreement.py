"""Verbs that a noun of another number stands before: *the kites near the tree are red*."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bertviz_lite.evaluation.probes.relations import joined_heads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bertviz_lite.data.encoded_stories import EncodedStory
    from bertviz_lite.evaluation.probes import Relation

__all__ = ["misleading_verbs"]

AGREES = "agreement"


def misleading_verbs(encoded: Sequence[EncodedStory], relations: Sequence[Relation]) -> list[Relation]:
    """Return the verbs whose form the subject decides, and whose nearest noun would ask for the other form.

    Parameters
    ----------
    encoded
        The stories.
    relations
        Their verbs, as ``subject_relations(encoded, joined=True)`` returns them.
    """
    found = []
    for relation in relations:
        story = encoded[relation.story]
        words = {start: word for word, start, _ in story.words}
        verb = words[relation.start]
        if verb.determined != AGREES or verb.subject is None or not relation.nearest:
            continue
        sentence = story.story.sentences[verb.sentence]
        subject = sentence.words[verb.subject].form
        if joined_heads(sentence, verb.subject):
            subject = "plural"
        nearest = words[relation.nearest[0]].form
        if {subject, nearest} == {"singular", "plural"} and not {*relation.nearest} & {*relation.targets}:
            found.append(relation)
    return found
