"""The whole BERT on one page: what the chapters 02 to 09 have built, put together.

>>> from bertviz_lite import load
>>> from bertviz_lite.models.loading import folder_of
>>> tokenizer, _ = load("pocket")
>>> whole = WholeBert.from_folder(folder_of("pocket"))
>>> output = whole(**tokenizer("Anna lost her key.", "She looked for it.", return_tensors="pt"))
>>> [tuple(logits.shape) for logits in (output.prediction_logits, output.seq_relationship_logits)]
[(1, 13, 3750), (1, 2)]

Read it from top to bottom. Names are those of `transformers`: so its weights fit, and its numbers are the
proof (tests/chapters/test_whole_bert.py).

Left out:
- the tokenizer: patient 8 shows what happens with a wrong one
- training: dropout, losses, the first weights
- activations other than exact GELU; fused attention
- what only a model that writes text needs: the causal mask, cross-attention, a cache
- every head but the two of pre-training; an LM head with a table of its own
- the names of LayerNorm's weights in old files (gamma, beta)
What does not fit is refused in one line: see `whole_bert_input.py`.
"""

# What forward takes and gives is said once, by its class; what a module returns has no type in torch.
# ruff: noqa: D102
# mypy: disable-error-code="no-any-return"

import json
import os
from pathlib import Path
from typing import NamedTuple

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn.functional import gelu
from transformers import BertConfig

from bertviz_lite.chapters.chapter_12.whole_bert_input import check_config, check_shapes, no_such_row

TIED = "cls.predictions.decoder.weight"  # the token table's second name, which files leave out


class Embeddings(nn.Module):
    """Three rows for each token, their sum, LayerNorm: (batch, seq_len) -> (batch, seq_len, hidden_size)."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def forward(self, input_ids: Tensor, token_type_ids: Tensor) -> Tensor:
        position = self.position_embeddings(torch.arange(input_ids.shape[1], device=input_ids.device))
        total = self.word_embeddings(input_ids) + self.token_type_embeddings(token_type_ids) + position
        return self.LayerNorm(total)


class SelfAttention(nn.Module):
    """All heads: what they have read, laid end to end, as wide as the hidden states; and their weights."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.num_heads = config.num_attention_heads
        self.query = nn.Linear(config.hidden_size, config.hidden_size)
        self.key = nn.Linear(config.hidden_size, config.hidden_size)
        self.value = nn.Linear(config.hidden_size, config.hidden_size)

    def split(self, vectors: Tensor) -> Tensor:
        """(batch, seq_len, hidden_size) -> (batch, num_heads, seq_len, head_size)."""
        return vectors.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, hidden_states: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
        query, key, value = (self.split(part(hidden_states)) for part in (self.query, self.key, self.value))
        scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5
        weights = (scores + bias).softmax(dim=-1)
        return (weights @ value).transpose(1, 2).flatten(2), weights


class AddAndNorm(nn.Module):
    """The end of a part: a linear map, plus what has gone around the part, then LayerNorm."""

    def __init__(self, config: BertConfig, in_features: int) -> None:
        super().__init__()
        self.dense = nn.Linear(in_features, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def forward(self, inside: Tensor, around: Tensor) -> Tensor:
        return self.LayerNorm(self.dense(inside) + around)


class Attention(nn.Module):
    """Self-attention, add, normalise: new hidden states, and the weights."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.self = SelfAttention(config)
        self.output = AddAndNorm(config, config.hidden_size)

    def forward(self, hidden_states: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
        context, weights = self.self(hidden_states, bias)
        return self.output(context, hidden_states), weights


class Intermediate(nn.Module):
    """The first half of the FFN: up to intermediate_size numbers for each token, and the activation."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.intermediate_size)

    def forward(self, hidden_states: Tensor) -> Tensor:
        return gelu(self.dense(hidden_states))


class Layer(nn.Module):
    """Attention, add, normalise; FFN, add, normalise: new hidden states, and the weights."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.attention = Attention(config)
        self.intermediate = Intermediate(config)
        self.output = AddAndNorm(config, config.intermediate_size)

    def forward(self, hidden_states: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
        attended, weights = self.attention(hidden_states, bias)
        return self.output(self.intermediate(attended), attended), weights


class Encoder(nn.Module):
    """All layers: the hidden states before, between and after them, and the weights of each."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(Layer(config) for _ in range(config.num_hidden_layers))

    def forward(self, embedded: Tensor, bias: Tensor) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
        hidden_states, attentions = [embedded], []
        for layer in self.layer:
            after, weights = layer(hidden_states[-1], bias)
            hidden_states.append(after)
            attentions.append(weights)
        return tuple(hidden_states), tuple(attentions)


class Pooler(nn.Module):
    """One vector for the whole text, from the one at [CLS]: (batch, hidden_size)."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, last_hidden_state: Tensor) -> Tensor:
        return self.dense(last_hidden_state[:, 0]).tanh()


class Bert(nn.Module):
    """Everything but the heads: hidden states, attentions, pooled vector."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.embeddings, self.encoder, self.pooler = Embeddings(config), Encoder(config), Pooler(config)

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor
    ) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...], Tensor]:
        embedded = self.embeddings(input_ids, token_type_ids)
        padding = attention_mask[:, None, None, :] == 0  # the same for all heads and all queries
        bias = padding.to(embedded.dtype) * torch.finfo(embedded.dtype).min
        hidden_states, attentions = self.encoder(embedded, bias)
        return hidden_states, attentions, self.pooler(hidden_states[-1])


