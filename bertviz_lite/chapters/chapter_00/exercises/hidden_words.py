"""Hiding words: what stands in a gap, and every gap of a sentence."""

from collections.abc import Iterator

from bertviz_lite.exercises import Case, exercise, question


@question(
    hints=("Read the first half again: when was Anna hungry?", "He *eats* today; yesterday he … ?"),
    note="One word before the gap settles it: “was”. BERT has learned to carry it over.",
)
def which_form() -> str:
    """Say which word BERT puts for [MASK].

    “Anna was hungry, so she [MASK] an apple.”: "eat", "eats", "ate" or "eaten".
    """
    return "ate"


which_form.mistake("That goes with “Anna is hungry”. When was she hungry here?", "eats")
which_form.mistake("After “she” the present is “eats”; and is this the present?", "eat")
which_form.mistake("That would need “has” before it.", "eaten")


def _gaps_cases() -> Iterator[Case]:
    yield Case(["Tom", "sleeps", "."])
    yield Case(["Anna", "and", "Anna", "'s", "dog", "eat", "."])
    yield Case(["Yes"])


@exercise(
    cases=_gaps_cases,
    hints=(
        "One sentence for each word. Which parts of `words` stay, left and right of number `i`?",
        '`words[:i] + ["[MASK]"] + words[i + 1 :]` is a new list; `" ".join(...)` makes a text of it.',
    ),
)
def gaps(words: list[str]) -> list[str]:
    """Give every sentence that has one word of `words` hidden by [MASK]: n words -> n texts."""
    return [" ".join([*words[:i], "[MASK]", *words[i + 1 :]]) for i in range(len(words))]


def _hides_more_and_more(words: list[str]) -> list[str]:
    words, texts = list(words), []
    for i in range(len(words)):
        words[i] = "[MASK]"
        texts.append(" ".join(words))
    return texts


gaps.mistake(
    "Here words stay hidden once they have been: begin each sentence with all words again.",
    _hides_more_and_more,
)
gaps.mistake(
    "Here a word is gone without a trace: its place must hold [MASK].",
    lambda words: [" ".join([*words[:i], *words[i + 1 :]]) for i in range(len(words))],
)
gaps.mistake(
    "Here a word that occurs twice is hidden twice: go by its number, not by what it is.",
    lambda words: [" ".join("[MASK]" if other == word else other for other in words) for word in words],
)
gaps.mistake(
    'These are lists of words: `" ".join(...)` makes a text of each.',
    lambda words: [[*words[:i], "[MASK]", *words[i + 1 :]] for i in range(len(words))],
)
