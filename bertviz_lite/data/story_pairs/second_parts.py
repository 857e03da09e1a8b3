"""Pairs whose second part is of another story: any, or one with the same people, nouns or names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from bertviz_lite.basics.arguments import share
from bertviz_lite.data.story_pairs.cutting import StoryPair, check_pairs, people_of
from bertviz_lite.data.story_pairs.words import renamed
from bertviz_lite.world.events.town import PERSON


def other_story(pairs: Sequence[StoryPair]) -> list[StoryPair]:
    """Give each A the B of another story, as long as its own or nearly so.

    The pairs are sorted by the length of B, and neighbours exchange theirs (three in a ring where the number
    is odd). So every B is used once, and lengths say next to nothing about what is true.

    Raises
    ------
    ValueError
        If there are fewer than two pairs, or if the B that a pair gets reads like its own.
    """
    pairs = check_pairs(pairs)
    if len(pairs) < 2:
        raise ValueError(f"{len(pairs)} pairs: it takes two or more to exchange anything.")
    order = sorted(range(len(pairs)), key=lambda index: (pairs[index].lengths[1], index))
    rings = [order[start : start + 2] for start in range(0, len(order), 2)]
    if len(order) % 2:
        rings[-2:] = [rings[-2] + rings[-1]]
    source = {to: of for ring in rings for to, of in zip(ring, ring[1:] + ring[:1], strict=True)}
    return [_with_second(pair, pairs[source[index]]) for index, pair in enumerate(pairs)]


def same_people(pairs: Sequence[StoryPair], pool: Sequence[StoryPair]) -> list[StoryPair]:
    """Give each A the B of another story of `pool` that happens to be about the same people.

    Of several, it is the one whose B is nearest in length to the true one. Pairs without any are left out.
    """
    pairs, pool = check_pairs(pairs), check_pairs(pool, "pool")
    made = []
    for pair in pairs:
        people = set(pair.people)
        other = _nearest(pair, pool, lambda other, people=people: set(other.people) == people)  # type: ignore[misc]
        if other is not None:
            made.append(_with_second(pair, other))
    return made


def same_nouns(pairs: Sequence[StoryPair], pool: Sequence[StoryPair], reach: float = 0.2) -> list[StoryPair]:
    """Give each A the B of another story of `pool`, about other people, that shares most nouns with A.

    Its length differs from that of the true one by at most the share `reach`. Pairs without any such story
    are left out.
    """
    pairs, pool = check_pairs(pairs), check_pairs(pool, "pool")
    reach = share("reach", reach)
    nouns = [{word.lemma for word in other.words(1) if word.pos == "NOUN"} for other in pool]
    made = []
    for pair in pairs:
        wanted = {word.lemma for word in pair.words(0) if word.pos == "NOUN"}
        length, people, shared = pair.lengths[1], set(pair.people), Counter[int]()
        for index, other in enumerate(pool):
            if other.story == pair.story or other.texts[1] == pair.texts[1]:
                continue
            if not people & set(other.people) and abs(other.lengths[1] - length) <= reach * length:
                shared[index] = len(nouns[index] & wanted)
        if shared:
            made.append(_with_second(pair, pool[shared.most_common(1)[0][0]]))
    return made


def same_names(pairs: Sequence[StoryPair], pool: Sequence[StoryPair]) -> list[StoryPair]:
    """Give each A the B of another story of `pool`, about other people, with the names of A's story put in.

    A name replaces one of the same gender, the first mentioned the first mentioned. The other story has as
    many women and as many men, and its B names someone. Of several, it is the one whose B is nearest in
    length to the true one. Pairs without any are left out.
    """
    pairs, pool = check_pairs(pairs), check_pairs(pool, "pool")
    made = []
    for pair in pairs:
        mine = sorted(pair.people, key=_gender)  # sorted() keeps the order of mention within a gender

        def fits(other: StoryPair, mine: list[str] = mine) -> bool:
            theirs = other.people
            if set(mine) & set(theirs) or Counter(map(_gender, mine)) != Counter(map(_gender, theirs)):
                return False
            return bool(people_of(other.second))

        other = _nearest(pair, pool, fits)
        if other is not None:
            change = dict(zip(sorted(other.people, key=_gender), mine, strict=True))
            made.append(replace(pair, second=renamed(other.second, change), source=other.source))
    return made


def _gender(name: str) -> str:
    return PERSON[name].gender


def _with_second(pair: StoryPair, other: StoryPair) -> StoryPair:
    if pair.texts[1] == other.texts[1]:
        raise ValueError(f"B of story {pair.story} is in story {other.story} too: there it would be true.")
    return replace(pair, second=other.second, source=other.source)


def _nearest(
    pair: StoryPair, pool: Sequence[StoryPair], fits: Callable[[StoryPair], bool]
) -> StoryPair | None:
    """Return the first of those pairs of other stories that fit and whose B is nearest in length."""
    others = (other for other in pool if other.story != pair.story and other.texts[1] != pair.texts[1])
    fitting = (other for other in others if fits(other))
    return min(fitting, key=lambda other: abs(other.lengths[1] - pair.lengths[1]), default=None)
