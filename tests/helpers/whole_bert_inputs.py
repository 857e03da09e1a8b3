"""Inputs of the whole BERT: a batch of pairs, padded, for any model; a short text for the healthy one."""

import torch
from torch import Tensor
from transformers import PreTrainedModel

from bertviz_lite import load
from bertviz_lite.chapters.chapter_12.patients import healthy
from bertviz_lite.chapters.chapter_12.whole_bert import Output

Batch = dict[str, Tensor]


def batch_for(model: PreTrainedModel, **left_out: bool) -> Batch:
    """Make three rows of another length each: padded, with segments that change in the middle."""
    generator, lengths = torch.Generator().manual_seed(0), (9, 5, 7)
    ids = torch.randint(5, model.config.vocab_size, (3, 9), generator=generator)
    places = torch.arange(9)[None]
    seen = (places < torch.tensor(lengths)[:, None]).long()
    segments = (places >= torch.tensor([4, 5, 2])[:, None]).long() * seen
    batch = {"input_ids": ids * seen, "attention_mask": seen, "token_type_ids": segments}
    return {name: ids for name, ids in batch.items() if not left_out.get(name)}


def pocket() -> PreTrainedModel:
    """Load the pocket model in float64."""
    return load("pocket")[1].double()


def outputs() -> Output:
    """Run the healthy model on a short text."""
    output: Output = healthy()(torch.tensor([[2, 7, 9, 3]]))
    return output
