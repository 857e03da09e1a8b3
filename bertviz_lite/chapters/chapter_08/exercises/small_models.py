"""Exercises of chapter 08, the LM head: a tiny BERT with an LM head."""

import torch
from transformers import BertConfig, BertForMaskedLM


def small_model() -> BertForMaskedLM:
    """Make a tiny BERT with an LM head, the same each time."""
    config = BertConfig(
        vocab_size=9,
        hidden_size=4,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=6,
        max_position_embeddings=5,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = BertForMaskedLM(config)
    model.train(mode=False)
    return model
