"""A story by its number: the same on every machine and supported Python."""

from __future__ import annotations

from functools import cache
from itertools import count

from bertviz_lite.basics.arguments import whole_number
from bertviz_lite.world.chinese.grammar.telling import Teller
from bertviz_lite.world.chinese.grammar.text import Story
from bertviz_lite.world.chinese.knowledge.reading import scripts
from bertviz_lite.world.chinese.life.chains import Chain
from bertviz_lite.world.chinese.life.scripts import tell_script
from bertviz_lite.world.events.dice import Dice

_CHAINS = 0.5
"""The share of stories that are made up of events; the others were written by hand."""


def story(seed: int, index: int) -> Story:
    """Return story ``index`` of a seed."""
    seed, index = whole_number("seed", seed), whole_number("index", index, least=0)
    dice = Dice(f"chinese/{seed}/{index}")
    if dice.chance(_CHAINS):
        return _from_events(seed, index)
    order = _order(seed, index // len(scripts()))
    teller, script = Teller(dice), scripts()[order[index % len(order)]]
    tell_script(teller, script)
    return _story(seed, index, teller, ("script", script.title, ()))


def stories(seed: int, n: int) -> list[Story]:
    """Return the first ``n`` stories of a seed."""
    seed, n = whole_number("seed", seed), whole_number("n", n, least=0)
    return [story(seed, index) for index in range(n)]


@cache
def _order(seed: int, lap: int) -> tuple[int, ...]:
    """Return the order in which small stories are told, so that none returns before all have been told."""
    return tuple(Dice(f"chinese/{seed}/order/{lap}").sample(range(len(scripts())), len(scripts())))


def _from_events(seed: int, index: int) -> Story:
    for attempt in count():
        teller = Teller(Dice(f"chinese/{seed}/{index}/{attempt}"))
        chain = Chain(teller)
        if chain.tell():
            return _story(seed, index, teller, ("events", chain.happened[0], tuple(chain.happened)))
    raise AssertionError


def _story(seed: int, index: int, teller: Teller, about: tuple[str, str, tuple[str, ...]]) -> Story:
    beings = tuple(actor.being() for actor in teller.cast.actors)
    return Story(seed, index, tuple(teller.sentences), beings, *about)
