"""What a step of pre-training is made of: two losses, AdamW with its two groups of weights, a schedule."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from transformers import BertForPreTraining, get_scheduler

from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.training.pretraining.recipe import Recipe


def parameter_groups(model: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Sort parameters as the Trainer does: weight decay for all but biases and LayerNorm."""
    bare = {name for name, _ in model.named_parameters() if name.endswith("bias") or "LayerNorm" in name}
    named = list(model.named_parameters())
    return [
        {
            "params": [parameter for name, parameter in named if name not in bare],
            "weight_decay": weight_decay,
        },
        {"params": [parameter for name, parameter in named if name in bare], "weight_decay": 0.0},
    ]


def optimizer_of(
    model: nn.Module, recipe: Recipe
) -> tuple[torch.optim.AdamW, torch.optim.lr_scheduler.LambdaLR]:
    """Return AdamW and its schedule, warm-up and fall, as a recipe wants them."""
    optimizer = torch.optim.AdamW(
        parameter_groups(model, recipe.weight_decay),
        lr=recipe.learning_rate,
        betas=(0.9, recipe.adam_beta2),
        fused=True,  # as in the Trainer; one by one, it would take a tenth of a step this small
    )
    warmup = round(recipe.warmup * recipe.steps)
    return optimizer, get_scheduler(recipe.schedule, optimizer, warmup, recipe.steps)


def two_losses(model: BertForPreTraining, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    """Return the mean loss of the hidden words and that of the pairs; the library gives their sum alone.

    Only hidden words go through the LM head: its logits for the others are in no loss.
    """
    outputs = model.bert(**{name: batch[name] for name in ("input_ids", "attention_mask", "token_type_ids")})
    hidden = batch["labels"] != IGNORED
    words = model.cls.predictions(outputs.last_hidden_state[hidden])
    pairs = model.cls.seq_relationship(outputs.pooler_output)
    return cross_entropy(words, batch["labels"][hidden]), cross_entropy(pairs, batch["next_sentence_label"])
