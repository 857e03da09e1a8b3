"""Scores of the probes: senses told apart by vectors, and heads that follow a relation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bertviz_lite.evaluation.probes import (
    best_head,
    largest_weights,
    person_relations,
    score_senses,
    sense_vectors,
    subject_relations,
)
from bertviz_lite.evaluation.scores.evaluation_set import EvaluationSet
from bertviz_lite.evaluation.scores.misled_heads import NEAREST, OFFSET, misleading_details
from bertviz_lite.evaluation.scores.results import NEEDED, Score
from bertviz_lite.world.towns import FIRST

if TYPE_CHECKING:
    from transformers import BertForPreTraining


def probed_senses(model: BertForPreTraining, evaluation_set: EvaluationSet) -> Score:
    """Score the senses of two-sense words, by the nearest centroid of their vectors."""
    result = score_senses(
        sense_vectors(model, evaluation_set.choosing), sense_vectors(model, evaluation_set.test)
    )
    details = {f"hidden_states[{number}]": value for number, value in enumerate(result.by_layer)}
    details |= {"chosen hidden_states": result.layer, "words": len(result.by_word)} | result.by_word
    return Score(
        result.accuracy, result.occurrences, NEEDED["senses"], {"static embedding": result.static}, details
    )


def probed_heads(model: BertForPreTraining, evaluation_set: EvaluationSet) -> dict[str, Score]:
    """Score the best head for each relation: a verb and its subject, a pronoun and its person."""
    half = evaluation_set.size.head_stories
    encoded = [
        story
        for two in zip(evaluation_set.choosing[:half], evaluation_set.test[:half], strict=False)
        for story in two
    ]
    # The first town's numbers were recorded when only the first of two names counted.
    subjects = subject_relations(encoded, joined=evaluation_set.town != FIRST)
    persons = person_relations(encoded)
    # Both relations are read off the same attention: the model runs once.
    positions = largest_weights(model, encoded, [*subjects, *persons])
    bounds = {"head.subject": slice(len(subjects)), "head.person": slice(len(subjects), None)}
    scores = {}
    for (name, part), relations in zip(bounds.items(), (subjects, persons), strict=True):
        result = best_head(relations, *(by_relation[part] for by_relation in positions))
        details = {
            "layer": result.layer,
            "head": result.head,
            "with [CLS] and [SEP]": result.with_special,
            "offset of the guess": result.offset,
        }
        details |= misleading_details(result)
        rules = {OFFSET: result.guess, NEAREST: result.nearest}
        scores[name] = Score(result.accuracy, result.occurrences, None, rules, details)
    return scores
