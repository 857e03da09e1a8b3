"""Give a model and its rivals an exam, and count what is right by kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bertviz_lite.data.pretraining.by_hand import NONE_BY_HAND
from bertviz_lite.data.pretraining.forbidden import TrainingTown
from bertviz_lite.evaluation.checks import check_model_and_tokenizer
from bertviz_lite.evaluation.scores.own_words.answers import choose_words, judge_pairs
from bertviz_lite.evaluation.scores.own_words.exam import Choice, Exam, Pair
from bertviz_lite.evaluation.scores.own_words.ngrams.counts import Counts, Source, training_stories
from bertviz_lite.evaluation.scores.own_words.overlap import OVERLAP, Overlap
from bertviz_lite.evaluation.scores.own_words.results import BothExams, Marks, Tally
from bertviz_lite.evaluation.scores.own_words.rivals import rivals_choose
from bertviz_lite.evaluation.scores.own_words.town import part_pairs, town_exam
from bertviz_lite.world import stories

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerFast

COUNTED = 4_000
"""Training stories that the rivals count, as those of the scores on the card."""


@dataclass(frozen=True)
class Rivals:
    """The simple rivals, from ``counted`` stories of training."""

    counts: Counts
    overlap: Overlap
    counted: int

    @classmethod
    def of(cls, source: Source = stories, counted: int = COUNTED, seed: int = 0) -> Rivals:
        """Count the first stories that a training run with ``seed`` reads in the town ``source``."""
        training = list(training_stories(source, counted, seed))
        counts = Counts.of(training)
        return cls(counts, Overlap(counts, part_pairs(training)), counted)


def mark(model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, exam: Exam, rivals: Rivals) -> Marks:
    """Give a model and its rivals an exam."""
    check_model_and_tokenizer(model, tokenizer)
    return Marks(
        _tallies(
            exam.choices,
            choose_words(model, tokenizer, exam.choices),
            rivals_choose(rivals.counts, exam.choices),
        ),
        _tallies(
            exam.pairs,
            judge_pairs(model, tokenizer, exam.pairs),
            {OVERLAP: rivals.overlap.judge(exam.pairs)},
        ),
    )


def both_exams(
    model: BertForPreTraining,
    tokenizer: PreTrainedTokenizerFast,
    exam: Exam,
    half: str,
    *,
    town: TrainingTown | None = None,
    counted: int = COUNTED,
    seed: int = 0,
) -> BothExams:
    """Give a model people's exam and the town's own.

    Parameters
    ----------
    model, tokenizer
        The model.
    exam, half
        People's exam, and which half of it that is; see ``read_exam``.
    town
        The town that the model has read about, the first when not given: its exam is given, and the training
        text counted, texts by hand included.
    counted
        Training stories that the rivals count.
    seed
        The seed of the model's training.
    """
    town = town or TrainingTown()
    rivals = Rivals.of(town.stories, counted, seed)
    told = replace(town, by_hand=NONE_BY_HAND)
    marks = [mark(model, tokenizer, given, rivals) for given in (exam, town_exam(told))]
    return BothExams(half, counted, *marks)


def _tallies(
    items: Sequence[Choice | Pair], right: Sequence[bool], rivals: Mapping[str, Sequence[float]]
) -> dict[str, Tally]:
    """Count by kind, in alphabetical order."""
    by_kind: dict[str, list[int]] = defaultdict(list)
    for number, item in enumerate(items):
        by_kind[item.kind].append(number)
    return {
        kind: Tally(
            len(numbers),
            sum(right[number] for number in numbers),
            {name: sum(earned[number] for number in numbers) for name, earned in rivals.items()},
        )
        for kind, numbers in sorted(by_kind.items())
    }
