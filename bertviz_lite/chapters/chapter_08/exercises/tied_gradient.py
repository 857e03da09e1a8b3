"""Exercises of chapter 08, the LM head: the gradient of a tied table."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal


def _gradient_cases() -> Iterator[Case]:
    looked_up = torch.tensor([[1.0, 0.0], [0.5, -1.0], [2.0, 3.0]], dtype=torch.float64)
    vectors = torch.tensor([[1.0, 1.0], [0.0, 2.0], [1.0, 0.0]], dtype=torch.float64)
    logits = torch.tensor([[0.0, 0.1, -0.1, 0.0], [0.0, 0.0, 0.0, 0.0], [0.2, 0.0, 0.3, -0.5]]).double()
    yield Case(torch.tensor([2, 1, 3]), looked_up, vectors, logits)
    yield Case(torch.tensor([2, 1, 2]), looked_up, vectors, logits)
    shown = "7 tokens, some of them twice; hidden_size 5, vocab_size 4"
    ids = torch.tensor([0, 3, 3, 1, 0, 3, 2])
    yield Case(ids, normal(7, 5), normal(7, 5, seed=1), normal(7, 4, seed=2), label=shown)


@exercise(
    cases=_gradient_cases,
    hints=(
        "Make each part alone; both are (vocab_size, hidden_size).",
        "Saying, summed over the tokens: grad_logits.T @ vectors.",
        "Reading: row input_ids[i] gets grad_inputs[i]. index_add_(0, …) adds also where an id occurs twice.",
    ),
    note="What autograd leaves in `.grad` of a tied table.",
)
def table_gradient(input_ids: Tensor, grad_inputs: Tensor, vectors: Tensor, grad_logits: Tensor) -> Tensor:
    """Put together the gradient of a tied table, (vocab_size, hidden_size), for one text.

    `input_ids` is (seq_len,), `grad_inputs` (seq_len, hidden_size) the loss's gradient at the rows that were
    looked up. `vectors`, (seq_len, hidden_size), is what the decoder multiplied the table with, and
    `grad_logits`, (seq_len, vocab_size), the loss's gradient at the logits.
    """
    output_part = grad_logits.T @ vectors
    return output_part.index_add(0, input_ids, grad_inputs)


def _input_part(input_ids: Tensor, grad_inputs: Tensor, grad_logits: Tensor) -> Tensor:
    table = torch.zeros(grad_logits.shape[1], grad_inputs.shape[1], dtype=grad_inputs.dtype)
    return table.index_add(0, input_ids, grad_inputs)


table_gradient.mistake(
    "That is the output's part alone; the input's is missing.",
    lambda _ids, _grad, vectors, grad_logits: grad_logits.T @ vectors,
)
table_gradient.mistake(
    "That is the input's part alone; the output's is missing.",
    lambda ids, grad, _, grad_logits: _input_part(ids, grad, grad_logits),
)
table_gradient.mistake(
    "`vectors` and `grad_inputs` have changed places: `grad_logits` belongs to `vectors`.",
    lambda ids, grad, vectors, logits: logits.T @ grad + _input_part(ids, vectors, logits),
)


@table_gradient.mistake(
    "Where an id occurs twice, only one of its gradients arrives: `table[ids] += …` adds once for each row."
)
def _added_once(ids: Tensor, grad: Tensor, vectors: Tensor, grad_logits: Tensor) -> Tensor:
    table = grad_logits.T @ vectors
    table[ids] += grad
    return table


@table_gradient.mistake("The input's part replaces the output's in its rows; it has to be added.")
def _replaced(ids: Tensor, grad: Tensor, vectors: Tensor, grad_logits: Tensor) -> Tensor:
    table = grad_logits.T @ vectors
    table[ids] = _input_part(ids, grad, grad_logits)[ids]
    return table
