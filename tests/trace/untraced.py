"""Models run without a trace, and a look at the steps of one."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from bertviz_lite import Trace
from bertviz_lite.trace import Step
from tests.helpers.tiny_families import family
from tests.trace.trace_models import IDS, MASK

FAMILIES = ("bert", "roberta", "distilbert", "albert", "electra", "modernbert", "gpt2", "llama", "t5", "bart")


def families(name: str) -> tuple[nn.Module, dict[str, Tensor]]:
    inputs = {"input_ids": IDS, "attention_mask": MASK}
    if name in ("t5", "bart"):
        inputs["decoder_input_ids"] = IDS[:, :5]
    return family(name)[0], inputs


def outputs_of(result: Any) -> list[Tensor]:  # noqa: ANN401
    """Return every tensor of what a model returns, in order."""
    if isinstance(result, Tensor):
        return [result]
    if isinstance(result, dict):
        result = list(result.values())
    return (
        [tensor for part in result for tensor in outputs_of(part)] if isinstance(result, list | tuple) else []
    )


def run(model: nn.Module, args: tuple[Any, ...], inputs: dict[str, Any]) -> list[Tensor]:
    """Call a model untraced, on eager attention and operation by operation, which is what a trace shows."""
    configs = [vars(module)["config"] for module in model.modules() if "config" in vars(module)]
    before = [config._attn_implementation_internal for config in configs]
    for config in configs:
        config._attn_implementation_internal = "eager"
    fused = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        with torch.no_grad(), torch.random.fork_rng():
            return outputs_of(model(*args, **inputs))
    finally:
        torch.backends.mha.set_fastpath_enabled(fused)
        for config, name in zip(configs, before, strict=True):
            config._attn_implementation_internal = name


def step_of(seen: Trace, path: str, name: str) -> Step:
    return next(step for step in seen if step.path == path and step.name.startswith(name))
