"""What the library's own BERTs weigh, counted on tensors without numbers (torch's device "meta")."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from transformers import BertConfig, BertForPreTraining, BertModel

__all__ = ["Weighed", "large", "weigh"]


@dataclass(frozen=True)
class Weighed:
    """Numbers of parameters of one BERT."""

    layers: int
    """In all its layers."""
    bare: int
    """In a `BertModel`."""
    with_heads: int
    """In a `BertForPreTraining`."""


def large() -> BertConfig:
    """Return the configuration of BERT-Large; `BertConfig()` is that of Base."""
    return BertConfig(
        hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096
    )  # fmt: skip


def weigh(config: BertConfig) -> Weighed:
    """Build a BERT without numbers and count its parameters; nothing is downloaded."""
    with torch.device("meta"):
        bare, with_heads = BertModel(config), BertForPreTraining(config)
    layers = sum(weights.numel() for weights in bare.encoder.parameters())
    return Weighed(layers, bare.num_parameters(), with_heads.num_parameters())
