"""What bad calls are made with: one of each, made once."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from torch import nn
from transformers import BertTokenizer

from bertviz_lite import (
    Capture,
    EmbeddingView,
    Explorer,
    FillIn,
    InputParts,
    Machine,
    MaskingLab,
    PairView,
    TimeLapse,
    TokenView,
    Trace,
    capture,
    input_parts,
    load,
    stories,
    trace,
)

TOKENIZER: Any
MODEL: Any
TOKENIZER, MODEL = load("pocket")
STORY: Any = stories(1, 1)[0]
EVEN = [np.full((1, 2, 3, 3), 1 / 3)]
TOKENS = ["[CLS]", "anna", "[SEP]"]
LONG = "Anna sang. " * 60
LINEAR = nn.Linear(2, 2)
NO_WORDS = BertTokenizer()  # what AutoTokenizer makes of a BERT's folder without a tokenizer
IDS = TOKENIZER("Anna", return_tensors="pt")["input_ids"]


VIEWS = {
    "EmbeddingView": lambda: EmbeddingView(parts()),
    "Explorer": lambda: Explorer(seen()),
    "FillIn": lambda: FillIn(MODEL, TOKENIZER, "Anna lost [MASK] key."),
    "Machine": lambda: Machine(MODEL, TOKENIZER),
    "MaskingLab": lambda: MaskingLab(MODEL, TOKENIZER, "Anna lost her key."),
    "PairView": lambda: PairView(MODEL, TOKENIZER, "Anna is thirsty.", "She drinks."),
    "TimeLapse": TimeLapse,
    "TokenView": lambda: TokenView(TOKENIZER, "Anna lost her key."),
}


@cache
def seen() -> Capture:
    """Capture a sentence of seven tokens."""
    return capture(MODEL, TOKENIZER, "Anna lost her key.")


@cache
def plain() -> Capture:
    """Capture arrays, which have no model behind them."""
    return Capture.from_arrays(EVEN, TOKENS)


@cache
def parts() -> InputParts:
    """Look up the parts of three tokens."""
    return input_parts(MODEL, TOKENIZER, "Anna")


@cache
def shapes() -> Trace:
    """Trace the pocket model."""
    return trace(MODEL, input_ids=IDS)


@cache
def view(name: str) -> Any:  # noqa: ANN401
    """Make the view of a name."""
    return VIEWS[name]()
