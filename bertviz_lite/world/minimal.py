"""Minimal pairs: a story, and the same story with one word that the town would never have written there.

Eight kinds. In each, the right and the wrong word are forms that a reader of the story could confuse, so that
a model that merely knows which words are frequent gets half of them right. Left out: pairs that differ in
more than one word.

>>> pair = minimal_pairs(seed=3, per_kind=1)[0]
>>> pair.kind, pair.right, pair.wrong
('agreement of be', 'was', 'were')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bertviz_lite.basics.arguments import whole_number
from bertviz_lite.world.english.grammar import verb
from bertviz_lite.world.events.tables import words
from bertviz_lite.world.events.text import Sentence, Story
from bertviz_lite.world.towns import FIRST, story_of

__all__ = ["KINDS", "MinimalPair", "minimal_pairs", "minimal_pairs_of"]

# A function that returns a wrong word for the word with this index in the sentence, or None.
Foil = Callable[[Sentence, int], str | None]


@dataclass(frozen=True, slots=True)
class MinimalPair:
    """Two texts of which one is right.

    Attributes
    ----------
    kind
        One of the eight kinds.
    before, right, after
        Put together, the town's own text.
    wrong
        In place of ``right``, it breaks the rule that ``kind`` names.
    """

    kind: str
    before: str
    right: str
    wrong: str
    after: str


_BE = {"is": "are", "are": "is", "was": "were", "were": "was"}
_HAVE = {"has": "have", "have": "has"}
_GENDER = {"he": "she", "she": "he", "his": "her", "him": "her", "himself": "herself", "herself": "himself"}
_NUMBER = {
    "he": "they",
    "she": "they",
    "it": "they",
    "they": "it",
    "his": "their",
    "himself": "themselves",
    "herself": "themselves",
}
_REFLEXIVE = {"himself": "him", "herself": "her", "themselves": "them"}
_NEEDS = words("hungry thirsty tired cold wet dirty ill hot frightened bored lonely")
_DEEDS = words("eat drink sleep wear wash hide read visit swim")


def _agreement(table: dict[str, str]) -> Foil:
    def foil(sentence: Sentence, index: int) -> str | None:
        word = sentence.words[index]
        if word.determined != "agreement" or sentence.construction == "attractor":
            return None
        return table.get(word.text.lower())

    return foil


def _attracted(sentence: Sentence, index: int) -> str | None:
    """Return the other number of a verb that a noun of that number separates from its subject."""
    word = sentence.words[index]
    if word.determined != "agreement" or word.subject is None:
        return None
    head = sentence.words[word.subject]
    between = sentence.words[word.subject + 1 : index]
    if not any(other.pos == "NOUN" and other.form != head.form for other in between):
        return None
    return (_BE | _HAVE).get(word.text.lower())


def _pronoun(table: dict[str, str]) -> Foil:
    def foil(sentence: Sentence, index: int) -> str | None:
        word = sentence.words[index]
        return table.get(word.text.lower()) if word.determined == "pronoun" else None

    return foil


def _verb_form(sentence: Sentence, index: int) -> str | None:
    """Return the past form for a participle after *have* or *be*; the base form where those are the same."""
    word = sentence.words[index]
    if word.form != "participle" or word.pos != "VERB" or index == 0:
        return None
    if sentence.words[index - 1].lemma not in ("have", "be"):
        return None
    wrong = verb(word.lemma, "past")
    if wrong == word.text:
        wrong = word.lemma
    return wrong if wrong != word.text else None


def _consequence(sentence: Sentence, index: int) -> str | None:
    """Return the next need or deed of the list: *thirsty* for *hungry*, *drink* for *eat*."""
    word = sentence.words[index]
    if word.determined != "consequence":
        return None
    if word.text in _NEEDS:
        return _next(_NEEDS, word.text)
    if word.lemma in _DEEDS and word.form:
        return verb(_next(_DEEDS, word.lemma), word.form)
    return None


def _next(row: tuple[str, ...], word: str) -> str:
    return row[(row.index(word) + 1) % len(row)]


KINDS: dict[str, Foil] = {
    "agreement of be": _agreement(_BE),
    "agreement of have": _agreement(_HAVE),
    "agreement across a noun": _attracted,
    "gender of a pronoun": _pronoun(_GENDER),
    "number of a pronoun": _pronoun(_NUMBER),
    "reflexive": _pronoun(_REFLEXIVE),
    "verb form": _verb_form,
    "need and consequence": _consequence,
}


def _candidates(source: Story, foil: Foil) -> list[tuple[int, int, str]]:
    """Return sentence, index and wrong form of all words that have a wrong form."""
    return [
        (number, index, wrong)
        for number, sentence in enumerate(source.sentences)
        for index in range(len(sentence.words))
        if (wrong := foil(sentence, index))
    ]


def _pair(kind: str, source: Story, number: int, index: int, wrong: str) -> MinimalPair:
    text, sentence = str(source), source.sentences[number]
    before = sum(len(str(earlier)) + 1 for earlier in source.sentences[:number])
    start, end = (before + edge for edge in sentence.spans[index])
    right = text[start:end]
    wrong = wrong[0].upper() + wrong[1:] if right[0].isupper() else wrong
    return MinimalPair(kind, text[:start], right, wrong, text[end:])


_MOST_STORIES = 200  # read for each pair of a kind


def minimal_pairs(seed: int, per_kind: int = 100, *, town: str = FIRST) -> list[MinimalPair]:
    """Return ``per_kind`` pairs of each of the eight kinds, at most one of a kind from one story.

    A kind that is rare in a town gets fewer: what the first 200 stories for each wanted pair hold, at
    least the first thousand.

    Parameters
    ----------
    seed
        Of the stories that the pairs are taken from.
    per_kind
        How many of each kind, 0 or more.
    town
        Whose stories they are taken from: see ``world.towns``.

    Raises
    ------
    ArgumentError
        Where a number is not whole, or ``per_kind`` is negative.

    Examples
    --------
    >>> pairs = minimal_pairs(seed=3, per_kind=2)
    >>> len(pairs), pairs[-1].kind
    (16, 'need and consequence')
    """
    seed, per_kind = whole_number("seed", seed), whole_number("per_kind", per_kind, least=0)
    story, most = story_of(town), max(1_000, _MOST_STORIES * per_kind)
    return minimal_pairs_of((story(seed, index) for index in range(most)), per_kind)


def minimal_pairs_of(stories: Iterable[Story], per_kind: int) -> list[MinimalPair]:
    """Return at most ``per_kind`` pairs of each kind from some stories, read until there are enough."""
    by_kind: dict[str, list[MinimalPair]] = {kind: [] for kind in KINDS}
    if per_kind == 0:
        return []
    for number, source in enumerate(stories, start=1):
        for kind, pairs in by_kind.items():
            if len(pairs) < per_kind and (candidates := _candidates(source, KINDS[kind])):
                pairs.append(_pair(kind, source, *candidates[number % len(candidates)]))
        if all(len(pairs) >= per_kind for pairs in by_kind.values()):
            break
    return [pair for pairs in by_kind.values() for pair in pairs]
