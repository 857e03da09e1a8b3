"""Stories that are told from events, by number: first what happens, then a sentence for each event.

The labelled sets of ``tasks`` are made of such stories, for there what happened is known event by event. The
town's own texts (``world.stories``) say more kinds of things. Left out: how events come about (``plot``).
"""

from __future__ import annotations

from itertools import count

from bertviz_lite.basics.arguments import whole_number
from bertviz_lite.basics.garbage import without_looking_for_garbage
from bertviz_lite.world.english.teller import Teller
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.plot import happen
from bertviz_lite.world.events.text import Story

FEWEST_SENTENCES, MOST_SENTENCES = 6, 12


def story(seed: int, index: int) -> Story:
    """Return story ``index`` of a seed: the same text on every machine and supported Python.

    Raises
    ------
    ArgumentError
        Where a number is not whole, or ``index`` is negative.

    Examples
    --------
    >>> print(story(seed=1, index=1).sentences[1])
    She was never tired of wrestling.
    """
    seed, index = whole_number("seed", seed), whole_number("index", index, least=0)
    for attempt in count():
        dice = Dice(f"{seed}/{index}/{attempt}")
        scene = happen(dice)
        teller = Teller(dice, present=dice.chance(0.3), referents=scene.referents)
        sentences = teller.tell(scene.events)
        if FEWEST_SENTENCES <= len(sentences) <= MOST_SENTENCES:
            break
    return Story(seed, index, sentences, tuple(scene.events))


def stories(seed: int, n: int) -> list[Story]:
    """Return the first ``n`` stories of a seed; story k does not depend on ``n``.

    Raises
    ------
    ArgumentError
        Where a number is not whole, or ``n`` is negative.

    Examples
    --------
    >>> [len(story.sentences) for story in stories(seed=1, n=3)]
    [7, 9, 10]
    """
    seed, n = whole_number("seed", seed), whole_number("n", n, least=0)
    with without_looking_for_garbage():
        return [story(seed, index) for index in range(n)]
