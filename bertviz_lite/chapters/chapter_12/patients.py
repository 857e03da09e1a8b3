"""Seven patients for the capstone of chapter 12: the whole BERT, each with one mistake that people make.

>>> from bertviz_lite import load
>>> from bertviz_lite.chapters.chapter_12.first_difference import compare
>>> tokenizer, _ = load("pocket")
>>> batch = tokenizer("Anna lost her key.", return_tensors="pt")
>>> compare(patient(1)(**batch), healthy()(**batch)).first is None
False

A reader who wants to find the mistakes stops here: the rest of this file is the answer. Each mistake is in
one part; classes, names and shapes are those of the page, so it shows only in the numbers. No part names the
file of its code: else a `trace` would show which is sick.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

import torch
from torch import Tensor, nn
from transformers import BertConfig

from bertviz_lite.chapters.chapter_12.whole_bert import (
    TIED,
    AddAndNorm,
    Embeddings,
    Heads,
    Pooler,
    SelfAttention,
    WholeBert,
)
from bertviz_lite.models.loading import folder_of

__all__ = ["NUMBERS", "Patient", "healthy", "patient"]

_UNTIED = 4
_EXCHANGED = 7
_EXCHANGED_MAPS = "bert.encoder.layer.0.attention.self.query", "bert.encoder.layer.0.attention.self.key"


class Patient(WholeBert):
    """The whole BERT with mistake `number` in it.

    `trace` makes a second, resized model of the same class: from a config, and from the other arguments,
    which it reads from the attributes of the same name.
    """

    def __init__(self, config: BertConfig, with_heads: bool = True, number: int = 1) -> None:
        super().__init__(config, with_heads)
        self.number = number
        if number == _UNTIED:
            decoder = self.cls.predictions.decoder
            decoder.weight = nn.Parameter(torch.empty_like(decoder.weight).normal_(std=0.05))
        path, forward = _MISTAKES[number]
        for name, part in self.named_modules():
            if type(part).__module__ == WholeBert.__module__:
                _hide_file(part, forward if name == path else None)


@lru_cache(maxsize=1)
def _shipped() -> WholeBert:
    return WholeBert.from_folder(folder_of("pocket")).double()


def _own(whole: WholeBert) -> dict[str, Tensor]:
    return {name: tensor.clone() for name, tensor in whole.state_dict().items()}


def healthy() -> WholeBert:
    """Make the pocket model as the page has it, in float64, with weights of its own."""
    whole = _shipped()
    return WholeBert.from_weights(whole.config, _own(whole))


def patient(number: int) -> Patient:
    """Make one of the patients: the pocket model in float64, with weights of its own.

    Raises
    ------
    ValueError
        One line, if there is no such patient.
    """
    if number not in NUMBERS:
        raise ValueError(f"patient {number!r}: there are patients {NUMBERS[0]} to {NUMBERS[-1]}.")
    whole = _shipped()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(number)
        sick = Patient(whole.config, number=number).double()
    weights = _own(whole)
    if number == _UNTIED:
        del weights[TIED]
    if number == _EXCHANGED:
        first, second = _EXCHANGED_MAPS
        for kind in ("weight", "bias"):
            one, other = f"{first}.{kind}", f"{second}.{kind}"
            weights[one], weights[other] = weights[other], weights[one]
    sick.load_state_dict(weights, strict=False, assign=True)
    if number != _UNTIED:
        sick.tie()
    return sick


def _hide_file(part: nn.Module, forward: Callable[..., object] | None) -> None:
    """Give a part a class of the same name whose code names no file, and another forward if there is one."""
    kind = type(part)
    methods = {name: method for name, method in vars(kind).items() if isinstance(method, FunctionType)}
    hidden = {name: _in_no_file(method) for name, method in methods.items() if not name.startswith("__")}
    if forward is not None:
        own, new = (method.__code__.co_firstlineno for method in (methods["forward"], forward))
        hidden["forward"] = _in_no_file(forward, down=own - new)
    part.__class__ = type(kind.__name__, (kind,), {"__module__": kind.__module__, **hidden})


def _in_no_file(function: Any, down: int = 0) -> FunctionType:  # noqa: ANN401 - mypy: not a callable
    code = _moved(function.__code__, down)
    return FunctionType(code, function.__globals__, function.__name__, function.__defaults__)


def _moved(code: CodeType, down: int) -> CodeType:
    """Take the file from a code and from the code inside it, and move both by some lines."""
    inside = tuple(_moved(const, down) if isinstance(const, CodeType) else const for const in code.co_consts)
    line = code.co_firstlineno + down
    return code.replace(co_filename="patient", co_firstlineno=line, co_consts=inside)


def _pool(self: Pooler, last_hidden_state: Tensor) -> Tensor:
    pooled: Tensor = self.dense(last_hidden_state[:, 0])
    return pooled


def _embed(self: Embeddings, input_ids: Tensor, token_type_ids: Tensor) -> Tensor:
    position = self.position_embeddings(torch.arange(input_ids.shape[1], device=input_ids.device))
    segment = self.token_type_embeddings(torch.zeros_like(token_type_ids))
    normalised: Tensor = self.LayerNorm(self.word_embeddings(input_ids) + segment + position)
    return normalised


def _add(self: AddAndNorm, inside: Tensor, around: Tensor) -> Tensor:
    added: Tensor = self.LayerNorm(self.dense(inside)) + around
    return added


def _attend(self: SelfAttention, hidden_states: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
    query, key, value = (self.split(part(hidden_states)) for part in (self.query, self.key, self.value))
    scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5
    weights = scores.softmax(dim=-1) * (bias == 0)
    return (weights @ value).transpose(1, 2).flatten(2), weights


def _predict(self: Heads, last_hidden_state: Tensor, pooler_output: Tensor) -> tuple[Tensor, Tensor]:  # noqa: ARG001
    return self.predictions(last_hidden_state), self.seq_relationship(last_hidden_state[:, 0])


_MISTAKES: dict[int, tuple[str, Callable[..., object] | None]] = {
    1: ("bert.pooler", _pool),
    2: ("bert.embeddings", _embed),
    3: ("bert.encoder.layer.2.output", _add),
    _UNTIED: ("", None),  # its decoder, above
    5: ("bert.encoder.layer.1.attention.self", _attend),
    6: ("cls", _predict),
    _EXCHANGED: ("", None),  # two of its maps have each other's weights, above
}

NUMBERS = tuple(_MISTAKES)
