"""The words that are nearest to a word, by the cosine."""

from collections.abc import Callable, Iterator
from functools import partial

import torch
from torch import Tensor

from bertviz_lite.chapters.chapter_02.exercises.model_tables import own_embeddings, rows_of, vocabulary_tokens
from bertviz_lite.exercises import Case, exercise


def _nearest_cases() -> Iterator[Case]:
    tokens = ["[PAD]", "[CLS]", "cat", "dog", "fish", "whale", "boat"]
    table = torch.tensor(
        [[0.0, 0.0], [1.0, 0.01], [1.0, 0.0], [2.0, 0.3], [0.5, 0.2], [9.0, 5.0], [0.1, 3.0]],
        dtype=torch.float64,
    )
    seen = "the table of seven rows: [PAD], [CLS], cat (1, 0), dog (2, 0.3), fish (0.5, 0.2), whale (9, 5), …"
    yield Case("cat", 2, tokens, table, label=f"word = 'cat', k = 2, {seen}")
    yield Case("whale", 3, tokens, table, label=f"word = 'whale', k = 3, {seen}")
    # Of a large vocabulary a part, spread over all of it: every wrong answer is tried on a copy.
    every = max(1, len(vocabulary_tokens()) // 2_000)
    tokens = list(vocabulary_tokens()[::every])
    table = rows_of(own_embeddings().word_embeddings, slice(0, len(vocabulary_tokens()), every))
    word = next(token for token in tokens[len(tokens) // 3 :] if token.isalpha())
    part = f"one in {every} of " if every > 1 else ""
    yield Case(word, 5, tokens, table, label=f"word = {word!r}, k = 5, {part}the model's own tokens and rows")


def _is_special(token: str) -> bool:
    return token.startswith("[") and token.endswith("]")


@exercise(
    cases=_nearest_cases,
    hints=(
        "Cosine: the dot product of two rows, divided by both their lengths.",
        "Sort by cosine, the largest first, and leave out what does not count before you take k.",
        "A token is special if it is in brackets, as [PAD]. Its row may be all zeros: 0 / 0 is NaN.",
    ),
)
def nearest(word: str, k: int, tokens: list[str], table: Tensor) -> list[str]:
    """Give the k tokens whose rows are most similar to a word's by cosine, the most similar first.

    `tokens` is the list of the vocabulary in the order of its ids, `table` (vocab_size, hidden_size) has one
    row for each. The word itself and special tokens (in brackets, as [PAD]) are left out.
    """
    row = table[tokens.index(word)]
    cosines = (table @ row) / (table.norm(dim=-1) * row.norm())
    keep = [
        i
        for i, token in enumerate(tokens)
        if token != word and not (token.startswith("[") and token.endswith("]"))
    ]
    best = sorted(keep, key=lambda i: float(cosines[i]), reverse=True)
    return [tokens[i] for i in best[:k]]


def _cosines(row: Tensor, table: Tensor) -> Tensor:
    cosines: Tensor = (table @ row) / (table.norm(dim=-1).clamp(min=1e-12) * row.norm())
    return cosines


def _ranked(
    word: str,
    k: int,
    tokens: list[str],
    table: Tensor,
    *,
    score: Callable[[Tensor, Tensor], Tensor] = _cosines,
    itself: bool = False,
    special: bool = False,
) -> list[str]:
    scores: list[float] = score(table[tokens.index(word)], table).tolist()
    keep = [
        i
        for i, token in enumerate(tokens)
        if (itself or token != word) and (special or not _is_special(token))
    ]
    best = sorted(keep, key=scores.__getitem__, reverse=True)
    return [tokens[i] for i in best[:k]]


def _cut_first(word: str, k: int, tokens: list[str], table: Tensor) -> list[str]:
    best = _ranked(word, k, tokens, table, itself=True, special=True)
    return [token for token in best if token != word and not _is_special(token)]


nearest.mistake(
    "The word itself is in the list: it is always nearest to itself.", partial(_ranked, itself=True)
)
nearest.mistake("Special tokens, as [CLS], are in the list: leave them out.", partial(_ranked, special=True))
nearest.mistake(
    "The word itself and special tokens are in the list: leave both out.",
    partial(_ranked, itself=True, special=True),
)
nearest.mistake("The list is cut to k first and then cleaned, so it gets too short: clean first.", _cut_first)
nearest.mistake(
    "This ranks by dot product, which favours long rows: divide by the lengths.",
    partial(_ranked, score=lambda row, table: table @ row),
)
nearest.mistake(
    "This ranks by distance; two rows can point the same way and lie far apart. Use the cosine.",
    partial(_ranked, score=lambda row, table: -(table - row).norm(dim=-1)),
)
nearest.mistake(
    "These are the least similar: sort the other way round.",
    partial(_ranked, score=lambda row, table: -_cosines(row, table)),
)


@nearest.mistake("These are ids: turn each into its token.")
def _ids(word: str, k: int, tokens: list[str], table: Tensor) -> list[int]:
    return [tokens.index(token) for token in _ranked(word, k, tokens, table)]
