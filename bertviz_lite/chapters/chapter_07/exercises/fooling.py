"""Two sentences that show what the vector of `[CLS]` goes by."""

import re
from collections.abc import Callable, Iterator

import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity

from bertviz_lite.exercises import Case, exercise
from bertviz_lite.exercises.course_model import load_once

QUERY = "Alice gave the map to Nina."
NEAR, FAR = 0.98, 0.9
BOTH = "near is near, and far is far"


def _cls(line: str) -> Tensor:
    """Give the last vector of `[CLS]`, in the pocket model: (hidden_size,)."""
    tokenizer, model = load_once("pocket")
    with torch.no_grad():
        vector: Tensor = model.base_model(**tokenizer(line, return_tensors="pt")).last_hidden_state[0, 0]
    return vector


def _words(line: str) -> list[str]:
    return re.findall(r"[\w']+", line.lower())


def _first_fault(answer: Callable[[], object], query: str) -> object:
    """Read the two sentences, and say what the first of them that fails does wrong."""
    lines = answer()
    if lines is None or lines is ...:
        return lines
    if not isinstance(lines, tuple | list) or not all(isinstance(line, str) for line in lines):
        raise TypeError("return two sentences, near and far")
    near, far = lines
    of_query, of_far = _words(query), _words(far)
    if {"alice", "map", "nina"} & {*_words(near)}:
        return "near has Alice, the map or Nina in it"
    closeness = [float(cosine_similarity(_cls(query), _cls(line), dim=0)) for line in (near, far)]
    if closeness[0] <= NEAR:
        return f"near isn't above {NEAR}"
    changed = sum(a != b for a, b in zip(of_query, of_far, strict=False))
    if len(of_query) != len(of_far) or changed != 1:
        return "far isn't the query with one word changed"
    return BOTH if closeness[1] < FAR else f"far isn't below {FAR}"


def _one_query() -> Iterator[Case]:
    yield Case(QUERY, label=QUERY)


@exercise(
    cases=_one_query,
    call=_first_fault,
    hints=(
        "The figure at the beginning had three sentences: what did the two that stayed close keep?",
        "For near, keep what is done, and the pattern of the sentence; change who and what.",
        "For far, keep who and what, and change what is done. Try verbs that don't hand anything over.",
    ),
    note="Everybody and everything may change, and it stays close; one other verb, and it's far.",
)
def fooled() -> tuple[str, str]:
    """Give two sentences, near and far, that show what `[CLS]` goes by beside “Alice gave the map to Nina.”.

    near has neither Alice nor the map nor Nina in it, and a cosine above 0.98; far differs from the query in
    one word, and has a cosine below 0.9.
    """
    near = "Ruby gave the belt to Luke."  # another event, and the same kind of deed: 0.985
    far = "Alice read the map to Nina."  # the same people and thing, and another deed: 0.876
    return near, far


fooled.mistake(
    "near isn't close enough. It needn't have the query's people or thing: what else could it share?",
    lambda: ("Max sleeps.", "Alice read the map to Nina."),
)
fooled.mistake(
    "near still has Alice, the map or Nina in it: it must be about another event.",
    lambda: ("Ruby gave the map to Luke.", "Alice read the map to Nina."),
)
fooled.mistake(
    "near is right. far is still close: the word that you changed hardly counts. Which one counts more?",
    lambda: ("Ruby gave the belt to Luke.", "Ruby gave the map to Nina."),
)
fooled.mistake(
    "near is right. In far, exactly one word of the query may change, and none may come or go.",
    lambda: ("Ruby gave the belt to Luke.", "Alice read a book."),
)
