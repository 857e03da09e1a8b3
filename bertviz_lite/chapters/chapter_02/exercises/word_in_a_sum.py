"""Reading the word back from the sum of three rows."""

from collections.abc import Callable, Iterator
from functools import partial

import torch
from torch import Tensor

from bertviz_lite.chapters.chapter_02.exercises.model_tables import own_embeddings, rows_of, vocabulary_tokens
from bertviz_lite.exercises import Case, exercise


def _cases() -> Iterator[Case]:
    tokens = ["[PAD]", "cat", "dog", "whale"]
    table = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [4.0, 4.0]], dtype=torch.float64)
    yield Case(torch.tensor([3.0, 1.0], dtype=torch.float64), table, tokens)
    yield Case(torch.tensor([0.5, 0.4], dtype=torch.float64), table, tokens)
    # Of a large vocabulary a part, spread over all of it: every wrong answer is tried on a copy.
    every = max(1, len(vocabulary_tokens()) // 2_000)
    tokens = list(vocabulary_tokens()[::every])
    own = own_embeddings()
    table = rows_of(own.word_embeddings, slice(0, len(vocabulary_tokens()), every))
    row = next(i for i in range(len(tokens) // 3, len(tokens)) if tokens[i].isalpha())
    place = min(8, own.position_embeddings.num_embeddings - 1)
    total = table[row] + rows_of(own.position_embeddings)[place] + rows_of(own.token_type_embeddings)[0]
    yield Case(
        total, table, tokens, label=f"{tokens[row]!r} at place {place}, the model's own tokens and rows"
    )


@exercise(
    cases=_cases,
    hints=(
        "Which row of the table points most nearly the way of the sum?",
        "Cosine: the dot product of the sum and a row, divided by both their lengths.",
        "A row may be all zeros, and 0 / 0 is NaN, which argmax takes for the largest: use .nan_to_num(-1).",
    ),
    note="Nobody told it which position and which segment were added.",
)
def read_word(total: Tensor, table: Tensor, tokens: list[str]) -> str:
    """Give back the token whose row has the largest cosine with the sum of a word, a position and a segment.

    `total` is (hidden_size,), `table` (vocab_size, hidden_size), and `tokens` the vocabulary in the order of
    its rows.
    """
    cosines = (table @ total) / (table.norm(dim=-1) * total.norm())
    return tokens[int(cosines.nan_to_num(-1).argmax())]


def _best(
    total: Tensor, table: Tensor, tokens: list[str], *, score: Callable[[Tensor, Tensor], Tensor]
) -> str:
    return tokens[int(score(total, table).argmax())]


def _cosines(total: Tensor, table: Tensor) -> Tensor:
    cosines: Tensor = (table @ total) / table.norm(dim=-1).clamp(min=1e-12)
    return cosines


read_word.mistake(
    "This takes the largest dot product, which favours long rows: divide by the rows' lengths.",
    partial(_best, score=lambda total, table: table @ total),
)
read_word.mistake(
    "This takes the smallest distance; the sum may be far from the word's row and point the same way.",
    partial(_best, score=lambda total, table: -(table - total).norm(dim=-1)),
)
read_word.mistake(
    "The row of [PAD] is all zeros: 0 / 0 is NaN, and argmax takes NaN for the largest.",
    partial(_best, score=lambda total, table: (table @ total) / table.norm(dim=-1)),
)
read_word.mistake(
    "This is the least similar: take the largest cosine.",
    partial(_best, score=lambda total, table: -_cosines(total, table)),
)


@read_word.mistake("This is an id: turn it into its token.")
def _id(total: Tensor, table: Tensor, _tokens: list[str]) -> int:
    return int(_cosines(total, table).argmax())
