"""How near a wrong guess is: the right kind of verb form or pronoun, or another word altogether.

Left out: words that are neither a form of *be* or *have* nor a pronoun of the third person's kinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["best_of_one", "near_misses"]

_VERBS = {
    "am": {"be, I"},
    "is": {"be, she"},
    "are": {"be, they"},
    "was": {"be, I", "be, she"},
    "were": {"be, they"},
    "has": {"have, she"},
    "have": {"have, I", "have, they"},
    "had": {"have, I", "have, she", "have, they"},
}
"""The verb and the subjects that each form goes with: two forms that share one differ in tense alone."""

_CASES = {
    "subject": ("i", "he", "she", "it", "we", "they", "you"),
    "object": ("me", "him", "her", "it", "us", "them", "you"),
    "possessive": ("my", "his", "her", "its", "our", "their", "your"),
    "reflexive": ("myself", "himself", "herself", "itself", "ourselves", "themselves"),
}
_PRONOUNS: dict[str, set[str]] = {}
for _case, _words in _CASES.items():
    for _word in _words:
        _PRONOUNS.setdefault(_word, set()).add(_case)

_SORTS: Mapping[str, tuple[Mapping[str, set[str]], str, str]] = {
    "agreement": (_VERBS, "only the tense wrong", "another form of be or have"),
    "pronoun": (_PRONOUNS, "only the person wrong", "another pronoun"),
}


def near_misses(kind: str, said: Sequence[str], right: Sequence[str]) -> dict[str, int]:
    """Count how near guesses are to the right words.

    >>> near_misses("agreement", ["is", "was", "has", "fell"], ["is", "is", "is", "is"])
    {'right': 1, 'only the tense wrong': 1, 'another form of be or have': 1, 'another word': 1}

    Parameters
    ----------
    kind
        "agreement": the wrong word is a form of the same verb that goes with the same subject. "pronoun": it
        has the same case (*her* has two). *Person* stands for who is meant, in gender and number, too.
    said, right
        Words, place by place.
    """
    kinds, near, far = _SORTS[kind]
    counts = dict.fromkeys(("right", near, far, "another word"), 0)
    for guess, answer in zip(said, right, strict=True):
        if guess == answer:
            counts["right"] += 1
        elif guess not in kinds:
            counts["another word"] += 1
        else:
            counts[near if kinds[guess] & kinds[answer] else far] += 1
    return counts


def best_of_one(kind: str, right: Sequence[str]) -> tuple[str, int]:
    """Find the one word of a kind that would most often be right or nearly, if it were always said.

    >>> best_of_one("agreement", ["is", "is", "were"])
    ('is', 2)
    """
    words, near, _ = _SORTS[kind]

    def fits(word: str) -> tuple[int, int]:
        counts = near_misses(kind, [word] * len(right), right)
        return counts["right"] + counts[near], counts["right"]

    best = max(words, key=fits)
    return best, fits(best)[0]
