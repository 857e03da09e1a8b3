"""The simulated town: stories whose every word carries the truth about itself.

A story comes about in this order, a module for each step::

    town       who and what there is
    scene      who holds what: the books of one story
    episodes   what may happen
    plot       what does happen in one story
    english    how it is told, and the marks on every word
    text       words, sentences and stories
    stories    a story by its number
    minimal    pairs of texts, one of them wrong
    groups     words that belong together

No third-party package is imported here. Left out: everything about models.

>>> story = stories(seed=1, n=2)[1]
>>> print(story.sentences[0], story.sentences[1])
When Irene came to the pond, nobody was there. She was never tired of wrestling.
>>> she = story.sentences[1].words[0]
>>> she.text, she.pos, she.entity == story.sentences[0].words[1].entity
('She', 'PRON', True)
>>> was = story.sentences[1].words[1]
>>> was.lemma, was.form, was.determined, story.sentences[1].words[was.subject].text
('be', 'past', 'agreement', 'She')
>>> print(stories(seed=1, n=3)[2].sentences[1])
George and Arthur were good friends.
"""

from bertviz_lite.world.events.text import DETERMINED, Sentence, Story, Word
from bertviz_lite.world.groups import word_groups
from bertviz_lite.world.minimal import MinimalPair, minimal_pairs
from bertviz_lite.world.stories import stories, story

__all__ = [
    "DETERMINED",
    "MinimalPair",
    "Sentence",
    "Story",
    "Word",
    "minimal_pairs",
    "stories",
    "story",
    "word_groups",
]
