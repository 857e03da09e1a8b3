"""The pocket model's card: how it was made, how good it is, what it cannot do.

``python -m bertviz_lite.training.card FOLDER`` puts both exams into the card of a finished model, from the
``own_words.json`` that ``python -m bertviz_lite.evaluation.scores.own_words FOLDER --keep`` wrote.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.basics.files import write_text
from bertviz_lite.evaluation.scores import heads_table, other_details
from bertviz_lite.evaluation.scores.own_words import OWN_WORDS_FILE, BothExams, side_by_side
from bertviz_lite.world.towns import CHINESE, TOWN

if TYPE_CHECKING:
    from bertviz_lite.evaluation.scores import Scores

EXAMS, LIMITS = "## Two exams", "## What it cannot do"


@dataclass(frozen=True)
class Raised:
    """A logit of *continues* that was raised after training.

    Attributes
    ----------
    by
        By how much.
    without, with_it
        Of people's pairs that are for looking at, what share is right without and with this.
    """

    by: float
    without: float
    with_it: float


@dataclass(frozen=True)
class Packed:
    """A later part of a run, with several inputs in a row: see ``experiments.packed_pretraining``.

    Attributes
    ----------
    steps, inputs, tokens
        Steps; inputs per step, about; tokens seen.
    rows
        Rows of 128 positions per step.
    minutes, device
        Time, and what it ran on.
    by_hand
        Share of the texts that were written by hand, at first and in the last two fifths.
    lines
        How many lines by hand there were.
    false_pairs
        Share of the pairs that are false, at first and in the last two fifths.
    mask_rate
        Share of the words that are to be guessed, at first and at the end.
    kept
        Share of these weights in the mean with earlier ones; 1 where no mean was taken.
    mean_with
        Which earlier ones these were.
    raised
        The logit of *continues* that was raised then; None where it was left.
    """

    steps: int
    inputs: int
    tokens: int
    rows: int
    minutes: float
    device: str
    by_hand: tuple[float, float]
    lines: int
    false_pairs: tuple[float, float]
    mask_rate: tuple[float, float]
    kept: float = 1.0
    mean_with: str = "before it"
    raised: Raised | None = None


@dataclass(frozen=True)
class Making:
    """How a model was made.

    Attributes
    ----------
    command
        The command.
    parameters
        Number of weights, tied ones once.
    stories, steps, batch, tokens
        Different stories; steps; inputs per step over all processes; tokens seen, padding left out.
    seed
        The run's seed.
    minutes
        Time of training, without writing the stories and without scoring.
    device
        Threads or accelerator, in words.
    shared_stories
        Stories of the evaluation that also occur in training.
    fitting
        Share of the evaluation's stories that fit into 128 positions.
    quick
        Whether the model was scored on fewer stories than usual.
    town
        Whose stories it has read and was scored on.
    name
        What ``load`` calls it.
    vocabulary
        Number of word pieces.
    swapped, renamed
        Shares of the pairs: see ``data.pretraining.pairs.Mix``.
    float16
        Whether the weights are rounded and stored so.
    forbidden, left_out
        Sentences of an exam that no story may hold, 0 where all are allowed; stories that were left out.
    by_hand
        Share of the texts that were written by hand instead of told by the town.
    stages
        For each stage that was over before the run went on with other settings or another text: the step at
        which it ended, and the settings that were others.
    packed
        How it went on after these steps, part by part.
    """

    command: str
    parameters: int
    stories: int
    steps: int
    batch: int
    tokens: int
    seed: int
    minutes: float
    device: str
    shared_stories: int
    fitting: float
    quick: bool = False
    town: str = TOWN
    name: str = "pocket"
    vocabulary: int = 3_750
    swapped: float = 0.0
    renamed: float = 0.0
    float16: bool = False
    forbidden: int = 0
    left_out: int = 0
    by_hand: float = 0.0
    stages: tuple[tuple[int, dict[str, float]], ...] = ()
    packed: tuple[Packed, ...] = ()


def model_card(making: Making, scores: Scores, weights_sha256: str, exams: BothExams | None = None) -> str:
    """Return the card as Markdown.

    Parameters
    ----------
    making, scores
        How the model was made and how good it is.
    weights_sha256
        The 64 digits of the file of weights.
    exams
        Its marks in people's own words beside those in the town's, where it was given these exams.
    """
    card = _card(making, scores, weights_sha256)
    return card if exams is None else card_with_exams(card, exams)


def card_with_exams(card: str, exams: BothExams) -> str:
    """Put both exams side by side into a card, in place of those that it has.

    Raises
    ------
    ArgumentError
        Where the text is no card.
    """
    before, limits, after = card.partition(f"{LIMITS}\n")
    if not limits:
        raise ArgumentError(f"card holds no {LIMITS!r}: give the text of a finished model's README.md.")
    before = before.partition(f"{EXAMS}\n")[0]
    return f"{before}{_exams(exams)}\n{limits}{after}"


def _exams(exams: BothExams) -> str:
    choices, pairs = exams.own.all_choices.n, exams.own.all_pairs.n
    half = "the half that nobody has read" if exams.half == "unread" else f"the half {exams.half!r}"
    return f"""{EXAMS}

