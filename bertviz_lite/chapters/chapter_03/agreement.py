"""Verbs that a noun of another number stands before: *the kites near the tree are red*."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.data.cloze import Cloze, guess
from bertviz_lite.evaluation.probes import best_head, hide_words, largest_weights
from bertviz_lite.evaluation.probes.relations import joined_heads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transformers import BertForPreTraining

    from bertviz_lite.data.encoded_stories import EncodedStory
    from bertviz_lite.evaluation.probes import Relation

__all__ = ["HiddenVerbs", "hidden_verbs", "misleading_verbs"]

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


@dataclass(frozen=True)
class HiddenVerbs:
    """Hidden verbs of one half of the stories: forms guessed right, and subjects found; all of them shares.

    Attributes
    ----------
    n
        How many verbs there are.
    right
        Guessed right by the model.
    usual
        Verbs of the more frequent number: right for who always says this one.
    head
        Subjects on which the best head's largest weight falls, [CLS] and [SEP] left out.
    best
        That head, as (layer, head), chosen on the other half.
    guess
        Subjects at a fixed distance from the verb.
    offset
        This distance in tokens, chosen on the other half.
    chance
        Words that are subjects, for who points at any word of the text.
    """

    n: int
    right: float
    usual: float
    head: float
    best: tuple[int, int]
    guess: float
    offset: int
    chance: float


def hidden_verbs(
    model: BertForPreTraining, encoded: Sequence[EncodedStory], verbs: Sequence[Relation], mask_id: int
) -> HiddenVerbs:
    """Hide each verb; the stories of even number choose a head and a distance, the others score.

    Parameters
    ----------
    model
        With a masked-language-model head.
    encoded
        The stories.
    verbs
        What :func:`misleading_verbs` returns for them.
    mask_id
        The id of [MASK].
    """
    result = best_head(verbs, *largest_weights(model, *hide_words(encoded, verbs, mask_id)))
    scored = [verb for verb in verbs if verb.story % 2]
    clozes = [Cloze.word(encoded[verb.story].input_ids, verb.start, verb.stop) for verb in scored]
    # The nearest noun has the other number: where it is plural, the verb is singular.
    singular = np.mean([_form(encoded[verb.story], verb.nearest[0]) == "plural" for verb in scored])
    words = [len(encoded[verb.story].input_ids) - 2 for verb in scored]
    return HiddenVerbs(
        n=len(scored),
        right=float(np.mean([answer.right for answer in guess(model, clozes, mask_id)])),
        usual=float(max(singular, 1 - singular)),
        head=result.accuracy,
        best=(result.layer, result.head),
        guess=result.guess,
        offset=result.offset,
        chance=float(np.mean([len(v.targets) / n for v, n in zip(scored, words, strict=True)])),
    )


def _form(story: EncodedStory, position: int) -> str | None:
    """Return the form of the word that begins at a position."""
    return next(word.form for word, start, _ in story.words if start == position)
