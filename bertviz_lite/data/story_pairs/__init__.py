"""Pairs of texts for the next-sentence head: as a story has them, and changed in one way at a time.

Each function but :func:`cut_stories` takes pairs and returns pairs: with the parts or sentences in another
order, with other names, with the second part of another story. The changes are made on sentences with their
gold marks, so "the names" are all the names and nothing else.

Left out: how a model scores them (``pair_probes``), and the pairs of pre-training (``pretraining.pairs``).
"""

from bertviz_lite.data.story_pairs.cutting import StoryPair, cut_stories
from bertviz_lite.data.story_pairs.orders import shuffled, swapped
from bertviz_lite.data.story_pairs.second_parts import other_story, same_names, same_nouns, same_people
from bertviz_lite.data.story_pairs.words import mask_words, other_people

__all__ = [
    "StoryPair",
    "cut_stories",
    "mask_words",
    "other_people",
    "other_story",
    "same_names",
    "same_nouns",
    "same_people",
    "shuffled",
    "swapped",
]
