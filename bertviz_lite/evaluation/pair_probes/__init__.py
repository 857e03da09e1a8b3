"""What does the next-sentence head respond to? Its logits for pairs of texts, and what each word changes.

Label 0 is "B continues A", label 1 "B is of another story"; everything here is in terms of label 0.
"""

from bertviz_lite.evaluation.pair_probes.hidden_words import OccludedWord, Occlusion, occlusion
from bertviz_lite.evaluation.pair_probes.vectors import PairInput, PairVectors, pair_vectors, run_pairs

__all__ = ["OccludedWord", "Occlusion", "PairInput", "PairVectors", "occlusion", "pair_vectors", "run_pairs"]
