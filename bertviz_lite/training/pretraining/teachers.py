"""Finished models that teach a new one: what they hold likely at the hidden places, beside the labels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor
from transformers import BertForPreTraining

from bertviz_lite.data.ignored_label import IGNORED


class Teachers:
    """Models with the vocabulary of the one that learns; they stay as they are.

    A label says which token stood at a place; a teacher says which others might have (Hinton et al., 2015,
    "Distilling the knowledge in a neural network", at temperature 1). With several teachers, each is heard in
    a row by how likely that row's labels are to it, so each is heard on the texts that it knows best.

    Parameters
    ----------
    models
        The teachers, in evaluation mode.
    """

    def __init__(self, models: Sequence[BertForPreTraining]) -> None:
        if not models:
            raise ValueError("no teacher: at least one is needed")
        self.models = [model.requires_grad_(False) for model in models]

    @classmethod
    def read(cls, folders: Sequence[Path], attention: str, compiled: bool) -> Teachers:
        """Load the teachers from their folders, with an implementation of attention, compiled or not."""
        models = []
        for folder in folders:
            model = BertForPreTraining.from_pretrained(folder, attn_implementation=attention).float().eval()
            if compiled:
                model.bert.encoder.compile(dynamic=True)
            models.append(model)
        return cls(models)

    def to(self, device: torch.device) -> Teachers:
        """Move all teachers to a device; return self."""
        for model in self.models:
            model.to(device)  # type: ignore[arg-type]
        return self

    @torch.no_grad()
    def probabilities(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor, labels: Tensor
    ) -> Tensor:
        """Return what the teachers together hold likely at the places with a label.

        Parameters
        ----------
        input_ids, attention_mask, token_type_ids, labels
            Shape (batch, seq_len); labels are -100 where nothing is to be guessed.

        Returns
        -------
        Tensor
            Shape (places with a label, vocab_size), the places row after row; each sums to 1.
        """
        chosen = (labels != IGNORED).flatten().nonzero().flatten()
        rows, wanted = chosen // labels.shape[1], labels.flatten()[chosen]
        held, likelihoods = [], []
        for model in self.models:
            hidden_states = model.bert(
                input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
            ).last_hidden_state
            logits = model.cls.predictions(hidden_states.flatten(0, 1)[chosen])
            logs = logits.float().log_softmax(-1)
            held.append(logs.exp())
            of_labels = logs.gather(1, wanted[:, None])[:, 0]
            likelihoods.append(of_labels.new_zeros(len(labels)).index_add(0, rows, of_labels))
        heard = torch.stack(likelihoods).softmax(0)[:, rows]
        return (heard[:, :, None] * torch.stack(held)).sum(0)
