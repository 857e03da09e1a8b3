"""BERT's embedding layer, from its tables to dropout."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertEmbeddings

from bertviz_lite.chapters.chapter_02.exercises.model_tables import (
    own_embeddings,
    real_batch,
    small_tables,
)
from bertviz_lite.exercises import Case, exercise


class EmbeddingLayer(nn.Module):
    """Build BERT's embedding layer from its tables: ids in, normalised sums out, as `BertEmbeddings` does.

    `EmbeddingLayer(embeddings)` takes the tables and the LayerNorm from a model's own embeddings. Called with
    `input_ids`, `token_type_ids` and `position_ids`, all (batch, seq_len), the last two optional, it gives
    (batch, seq_len, hidden_size), the same as the model's own; in training mode it drops numbers too.
    """

    def __init__(self, embeddings: BertEmbeddings) -> None:
        super().__init__()
        self.words = embeddings.word_embeddings
        self.positions = embeddings.position_embeddings
        self.segments = embeddings.token_type_embeddings
        self.norm = embeddings.LayerNorm
        self.dropout = nn.Dropout(embeddings.dropout.p)

    def forward(
        self, input_ids: Tensor, token_type_ids: Tensor | None = None, position_ids: Tensor | None = None
    ) -> Tensor:
        """Look up, add, normalise, drop out."""
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        if position_ids is None:
            position_ids = torch.arange(input_ids.shape[1]).expand_as(input_ids)
        total = self.words(input_ids) + self.positions(position_ids) + self.segments(token_type_ids)
        normalised: Tensor = self.dropout(self.norm(total))
        return normalised


def _layer_cases() -> Iterator[Case]:
    config = BertConfig(
        vocab_size=6,
        hidden_size=2,
        num_attention_heads=1,
        max_position_embeddings=5,
        layer_norm_eps=1.0,
        hidden_dropout_prob=0.25,
    )
    small = BertEmbeddings(config).double().eval()
    words, positions, segments = small_tables()
    with torch.no_grad():
        small.word_embeddings.weight[:4] = words
        small.position_embeddings.weight[:4] = positions
        small.token_type_embeddings.weight.copy_(segments / 10)
        small.LayerNorm.weight.copy_(torch.tensor([2.0, 3.0]))
        small.LayerNorm.bias.copy_(torch.tensor([0.5, -0.5]))
    ids = torch.tensor([[2, 3, 1]])
    yield Case(small, ids, label="input_ids = [[2, 3, 1]] and no more, a layer of hidden_size 2")
    yield Case(
        small, ids, torch.tensor([[0, 0, 1]]), label="input_ids = [[2, 3, 1]], token_type_ids = [[0, 0, 1]]"
    )
    yield Case(
        small,
        ids,
        torch.tensor([[0, 1, 1]]),
        torch.tensor([[3, 1, 2]]),
        label="input_ids = [[2, 3, 1]], token_type_ids = [[0, 1, 1]], position_ids = [[3, 1, 2]]",
    )
    yield Case(
        small, torch.tensor([[2, 3, 1], [3, 0, 0]]), label="input_ids = [[2, 3, 1], [3, 0, 0]], 0 is padding"
    )
    batch, own = real_batch(), own_embeddings()
    ids, types = batch["input_ids"], batch["token_type_ids"]
    yield Case(own, ids, types, label="two pairs of texts, the second padded, in the model's own layer")
    positions = torch.arange(ids.shape[1]).flip(0).expand_as(ids)
    yield Case(own, ids, types, positions, label="the same with position_ids that count backwards")
    many = torch.tensor([[2, 3, 1]]).repeat(4000, 1)
    seen = "in training mode: the share of zeros, and by what the other numbers have grown (p = 0.25)"
    yield Case(copy.deepcopy(small).train(), many, label=seen)


def _run_layer(
    answer: Callable[[BertEmbeddings], Any], embeddings: BertEmbeddings, *inputs: Tensor
) -> object:
    """Run a layer in evaluation mode; if the embeddings are in training mode, sum up what dropout does."""
    training, layer = embeddings.training, answer(embeddings)
    modules = [part for part in (embeddings, layer) if isinstance(part, nn.Module)]
    try:
        for module in modules:
            module.eval()
        result = layer(*inputs)
        if not training:
            return result
        for module in modules:
            module.train()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            dropped = layer(*inputs)
    finally:
        embeddings.train(training)
    zero = dropped == 0
    share = (zero.double().mean() * 20).round() / 20  # whichever numbers fall
    return torch.stack([share, (dropped / result)[~zero].mean()])


embedding_layer = exercise(
    name="embedding_layer",
    cases=_layer_cases,
    call=_run_layer,
    hints=(
        "In __init__, keep the four modules of `embeddings`, LayerNorm too: new ones have random weights.",
        "What is not given has a default: segment 0 everywhere, positions 0, 1, 2, …, padding or not.",
        "Add the three, then LayerNorm, then dropout (as a module, so that .eval() turns it off).",
    ),
    note="This is the whole input side of BERT.",
)(EmbeddingLayer)


@embedding_layer.mistake(
    "The tables are modules here, not tensors: call it, as in `self.words(input_ids)`, or take its `.weight`."
)
class _Subscripted(nn.Module):
    def __init__(self, embeddings: BertEmbeddings) -> None:
        super().__init__()
        self.words: Any = embeddings.word_embeddings

    def forward(self, input_ids: Tensor, *_: Tensor) -> Tensor:
        result: Tensor = self.words[input_ids]
        return result


_Combine = Callable[[BertEmbeddings, Tensor, Tensor | None, Tensor | None], Tensor]


def _layer(combine: _Combine) -> Callable[[BertEmbeddings], Callable[..., Tensor]]:
    """Make a wrong answer from the one line in which it is wrong."""

    def build(embeddings: BertEmbeddings) -> Callable[..., Tensor]:
        def forward(ids: Tensor, types: Tensor | None = None, at: Tensor | None = None) -> Tensor:
            return combine(embeddings, ids, types, at)

        return forward

    return build


def _parts(
    own: BertEmbeddings, ids: Tensor, types: Tensor | None, at: Tensor | None
) -> tuple[Tensor, Tensor, Tensor]:
    types = torch.zeros_like(ids) if types is None else types
    at = torch.arange(ids.shape[1]).expand_as(ids) if at is None else at
    return own.word_embeddings(ids), own.position_embeddings(at), own.token_type_embeddings(types)


def _restarted(own: BertEmbeddings, ids: Tensor, types: Tensor | None, at: Tensor | None) -> Tensor:
    if at is None and types is not None:
        count = torch.arange(ids.shape[1]).expand_as(ids)
        at = torch.where(types == 1, count - (types == 0).int().argmin(dim=1, keepdim=True), count)
    result: Tensor = own.LayerNorm(sum(_parts(own, ids, types, at)))
    return result


_LAYER_MISTAKES: tuple[tuple[str, _Combine], ...] = (
    (
        "Right in evaluation mode; in training mode BERT's layer also drops numbers: where is the dropout?",
        lambda own, ids, types, at: own.LayerNorm(sum(_parts(own, ids, types, at))),
    ),
    (
        "Right in evaluation mode; in training mode the dropout is too early: it is after the LayerNorm.",
        lambda own, ids, types, at: own.LayerNorm(own.dropout(sum(_parts(own, ids, types, at)))),
    ),
    (
        "Right in evaluation mode; in training mode p is always 0.1: take it from embeddings.dropout.",
        lambda own, ids, types, at: nn.functional.dropout(
            own.LayerNorm(sum(_parts(own, ids, types, at))), 0.1, own.training
        ),
    ),
    (
        "LayerNorm is missing: the three parts are added, and then?",
        lambda own, ids, types, at: sum(_parts(own, ids, types, at), torch.zeros(())),
    ),
    (
        "token_type_ids are not used: the second text gets segment 0 too.",
        lambda own, ids, types, at: own.LayerNorm(sum(_parts(own, ids, None, at))),
    ),
    (
        "The segment part is missing: without token_type_ids it is row 0, not nothing.",
        lambda own, ids, types, at: own.LayerNorm(sum(_parts(own, ids, types, at)[:2])),
    ),
    (
        "position_ids are not used when they are given.",
        lambda own, ids, types, at: own.LayerNorm(sum(_parts(own, ids, types, None))),
    ),
    ("The positions start again in the second text; in BERT they count on.", _restarted),
    (
        "Gain and bias of the LayerNorm are not those of the model: a new LayerNorm has gain 1 and bias 0.",
        lambda own, ids, types, at: nn.functional.layer_norm(
            sum(_parts(own, ids, types, at), torch.zeros(())),
            own.LayerNorm.normalized_shape,
            eps=own.LayerNorm.eps,
        ),
    ),
    (
        "The eps of the LayerNorm is not the model's (torch's own default is another).",
        lambda own, ids, types, at: nn.functional.layer_norm(
            sum(_parts(own, ids, types, at), torch.zeros(())),
            own.LayerNorm.normalized_shape,
            own.LayerNorm.weight,
            own.LayerNorm.bias,
        ),
    ),
)


for _feedback, _combine in _LAYER_MISTAKES:
    embedding_layer.mistake(_feedback, _layer(_combine))
