"""Grammatical constructions: the patterns into which frames are put, alone or two in one sentence.

Left out: constructions that only one event has; they are lines of ``wordings``.

>>> from bertviz_lite.world.english.notation import Frame
>>> pick = Frame("pick", "up [T]", "T", "up")
>>> alone("passive", pick)
'[T] <be!> <pick.en> up by [A.o]'
>>> joined("after_ing", Frame("find", "[T] [C.rel]"), pick)
'After <find.ing> [T] [C.rel] , [A] <pick> up [T2]'
"""

from __future__ import annotations

from functools import cache

from bertviz_lite.world.english.notation import Frame, second
from bertviz_lite.world.events.tables import words

# Values of ``Sentence.construction`` that name a grammatical pattern; others merely tell lines apart.
CONSTRUCTIONS = words(
    """
    simple simple_then adverb fronted progressive passive passive_perfect cleft relative_who whose where
    there attractor quote quote_how reported said_that told_everyone told asked_if wonder what_did
    what_exclaim how because so so_that too_to purpose although but while when when_perfect until since
    after after_ing after_perfect before_ing as_soon_as then_too and both neither all some each_other
    reciprocal reflexive own kin be_adj be_and not_adj never never_so cannot must if used_to decided_to
    wanted_and let let_us made saw_ing gerund more_than comparative as_as superlative very like offer hope
    need nobody at_last a_little_later it_weather
    """
)

_ALONE = {
    "simple": "[A] <{verb}> {rest}",
    "passive": "[{object}] <be!> <{verb}.en> {passive_rest} by [A.o]",
    "passive_perfect": "Already [{object}] <have!> been <{verb}.en> {passive_rest} by [A.o]",
    "simple_then": "Then [A] <{verb}> {rest}",
    "cleft": "It <be.sg@A> [A.n] who <{verb}> {rest}",
    "decided_to": "[A] <decide> to <{verb}.0> {rest}",
    "wanted_and": "[A] <want> to <{verb}.0> {rest} , and [A.he!] <do>",
    "said_that": "Later [A] <say> that [A.he!] <have!> <{verb}.en> {rest}",
    "told_everyone": "[A] <tell> everybody that [A.he!] <have!> <{verb}.en> {rest}",
    "adverb": "$how [A] <{verb}> {rest}",
    "at_last": "At last [A] <{verb}> {rest}",
    "a_little_later": "A little later [A] <{verb}> {rest}",
    "soon": "Soon [A] <{verb}> {rest}",
    "what_did": "What <do@A> [A] <do.0> ? [A.he!] <{verb}> {rest}",
}
_JOINED = {
    "and": "[A] <{verb}> {rest} and <{verb2}> {rest2}",
    "after_ing": "After <{verb}.ing> {rest} , [A] <{verb2}> {rest2}",
    "before_ing": "[A] <{verb}> {rest} before <{verb2}.ing> {rest2}",
    "after_perfect": "After [A] <have!> <{verb}.en> {rest} , [A.he!] <{verb2}> {rest2}",
    "relative_who": "[A.n] , who <have!> <{verb}.en> {rest} , <{verb2}> {rest2}",
    "when_perfect": "When [A] <have!> <{verb}.en> {rest} , [A.he!] <{verb2}> {rest2}",
    "then_too": "First [A] <{verb}> {rest} , and then [A.he!] <{verb2}> {rest2}",
    "as_soon_as": "As soon as [A] <have!> <{verb}.en> {rest} , [A.he!] <{verb2}> {rest2}",
}
# What is drawn from, as often as it stands here.
PASSIVES = words("passive passive passive_perfect")
OPENINGS = words("simple_then simple cleft")
VARIATIONS = words(
    """simple_then cleft decided_to said_that at_last a_little_later soon what_did wanted_and told_everyone
    adverb adverb"""
)
JOINS = words("and and after_ing before_ing after_perfect relative_who when_perfect then_too as_soon_as")
HOW = words(
    """quickly slowly gently quietly carefully happily politely proudly cheerfully patiently bravely kindly
    suddenly"""
)
# What nobody decides or wants to do: it happens.
UNPLANNED = words("find discover meet lose")


@cache
def alone(name: str, frame: Frame) -> str:
    """Return the text of a frame in a construction."""
    return _ALONE[name].format(**frame._asdict())


@cache
def joined(name: str, first: Frame, then: Frame) -> str:
    """Return the text that tells two frames with one subject in a single sentence."""
    return _JOINED[name].format(verb=first.verb, rest=first.rest, verb2=then.verb, rest2=second(then.rest))
