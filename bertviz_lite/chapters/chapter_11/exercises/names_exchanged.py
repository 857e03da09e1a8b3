"""Exercises of chapter 11, fine-tuning: a counterfactual, the same text with two names exchanged."""

import re
from collections.abc import Iterator

from bertviz_lite.exercises import Case, exercise


def _cases() -> Iterator[Case]:
    yield Case("Nina was at the harbour. Anna won the race.", "Nina", "Anna")
    yield Case("Anna won the race. Anna's friends laughed at Nina.", "Nina", "Anna")
    yield Case("Ann met Anna. Nobody knew Ann.", "Ann", "Tom")
    yield Case("Anna saw Ann, and Ann saw Anna.", "Anna", "Ann")
    yield Case("Max ran home.", "Nina", "Anna")


@exercise(
    cases=_cases,
    hints=(
        "Replaced one after the other, both become the same name. Go by a third word, or through it once.",
        "*Ann* is the beginning of *Anna*: `\\b` in a regular expression is the edge of a word.",
        're.sub(rf"\\b({one}|{other})\\b", …, text) takes a function, too: of each match, to the other name.',
    ),
    note="Now ask `feel` for all texts of the test, as they are and exchanged: how many answers change?",
)
def names_exchanged(text: str, one: str, other: str) -> str:
    """Let two names change places everywhere in a text, as whole words."""
    exchange = {one: other, other: one}
    return re.sub(rf"\b({one}|{other})\b", lambda found: exchange[found[0]], text)


names_exchanged.mistake(
    "One after the other: after the first replacement both have the same name, so at the end one is left.",
    lambda text, one, other: text.replace(one, other).replace(other, one),
)
names_exchanged.mistake(
    "Only one of the names is replaced; they change places.",
    lambda text, one, other: re.sub(rf"\b{one}\b", other, text),
)
names_exchanged.mistake(
    "A name is replaced inside of another word, as *Ann* in *Anna*: replace whole words.",
    lambda text, one, other: text.replace(one, "\0").replace(other, one).replace("\0", other),
)
names_exchanged.mistake(
    "Words are cut at spaces, so that a name with a full stop, a comma or 's behind it stays.",
    lambda text, one, other: " ".join({one: other, other: one}.get(word, word) for word in text.split(" ")),
)
names_exchanged.mistake(
    "Only the first place of each name is changed; they change places everywhere.",
    lambda text, one, other: re.sub(
        rf"\b{one}\b", "\0", re.sub(rf"\b{other}\b", "\1", text, count=1), count=1
    ).replace("\0", other).replace("\1", one),
)  # fmt: skip
