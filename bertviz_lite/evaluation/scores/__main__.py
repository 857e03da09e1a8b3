"""Print the scores of a model folder: ``python -m bertviz_lite.evaluation.scores [folder]``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bertviz_lite.evaluation.scores.all_scores import score
from bertviz_lite.evaluation.scores.evaluation_set import EvaluationSet, size_of
from bertviz_lite.evaluation.scores.misled_heads import heads_table, other_details
from bertviz_lite.models import POCKET
from bertviz_lite.world.towns import FIRST, TOWN


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table for a model; the exit status is 1 where a needed value is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m bertviz_lite.evaluation.scores", description=main.__doc__
    )
    parser.add_argument("folder", nargs="?", type=Path, default=POCKET, help="default: the pocket model")
    parser.add_argument(
        "--quick", action="store_true", help="a smaller evaluation set, for a first impression"
    )
    parser.add_argument("--town", choices=(FIRST, TOWN), default=TOWN, help="whose stories it is scored on")
    options = parser.parse_args(arguments)
    from transformers import AutoTokenizer, BertForPreTraining

    if not (options.folder / "config.json").is_file():
        print(f"{options.folder} holds no model (no config.json)", file=sys.stderr)
        return 2
    tokenizer: Any = AutoTokenizer.from_pretrained(options.folder)
    model = BertForPreTraining.from_pretrained(options.folder)
    size = size_of(options.town, quick=options.quick)
    scores = score(model, tokenizer, EvaluationSet.make(tokenizer, size, town=options.town))
    print(scores.table())
    for name, result in scores.items():
        details = ", ".join(f"{part} {value:.4g}" for part, value in other_details(result).items())
        if details:
            print(f"{name}: {details}")
    print(heads_table(scores))
    return 1 if scores.missed else 0


if __name__ == "__main__":
    sys.exit(main())
