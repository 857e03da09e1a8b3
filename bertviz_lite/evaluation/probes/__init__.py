"""What do vectors and attention heads hold? Senses, gold tags, and heads that follow a relation.

What is chosen or fitted (a layer, a probe, a head) is scored on other stories.
"""

from bertviz_lite.evaluation.probes.heads import HeadResult, Misleading, best_head, best_offset, score_heads
from bertviz_lite.evaluation.probes.linear import LinearProbe, linear_probe
from bertviz_lite.evaluation.probes.relations import Relation, hide_words, person_relations, subject_relations
from bertviz_lite.evaluation.probes.senses import SenseResult, SenseVectors, score_senses, sense_vectors
from bertviz_lite.evaluation.probes.tags import TagResult, score_tags
from bertviz_lite.evaluation.probes.vectors import WordVectors, word_vectors
from bertviz_lite.evaluation.probes.weights import largest_weights, weights_on_targets

__all__ = [
    "HeadResult",
    "LinearProbe",
    "Misleading",
    "Relation",
    "SenseResult",
    "SenseVectors",
    "TagResult",
    "WordVectors",
    "best_head",
    "best_offset",
    "hide_words",
    "largest_weights",
    "linear_probe",
    "person_relations",
    "score_heads",
    "score_senses",
    "score_tags",
    "sense_vectors",
    "subject_relations",
    "weights_on_targets",
    "word_vectors",
]
