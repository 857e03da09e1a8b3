"""Exercises of chapter 09, the NSP head: what a pair costs, by its label."""

import math

import torch

from bertviz_lite.exercises import question


@question(
    hints=(
        "Which of the two logits belongs to label 1? How probable does the head find that label?",
        "Softmax gives label 1 the probability exp(-0.5) / (exp(1.5) + exp(-0.5)).",
        "The loss is minus the logarithm of the true label's probability.",
    ),
    note="Three times a coin's: the head is rather sure that B continues A, and the label says it doesn't.",
)
def pair_cost() -> float:
    """Give the loss of a pair with label 1, where the head's logits are 1.5 and -0.5, in this order."""
    return -math.log(math.exp(-0.5) / (math.exp(1.5) + math.exp(-0.5)))


pair_cost.mistake(
    "That is the loss with label 0, “B continues A”; this pair has label 1.", math.log(1 + math.exp(-2.0))
)
pair_cost.mistake("That is the probability of label 1; the loss is -ln of it.", 1 / (1 + math.exp(2.0)))
pair_cost.mistake("The loss is minus the logarithm; the sign is missing.", -math.log(1 + math.exp(2.0)))
pair_cost.mistake(
    "That is -ln of the sigmoid of the second logit alone; softmax needs both.", math.log(1 + math.exp(0.5))
)
pair_cost.mistake("That is the logarithm to base 2; take the natural one.", math.log2(1 + math.exp(2.0)))
pair_cost.mistake(
    "These are the losses with either label; give the one with label 1.",
    -torch.tensor([1.5, -0.5], dtype=torch.float64).log_softmax(dim=0),
)
