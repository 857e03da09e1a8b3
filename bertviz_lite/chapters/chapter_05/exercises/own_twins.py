"""Two sentences of the reader's own that differ in one word, and the layer in which that counts."""

from collections.abc import Callable, Iterator
from typing import Any, cast

from bertviz_lite.chapters.chapter_05.clues import follow_clue, layer_of_arrival
from bertviz_lite.exercises import Case, exercise
from bertviz_lite.exercises.course_model import load_once

FOLLOWED = "twins of your own, and the layer is right"
_OF_THE_CHAPTER = ({"is", "was"}, {"a", "an"}, {"to", "in"})


def _first_fault(answer: Callable[[], object], name: str) -> object:
    """Read the two sentences and the layer, and say what the first of them that fails does wrong."""
    given = answer()
    if given is None or given is ...:
        return given
    match given:
        case (str() as text, str() as twin, int() as layer):
            return _fault_of(text, twin, layer, name)
    raise TypeError("return a sentence, its twin, and the number of a layer: text, twin, layer")


def _fault_of(text: str, twin: str, layer: int, name: str) -> str:
    tokenizer, model = cast(Any, load_once(name))
    rows = [tokenizer.tokenize(line) for line in (text, twin)]
    if any(row.count("[MASK]") != 1 for row in rows):
        return "a sentence hasn't just one [MASK]"
    if any("[UNK]" in row for row in rows):
        return "there's a word that the town doesn't know"
    differ = [{*pair} for pair in zip(*rows, strict=False) if pair[0] != pair[1]]
    if len(rows[0]) != len(rows[1]) or len(differ) != 1:
        return "they don't differ in just one token"
    if differ[0] in _OF_THE_CHAPTER:
        return "this chapter has followed that word"
    try:
        arrives = layer_of_arrival(*follow_clue(model, tokenizer, [text], [twin]))
    except ValueError:
        return "both get the same guess"
    return FOLLOWED if layer == arrives else "the clue reaches [MASK] in another layer"


def _pocket() -> Iterator[Case]:
    yield Case("pocket", label="your two sentences, in the pocket model")


@exercise(
    cases=_pocket,
    call=_first_fault,
    hints=(
        "Change a word that must change the gap: how many there are, where it happens, what for.",
        "A number next door asks for one or for several: “Anna sees two [MASK].”",
        "The layer is the first with more than 0.5 at [MASK]: “after layer 2” means layer 2.",
    ),
    note="From next door, a clue often comes in layer 2; but try “cat” and “cats” before “[MASK] hungry”.",
)
def own_twins() -> tuple[str, str, int]:
    """Give a sentence, its twin, and the layer in which the clue reaches [MASK].

    The two differ in one token, and get different words; more than half of the way has passed in that layer.
    """
    text = "Anna sees two [MASK]."  # feet
    twin = "Anna sees one [MASK]."  # star
    return text, twin, 2


own_twins.mistake(
    "Both get the same word, so the word that differs decides nothing here. Which one would?",
    lambda: ("Tom lost his key, so he is [MASK].", "Tom found his key, so he is [MASK].", 3),
)
own_twins.mistake(
    "These are twins. But trace them: the clue reaches [MASK] in another layer.",
    lambda: ("Yesterday Anna ran to the [MASK].", "Yesterday Anna swam to the [MASK].", 0),
)
own_twins.mistake(
    "Change exactly one token, and let none come or go: the places must line up.",
    lambda: ("Anna sees two [MASK].", "Anna sees [MASK].", 2),
)
own_twins.mistake(
    "Each of the two needs one [MASK], at the same place.",
    lambda: ("Anna sees two feet.", "Anna sees one star.", 2),
)
own_twins.mistake(
    "The town doesn't know one of these words ([UNK]): take another.",
    lambda: ("Anna sees two [MASK].", "Anna sees 两 [MASK].", 2),
)
own_twins.mistake(
    "The chapter has followed *is* and *was*, *a* and *an*, *to* and *in*: follow another word.",
    lambda: ("Tom is tired, so he [MASK] to bed.", "Tom was tired, so he [MASK] to bed.", 3),
)
