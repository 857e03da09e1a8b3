"""The pocket model's card: how it was made, how good it is, what it cannot do."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from bertviz_lite.world.towns import FIRST

if TYPE_CHECKING:
    from bertviz_lite.evaluation.scores import Scores


@dataclass(frozen=True)
class Making:
    """How a model was made.

    Attributes
    ----------
    command
        The command.
    parameters
        Number of weights, tied ones once.
    stories, steps, batch, tokens
        Different stories; steps; inputs per step over all processes; tokens seen, padding left out.
    seed
        The run's seed.
    minutes
        Time of training, without writing the stories and without scoring.
    device
        Threads or accelerator, in words.
    shared_stories
        Stories of the evaluation that also occur in training.
    fitting
        Share of the evaluation's stories that fit into 128 positions.
    quick
        Whether the model was scored on fewer stories than usual.
    town
        Whose stories it has read and was scored on.
    """

    command: str
    parameters: int
    stories: int
    steps: int
    batch: int
    tokens: int
    seed: int
    minutes: float
    device: str
    shared_stories: int
    fitting: float
    quick: bool = False
    town: str = FIRST


def model_card(making: Making, scores: Scores, weights_sha256: str) -> str:
    """Return the card as Markdown; ``weights_sha256`` are the 64 digits of the file of weights."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("torch", "transformers", "tokenizers"))
    details = "\n".join(
        f"- {name}: " + ", ".join(f"{part} {value:.4g}" for part, value in score.details.items())
        for name, score in scores.items()
        if score.details
    )
    measured = "python -m bertviz_lite.evaluation.scores" + (" --quick" if making.quick else "")
    if making.town != FIRST:
        measured += f" --town {making.town}"
    return f"""---
license: mit
language: en
library_name: transformers
tags: [bert, fill-mask, course]
---

# The pocket BERT

A complete `BertForPreTraining` of {making.parameters:,} parameters, small enough to travel with the course.
It was trained from nothing on stories of a simulated town, so what it has learned can be scored against the
truth.

## How it was made

    {making.command}

- Text: {making.stories:,} stories written by `bertviz_lite.world`, each cut and masked anew every time it is
  seen; {making.tokens:,} tokens in {making.steps:,} steps of {making.batch} inputs; seed {making.seed}.
- Tasks: masked words (80 % [MASK], 10 % a random token, 10 % as they are) and next-sentence prediction (label
  0: the second part continues the first; label 1: it is of another story; half of each).
- Time: {making.minutes:.0f} minutes on {making.device}; Python {platform.python_version()}, {packages}.
- Weights: `model.safetensors` with the SHA-256
  `{weights_sha256}`;
  `load("pocket")` refuses any other (`SHA256SUMS`).

`history.json` and `history_attention.npz` keep the run: losses, scores and the attention of a few fixed
inputs at about a dozen moments.

## How good it is

Measured by `{measured}` on stories from seeds that training does not use
({making.shared_stories} of them also occur in the training text). Whole stories are given as one part; the
{making.fitting:.1%} that fit into 128 positions are used. A masked word counts only if every token of it is
the first choice of the whole vocabulary.

{scores.table()}

"Both neighbours", "left neighbour" and "most frequent word" are guesses from counts of training text. The
layer for the senses, the head and the fixed offset are chosen on other stories than those they are scored on.
A head is right where its largest weight, [CLS] and [SEP] left out, falls on the subject or on an earlier name
or noun of the same person or thing.

{details}

## What it cannot do

It has read about one small town and nothing else. It knows some two thousand word pieces of English, no facts
about the world, and no text longer than 128 positions; a word that no story uses falls apart into letters.
Its numbers are worth nothing as a benchmark of language understanding. It is made to be looked into.
"""
