"""The recipe of a model: everything that decides what the weights will be."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from transformers import (
    BertConfig,
)

from bertviz_lite.data.pretraining.by_hand import SHARE
from bertviz_lite.data.pretraining.forbidden import BOUNDARIES, GOLD, PIECES
from bertviz_lite.data.pretraining.names import Name
from bertviz_lite.data.pretraining.pairs import Mix
from bertviz_lite.data.vocabulary import MAX_LENGTH
from bertviz_lite.world.towns import CHINESE, FIRST, TOWN, check_town

MAX_SEED = 8_999  # the seeds from 9,000 × 100,000 on are kept for evaluation


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what the weights will be.

    Attributes
    ----------
    steps
        Optimizer steps.
    batch_size
        Inputs per step and process.
    single, short_pair, short_single, most_single, other, swapped, renamed, spread
        What share of the inputs is what: see ``data.pretraining.pairs.Mix``.
    learning_rate
        The highest; it rises over the first ``warmup`` of the steps and falls to 0 along the ``schedule``.
    matrix_learning_rate
        The highest of the encoder's matrices, which Muon then moves (see ``optimizer``); 0 leaves them to
        AdamW, as everything else.
    schedule
        How the learning rate falls: "cosine" or "linear".
    stories
        Different stories that are written; with more inputs than stories each is cut anew several times.
    town
        Whose stories: a name of ``world.towns``.
    seed
        For the stories, the pairs, the masks and the first weights.
    mask_rate
        Share of the words that are chosen to be guessed.
    whole_words
        Choose whole words rather than single tokens.
    boundaries
        Who says where words end, for ``whole_words``: "pieces", the tokens that begin with ``##``, or "gold",
        the town, for text without spaces.
    characters
        One token for each character of the town's words, as ``bert-base-chinese`` has it, rather than word
        pieces; ``vocab_size``, ``tokenizer_stories`` and ``words`` then do not matter.
    independent_masks
        Other masks for another seed: see ``data.pretraining.collator.Collator``.
    float16
        Round the weights to float16 before they are scored, and ship them so, in half the bytes.
    vocab_size, hidden_size, num_layers, num_heads, intermediate_size
        The model.
    tokenizer_stories
        Stories from which the vocabulary is learned.
    words
        A text file with words, white space between them, each of which becomes one token; lines that begin
        with # are left out. Without it: the town's own list of words, where it keeps one.
    initializer_range
        Standard deviation of the first weights. BERT's 0.02 suits 768 components. At 128 the first layers
        have next to no effect with it, and a high learning rate then never leaves the word frequencies.
    warmup, weight_decay, adam_beta2, max_grad_norm
        As in ``transformers.TrainingArguments``.
    bf16
        Whether matrix products are made with 8-bit mantissas: about 1.7 times as fast where the processor has
        instructions for it, and the reason why such weights cannot be repeated to the bit elsewhere.
    """

    steps: int = 13_500
    batch_size: int = 64
    learning_rate: float = 1.5e-3
    matrix_learning_rate: float = 0.0
    schedule: str = "cosine"
    stories: int = 200_000
    town: str = FIRST
    seed: int = 0
    mask_rate: float = 0.15
    whole_words: bool = True
    boundaries: str = PIECES
    characters: bool = False
    independent_masks: bool = False
    float16: bool = False
    vocab_size: int = 2_000
    hidden_size: int = 128
    num_layers: int = 4
    num_heads: int = 4
    intermediate_size: int = 512
    tokenizer_stories: int = 10_000
    words: str = ""
    single: float = 0.20
    short_pair: float = 0.08
    short_single: float = 0.04
    most_single: int = 2
    other: float = 0.5
    swapped: float = 0.0
    renamed: float = 0.0
    spread: float = 0.6
    warmup: float = 0.05
    initializer_range: float = 0.05
    weight_decay: float = 0.01
    adam_beta2: float = 0.98
    max_grad_norm: float = 1.0
    bf16: bool = False

    def __post_init__(self) -> None:
        for name in ("steps", "batch_size", "stories", "tokenizer_stories"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)}: at least 1 is needed")
        if self.schedule not in ("cosine", "linear"):
            raise ValueError(f"schedule={self.schedule}: cosine or linear is needed")
        if self.boundaries not in BOUNDARIES:
            raise ValueError(f"boundaries={self.boundaries}: {' or '.join(BOUNDARIES)} is needed")
        check_town(self.town)
        if not 0 <= self.seed <= MAX_SEED:
            raise ValueError(
                f"seed={self.seed}: 0 to {MAX_SEED:,} (the others write the stories for evaluation)"
            )
        if self.matrix_learning_rate < 0:
            raise ValueError(f"matrix_learning_rate={self.matrix_learning_rate}: 0 or more is needed")
        if not 0 < self.mask_rate < 1:
            raise ValueError(f"mask_rate={self.mask_rate}: a share above 0 and below 1 is needed")
        self.mix()  # refuses impossible shares

    def mix(self, names: tuple[tuple[Name, ...], ...] = ((),)) -> Mix:
        """Return the shares of the kinds of inputs; ``names`` are those of ``Mix``."""
        shares = {entry.name for entry in fields(Mix)} & {entry.name for entry in fields(self)}
        return Mix(names=names, **{name: getattr(self, name) for name in shares})


