"""What the town knows, and what it tells: texts whose every word carries the truth about itself.

The parts, from the ground up::

    knowledge     causes and effects, facts, talk and small stories, as tables
    making        people and things of a text, its tense, its sentences so far
    talk          what somebody says and what is answered
    ways          a cause and its effect, a contrast, a fact, told in many ways
    describing    what is true in a scene: where things are, whose, how many, who is taller
    recalling     several things are named, and the text says which comes back
    tales         stories from beginning to end
    stories       a story or another text by its number
    vocabulary    all words
"""

from bertviz_lite.world.life.stories import story, text
from bertviz_lite.world.life.vocabulary import words

__all__ = ["story", "text", "words"]
