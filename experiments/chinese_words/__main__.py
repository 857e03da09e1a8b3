"""What is told of the arms without training: ``python -m experiments.chinese_words``.

After ``experiments.ablations`` it adds to the recorded numbers how far the words of each arm are those of the
town, and, of the models that the runs have kept, hidden words by their length.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from transformers import BertForPreTraining

from bertviz_lite.basics.files import write_text
from bertviz_lite.basics.threads import threads
from bertviz_lite.evaluation.recorded import file_of, recorded
from bertviz_lite.evaluation.scores.chinese import ChineseSet, guess_at_once
from experiments.ablations.plans import PLANS
from experiments.ablations.texts import Texts
from experiments.ablations.work import Job
from experiments.chinese_masking.boundaries import found_words, with_boundaries
from experiments.chinese_masking.segmenter import WORDS as LISTED
from experiments.common.record_text import record_text

if TYPE_CHECKING:
    from bertviz_lite.data.pretraining.corpus import Corpus
    from experiments.ablations.plans import Plan

NOTE = (
    "of each arm: F1 of its words against the town's, characters a word; of one model, that of the last "
    "seed: [value, items] of hidden words (15 % of each text) by length"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Add what is told of the words to the recorded numbers."""
    plan = PLANS["chinese"]
    parser = argparse.ArgumentParser(prog="python -m experiments.chinese_words", description=main.__doc__)
    parser.add_argument("--runs", type=Path, default=Path("runs") / plan.record, help="folder of the runs")
    parser.add_argument("--output", type=Path, default=file_of(plan.record), help="the file to add to")
    options = parser.parse_args(arguments)
    with threads(1):
        texts = Texts.prepare(plan.recipe, options.runs)
        found = words_of_arms(plan, texts)
        for name, numbers in hidden_by_length(plan, options.runs, texts).items():
            found[name] |= numbers
    record = recorded(plan.record)
    record["notes"]["words"] = f"{NOTE}; the segmenter's list has {LISTED:,} entries"
    record["words"] = found
    write_text(options.output, record_text(record))
    return 0


def words_of_arms(plan: Plan, texts: Texts) -> dict[str, dict[str, Any]]:
    """Return of each arm the F1 of its words against the town's, and how many characters a word has."""
    corpus: Corpus = texts.corpus.first(plan.recipe.stories)
    found: dict[str, dict[str, Any]] = {}
    for name, variant in plan.variants.items():
        changed = with_boundaries(corpus, texts.tokenizer, variant.boundaries)
        assert changed.continues is not None
        length = len(changed.continues) / int((~changed.continues).sum())
        found[name] = {"f1": round(found_words(corpus, changed), 4), "characters": round(length, 3)}
    return found


def hidden_by_length(plan: Plan, runs: Path, texts: Texts) -> Mapping[str, dict[str, Any]]:
    """Return of each arm the share of hidden words that its last seed's model guesses, by their length."""
    scored = ChineseSet.write(texts.tokenizer, plan.measures.size)
    found = {}
    for name in plan.variants:
        folder = Job(name, plan.seeds - 1).folder(runs) / "model"
        model = BertForPreTraining.from_pretrained(folder).eval()
        hidden, right = guess_at_once(model, texts.tokenizer, scored)
        lengths = np.array([np.diff(encoded.spans[number])[0] for encoded, number in hidden])
        found[name] = {
            title: [round(float(np.mean(right[kept])), 4), int(kept.sum())]
            for title, kept in (("one character", lengths == 1), ("several", lengths > 1))
        }
    return found


if __name__ == "__main__":
    sys.exit(main())
