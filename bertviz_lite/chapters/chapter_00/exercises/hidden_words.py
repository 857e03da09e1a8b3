"""Hiding words: where a gap leaves most open, and every gap of a sentence."""

from collections.abc import Iterator

from bertviz_lite.exercises import Case, exercise, question


@question(
    hints=(
        "Which gap does the rest of the sentence fill almost alone? There the probability gathers.",
        "BERT can't say “I don't know”. It may be sure where it is wrong.",
        'Put each into `top("…")`, with [MASK] for the box.',
    ),
    note="Many words fit there: that is when it spreads.",
)
def least_sure() -> str:
    """Say where BERT's best word gets less than half of the probability: "A", "B", "C" or "D".

    A “I am late because I missed the [MASK].”, B “My best friend is [MASK].”,
    C “We bake a [MASK] for my mother's birthday.”, D “I came, I saw, I [MASK].”
    """
    return "B"


least_sure.mistake("What does one miss, and comes late? Not much else fits.", "A")
least_sure.mistake("A birthday leaves little choice.", "C")
least_sure.mistake(
    "It has never read Caesar, but that doesn't make it unsure: print what it says, and how surely.", "D"
)


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
