"""One layer of BERT, from a model's own `BertLayer`."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertLayer

from bertviz_lite.chapters.chapter_04.exercises.layer_mistakes import LAYER_MISTAKES, Step
from bertviz_lite.chapters.chapter_04.exercises.layer_parts import own_layers
from bertviz_lite.exercises import Case, exercise, loaded, normal


class EncoderLayer(nn.Module):
    """Build one layer of BERT from a model's own `BertLayer`, without dropout.

    `EncoderLayer(block)` keeps the modules of the layer. Called with x, (batch, seq_len, hidden_size), and
    `padding`, which is added to the scores of attention (0 for what may be seen, very negative for `[PAD]`),
    it gives a tensor of the shape of x.
    """

    def __init__(self, block: BertLayer) -> None:
        super().__init__()
        self.query, self.key, self.value = (
            getattr(block.attention.self, name) for name in ("query", "key", "value")
        )
        self.num_heads = block.attention.self.num_attention_heads
        self.output, self.first_norm = block.attention.output.dense, block.attention.output.LayerNorm
        self.up, self.down, self.second_norm = (
            block.intermediate.dense, block.output.dense, block.output.LayerNorm
        )  # fmt: skip

    def attend(self, x: Tensor, padding: Tensor) -> Tensor:
        """Run all heads side by side, as in chapter 03."""
        query, key, value = (
            part(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5 + padding
        heads: Tensor = scores.softmax(dim=-1) @ value
        attended: Tensor = self.output(heads.transpose(1, 2).flatten(2))
        return attended

    def forward(self, x: Tensor, padding: Tensor) -> Tensor:
        """Attend, add, normalise; feed forward, add, normalise."""
        x = self.first_norm(x + self.attend(x, padding))
        fed = self.down(gelu(self.up(x)))
        result: Tensor = self.second_norm(x + fed)
        return result


_LOW = torch.finfo(torch.float32).min


def _layer_cases() -> Iterator[Case]:
    config = BertConfig(
        hidden_size=4,
        num_attention_heads=2,
        intermediate_size=6,
        layer_norm_eps=0.5,
    )
    small = BertLayer(config).double().eval()
    with torch.no_grad():
        for number, (name, parameter) in enumerate(small.named_parameters()):
            parameter.copy_(normal(*parameter.shape, seed=number) + float("LayerNorm.weight" in name))
    x, seen = normal(1, 3, 4, seed=99), torch.zeros(1, 1, 1, 3, dtype=torch.float64)
    label = "a layer of hidden_size 4 with 2 heads, x of shape (1, 3, 4), padding all 0"
    yield Case(small, x, seen, label=label)
    hidden = torch.tensor([0.0, 0.0, _LOW], dtype=torch.float64)[None, None, None]
    yield Case(small, x, hidden, label="the same layer and x, the third token hidden by the padding")
    tokenizer, model = loaded()
    ids = tokenizer.get_vocab()  # in any order, another one each time
    words = [token for token in sorted(ids, key=ids.__getitem__) if token.isalpha()][:5]
    batch = tokenizer([" ".join(words), words[0]], padding=True, return_tensors="pt")
    rows = cast(Any, model.base_model.embeddings)(batch["input_ids"]).detach()
    hidden = (1 - batch["attention_mask"][:, None, None, :].float()) * _LOW
    yield Case(
        own_layers()[-1], rows, hidden, label="two texts, the second padded, in the model's last layer"
    )


def _run_layer(answer: Callable[[BertLayer], Any], block: BertLayer, x: Tensor, padding: Tensor) -> object:
    """Make a layer and run it in evaluation mode, without gradients."""
    layer = answer(block)
    if isinstance(layer, nn.Module):
        layer.eval()
    with torch.no_grad():
        return layer(x, padding)


encoder_layer = exercise(
    name="encoder_layer",
    cases=_layer_cases,
    call=_run_layer,
    hints=(
        "Attention first, as in chapter 03: heads, scores, padding, softmax, weighted sum, output.",
        "Add x to what attention gives, then the first LayerNorm (block.attention.output.LayerNorm).",
        "Feed that forward, add it to what the FFN has read, then the second LayerNorm.",
    ),
    note="Put as many of these one after the other as the model has, and you have its encoder.",
)(EncoderLayer)


def _layer(step: Step) -> Callable[[BertLayer], Callable[[Tensor, Tensor], Tensor]]:
    return lambda block: partial(step, block)


for _feedback, _step in LAYER_MISTAKES:
    encoder_layer.mistake(_feedback, _layer(_step))
