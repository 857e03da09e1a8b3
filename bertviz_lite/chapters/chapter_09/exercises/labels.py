"""Exercises of chapter 09, the NSP head: which label means that B continues A."""

import math

import torch

from bertviz_lite.exercises import question


@question(
    hints=(
        "Which of the two labels means that B continues A? See the logits of true pairs.",
        "Softmax over the two logits: exp(1.5) / (exp(1.5) + exp(-0.5)).",
    ),
    note="The same as 1 / (1 + exp(-2)), since 2 is the difference of the logits, the log-odds.",
)
def continues() -> float:
    """Give the probability that B continues A, where the head's logits are 1.5 and -0.5, in this order."""
    return math.exp(1.5) / (math.exp(1.5) + math.exp(-0.5))


continues.mistake(
    "That is the probability of label 1, which means that B is of another story.", 1 / (1 + math.exp(2.0))
)
continues.mistake(
    "That is the sigmoid of the first logit alone; softmax needs both.", 1 / (1 + math.exp(-1.5))
)
continues.mistake("That is the log-odds; give the probability.", 2.0)
continues.mistake(
    "These are the probabilities of both labels; give the one of “B continues A”.",
    torch.tensor([1.5, -0.5], dtype=torch.float64).softmax(dim=0),
)