class Transform(nn.Module):
    """The first half of the LM head: a linear map, the activation, LayerNorm; (…, hidden_size) stays."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def forward(self, hidden_states: Tensor) -> Tensor:
        return self.LayerNorm(gelu(self.dense(hidden_states)))


class LMHead(nn.Module):
    """A logit for each word, at each token: (batch, seq_len, vocab_size)."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.transform = Transform(config)
        self.decoder = nn.Linear(config.hidden_size, config.vocab_size, bias=False)  # see WholeBert.tie
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    def forward(self, hidden_states: Tensor) -> Tensor:
        return self.decoder(self.transform(hidden_states)) + self.bias


class Heads(nn.Module):
    """The two heads of pre-training: LM from the hidden states, NSP from the pooled vector, (batch, 2)."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.predictions = LMHead(config)
        self.seq_relationship = nn.Linear(config.hidden_size, 2)

    def forward(self, last_hidden_state: Tensor, pooler_output: Tensor) -> tuple[Tensor, Tensor]:
        return self.predictions(last_hidden_state), self.seq_relationship(pooler_output)


class Output(NamedTuple):
    """What comes out, under the library's names; without heads, the logits are None."""

    hidden_states: tuple[Tensor, ...]
    attentions: tuple[Tensor, ...]
    pooler_output: Tensor
    prediction_logits: Tensor | None = None
    seq_relationship_logits: Tensor | None = None


class WholeBert(nn.Module):
    """BERT: the library's `BertForPreTraining`, or without heads its `BertModel`."""

    def __init__(self, config: BertConfig, with_heads: bool = True) -> None:
        super().__init__()
        check_config(config, with_heads)
        self.config, self.with_heads = config, with_heads
        self.bert = Bert(config)
        if with_heads:
            self.cls = Heads(config)
        self.tie()

    def tie(self) -> None:
        """Give the decoder the token table: one tensor with two names."""
        if self.with_heads:
            self.cls.predictions.decoder.weight = self.bert.embeddings.word_embeddings.weight

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor | None = None, token_type_ids: Tensor | None = None
    ) -> Output:
        attention_mask = torch.ones_like(input_ids) if attention_mask is None else attention_mask
        token_type_ids = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        check_shapes(self.config, input_ids, attention_mask, token_type_ids)
        try:
            seen = Output(*self.bert(input_ids, attention_mask, token_type_ids))
        except IndexError:
            raise no_such_row(self.config, input_ids, token_type_ids) from None
        if not self.with_heads:
            return seen
        words, pairs = self.cls(seen.hidden_states[-1], seen.pooler_output)
        return seen._replace(prediction_logits=words, seq_relationship_logits=pairs)

    @classmethod
    def from_weights(cls, config: BertConfig, weights: dict[str, Tensor]) -> "WholeBert":
        """Take weights by their standard names, without copying; a `BertModel` has no "bert." before them."""
        weights = {k if k.startswith(("bert.", "cls.")) else f"bert.{k}": weights[k] for k in weights}
        with torch.device("meta"):  # shapes only: the numbers are those given
            whole = cls(config, with_heads="cls.predictions.bias" in weights)
        if missing := sorted(whole.state_dict().keys() - weights.keys() - {TIED}):
            raise ValueError(f"{missing[0]} is missing, one of {len(missing)} weights: is the file a BERT's?")
        whole.load_state_dict(weights, strict=False, assign=True)
        whole.tie()
        return whole

    @classmethod
    def from_folder(cls, folder: str | os.PathLike[str]) -> "WholeBert":
        """Read config.json and model.safetensors."""
        config = BertConfig(**json.loads(Path(folder, "config.json").read_text(encoding="utf-8")))
        return cls.from_weights(config, load_file(Path(folder, "model.safetensors")))
