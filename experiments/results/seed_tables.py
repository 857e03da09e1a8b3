"""Tables of the ablations: means of the seeds, with the lowest and the highest."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.evaluation.recorded import recorded
from bertviz_lite.evaluation.recorded.by_seed import BySeed
from bertviz_lite.evaluation.scores import TITLES
from experiments.results.markdown import MarkdownTable

RECORD = "ablations_second"
COMMAND = "python -m experiments.ablations --bf16 --jobs 2"

Column = tuple[str, tuple[str | int, ...]]
"""A title, and where the number is in what is recorded of a seed."""

_SPREAD = "Means of all seeds; in brackets the lowest and the highest of them."
_TASKS: tuple[Column, ...] = (
    ("feelings, fine-tuned", ("tasks", "feelings", "score")),
    ("names, fine-tuned", ("tasks", "names", "score")),
    ("names, vectors as they are", ("tasks", "names, vectors as they are", "score")),
)
_MASKING = (
    "80/10/10", "100/0/0", "80/0/20", "80/20/0", "40 % masked",
    "short vocabulary", "short vocabulary, single tokens",
)  # fmt: skip
_SECOND_HEAD = (
    "80/10/10", "other texts alone", "sentence order",
    "NSP inputs, no NSP loss", "true next parts, no NSP loss",
)  # fmt: skip


def masking() -> MarkdownTable:
    """Return the table of chapter 06: how the chosen words are hidden, how many, and whole or not."""
    columns: tuple[Column, ...] = (
        ("hidden", ("read", "masked", "right")),
        ("in plain sight", ("read", "as it stands", "right")),
        ("replaced", ("read", "replaced", "right")),
        ("own words", ("own words", "choices", "all")),
        *_TASKS,
    )
    note = "Tokens of new texts named right: hidden, as they stand, replaced by a random one; and the tasks."
    return _table("How words are hidden", note, _MASKING, columns)


def tying() -> MarkdownTable:
    """Return the table of chapter 08: an LM head with a matrix of its own."""
    columns: tuple[Column, ...] = (
        ("loss of words", ("losses", -1, 1)),
        ("hidden", ("read", "masked", "right")),
        ("−ln p", ("read", "masked", "-ln p")),
        *_TASKS,
    )
    note = "*Hidden*: the share of hidden tokens of new texts that are named right, and the mean of −ln p."
    return _table("A matrix of its own for the LM head", note, ("80/10/10", "untied"), columns)


def second_head() -> MarkdownTable:
    """Return the table of chapter 09: what the second head learns, or does not, and what the body keeps."""
    columns: tuple[Column, ...] = (
        *((f"{kind}, its head", ("pairs", kind, "head")) for kind in _kinds()),
        *((f"{kind}, a probe", ("pairs", kind, "probe of vectors")) for kind in _kinds()),
        ("own words, pairs", ("own words", "pairs", "all")),
        ("already mentioned", ("scores", "mention", 0)),
        *_TASKS,
    )
    note = (
        "Half of the pairs are true. *Sentence order*: false pairs are a text's own parts in wrong order. "
        "The last two learn masked words alone, from the same inputs, and from true next parts."
    )
    return _table("What the second head learns from", note, _SECOND_HEAD, columns)


def recipes() -> MarkdownTable:
    """Return the table of chapter 10: the scores of every variant."""
    scores = ("masked_words", "agreement", "pronoun", "mention", "consequence", "next_part", "minimal_pairs")
    columns: tuple[Column, ...] = (
        ("loss of words", ("losses", -1, 1)),
        *((TITLES[name], ("scores", name, 0)) for name in scores),
        ("own words, choices", ("own words", "choices", "all")),
        *_TASKS,
    )
    found = BySeed(recorded(RECORD))
    note = f"{found.recipe['steps']:,} steps of {found.recipe['batch_size']} inputs, each from nothing."
    return _table("One decision of the recipe changed", note, tuple(found.names), columns)


def _kinds() -> list[str]:
    """Return the kinds of false pairs that were recorded."""
    results = recorded(RECORD)["variants"]
    return list(next(iter(results.values()))["seeds"][0]["pairs"])


def _table(title: str, note: str, names: tuple[str, ...], columns: tuple[Column, ...]) -> MarkdownTable:
    found = BySeed(recorded(RECORD))
    return MarkdownTable(
        title,
        COMMAND,
        f"{note} {_SPREAD}",
        ("model", *(column for column, _ in columns)),
        tuple((name, *(_cell(found.values(name, *path)) for _, path in columns)) for name in names),
    )


def _cell(values: NDArray[np.float64]) -> str:
    return f"{values.mean():.3f} ({values.min():.3f} to {values.max():.3f})"
