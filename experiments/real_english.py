"""All-MiniLM-L6-v2 on chapter 13's sentences in everyday English.

``python -m experiments.real_english`` writes the recorded numbers "real_english", for those who have not
installed the model.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.basics.files import write_text
from bertviz_lite.chapters.chapter_13.english_sentences import BANK, PAIRS
from bertviz_lite.chapters.chapter_13.real_english import (
    Floats,
    nearer,
    occurrences,
    pair_cosines,
    sense_hits,
    sentence_vectors,
)
from bertviz_lite.evaluation.probes.vectors import state_name
from bertviz_lite.evaluation.recorded import file_of
from bertviz_lite.models.loading import load

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


def scores(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> dict[str, Any]:
    """Count what a BERT gets right in both sets, ``[right, of]``; see chapter 13's ``real_english``."""
    vectors = occurrences(model, tokenizer)
    crossed = np.array([sentence.crossed for sentence in BANK])

    def right(vectors: Floats) -> dict[str, list[float]]:
        hits = sense_hits(vectors)
        return {
            name: [float(hits[which].sum()), int(which.sum())]
            for name, which in (("matched", ~crossed), ("crossed", crossed))
        }

    pooled = sentence_vectors(model, tokenizer, [text for entry in PAIRS for text in entry])
    return {
        "bank": {
            "other words": right(vectors.others),
            **{state_name(number): right(layer) for number, layer in enumerate(vectors.layers)},
        },
        "same meaning nearer than": {
            name: {
                relation: [int(hits.sum()), len(hits)]
                for relation, hits in nearer(pair_cosines(vectors)).items()
            }
            for name, vectors in pooled.items()
        },
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Score all-MiniLM-L6-v2 and write the file."""
    parser = argparse.ArgumentParser(prog="python -m experiments.real_english", description=main.__doc__)
    parser.add_argument("--output", type=Path, default=file_of("real_english"), help="the file to write")
    options = parser.parse_args(arguments)
    tokenizer, model = load("minilm")
    write_text(options.output, json.dumps(scores(model.double(), tokenizer), indent=1) + "\n")
    sys.stdout.write(f"{options.output.name} written\n")


if __name__ == "__main__":
    main()
