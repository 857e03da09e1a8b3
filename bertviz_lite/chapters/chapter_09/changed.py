"""A's own B with one kind of word changed: its verbs in the other tense, or its things exchanged."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from bertviz_lite.world.english.grammar import plural, verb
from bertviz_lite.world.events.town import THINGS, things

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

    from bertviz_lite.data.story_pairs import StoryPair
    from bertviz_lite.world import Sentence, Word

__all__ = [
    "example",
    "is_thing",
    "marked",
    "other_tense",
    "other_things",
    "retold",
    "words_changed",
]

_ONE, _MANY = ("he", "she", "it"), ("they", "we", "you", "i")
_TIMED = frozenset({"yesterday", "tomorrow", "today", "tonight", "ago", "last", "next", "now"})


class _NotSureError(Exception):
    """A verb whose form in the other tense the marks don't settle."""


def is_thing(word: Word) -> bool:
    """Say whether a word is the noun of one of the town's things."""
    return word.pos == "NOUN" and word.lemma in THINGS


def other_tense(pairs: Sequence[StoryPair]) -> list[StoryPair]:
    """Tell B in the other tense: its verbs change, and no other word does.

    What is said between quotation marks stays. Pairs are left out whose B mixes the tenses, has a modal verb
    or a word such as *yesterday*, or a verb that might be singular or plural.
    """
    both = ((pair, retold(pair.second)) for pair in pairs)
    return [replace(pair, second=second) for pair, second in both if second is not None]


def other_things(pairs: Sequence[StoryPair], rng: np.random.Generator) -> list[StoryPair]:
    """Exchange every thing of A's that comes back in B for another of its kind, each wherever it stands in B.

    The other ones are neither in A nor in B. Pairs are left out if no thing comes back, or if there is no
    other one of its kind.
    """
    made = []
    for pair in pairs:
        in_a, change = _lemmas(pair, 0), {}
        taken = in_a | _lemmas(pair, 1)
        back = [thing for thing in _things_in(pair, 1) if thing in in_a]
        for old in back:
            if free := _others(old, taken):
                change[old] = free[int(rng.integers(len(free)))]
                taken.add(change[old])
        if back and len(change) == len(back):
            made.append(_exchanged(pair, change))
    return made


def retold(sentences: Sequence[Sentence]) -> tuple[Sentence, ...] | None:
    """Return sentences in the other tense, or None where their marks don't settle it.

    Examples
    --------
    *She hid in his boat.* → *She hides in his boat.*
    """
    quoted, told = False, []
    for sentence in sentences:
        words = []
        for word in sentence.words:
            quoted ^= word.text in ('"', "“", "”")
            words.append(_Said(word, quoted))
        told.append(words)
    plain = [said.word for words in told for said in words if not said.quoted]
    past, present = (any(word.form == form for word in plain) for form in ("past", "s"))
    if past == present or any(word.lemma in _TIMED for word in plain):
        return None
    try:
        return tuple(
            replace(sentence, words=tuple(_retell(words, "s" if past else "past")))
            for sentence, words in zip(sentences, told, strict=True)
        )
    except _NotSureError:
        return None


def marked(told: StoryPair, now: StoryPair) -> str:
    """Return B as it is now, each changed word with the one before it.

    Both Bs have as many words in as many sentences.

    Examples
    --------
    *It dropped two [nuts → lemons].*
    """

    def both(old: Word, new: Word) -> Word:
        return new if old.text == new.text else replace(new, text=f"[{old.text} → {new.text}]")

    return " ".join(
        str(replace(after, words=tuple(map(both, before.words, after.words))))
        for before, after in zip(told.second, now.second, strict=True)
    )


def example(told: StoryPair, now: StoryPair, width: int = 88) -> str:
    """Return how A ends, and what :func:`marked` does of B, in lines that fit into the box of an output.

    A changed word and the one before it stay in one line.
    """
    whole = marked(told, now).replace(" → ", "\N{NO-BREAK SPACE}→\N{NO-BREAK SPACE}")
    texts = f"   A ends: {told.first[-1]}", f"   B: {whole}"
    lines = [textwrap.fill(t, width, subsequent_indent=" " * 6, break_long_words=False) for t in texts]
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")


def words_changed(told: Sequence[StoryPair], now: Sequence[StoryPair]) -> list[int]:
    """Count for each pair of `now` how many words of its B were others as told.

    Parameters
    ----------
    told
        True pairs, those of `now` among them.
    now
        The same pairs with words of B exchanged for others, one for one.
    """
    of_story = {pair.story: pair for pair in told}
    return [
        sum(a.text != b.text for a, b in zip(of_story[pair.story].words(1), pair.words(1), strict=True))
        for pair in now
    ]


