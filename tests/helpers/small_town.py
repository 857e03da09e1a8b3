"""A tokenizer of the town with 900 tokens, and a random BERT that fits it: small, and the same each time."""

import torch
from transformers import BertConfig, BertForPreTraining, PreTrainedTokenizerFast

from bertviz_lite.data.vocabulary import train_tokenizer
from bertviz_lite.world import stories

__all__ = ["small_model", "small_tokenizer"]


def small_tokenizer() -> PreTrainedTokenizerFast:
    """Train a tokenizer on 200 stories."""
    return train_tokenizer([str(story) for story in stories(1, 200)], vocab_size=900)


def small_model(tokenizer: PreTrainedTokenizerFast) -> BertForPreTraining:
    """Make a random BERT of two layers, ready to be evaluated."""
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=128,
        attn_implementation="sdpa",  # type: ignore[call-arg]
    )
    model: BertForPreTraining = BertForPreTraining(config).eval()
    return model
