"""Stories of the town, and texts of every kind that are true in it, by number."""

from __future__ import annotations

from itertools import count

from bertviz_lite.basics.arguments import whole_number
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.text import Story
from bertviz_lite.world.life.describing import tell_description
from bertviz_lite.world.life.knowledge.reading import knowledge
from bertviz_lite.world.life.making.telling import Telling
from bertviz_lite.world.life.marks import keep_sure_marks
from bertviz_lite.world.life.recalling import tell_recall
from bertviz_lite.world.life.tales.scripts import tell_story
from bertviz_lite.world.life.talk.talking import tell_talk
from bertviz_lite.world.life.ways.facts import tell_fact
from bertviz_lite.world.life.ways.linking import tell_link

FEWEST_SENTENCES, MOST_SENTENCES = 4, 14


def story(seed: int, index: int) -> Story:
    """Return story ``index`` of a seed: the same text on every machine and supported Python."""
    seed, index = whole_number("seed", seed), whole_number("index", index, least=0)
    for attempt in count():
        telling = Telling(Dice(f"story/{seed}/{index}/{attempt}"))
        tell_story(telling)
        if FEWEST_SENTENCES <= len(telling.sentences) <= MOST_SENTENCES:
            return Story(seed, index, keep_sure_marks(tuple(telling.sentences)))
    raise AssertionError


def text(seed: int, index: int) -> Story:
    """Return text ``index`` of a seed: a story, or a few sentences of another kind.

    Of a hundred texts 28 are stories, 27 descriptions, 12 such in which a thing that was named comes back,
    and 19 causes with their effects: in words, more than half of all is stories, for in them somebody who was
    named goes on as *he* or *she*. A story is one script here, so that its second half always belongs to its
    first.
    """
    seed, index = whole_number("seed", seed), whole_number("index", index, least=0)
    dice = Dice(f"text/{seed}/{index}")
    telling = Telling(dice)
    known = knowledge()
    choice = dice.random()
    if choice < 0.28:
        tell_story(telling, goes_on=False)
    elif choice < 0.55:
        tell_description(telling)
    elif choice < 0.67:
        tell_recall(telling)
    elif choice < 0.86:
        tell_link(telling, dice.pick(known.links))
    elif choice < 0.90:
        tell_fact(telling, dice.pick(known.facts))
    else:
        tell_talk(telling, dice.pick(known.talks))
    return Story(seed, index, keep_sure_marks(tuple(telling.sentences)))
