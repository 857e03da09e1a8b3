"""Print both exams of a model folder: ``python -m bertviz_lite.evaluation.scores.own_words [folder]``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.basics.files import write_text
from bertviz_lite.data.pretraining.by_hand import SHARE, ByHand
from bertviz_lite.data.pretraining.forbidden import Forbidden, TrainingTown
from bertviz_lite.evaluation.scores.own_words.answers import choose_words, judge_pairs
from bertviz_lite.evaluation.scores.own_words.exam import HALVES, MASK, Exam, read_exam
from bertviz_lite.evaluation.scores.own_words.marking import COUNTED, both_exams
from bertviz_lite.evaluation.scores.own_words.results import OWN_WORDS_FILE
from bertviz_lite.evaluation.scores.own_words.shared import forbidden_sentences, shared_sentences
from bertviz_lite.evaluation.scores.own_words.tables import side_by_side
from bertviz_lite.models import POCKET
from bertviz_lite.world.towns import TOWN, TOWNS, check_town

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerFast


def main(arguments: Sequence[str] | None = None) -> int:
    """Print people's exam and the town's side by side; exit with 1 where a needed value is missed."""
    options = _parse(arguments)
    from transformers import AutoTokenizer, BertForPreTraining

    if not (options.model / "config.json").is_file():
        print(f"{options.model} holds no model (no config.json)", file=sys.stderr)
        return 2
    try:
        exam = read_exam(options.folder, options.half)
        forbidden = forbidden_sentences(options.folder) if options.left_out else Forbidden()
        by_hand = ByHand.read(options.by_hand, options.by_hand_share)
        town = TrainingTown(check_town(options.town), forbidden, by_hand=by_hand)
    except ArgumentError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    tokenizer: Any = AutoTokenizer.from_pretrained(options.model)
    model = BertForPreTraining.from_pretrained(options.model)
    result = both_exams(
        model, tokenizer, exam, options.half, town=town, counted=options.stories, seed=options.seed
    )
    print(side_by_side(result))
    if options.shared:
        shared = shared_sentences(exam, options.shared, town.stories, options.seed)
        print(
            f"\n{len(shared.shared)} of {shared.sentences:,} sentences are among {shared.stories:,} stories."
        )
        print(*shared.places, *(shared.shared if options.show else ()), sep="\n")
    if options.show:
        print("", *_failing(model, tokenizer, exam), sep="\n")
    if options.keep:
        write_text(options.model / OWN_WORDS_FILE, result.to_json())
    return 1 if result.missed else 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bertviz_lite.evaluation.scores.own_words",
        description=main.__doc__,
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("model", nargs="?", type=Path, default=POCKET, help="the model's folder")
    parser.add_argument(
        "--folder", type=Path, default=Path("tests/own_words"), help="the exam's folder, in the repository"
    )
    parser.add_argument("--half", choices=HALVES, default="look", help="which half of the exam")
    parser.add_argument("--town", choices=TOWNS, default=TOWN, help="whose stories the model has read")
    parser.add_argument("--stories", type=int, default=COUNTED, help="training stories that rivals count")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the model's training")
    parser.add_argument(
        "--shared", type=int, default=0, help="look for the exam's sentences in so many training stories"
    )
    parser.add_argument(
        "--left-out",
        action="store_true",
        help="the model's training left out the exam's sentences (--exam): so do the stories that are read",
    )
    parser.add_argument(
        "--by-hand",
        type=Path,
        help="the model has also read texts by hand, in this folder: rivals count them, too",
    )
    parser.add_argument(
        "--by-hand-share", type=float, default=SHARE, help="what share of its texts they were"
    )
    parser.add_argument("--keep", action="store_true", help=f"write {OWN_WORDS_FILE} into the model's folder")
    parser.add_argument("--show", action="store_true", help="list what fails; for --half look only")
    options = parser.parse_args(arguments)
    if options.show and options.half != "look":
        parser.error(f"--show: nobody reads the half {options.half!r}; --half look can be shown")
    if options.stories < 1:
        parser.error(f"--stories {options.stories}: the rivals need 1 story or more")
    return options


def _failing(model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, exam: Exam) -> Iterator[str]:
    """Yield a line for every item that the model has wrong."""
    for choice, right in zip(exam.choices, choose_words(model, tokenizer, exam.choices), strict=True):
        if not right:
            yield f"{choice.kind}: {choice.before}{MASK}{choice.after} ({choice.right}, not {choice.wrong})"
    for pair, right in zip(exam.pairs, judge_pairs(model, tokenizer, exam.pairs), strict=True):
        if not right:
            yield f"{pair.kind}: {pair.first} | {pair.second}"


if __name__ == "__main__":
    sys.exit(main())
