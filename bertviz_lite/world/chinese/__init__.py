"""The town in Chinese: stories whose every word carries the truth about itself.

What is there::

    lexicon      words: parts of speech, classifiers, senses, readings, other ways of cutting a text
    grammar      a notation for sentences, and the grammar that composes them: names, pronouns, dropped
                 subjects, 把 and 被, classifiers, numbers, speech; words and sentences with their marks
    knowledge    small stories and scenes written by hand, and kinds of events, as tables
    life         a small story told; events that lead to each other
    stories      a story by its number
    texts        what a model reads: stories and scenes, by number; all words
    minimal      pairs of texts, one of them wrong

Simplified characters, full-width punctuation, about 2,090 word forms. ``bertviz_lite.stories(seed, n,
language="zh")`` gives the texts; ``load("pocket-zh")`` has read them.

>>> told = stories(seed=1, n=1)[0]
>>> told.sentences[0].words[0].start, told.text == ''.join(word.text for word in told.words)
(0, True)
"""

from bertviz_lite.world.chinese.grammar.text import Being, Dropped, Sentence, Story, Word
from bertviz_lite.world.chinese.minimal import minimal_pairs
from bertviz_lite.world.chinese.stories import stories, story

__all__ = ["Being", "Dropped", "Sentence", "Story", "Word", "minimal_pairs", "stories", "story"]