The scores above are taken on stories by the same program as the training text. People who knew the town's
words, and not how its stories are worded, wrote another exam: {choices:,} choices between two words and
{pairs:,} pairs of texts ({half}; `tests/own_words`). In a choice, the right word must be likelier
than the wrong one in its place. The town's column has its minimal pairs, and one or two sentences of a story
with the next ones. Half of the pairs are true, so chance is one half everywhere but in a kind of pairs.

{side_by_side(exams)}

In brackets: the 95 % interval, and the number of items. The rivals count {exams.counted:,} stories of the
training text: which word more often follows the left neighbour, or stands between both, with which word the
text is likelier to an n-gram model, and how many words two texts share.
"""


def _card(making: Making, scores: Scores, weights_sha256: str) -> str:
    packages = f"Python {platform.python_version()}, " + ", ".join(
        f"{name} {version(name)}" for name in ("torch", "transformers", "tokenizers")
    )
    details = "\n".join(
        f"- {name}: " + ", ".join(f"{part} {value:.4g}" for part, value in other_details(score).items())
        for name, score in scores.items()
        if score.details
    )
    measured = "python -m bertviz_lite.evaluation.scores"
    if making.town == CHINESE:
        measured += ".chinese"
    measured += " --quick" if making.quick else ""
    if making.town not in (TOWN, CHINESE):
        measured += f" --town {making.town}"
    used, rest = _used(making), _chosen(making)
    seen = "the first part's training text" if making.packed else "the training text"
    return f"""---
license: mit
language: {"zh" if making.town == CHINESE else "en"}
library_name: transformers
tags: [bert, fill-mask, course]
---

# The pocket BERT{", in Chinese" if making.town == CHINESE else ""}

A complete `BertForPreTraining` of {making.parameters:,} parameters, small enough to travel with the course.
It was trained from nothing on stories of a simulated town, so what it has learned can be scored against the
truth.

## How it was made

    {making.command}

- Text: {_written(making)}, each cut and masked anew every time it is
  seen; {making.tokens:,} tokens in {making.steps:,} steps of {making.batch} inputs; {_seed(making)}
- Tasks: masked words (80 % [MASK], 10 % a random token, 10 % as they are) and next-sentence prediction (label
  0: the second part continues the first; label 1: it {_false_pairs(making)}).
{_stages(making)}- Time: {making.minutes:.0f} minutes on {making.device}; {packages}.
{_later_parts(making.packed)}- Weights: `model.safetensors`{_rounding(making)} with the SHA-256
  `{weights_sha256}`;
  `load("{making.name}")` refuses any other (`SHA256SUMS`).

`history.json` and `history_attention.npz` keep the run: losses, scores and the attention of a few fixed
inputs at about a dozen moments.

## How good it is

Measured by `{measured}` on stories from seeds that training does not use
({making.shared_stories} of them also occur in {seen}). Whole stories are given as one part; {used}

{scores.table()}

"Both neighbours", "left neighbour" and "most frequent word" are guesses from counts of training text. {rest}

{details}
{_misled(scores)}
{LIMITS}

It has read about one small town and nothing else. {_knows(making)}
Its numbers are worth nothing as a benchmark of language understanding. It is made to be looked into.
"""


def _used(making: Making) -> str:
    """Say what of the stories is used, and what counts."""
    if making.town == CHINESE:
        return f"""of
those that are longer than 128 positions ({1 - making.fitting:.1%}) the first sentences are used. A masked
word counts only if every token of it is the first choice of the whole vocabulary; where a noun takes several
classifiers, each of them is right."""
    return f"""the
{making.fitting:.1%} that fit into 128 positions are used. A masked word counts only if every token of it is
the first choice of the whole vocabulary."""


def _chosen(making: Making) -> str:
    """Say what was chosen on other stories."""
    if making.town == CHINESE:
        return """So are
the 5-grams: of words for a masked word, of characters for a minimal pair. The layer for the
senses is chosen on other stories than those it is scored on."""
    return """The
layer for the senses, the head and the fixed offset are chosen on other stories than those they are scored on.
A head is right where its largest weight, [CLS] and [SEP] left out, falls on the subject or on an earlier name
or noun of the same person or thing."""


def _knows(making: Making) -> str:
    """Say how much of a language it knows."""
    if making.town == CHINESE:
        return f"""It knows {making.vocabulary:,} tokens, most of them
characters of simplified Chinese, no facts about the world, and no text longer than 128 positions; a character
that no story uses is unknown to it."""
    return f"""It knows some {_pieces(making)} of English, no facts
about the world, and no text longer than 128 positions; a word that no story uses falls apart into letters."""


def _false_pairs(making: Making) -> str:
    """Say what the false pairs are."""
    if not making.swapped and not making.renamed:
        return "is of another story; half of each"
    named = f"; {making.renamed:.0%} of these with the names of the first part" if making.renamed else ""
    swapped = f", or comes before it ({making.swapped:.0%} of the pairs)" if making.swapped else ""
    return f"is of another story{swapped}{named}"


def _stages(making: Making) -> str:
    """Say how a run went on, as an item of the list; nothing for a run in one piece."""
    if not making.stages:
        return ""
    every = [(until, [f"{name} {value:,}" for name, value in had.items()]) for until, had in making.stages]
    ends = "; ".join(f"at step {until:,}, until which it had {', '.join(had)}" for until, had in every)
    return f"""\
