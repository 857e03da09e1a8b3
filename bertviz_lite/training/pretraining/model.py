"""A ``BertForPreTraining`` with the loss at the chosen positions only; the plain one that is shipped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from transformers import (
    BertConfig,
    BertForPreTraining,
)

from bertviz_lite.data.ignored_label import IGNORED


class PretrainingModel(BertForPreTraining):
    """``BertForPreTraining`` with the loss computed at the chosen positions only, which is a quarter faster.

    The loss is the same. The padding row of the tied embedding, zero at the start, is kept at zero: as an
    input it never gets a gradient, but as the output weight of [PAD] it would.
    """

    def __init__(self, config: BertConfig) -> None:
        super().__init__(config)
        self.bert.embeddings.word_embeddings.weight.register_hook(_without_padding_row)

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        labels: Tensor | None = None,
        next_sentence_label: Tensor | None = None,
        taught: Tensor | None = None,
    ) -> Any:  # noqa: ANN401 - as transformers: an output with named parts
        """Return the losses of a batch (with labels), or what ``BertForPreTraining`` returns (without).

        Parameters
        ----------
        input_ids, attention_mask, token_type_ids, labels
            Shape (batch, seq_len); labels are -100 where nothing is to be guessed.
        next_sentence_label
            Shape (batch,): 0 true, 1 false, -100 not a pair.
        taught
            Shape (places with a label, vocab_size): probabilities of :class:`.teachers.Teachers`, row after
            row, which count as much as the labels; None for labels alone.
        """
        if labels is None or next_sentence_label is None:
            return super().forward(input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        outputs = self.bert(input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        chosen = (labels != IGNORED).flatten().nonzero().flatten()
        hidden_states = outputs.last_hidden_state.flatten(0, 1)[chosen]
        logits = self.cls.predictions(hidden_states)
        masked = mean_loss(logits, labels.flatten()[chosen])
        next_part = mean_loss(self.cls.seq_relationship(outputs.pooler_output), next_sentence_label)
        learned = masked
        if taught is not None and len(taught):
            learned = (masked + nn.functional.cross_entropy(logits.float(), taught)) / 2
        return {"loss": learned + next_part, "mlm_loss": masked.detach(), "nsp_loss": next_part.detach()}


def mean_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the mean cross-entropy over the labels that are not -100; 0 where there is none."""
    summed = nn.functional.cross_entropy(logits.float(), labels, ignore_index=IGNORED, reduction="sum")
    return summed / (labels != IGNORED).sum().clamp(min=1)


def _without_padding_row(gradient: Tensor) -> Tensor:
    gradient = gradient.clone()
    gradient[0] = 0
    return gradient


def bare_model(model: BertForPreTraining, config: BertConfig) -> BertForPreTraining:
    """Copy the weights into a plain ``BertForPreTraining``, in evaluation mode on the CPU."""
    finished: BertForPreTraining = BertForPreTraining(config)
    finished.load_state_dict({name: tensor.cpu() for name, tensor in model.state_dict().items()})
    if finished.bert.embeddings.word_embeddings.weight[0].any():
        raise RuntimeError("the padding row of the embedding is not zero")
    finished.eval()
    return finished


def round_to_float16(model: BertForPreTraining) -> None:
    """Round all weights, which stay float32, to numbers that float16 has: files of either type are equal."""
    with torch.no_grad():
        for weights in model.parameters():
            weights.copy_(weights.half())


def save_model(model: BertForPreTraining, folder: Path, float16: bool = False) -> None:
    """Save a model; in ``float16`` its file is half as long, and is still loaded as float32.

    Raises
    ------
    ValueError
        Where float16 would change a weight: round them first.
    """
    model.save_pretrained(folder)  # config.json says float32, which is the type that transformers loads
    file = folder / "model.safetensors"
    if float16:
        weights = load_file(file)
        halves = {name: tensor.half() for name, tensor in weights.items()}
        if not all(torch.equal(halves[name].float(), tensor) for name, tensor in weights.items()):
            raise ValueError("float16 would change the weights: round_to_float16(model) first")
        save_file(halves, file, metadata={"format": "pt"})
    file.chmod(0o644)  # safetensors lets no other user read what it writes