class _Said(NamedTuple):
    word: Word
    quoted: bool


def _retell(words: Sequence[_Said], wanted: str) -> list[Word]:
    made: list[Word] = []
    many = None  # whether the subject of the last verb is more than one
    for place, (word, quoted) in enumerate(words):
        if quoted or word.pos not in ("VERB", "AUX") or word.form in ("ing", "participle"):
            made.append(word)
            continue
        before = [said.word for said in words[:place]]
        if word.form == "base" and _bare(before):
            made.append(word)
            continue
        if word.form is None or (word.glued and word.text.startswith(("'", "’"))):
            raise _NotSureError
        many = _is_many(word, before, many) if wanted == "s" else _was_many(word)
        made.append(_formed(word, wanted, many=many))
    return made


def _bare(before: Sequence[Word]) -> bool:
    """Say whether a verb in its base form isn't finite: after *to*, or after a form of *do*."""
    rest = [word for word in before if word.text != "not" and word.pos != "ADV"]
    return bool(rest) and (rest[-1].text == "to" or rest[-1].lemma == "do")


def _is_many(word: Word, before: Sequence[Word], last: bool | None) -> bool:
    """Say whether the subject of a verb in the past is more than one."""
    if word.lemma == "be":
        return word.text.lower().startswith("were")
    rest = [one for one in before if one.pos != "ADV"]
    if not rest:
        raise _NotSureError
    head = rest[-1]
    if head.pos == "CCONJ" and last is not None:
        return last  # "she came and saw": as the verb before
    if head.pos == "PRON" and head.text.lower() in (*_ONE, *_MANY):
        if len(rest) > 1 and rest[-2].pos == "CCONJ" and rest[-2].lemma == "and" and head.text == "I":
            return True
        return head.text.lower() in _MANY
    if head.pos in ("NOUN", "PROPN"):
        phrase = len(rest) - 1
        while phrase and rest[phrase - 1].pos in ("DET", "ADJ", "NUM", "NOUN", "PROPN"):
            phrase -= 1
        if phrase == 0 or rest[phrase - 1].pos in ("PUNCT", "SCONJ"):
            counted = any(one.pos == "NUM" and one.lemma != "one" for one in rest[phrase:-1])
            return head.form == "plural" or counted  # "a hundred sheep"
    raise _NotSureError


def _was_many(word: Word) -> bool:
    """Say whether *were* is needed, not *was*, for a verb in the present."""
    if word.form == "base" and (word.subject is None or word.lemma == "be"):
        if word.lemma == "be" and word.text.lower() in ("are", "am"):
            return word.text.lower() == "are"
        raise _NotSureError
    return word.form == "base"


def _formed(word: Word, wanted: str, *, many: bool) -> Word:
    negated = word.text.lower().endswith("n't")
    if word.lemma == "be":
        text = {"past": ("was", "were"), "s": ("is", "are")}[wanted][many]
    elif wanted == "s" and many:
        text = word.lemma
    else:
        text = verb(word.lemma, wanted)
    text += "n't" if negated else ""
    if word.text[:1].isupper():
        text = text.capitalize()
    form = "base" if wanted == "s" and many else wanted
    return replace(word, text=text, form=form)


def _vowel(noun: str) -> bool:
    return noun[0] in "aeiou"


def _lemmas(pair: StoryPair, part: int) -> set[str]:
    return {word.lemma for word in pair.words(part)}


def _things_in(pair: StoryPair, part: int) -> list[str]:
    """Return the nouns of the things in A (0) or B (1), each once, in reading order."""
    return list(dict.fromkeys(word.lemma for word in pair.words(part) if is_thing(word)))


def _others(old: str, taken: set[str]) -> list[str]:
    """Return the things of one's kind that aren't there yet, and go with the same article."""
    return [new for new in things(THINGS[old].kind) if new not in taken and _vowel(new) == _vowel(old)]


def _exchanged(pair: StoryPair, change: Mapping[str, str]) -> StoryPair:
    """Put other nouns into B; the keys of `change` are those that go."""

    def changed(word: Word) -> Word:
        if word.pos != "NOUN" or word.lemma not in change:
            return word
        new = change[word.lemma]
        text = plural(new) if word.form == "plural" else new
        return replace(word, text=text.capitalize() if word.text[0].isupper() else text, lemma=new)

    def rewritten(sentence: Sentence) -> Sentence:
        return replace(sentence, words=tuple(map(changed, sentence.words)))

    return replace(pair, second=tuple(map(rewritten, pair.second)))
