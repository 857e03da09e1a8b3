"""Two runs of a BERT side by side, tensor by tensor in the order of their making.

The first that differs is where they part.

>>> from bertviz_lite import load
>>> from bertviz_lite.models.loading import folder_of
>>> from bertviz_lite.chapters.chapter_12.whole_bert import WholeBert
>>> tokenizer, model = load("pocket")
>>> batch = tokenizer("Anna lost her key.", return_tensors="pt")
>>> ours = WholeBert.from_folder(folder_of("pocket")).float()(**batch)
>>> compare(ours, run_library(model, batch), tolerance=1e-3)  # float32
Comparison(12 tensors: all equal)
>>> compare(ours._replace(pooler_output=-ours.pooler_output), ours).first
'pooler_output'

A mistake in one part makes everything after it wrong, so the first tensor that differs shows where to look.
Left out: gradients, and whatever is between two of these tensors (for that there is `bertviz_lite.trace`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from bertviz_lite.chapters.chapter_12.whole_bert import Output

__all__ = ["Comparison", "Row", "compare", "run_library", "tensors"]

_SINGLE = ("pooler_output", "prediction_logits", "seq_relationship_logits")


@dataclass(frozen=True)
class Row:
    """One tensor in both runs: its name, two shapes, the largest difference (NaN if the shapes differ)."""

    name: str
    shapes: tuple[tuple[int, ...], tuple[int, ...]]
    difference: float
    equal: bool

    def __str__(self) -> str:
        shape, other = self.shapes
        if shape != other:
            return f"{self.name:24} shape {shape}, the other's {other}"
        result = "equal" if self.equal else f"differs, most by {self.difference:.2g}"
        return f"{self.name:24} {shape!s:20} {result}"


@dataclass(frozen=True)
class Comparison:
    """The result of `compare`; ``str()`` shows a line for each tensor."""

    rows: tuple[Row, ...]

    @property
    def first(self) -> str | None:
        """The name of the first tensor that differs; None if none does."""
        return next((row.name for row in self.rows if not row.equal), None)

    @property
    def largest(self) -> float:
        """The largest difference of all; NaN where shapes differ or numbers are NaN."""
        differences = torch.tensor([row.difference for row in self.rows], dtype=torch.float64)
        return differences.max().item()  # the maximum of anything and NaN is NaN

    def __repr__(self) -> str:
        result = "all equal" if self.first is None else f"{self.first} is the first to differ"
        return f"Comparison({len(self.rows)} tensors: {result})"

    def __str__(self) -> str:
        return "\n".join(f"{row}{'  <- first' * (row.name == self.first)}" for row in self.rows)


def tensors(output: object) -> Iterator[tuple[str, Tensor]]:
    """List what a BERT has made, in the order of its making, under the library's names.

    Parameters
    ----------
    output
        An :class:`bertviz_lite.chapters.chapter_12.whole_bert.Output`, an output of ``transformers``, or
        anything with such attributes; what is not there, or None, is left out.
    """
    states, attentions = (getattr(output, name, None) or () for name in ("hidden_states", "attentions"))
    for number, state in enumerate(states):
        if 0 < number <= len(attentions):
            yield f"attentions[{number - 1}]", attentions[number - 1]
        yield f"hidden_states[{number}]", state
    for name in _SINGLE:
        if (tensor := getattr(output, name, None)) is not None:
            yield name, tensor


def compare(ours: object, theirs: object, *, tolerance: float = 1e-9) -> Comparison:
    """Compare two runs on the same input, tensor by tensor.

    Parameters
    ----------
    ours, theirs
        Outputs, as `tensors` takes them. Tensors that only one of them has are left out.
    tolerance
        Up to this largest difference two tensors count as equal: 1e-9 is far above the rounding of float64
        and far below any mistake; for float32 take 1e-3.

    Raises
    ------
    ValueError
        One line, if the two have no tensor in common.
    """
    second = dict(tensors(theirs))
    rows = [_row(name, tensor, second[name], tolerance) for name, tensor in tensors(ours) if name in second]
    if not rows:
        kinds = " and ".join(type(output).__name__ for output in (ours, theirs))
        raise ValueError(f"{kinds} have no tensor in common: give two outputs, with their hidden_states.")
    return Comparison(tuple(rows))


def _row(name: str, ours: Tensor, theirs: Tensor, tolerance: float) -> Row:
    shapes = tuple(ours.shape), tuple(theirs.shape)
    if shapes[0] != shapes[1]:
        return Row(name, shapes, float("nan"), equal=False)
    gap = (ours - theirs).abs().max().item() if ours.numel() else 0.0
    return Row(name, shapes, gap, equal=gap <= tolerance)


def run_library(model: Any, batch: Mapping[str, Tensor]) -> Output:  # noqa: ANN401 - a model of transformers
    """Run a `BertForPreTraining` or a `BertModel` of ``transformers``, and keep what `WholeBert` returns too.

    Its attentions are an empty tuple where it runs on SDPA. The pooled vector, which a model with heads does
    not return, is caught as its pooler makes it.
    """
    pooled: list[Tensor] = []
    pooler = model.base_model.pooler
    with pooler.register_forward_hook(lambda *call: pooled.append(call[-1])):
        outputs = model(**batch, output_hidden_states=True, output_attentions=_is_eager(model))
    logits = (getattr(outputs, name, None) for name in _SINGLE[1:])
    return Output(tuple(outputs.hidden_states), tuple(outputs.attentions or ()), pooled[0], *logits)


def _is_eager(model: Any) -> bool:  # noqa: ANN401
    return bool(model.config._attn_implementation == "eager")
