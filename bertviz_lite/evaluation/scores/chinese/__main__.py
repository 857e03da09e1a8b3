"""Print the scores of a model of Chinese: ``python -m bertviz_lite.evaluation.scores.chinese FOLDER``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bertviz_lite.evaluation.scores.chinese.any_town import evaluation_set_of, score_on
from bertviz_lite.evaluation.scores.misled_heads import other_details
from bertviz_lite.world.towns import CHINESE


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table for a model of Chinese; the exit status is 1 where a needed value is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m bertviz_lite.evaluation.scores.chinese", description=main.__doc__
    )
    parser.add_argument("folder", type=Path, help="a trained model, such as runs/pocket-zh/pocket-zh")
    parser.add_argument("--quick", action="store_true", help="fewer texts, for a first impression")
    options = parser.parse_args(arguments)
    from transformers import AutoTokenizer, BertForPreTraining

    if not (options.folder / "config.json").is_file():
        sys.stderr.write(f"{options.folder} holds no model (no config.json)\n")
        return 2
    tokenizer: Any = AutoTokenizer.from_pretrained(options.folder)
    model = BertForPreTraining.from_pretrained(options.folder)
    scores = score_on(model, tokenizer, evaluation_set_of(CHINESE, tokenizer, quick=options.quick))
    print(scores.table())
    for name, result in scores.items():
        details = ", ".join(f"{part} {value:.4g}" for part, value in other_details(result).items())
        if details:
            print(f"{name}: {details}")
    return 1 if scores.missed else 0


if __name__ == "__main__":
    sys.exit(main())
