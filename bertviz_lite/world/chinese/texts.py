"""The texts that a model reads: stories, and scenes of a few sentences, by number.

>>> text(seed=1, index=0) == text(seed=1, index=0), "小狗" in words()
(True, True)
"""

from __future__ import annotations

from bertviz_lite.basics.arguments import whole_number
from bertviz_lite.world.chinese.grammar.notation import PRONOUNS, PUNCTUATION
from bertviz_lite.world.chinese.grammar.numbers import written
from bertviz_lite.world.chinese.grammar.telling import Teller
from bertviz_lite.world.chinese.grammar.text import Story
from bertviz_lite.world.chinese.knowledge.reading import scenes
from bertviz_lite.world.chinese.lexicon import entries
from bertviz_lite.world.chinese.life.scripts import tell_script
from bertviz_lite.world.chinese.stories import story
from bertviz_lite.world.events.dice import Dice

_STORIES = 0.4


def text(seed: int, index: int) -> Story:
    """Return text ``index`` of a seed: a story, or a scene.

    Of a hundred texts 40 are stories, which are three quarters of all characters. Scenes are single
    sentences, questions and answers, and a few sentences of which one says something that follows from the
    others: which thing comes back, what somebody needs, how many are left.
    """
    seed, index = whole_number("seed", seed), whole_number("index", index, least=0)
    dice = Dice(f"chinese text/{seed}/{index}")
    if dice.chance(_STORIES):
        return story(seed, index)
    teller, scene = Teller(dice), dice.pick(scenes())
    tell_script(teller, scene)
    beings = tuple(actor.being() for actor in teller.cast.actors)
    return Story(seed, index, tuple(teller.sentences), beings, "scene", scene.title)


def words() -> list[str]:
    """Return all words and punctuation marks that a text may hold, each once, in the order of Unicode."""
    listed = {entry.text for entry in entries().values()} | {*PRONOUNS, *PUNCTUATION}
    return sorted(listed | {written(number) for number in range(1_000)})
