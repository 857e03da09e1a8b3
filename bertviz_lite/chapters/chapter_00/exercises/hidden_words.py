"""Hiding words: what stands in a gap, and every gap of a sentence."""

from collections.abc import Iterator

from bertviz_lite.exercises import Case, exercise, question


@question(
    hints=("Read the first half again: when was Anna cold?", "She *wears* it today; yesterday she … ?"),
    note="One word before the gap settles it: “was”. BERT has learned to carry it over.",
)
def which_form() -> str:
    """Say which word BERT puts for [MASK].

    “Anna was cold, so she [MASK] a coat.”: "wear", "wears", "wore" or "worn".
    """
    return "wore"


which_form.mistake("That goes with “Anna is cold”. When was she cold here?", "wears")
which_form.mistake("After “she” the present is “wears”; and is this the present?", "wear")
which_form.mistake("That would need “has” before it.", "worn")


@question(
    hints=(
        "What can be known from the rest of the sentence, and from the town? There the probability gathers.",
        "BERT can't say “I don't know”. Where it has never read such a sentence, it may still be sure.",
        'Put each into `top("…")`, with [MASK] for the box.',
    ),
    note="Many words fit there, and it has read them all: that is when it spreads.",
)
def least_sure() -> str:
    """Say where BERT's best word gets less than half of the probability: "A", "B", "C" or "D".

    A “The baker is thirsty, so [MASK] drinks a glass of water.”, B “The name of the doctor is [MASK].”,
    C “The doctor is [MASK].”, D “The [MASK] is hungry, so Clara eats an apple.”
    """
    return "C"


least_sure.mistake("The town has one baker, a woman, so it knows the pronoun.", "A")
least_sure.mistake(
    "It can't know the answer, but it isn't unsure: print it, and see what it says with how much confidence.",
    "B",
)
least_sure.mistake("The town has one Clara, and the model has read what her job is.", "D")


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
