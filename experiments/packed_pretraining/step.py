"""A step of training on packed rows: masks, both losses, both optimizers; as a CUDA graph on a GPU.

On two cores with instructions for bfloat16, compiled and in that type, a step takes less than half its time.

The forward pass is written out, since ``transformers`` has no block-diagonal attention for inputs that share
a row; a test holds its losses equal to those of ``BertForPreTraining`` on the inputs one by one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from transformers import BertForPreTraining, PreTrainedTokenizerFast

from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.vocabulary import MAX_LENGTH, continuation_tokens
from bertviz_lite.training.muon import orthogonal
from bertviz_lite.training.pretraining.model import mean_loss
from bertviz_lite.training.pretraining.optimizer import all_but_matrices, matrices
from experiments.packed_pretraining.rows import MOST_PAIRS

MOST_CHOSEN = 0.25
"""Share of the positions for whose guesses there is room; a graph has fixed shapes."""

_WEIGHT_DECAY, _MOMENTUM, _BETAS, _MOST_NORM = 0.01, 0.95, (0.9, 0.98), 1.0
_WARM_UPS = 4
_TINY_RATE = 1e-7
"""AdamW in a graph divides by its rate: with 0 every weight becomes not a number."""


class PackedStep:
    """One step at a time on what ``feed`` has put in place.

    Parameters
    ----------
    model
        The model, on its device; trained in place.
    tokenizer
        Its tokenizer.
    rows
        Rows of a step.
    fast
        Let torch compile masks and losses, and multiply matrices in bfloat16; on a GPU alone when not given.
    """

    def __init__(
        self,
        model: BertForPreTraining,
        tokenizer: PreTrainedTokenizerFast,
        rows: int,
        fast: bool | None = None,
    ) -> None:
        self.bert: Any = model.bert
        self.heads: Any = model.cls
        self.config, self.rows = model.config, rows
        self.device = device = model.device
        self.cuda = device.type == "cuda"
        self.fast = self.cuda if fast is None else fast
        self.positions = rows * MAX_LENGTH
        self.most_chosen = -(-int(self.positions * MOST_CHOSEN) // 64) * 64
        self.mask_id = tokenizer.mask_token_id
        self.continues = torch.from_numpy(continuation_tokens(tokenizer)).to(device)
        self.special = torch.zeros(len(tokenizer), dtype=torch.bool, device=device)
        self.special[tokenizer.all_special_ids] = True
        self.ordinary_ids = (~self.special).nonzero().flatten()
        self.mask_rate = torch.tensor(0.2, device=device)
        self.data = torch.zeros((4, rows, MAX_LENGTH), dtype=torch.int16, device=device)
        self.places = torch.zeros(rows * MOST_PAIRS, dtype=torch.int32, device=device)
        self.labels = torch.full((rows * MOST_PAIRS,), IGNORED, dtype=torch.long, device=device)
        self.sums = torch.zeros(3, device=device)
        """Both losses and the steps since they were last set to zero."""
        self._weights = list(model.parameters())
        self._matrices = [weight for _, weight in matrices(model)]
        self._momenta = [torch.zeros_like(weight) for weight in self._matrices]
        self._matrix_rate = torch.tensor(0.0, device=device)
        self._adamw = self._other_weights(model)
        self._masked: Callable[..., Any] = self.masked
        self._losses: Callable[..., Any] = self.losses
        if self.fast:
            self._masked = torch.compile(self.masked, dynamic=False)
            self._losses = torch.compile(self.losses, dynamic=False)
        self._graph: torch.cuda.CUDAGraph | None = None

    def feed(self, rows: Tensor, places: Tensor, labels: Tensor) -> None:
        """Put the inputs of the next step in place: one step of ``Steps``."""
        self.data.copy_(rows)
        self.places.copy_(places)
        self.labels.copy_(labels)

    def set_rates(self, adamw: float, muon: float, mask_rate: float) -> None:
        """Set the learning rates and the share of words that are chosen."""
        for group in self._adamw.param_groups:
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(max(adamw, _TINY_RATE))
            else:
                group["lr"] = adamw
        self._matrix_rate.fill_(muon)
        self.mask_rate.fill_(mask_rate)

    def __call__(self) -> None:
        """Take a step; on a GPU, the first call captures the graph."""
        if not self.cuda:
            self._step()
            return
        if self._graph is None:
            self._capture()
        assert self._graph is not None
        self._graph.replay()

    def masked(self, ids: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Choose whole words and hide them by the 80/10/10 rule.

        Parameters
        ----------
        ids
            Shape (rows, 128).

        Returns
        -------
        tuple
            The ids as the model gets them, the flat places of the chosen tokens, and their ids; a place
            beyond the last chosen one has the label -100.
        """
        device, ordinary = ids.device, ~self.special[ids]
        draws, outcome = torch.rand(ids.shape, device=device), torch.rand(ids.shape, device=device)
        other = (torch.rand(ids.shape, device=device) * len(self.ordinary_ids)).long()
        begins = ~self.continues[ids] | ~ordinary
        begins[:, 0] = True
        word = torch.where(begins, torch.arange(MAX_LENGTH, device=device), 0).cummax(1).values
        chosen = (draws.gather(1, word) < self.mask_rate) & ordinary
        hidden = torch.where(chosen & (outcome < 0.8), self.mask_id, ids)
        swapped = self.ordinary_ids[other.clamp(max=len(self.ordinary_ids) - 1)]
        hidden = torch.where(chosen & (outcome >= 0.8) & (outcome < 0.9), swapped, hidden)
        flat = chosen.flatten()
        slot = flat.cumsum(0) - 1
        slot = torch.where(flat & (slot < self.most_chosen), slot, self.most_chosen)
        places = torch.zeros(self.most_chosen + 1, dtype=torch.long, device=device)
        places = places.scatter(0, slot, torch.arange(self.positions, device=device))[: self.most_chosen]
        taken = torch.arange(self.most_chosen, device=device) < flat.sum()
        return hidden, places, torch.where(taken, ids.flatten()[places], IGNORED)

    def losses(
        self, hidden: Tensor, chosen: Tensor, answers: Tensor, data: Tensor, places: Tensor, labels: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the loss of the masked words and that of the pairs.

        Parameters
        ----------
        hidden, chosen, answers
            As ``masked`` returns them.
        data, places, labels
            One step of ``Steps``.
        """
        _, positions, segments, inputs = data
        embeddings, count = self.bert.embeddings, self.config.num_attention_heads
        segment = embeddings.token_type_embeddings.weight
        place = functional.one_hot(positions, MAX_LENGTH).float() @ embeddings.position_embeddings.weight
        x = embeddings.word_embeddings.weight[hidden] + place
        x = x + segment[0] + segments[..., None] * (segment[1] - segment[0])
        x = embeddings.LayerNorm(x)
        same_input = inputs[:, None, :, None] == inputs[:, None, None, :]
        with torch.autocast(hidden.device.type, dtype=torch.bfloat16, enabled=self.fast):
            for layer in self.bert.encoder.layer:
                asking = layer.attention.self
                query, key, value = (
                    each(x).view(self.rows, MAX_LENGTH, count, -1).transpose(1, 2)
                    for each in (asking.query, asking.key, asking.value)
                )
                scores = (query @ key.transpose(-1, -2)).float() / math.sqrt(query.size(-1))
                weights = scores.masked_fill(~same_input, -1e4).softmax(-1).to(value.dtype)
                mixed = (weights @ value).transpose(1, 2).reshape(self.rows, MAX_LENGTH, -1)
                x = layer.attention.output.LayerNorm(layer.attention.output.dense(mixed) + x)
                wide = functional.gelu(layer.intermediate.dense(x))
                x = layer.output.LayerNorm(layer.output.dense(wide) + x)
            flat = x.reshape(self.positions, -1)
            head = self.heads.predictions
            logits = functional.linear(
                head.transform(flat[chosen]), embeddings.word_embeddings.weight, head.bias
            )
            pooled = torch.tanh(self.bert.pooler.dense(flat[places]))
            pairs = self.heads.seq_relationship(pooled)
        return mean_loss(logits, answers), mean_loss(pairs, labels)

    def _step(self) -> None:
        data = self.data.long()
        hidden, chosen, answers = self._masked(data[0])
        words, pairs = self._losses(hidden, chosen, answers, data, self.places.long(), self.labels)
        (words + pairs).backward()
        padding = self.bert.embeddings.word_embeddings.weight.grad
        assert padding is not None
        padding[0].zero_()
        torch.nn.utils.clip_grad_norm_(self._weights, _MOST_NORM, foreach=True)
        self._move_matrices()
        self._adamw.step()
        with torch.no_grad():
            self.sums.add_(torch.stack([words.detach(), pairs.detach(), torch.ones_like(words)]))
        for weight in self._weights:
            if weight.grad is not None:
                weight.grad.zero_()

    def _other_weights(self, model: BertForPreTraining) -> torch.optim.AdamW:
        groups = all_but_matrices(model, _WEIGHT_DECAY)
        if self.cuda:
            for group in groups:
                group["lr"] = torch.tensor(_TINY_RATE, device=self.device)
        return torch.optim.AdamW(groups, betas=_BETAS, capturable=self.cuda, fused=False)

    @torch.no_grad()
    def _move_matrices(self) -> None:
        """Muon, as ``bertviz_lite.training.muon``, with its rate in a tensor that a graph can read."""
        gradients = [weight.grad for weight in self._matrices if weight.grad is not None]
        torch._foreach_lerp_(self._momenta, gradients, 1 - _MOMENTUM)
        means = torch._foreach_lerp(gradients, self._momenta, _MOMENTUM)
        shapes: dict[torch.Size, list[int]] = {}
        for number, weight in enumerate(self._matrices):
            shapes.setdefault(weight.shape, []).append(number)
        dtype = torch.bfloat16 if self.fast else torch.float32
        for shape, numbers in shapes.items():
            moves = orthogonal(torch.stack([means[number] for number in numbers]), dtype).float()
            moves = moves * (self._matrix_rate * math.sqrt(max(1.0, shape[0] / shape[1])))
            for move, number in zip(moves, numbers, strict=True):
                self._matrices[number].mul_(1 - self._matrix_rate * _WEIGHT_DECAY).sub_(move)

    def _capture(self) -> None:
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(_WARM_UPS):
                self._step()
        torch.cuda.current_stream().wait_stream(side)
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph):
            self._step()
        self.sums.zero_()
