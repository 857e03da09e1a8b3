"""Which word of a sentence an answer hangs on: hide each in turn, and see when the answer suffers most."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from bertviz_lite.exercises import Case, exercise

Probability = Callable[[list[str]], float]


@dataclass(frozen=True)
class _Toy:
    """A model of a few lines: each word that it can see at its place adds to the probability."""

    words: tuple[str, ...]
    worth: Mapping[str, float]

    def __call__(self, words: list[str]) -> float:
        """Return the probability of the answer."""
        if len(words) != len(self.words):
            return 0.0
        pairs = zip(words, self.words, strict=True)
        return 0.05 + sum(self.worth.get(word, 0.0) for word, own in pairs if word == own)


def toy_case(sentence: str, **worth: float) -> Case:
    """Make a case in which each of some words adds so much to the probability of the answer."""
    words = sentence.split()
    told = ", ".join(f"{word} {value:+g}" for word, value in worth.items())
    return Case(
        words,
        words.index("[MASK]"),
        _Toy(tuple(words), worth),
        label=f"“{sentence}”, where each word adds: {told}",
    )


def _cases() -> Iterator[Case]:
    yield toy_case("Tom is [MASK] , so he eats .", eats=0.8, Tom=0.1)
    yield toy_case("She sits on the [MASK] of the river .", on=0.3, river=0.5, sits=0.1)
    yield toy_case("Anna is hungry , so [MASK] eats .", Anna=0.7, hungry=-0.1, eats=0.1)
    yield toy_case("[MASK] eats because he is hungry , not thirsty .", he=0.5, hungry=0.2, thirsty=-0.3)


@exercise(
    cases=_cases,
    hints=(
        "Hide one word at a time, beside the gap, and ask `probability` about each such list.",
        "The clue is the word without which the probability is *lowest*. Its number is asked for.",
        '`probability(words[:i] + ["[MASK]"] + words[i + 1 :])` for each `i` but `gap`.',
    ),
    note="Researchers call this occlusion. It works on any model: it never looks inside.",
)
def clue(words: list[str], gap: int, probability: Probability) -> int:
    """Give the number of the word that the answer at `gap` hangs on most.

    `probability(words)` is how likely the answer is. Hide each other word by [MASK], one at a time.
    """
    left = {}
    for i in range(len(words)):
        if i != gap:
            left[i] = probability([*words[:i], "[MASK]", *words[i + 1 :]])
    return min(left, key=lambda i: left[i])


def _most(words: list[str], gap: int, probability: Probability) -> int:
    found = {i: probability([*words[:i], "[MASK]", *words[i + 1 :]]) for i in range(len(words)) if i != gap}
    return max(found, key=found.__getitem__)


def _all_hidden(words: list[str], gap: int, probability: Probability) -> int:
    words, found = list(words), {}
    for i in range(len(words)):
        if i != gap:
            words[i] = "[MASK]"
            found[i] = probability(words)
    return min(found, key=found.__getitem__)


def _removed(words: list[str], gap: int, probability: Probability) -> int:
    found = {i: probability([*words[:i], *words[i + 1 :]]) for i in range(len(words)) if i != gap}
    return min(found, key=found.__getitem__)


clue.mistake("This word matters least: without it the answer is likeliest. Look for the lowest.", _most)
clue.mistake("Here words stay hidden once they have been: hide one word at a time.", _all_hidden)
clue.mistake("Here words are taken out, so that the others move up: put [MASK] in their place.", _removed)
clue.mistake(
    "This is the word itself; its number in `words` is asked for.",
    lambda words, gap, probability: words[clue.reference(words, gap, probability)],
)
