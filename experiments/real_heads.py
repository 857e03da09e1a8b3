"""BERTs of the hub that have both heads, on chapter 13's questions.

``python -m experiments.real_heads --output FOLDER`` loads them, writes what they answer, and ends with an
error where a model could not be had. It needs a network, or the models in the local cache.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bertviz_lite.basics.files import write_text
from bertviz_lite.chapters.chapter_13 import with_heads

if TYPE_CHECKING:
    from bertviz_lite.chapters.chapter_13.with_heads import Loaded

GAPS = (
    "Hello I'm a [MASK] model.",
    "The capital of France is [MASK].",
    "Anna looked for her key but could not [MASK] it.",
)
"""The first is on the card of bert-base-uncased: fashion (0.107), role, new, super, fine."""


def asked(loaded: Loaded) -> dict[str, Any]:
    """Return what a model answers, as JSON holds it."""
    answers = with_heads.answers(loaded)
    return {
        "parameters": loaded[1].num_parameters(),
        "gaps": {text: with_heads.best(loaded, text, 5) for text in GAPS},
        "named": answers.tokens,
        "named after each layer, embeddings first": answers.layers,
        "accepted as a continuation": answers.pairs,
    }


def table(found: dict[str, Loaded]) -> str:
    """Write the counts of all models beside each other, as Markdown."""
    rows = {name: with_heads.in_rows(with_heads.answers(loaded)) for name, loaded in found.items()}
    questions = list(dict.fromkeys(question for answers in rows.values() for question in answers))
    lines = [["", *rows], ["---"] * (len(rows) + 1)]
    lines += [[question, *(rows[name].get(question, "") for name in rows)] for question in questions]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask the pocket model and the named ones; return 1 where one of them could not be had."""
    parser = argparse.ArgumentParser(prog="python -m experiments.real_heads", description=main.__doc__)
    parser.add_argument("names", nargs="*", default=with_heads.NAMES, help="names of the hub, or folders")
    parser.add_argument("--output", type=Path, required=True, help="the folder for what they answer")
    options = parser.parse_args(arguments)
    found = with_heads.obtain(("pocket", *options.names), from_the_hub=True)
    options.output.mkdir(parents=True, exist_ok=True)
    answers = {name: asked(loaded) for name, loaded in found.items()}
    write_text(options.output / "real_heads.json", json.dumps(answers, indent=1) + "\n")
    write_text(options.output / "real_heads.md", table(found))
    sys.stdout.write(f"{options.output}: {len(found)} of {len(options.names) + 1} models asked\n")
    return 0 if len(found) == len(options.names) + 1 else 1


if __name__ == "__main__":
    sys.exit(main())
