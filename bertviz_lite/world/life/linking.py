"""A cause and its effect, told in one of many ways."""

from __future__ import annotations

from collections.abc import Callable

from bertviz_lite.world.life import link_ways, reports
from bertviz_lite.world.life.contrasts import tell_contrast, tell_meanwhile
from bertviz_lite.world.life.coreference import leans
from bertviz_lite.world.life.knowledge import Link
from bertviz_lite.world.life.link_ways import Pair
from bertviz_lite.world.life.sentences import may_be_passive, may_come_first, single
from bertviz_lite.world.life.spoken_links import say_link
from bertviz_lite.world.life.telling import Telling

Way = Callable[[Telling, Pair], bool]

# The ways and how often each is drawn.
_WAYS: tuple[tuple[Way, int], ...] = (
    (link_ways.because, 14),
    (link_ways.because_first, 11),
    (link_ways.so, 16),
    (link_ways.so_that, 9),
    (link_ways.when, 12),
    (link_ways.two_sentences, 16),
    (link_ways.joined, 8),
    (link_ways.if_will, 8),
    (link_ways.if_would, 5),
    (link_ways.unless, 5),
    (link_ways.not_until, 3),
    (link_ways.that_is_why, 4),
    (link_ways.why, 5),
    (link_ways.relative, 6),
    (link_ways.after_ing, 6),
    (link_ways.as_soon_as, 5),
    (link_ways.whenever, 3),
    (link_ways.to_do, 8),
    (link_ways.cause_alone, 4),
    (link_ways.effect_alone, 5),
    (say_link, 13),
    (reports.knows, 6),
    (reports.nobody_knew_why, 4),
    (reports.tells_to, 6),
)
_WHEEL = tuple(way for way, weight in _WAYS for _ in range(weight))
_PLAIN = (link_ways.so, link_ways.two_sentences, link_ways.because_first)


def tell_link(telling: Telling, link: Link) -> None:
    """Tell a cause and its effect in one or two sentences."""
    telling.bind([*link.cause, *link.effect])
    pair = Pair(link.cause, link.effect, leans(link.effect))
    if link.kind != "link":
        (tell_contrast if link.kind == "but" else tell_meanwhile)(telling, pair)
        return
    if not telling.dice.pick(_WHEEL)(telling, pair) and (
        pair.leaning or telling.dice.chance(0.7) or not link_ways.because(telling, pair)
    ):
        telling.dice.pick(_PLAIN)(telling, pair)


__all__ = ["may_be_passive", "may_come_first", "single", "tell_link"]
