"""The simulated town: texts whose every word carries the truth about itself.

In the order in which a reader meets them::

    stories    a text by its number
    minimal    pairs of texts, one of them wrong
    groups     words that belong together
    tasks      labelled sets for fine-tuning
    towns      which module writes the texts: this town's, or an earlier one's
    words_page all words, by kind

How a text is made, from the ground up::

    events     who and what there is, what happens, how texts and marks are kept
    grammar    phrases and clauses with their marks
    life       what the town knows and tells: its stories, descriptions, talk
    english    stories told from events one by one, an earlier town; the labelled sets are made of them
    chinese    a teller in Chinese
    balance    counts of what the texts hold

No third-party package is imported here. Left out: everything about models.

>>> text = stories(seed=1, n=12)[11]
>>> print(text.sentences[0])
Tina's goose is lonely and calls across the pond all day.
>>> print(text.sentences[1])
She leaned two old mirrors against a tree last Sunday.
>>> she = text.sentences[1].words[0]
>>> she.text, she.pos, she.entity == text.sentences[0].words[0].entity
('She', 'PRON', True)
>>> were = text.sentences[3].words[3]
>>> were.lemma, were.form, were.determined, text.sentences[3].words[were.subject].text
('be', 'past', 'agreement', 'birds')
"""

from bertviz_lite.world.events.minimal_pair import MinimalPair
from bertviz_lite.world.events.text import DETERMINED, Sentence, Story, Word
from bertviz_lite.world.groups import word_groups
from bertviz_lite.world.minimal import minimal_pairs
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
