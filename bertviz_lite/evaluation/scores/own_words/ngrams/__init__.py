"""Runs of words in training text: counted, and as a model of how likely a text is."""

from bertviz_lite.evaluation.scores.own_words.ngrams.back_off import BackOff
from bertviz_lite.evaluation.scores.own_words.ngrams.counts import (
    BOUNDARY,
    ORDER,
    Counts,
    Source,
    training_stories,
)

__all__ = ["BOUNDARY", "ORDER", "BackOff", "Counts", "Source", "training_stories"]
