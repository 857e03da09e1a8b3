"""A cause and its effect, told in one of many ways."""

from __future__ import annotations

from collections.abc import Callable

from bertviz_lite.world.grammar.notation import Clause, Noun, Part, Text, parts_of
from bertviz_lite.world.grammar.reading.coreference import leans
from bertviz_lite.world.life.knowledge.reading import Link
from bertviz_lite.world.life.making.sentences import may_be_passive, may_come_first, single
from bertviz_lite.world.life.making.several import several
from bertviz_lite.world.life.making.telling import Telling
from bertviz_lite.world.life.ways import causes, conditions, reports
from bertviz_lite.world.life.ways.causes import Pair
from bertviz_lite.world.life.ways.contrasts import tell_contrast, tell_meanwhile
from bertviz_lite.world.life.ways.spoken import say_link

Way = Callable[[Telling, Pair], bool]

# The ways and how often each is drawn.
_WAYS: tuple[tuple[Way, int], ...] = (
    (causes.because, 11),
    (causes.because_first, 8),
    (causes.so, 13),
    (causes.so_that, 14),
    (conditions.when, 12),
    (causes.two_sentences, 34),
    (causes.joined, 9),
    (conditions.if_will, 8),
    (conditions.if_would, 7),
    (conditions.unless, 10),
    (conditions.not_until, 7),
    (causes.that_is_why, 4),
    (causes.why, 5),
    (causes.relative, 14),
    (causes.after_ing, 14),
    (conditions.as_soon_as, 9),
    (conditions.whenever, 3),
    (causes.to_do, 20),
    (causes.cause_alone, 2),
    (causes.effect_alone, 3),
    (say_link, 13),
    (reports.knows, 6),
    (reports.nobody_knew_why, 4),
    (reports.tells_to, 6),
)
_WHEEL = tuple(way for way, weight in _WAYS for _ in range(weight))
_TRIES = 3  # not every way fits
_PLAIN = (causes.so, causes.two_sentences)


def one_of_several(cause: tuple[Clause, ...], effect: tuple[Clause, ...]) -> bool:
    """Say whether the effect speaks of one of several things of the cause: *the plum*, of a bun and a plum.

    Told first, it would be about a thing that nobody has heard of yet.
    """
    spoken_of = {name_of(part) for clause in effect for part in parts_of(clause)} - {""}
    listed = [
        phrase for clause in cause for phrase in clause.phrases if {Text("and"), Text("or")} & set(phrase)
    ]
    return any(spoken_of & {name_of(part) for part in phrase} for phrase in listed)


def name_of(part: Part) -> str:
    """Return the letter or the noun by which a part of a clause is spoken of again."""
    letter = getattr(part, "label", "") or getattr(part, "letter", "")
    return letter or (part.words[-1] if isinstance(part, Noun) else "")


def tell_link(telling: Telling, link: Link) -> None:
    """Tell a cause and its effect in one or two sentences."""
    clauses = several(telling.dice, (*link.cause, *link.effect))
    cause, effect = clauses[: len(link.cause)], clauses[len(link.cause) :]
    telling.bind(clauses)
    listed = one_of_several(cause, effect)
    pair = Pair(cause, effect, leans(effect) or listed, listed and len(cause) == 1)
    if link.kind != "link":
        (tell_contrast if link.kind == "but" else tell_meanwhile)(telling, pair)
        return
    if pair.chosen:
        telling.dice.pick((causes.so, causes.two_sentences))(telling, pair)
        return
    if not any(telling.dice.pick(_WHEEL)(telling, pair) for _ in range(_TRIES)):
        telling.dice.pick(_PLAIN)(telling, pair)


__all__ = ["may_be_passive", "may_come_first", "single", "tell_link"]
