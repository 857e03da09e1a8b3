"""Chapter 04: truths by the layers and configurations of `transformers`, and by torch."""

import json
import math
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import gelu
from transformers import AutoTokenizer, BertConfig, BertForPreTraining, BertModel
from transformers.models.bert.modeling_bert import BertLayer

from bertviz_lite.exercises import Case, normal
from bertviz_lite.models import POCKET
from tests.helpers.truths import Truth

NOTEBOOK = Path(__file__).parents[3] / "notebooks" / "04_layer.ipynb"


def parameters_of_library(
    vocab_size: int, hidden_size: int, layers: int, intermediate_size: int, positions: int
) -> int:
    config = BertConfig(
        vocab_size=vocab_size,
        hidden_size=hidden_size,
        num_hidden_layers=layers,
        num_attention_heads=1,
        intermediate_size=intermediate_size,
        max_position_embeddings=positions,
    )
    with torch.device("meta"):
        return BertModel(config).num_parameters()


def without(part: str) -> BertModel:
    """Take a part out of every layer of the library's model."""
    model = BertForPreTraining.from_pretrained(POCKET).bert.double().eval()
    for layer in model.encoder.layer:
        ends: list[Any] = [layer.attention.output, layer.output]
        if part == "attention":
            nn.init.zeros_(ends[0].dense.weight)
            nn.init.zeros_(ends[0].dense.bias)
        for end in ends:
            if part == "LayerNorm":
                end.LayerNorm = nn.Identity()
            if part == "residual":
                end.register_forward_pre_hook(lambda _, given: (given[0], 0 * given[1]))
    return model


def seen(model: BertModel) -> Tensor:
    """Return the log of the last length, how two tokens correlate, and how far another word moves them."""
    tokenizer = AutoTokenizer.from_pretrained(POCKET)
    texts = [f"Anna {verb} her key in the garden, so she looks for it." for verb in ("lost", "the")]
    with torch.no_grad():
        one, other = model(**tokenizer(texts, return_tensors="pt")).last_hidden_state
    rest = torch.arange(len(one)) != 2
    alike = torch.corrcoef(one)[~torch.eye(len(one), dtype=torch.bool)].mean()
    moved = ((one - other).norm(dim=-1) / one.norm(dim=-1))[rest].mean()
    return torch.stack([one.norm(dim=-1).mean().log(), alike, moved])


def copies_by_the_library() -> str:
    """For each part, say which row of the chapter's table is most like the library's model without it."""
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    printed = "".join(
        line for cell in cells for output in cell.get("outputs", ()) for line in output.get("text", ())
    )
    rows = {}
    for letter in "ABC":
        (row,) = re.findall(rf"^{letter} {{6,}}([\d., ]+)$", printed, re.MULTILINE)
        numbers = [float(number.replace(",", "")) for number in row.split()]
        rows[letter] = torch.tensor([math.log(numbers[3]), numbers[7], numbers[8]])
    found = [seen(without(part)) for part in ("attention", "LayerNorm", "residual")]
    return "".join(min(rows, key=lambda letter: float((rows[letter] - each).norm())) for each in found)


def either_side() -> tuple[Tensor, Tensor, Tensor]:
    """Add *thirsty, but no glass* to *a glass, but not thirsty*: |thirsty - glass|, by another two cuts."""
    return torch.tensor([[1.0, -1.0], [-1.0, 1.0]]), torch.zeros(2), torch.ones(2)


def many_corners() -> list[Case]:
    return [Case((normal(*shape, seed=3) > 0).double()) for shape in ((9, 2), (3, 4, 2))]


class Wrapped(nn.Module):
    """A function as a module."""

    def __init__(self, function: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: Tensor) -> Tensor:
        return self.function(x)


def pre_norm_by_torch(
    x: Tensor,
    attention: Callable[[Tensor], Tensor],
    feed_forward: Callable[[Tensor], Tensor],
    first_norm: Callable[[Tensor], Tensor],
    second_norm: Callable[[Tensor], Tensor],
) -> Tensor:
    """Run torch's own layer with its four parts exchanged."""
    layer = nn.TransformerEncoderLayer(x.shape[-1], 1, dropout=0.0, norm_first=True)
    layer.norm1, layer.norm2 = Wrapped(first_norm), Wrapped(second_norm)
    layer._sa_block = lambda y, *_, **__: attention(y)
    layer._ff_block = feed_forward
    return layer(x)


def nearest_by_means(vectors: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    """Fit what is left of both less their means; the bias then makes the means fit."""
    means = vectors.mean(dim=0), wanted.mean(dim=0)
    turned, *_ = np.linalg.lstsq((vectors - means[0]).numpy(), (wanted - means[1]).numpy(), rcond=None)
    weight = torch.from_numpy(turned).T
    return weight, means[1] - weight @ means[0]


def borrowed(block: BertLayer) -> Callable[[Tensor, Tensor], Tensor]:
    """Run the library's layer itself."""

    def run(x: Tensor, bias: Tensor) -> Tensor:
        result = block(x, bias.expand(-1, -1, x.shape[1], -1))
        return result[0] if isinstance(result, tuple) else result

    return run


@cache
def fresh_layer() -> BertLayer:
    config = BertConfig(hidden_size=6, num_attention_heads=3, intermediate_size=10, layer_norm_eps=0.2)
    layer = BertLayer(config).double().eval()
    with torch.no_grad():
        for seed, parameter in enumerate(layer.parameters()):
            parameter.copy_(normal(*parameter.shape, seed=seed + 50))
    return layer


def fresh_layers() -> list[Case]:
    hidden = torch.tensor([0.0, -1e30, 0.0, 0.0], dtype=torch.float64)[None, None, None]
    return [Case(fresh_layer(), normal(2, 4, 6), hidden), Case(fresh_layer(), normal(1, 4, 6), 0 * hidden)]


TRUTHS = {
    "one_but_not_both": Truth("the distance of the two facts", either_side, many_corners),
    "which_part_is_missing": Truth("BertModel, a part of it taken out", copies_by_the_library),
    "exact_gelu": Truth(
        "torch.nn.functional.gelu", gelu, lambda: [Case(3 * normal(4, 5)), Case(normal(2, 3, 1, seed=1))]
    ),
    "nearest_linear_map": Truth(
        "numpy's lstsq on vectors and wanted less their means",
        nearest_by_means,
        lambda: [Case(normal(30, 4, seed=5) + 2, normal(30, 3) - 1), Case(normal(9, 1), normal(9, 2))],
    ),
    "count_parameters": Truth(
        "BertModel", parameters_of_library, lambda: [Case(11, 8, 1, 3, 4), Case(50, 12, 5, 48, 20)]
    ),
    "pre_norm_layer": Truth(
        "torch.nn.TransformerEncoderLayer, norm_first",
        pre_norm_by_torch,
        lambda: [
            Case(normal(2, 3), torch.sin, torch.exp, torch.tanh, torch.abs),
            Case(normal(4, 5, 2), lambda y: y.flip(1), torch.cos, lambda y: 2 * y, lambda y: y - 1),
        ],
    ),
    "encoder_layer": Truth("transformers' BertLayer itself", borrowed, fresh_layers),
}