- Stages: the run went on from a checkpoint with other settings or another text of the town (`--new-stage`)
  {ends}.
  The text and the tokens above are those of the last stage, counted for all steps; the command makes such a
  model in one piece.
"""


def _later_parts(parts: tuple[Packed, ...]) -> str:
    """Say how the run went on, part by part."""
    return "".join(_packed(part, parts[0]) for part in parts)


def _packed(part: Packed, first: Packed) -> str:
    """Say how the run went on, as items of the list; what `first` has said of all parts isn't said again."""
    first_rate, last_rate = part.mask_rate
    by_hand, false = _early_late(part.by_hand), _early_late(part.false_pairs)
    if part is first:
        text = f"""\
- Then {part.steps:,} steps more in {part.minutes:.0f} minutes on {part.device} (bfloat16;
  `python -m experiments.packed_pretraining`), each of {part.rows} rows of 128 positions that are filled
  with whole inputs, some {part.inputs:,} of them: {part.tokens:,} tokens. Of the texts {by_hand}
  are written by hand in the words of the town ({part.lines:,} lines in
  `experiments/packed_pretraining/written_by_hand`, by writers who saw neither half of the exam); of the pairs
  {false} are false. The share of chosen words falls from {first_rate:.0%} to {last_rate:.0%}.
"""
    else:
        text = f"""\
- Then {part.steps:,} steps more in {part.minutes:.0f} minutes on {part.device}, each of {part.rows} rows with
  some {part.inputs:,} inputs: {part.tokens:,} tokens. By hand {by_hand} ({part.lines:,} lines); false pairs
  {false}; chosen words from {first_rate:.0%} to {last_rate:.0%}.
"""
    if part.kept < 1:
        others = f"those {part.mean_with}, {part.kept:g} to {round(1 - part.kept, 3):g}"
        text += f"""\
  Kept: the mean of the weights after this part and {others}
  (Wortsman et al., 2022, "Robust fine-tuning of zero-shot models").
"""
    if part.raised is not None:
        with_it, without = part.raised.with_it, part.raised.without
        text += f"""\
  Then the NSP head's logit of *continues* was raised by {part.raised.by:g}: a continuation by people
  shares fewer words with what it continues than one by the town. How far was chosen on the half of people's
  pairs that is for looking at, where {with_it:.1%} are right with it and {without:.1%} without.
"""
    return text


def _early_late(shares: tuple[float, float]) -> str:
    """Say a share, and another one in the last two fifths of the steps where it is another."""
    early, late = shares
    return f"{early:.0%}" if early == late else f"{early:.0%} (in the last two fifths {late:.0%})"


def _seed(making: Making) -> str:
    """Name the seed, and say that no story holds a sentence of the exam, where these were left out."""
    if not making.forbidden:
        return f"seed {making.seed}."
    return f"""seed {making.seed}.
  No story holds one of the {making.forbidden:,} sentences of four words or more that are in the exam in
  people's own words (`--exam`; both halves, choices with either word): {making.left_out:,} stories did, and
  the next ones were written in their place."""


def _written(making: Making) -> str:
    """Say how many stories it has read, and what share of them gave way to texts by hand."""
    stories = f"{making.stories:,} stories written by `bertviz_lite.world`"
    if not making.by_hand:
        return stories
    return f"""{stories}; {making.by_hand:.0%} of them gave way to texts
  written by hand in the same words (`--by-hand`)"""


def _rounding(making: Making) -> str:
    return " (rounded to float16 before they were scored, and stored so)" if making.float16 else ""


def _pieces(making: Making) -> str:
    words = ("one", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    thousands = round(making.vocabulary / 1000)
    return f"{words[thousands] if thousands < len(words) else thousands} thousand word pieces"


def _misled(scores: Scores) -> str:
    """Return the table of heads where simple rules are wrong, if the scores have it."""
    table = heads_table(scores)
    if not table:
        return ""
    return f"""
A head may be right only because it looks at the word before. So it is scored again on the cases in which a
simple rule is wrong: always looking at the same distance, or at the nearest noun or name before the word. The
"best head there" (layer.head) is chosen on such cases of other stories.

{table}
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Put both exams into the card of a finished model."""
    parser = argparse.ArgumentParser(prog="python -m bertviz_lite.training.card", description=main.__doc__)
    parser.add_argument("folder", type=Path, help=f"with README.md and {OWN_WORDS_FILE}")
    folder = parser.parse_args(arguments).folder
    try:
        exams = BothExams.from_json((folder / OWN_WORDS_FILE).read_text(encoding="utf-8"))
        card = card_with_exams((folder / "README.md").read_text(encoding="utf-8"), exams)
    except (OSError, ArgumentError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    write_text(folder / "README.md", card)
    return 0


if __name__ == "__main__":
    sys.exit(main())
