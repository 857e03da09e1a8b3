"""Two sentences that show what the vector of `[CLS]` goes by."""

import re
from collections.abc import Callable, Iterator
from itertools import product

import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity

from bertviz_lite.exercises import Case, exercise
from bertviz_lite.exercises.course_model import load_once

QUERY = "Alice gave the map to Nina."
NEAR, FAR = 0.98, 0.93
AS_ASKED = "as asked"


def _cls(line: str) -> Tensor:
    """Give the last vector of `[CLS]`, in the pocket model: (hidden_size,)."""
    tokenizer, model = load_once("pocket")
    with torch.no_grad():
        vector: Tensor = model.base_model(**tokenizer(line, return_tensors="pt")).last_hidden_state[0, 0]
    return vector


def _words(line: str) -> list[str]:
    return re.findall(r"[\w']+", line.lower())


def _verdicts(answer: Callable[[], object], query: str) -> object:
    """Read the two sentences, and say of each whether it's as asked, or else what is wrong with it."""
    lines = answer()
    if lines is None or lines is ...:
        return lines
    if not isinstance(lines, tuple | list) or not all(isinstance(line, str) for line in lines):
        raise TypeError("return two sentences, near and far")
    if len(lines) != 2:
        raise ValueError(f"return two sentences, near and far; yours are {len(lines)}")
    near, far = lines
    of_near, of_far = (float(cosine_similarity(_cls(query), _cls(line), dim=0)) for line in lines)
    verdicts = {"near": AS_ASKED, "far": AS_ASKED}
    if {"alice", "map", "nina"} & {*_words(near)}:
        verdicts["near"] = "has Alice, the map or Nina in it"
    elif of_near <= NEAR:
        verdicts["near"] = f"isn't above {NEAR}"
    old, new = _words(query), _words(far)
    if len(old) != len(new) or sum(a != b for a, b in zip(old, new, strict=False)) != 1:
        verdicts["far"] = "isn't the query with one word changed"
    elif of_far >= FAR:
        verdicts["far"] = f"isn't below {FAR}"
    return verdicts


def _one_query() -> Iterator[Case]:
    yield Case(QUERY, label=QUERY)


@exercise(
    cases=_one_query,
    call=_verdicts,
    hints=(
        "The figure at the beginning had three sentences: what did the two that stayed close keep?",
        "For near, keep the verb, and the pattern of the sentence; change who and what.",
        "For far, keep who and what, and change the verb. Try some.",
    ),
    note="Everybody and everything may change, and it stays close; one other verb, and it's far.",
)
def fooled() -> tuple[str, str]:
    """Give two sentences, near and far, that show what `[CLS]` goes by beside “Alice gave the map to Nina.”.

    near has neither Alice nor the map nor Nina in it, and a cosine above 0.98; far differs from the query in
    one word, and has a cosine below 0.93.
    """
    near = "Ruby gave the belt to Luke."  # another event, and the same verb: 0.985
    far = "Alice read the map to Nina."  # the same people and thing, and another verb: 0.893
    return near, far


_NEAR = {
    "Ruby gave the belt to Luke.": "near is right.",
    "Ruby gave the map to Luke.": "near still has Alice, the map or Nina in it.",
    "Max sleeps.": "near isn't close enough. What must it share?",
}
_FAR = {
    "Alice read the map to Nina.": "far is right.",
    "Ruby gave the map to Nina.": "far is still close: that word hardly counts. Which does?",
    "Alice read a book.": "In far, change exactly one word of the query.",
}
"""Sentences, and what to say about each, in half a line: both stand in one; the first is right."""


def _answering(two: tuple[str, str]) -> Callable[[], tuple[str, str]]:
    return lambda: two


_, *_wrong = product(_NEAR, _FAR)
for _two in _wrong:
    fooled.mistake(f"{_NEAR[_two[0]]} {_FAR[_two[1]]}", _answering(_two))