_POCKET = Recipe(
    steps=64_000,
    learning_rate=1.5e-3,
    matrix_learning_rate=6e-3,
    schedule="linear",
    stories=1_500_000,
    town=TOWN,
    mask_rate=0.2,
    independent_masks=True,
    float16=True,
    vocab_size=3_750,
    hidden_size=192,
    num_layers=4,
    num_heads=6,
    intermediate_size=640,
    single=0.2,
    short_pair=0.4,
    short_single=0.1,
    most_single=3,
    other=0.35,
    swapped=0.15,
    renamed=0.5,
    spread=0.25,
)

RECIPES = {
    "first": Recipe(),
    "pocket": _POCKET,
    "pocket-zh": replace(
        _POCKET,
        steps=27_000,
        stories=500_000,
        town=CHINESE,
        boundaries=GOLD,
        characters=True,
        vocab_size=Recipe.vocab_size,
        hidden_size=144,
        intermediate_size=576,
    ),
}
"""Recipes by name. *pocket*, that of the shipped model, is for two processes, which take 128 inputs a step
together: two and a half hours on two cores with bfloat16, three times that without. *pocket-zh* is the same
in Chinese and smaller, for two processes as well: 75 minutes. *first* is an earlier and smaller one, on the
first town."""


def pocket_config(recipe: Recipe, vocab_size: int, dropout: float = 0.1) -> BertConfig:
    """Return the configuration of the model that a recipe trains.

    Training runs without dropout, no input being seen twice; the shipped model has BERT's own 0.1, which
    shows as soon as somebody calls ``model.train()``.
    """
    return BertConfig(
        vocab_size=vocab_size,
        hidden_size=recipe.hidden_size,
        num_hidden_layers=recipe.num_layers,
        num_attention_heads=recipe.num_heads,
        intermediate_size=recipe.intermediate_size,
        max_position_embeddings=MAX_LENGTH,
        type_vocab_size=2,
        hidden_act="gelu",
        initializer_range=recipe.initializer_range,
        hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=dropout,
        pad_token_id=0,
    )


def command_of(
    recipe: Recipe,
    processes: int,
    exam: Path | None = None,
    by_hand: Path | None = None,
    by_hand_share: float = SHARE,
    start: Path | None = None,
    teachers: Sequence[Path] = (),
) -> str:
    """Return the command that runs a recipe: the named recipe of its town, and what differs from it.

    Of the folders of an exam, of texts by hand, of a model to begin with and of teachers, their place on this
    machine is left out.
    """
    named, base = next((name, known) for name, known in RECIPES.items() if known.town == recipe.town)
    words = ["python", "-m", "bertviz_lite.training.pretraining"]
    if processes > 1:
        words = ["accelerate", "launch", "--num_processes", str(processes), *words[1:]]
    if named != "pocket":
        words += ["--recipe", named]
    for entry in fields(recipe):
        value = getattr(recipe, entry.name)
        option = entry.name.replace("_", "-")
        if entry.name == "bf16" or (isinstance(value, bool) and value != getattr(base, entry.name)):
            words.append(f"--{option}" if value else f"--no-{option}")
        elif value != getattr(base, entry.name):
            words += [f"--{option}", str(value)]
    taught = [("--teacher", folder) for folder in teachers]
    for option, folder in (("--start", start), *taught, ("--exam", exam), ("--by-hand", by_hand)):
        if folder is not None:
            words += [option, folder.name if folder.is_absolute() else folder.as_posix()]
    if by_hand is not None and by_hand_share != SHARE:
        words += ["--by-hand-share", str(by_hand_share)]
    return shlex.join(words)
