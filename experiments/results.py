"""What the course has measured, in one document: tables of words, of sentences, of models.

``python -m experiments.results`` prints them and writes ``docs/results.md``. Every number is read from what
a program of this package has found and kept; its command stands above the table. Nothing is measured here, so
it takes a second, and a test holds the document equal to what this would write.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bertviz_lite.basics.files import write_text
from bertviz_lite.chapters.chapter_12.real_english import RELATIONS
from bertviz_lite.evaluation import recorded, similarity
from bertviz_lite.evaluation.intervals import interval
from bertviz_lite.evaluation.scores import TITLES, Score, Scores
from bertviz_lite.models import POCKET

__all__ = ["Table", "document", "model_tables", "sentence_tables", "word_tables"]

HERE = recorded.FOLDER
DOCUMENT = Path(__file__).parents[1] / "docs" / "results.md"
_QUESTIONS = 200  # of similarity.main
_TUNING = "python -m experiments.finetuning_results"
_HEAD = """# Results

What the course has measured, written by `python -m experiments.results` from files of the package. Above
each table stands the command that makes its numbers anew. In brackets: where a share would lie in 95 of 100
cases if as many questions were drawn again (Wilson, 1927). That says nothing of another training run.
"""


@dataclass(frozen=True)
class Table:
    """A table and where it comes from.

    Attributes
    ----------
    title
        What is measured.
    command
        What makes the numbers.
    note
        What has to be known to read them.
    head, rows
        The cells, as text.
    """

    title: str
    command: str
    note: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        odd = [row for row in self.rows if len(row) != len(self.head)]
        if odd or not self.rows:
            raise ValueError(f"{self.title}: {len(self.head)} columns, but a row is {odd[:1] or 'missing'}.")

    def markdown(self) -> str:
        """Return heading, command, note and table."""
        lines = [f"### {self.title}", "", f"`{self.command}`", "", self.note, ""]
        lines += [_row(self.head), _row(["---"] * len(self.head)), *map(_row, self.rows)]
        return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def document() -> str:
    """Return the whole document as Markdown."""
    parts = {"Words": word_tables(), "Sentences": sentence_tables(), "Models": model_tables()}
    text = [_HEAD]
    for heading, tables in parts.items():
        text += [f"## {heading}\n", *(table.markdown() for table in tables)]
    return "\n".join(text)


# Cells


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _sure(value: float, n: int) -> str:
    """Write a share of `n` questions with its interval."""
    low, high = interval(round(value * n), n)
    return f"{value:.3f} ({low:.3f} to {high:.3f})"


def _of(right: float, n: int) -> str:
    low, high = interval(round(right), n)
    return f"{right:g} of {n} ({low:.2f} to {high:.2f})"


def _beside(score: Score) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in score.baselines.items())


def _read(name: str) -> Any:  # noqa: ANN401 - JSON
    return json.loads((HERE / name).read_text(encoding="utf-8"))


def _tuned() -> dict[str, Any]:
    """Return what fine-tuning has given, part by part; nothing where it has not been measured."""
    path = HERE / "finetuning_results.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def _pocket() -> Scores:
    return Scores.from_json((POCKET / "scores.json").read_text(encoding="utf-8"))


# Words


def word_tables() -> list[Table]:
    """Return the tables of words: guessed, told apart by sense and tag, pointed at by heads."""
    scores = _pocket()
    asked = ["agreement", "pronoun", "mention", "consequence", "masked_words", "head.subject", "head.person"]
    return [
        Table(
            "Hidden words, and heads that follow a relation",
            "python -m bertviz_lite.evaluation.scores",
            "The pocket model, on stories that training has not seen. Shares of words guessed, and of words "
            "for which the best head looks at the right place.",
            ("what", "right", "beside it", "words"),
            tuple(
                (
                    TITLES[name],
                    _sure(scores[name].value, scores[name].n),
                    _beside(scores[name]),
                    f"{scores[name].n:,}",
                )
                for name in asked
            ),
        ),
        _senses(scores["senses"]),
        _tags(),
        *(_names(tuned["layers"], tuned["tasks"]) for tuned in (_tuned(),) if tuned),
        _bank(),
    ]


def _senses(score: Score) -> Table:
    layers = [(name, value) for name, value in score.details.items() if name.startswith("layer ")]
    rows = [("the word alone", score.baselines["static embedding"]), *layers]
    return Table(
        "Two senses of a word, told apart layer by layer",
        "python -m bertviz_lite.evaluation.scores",
        f"The pocket model: nearest centroid, {score.n:,} places; the mean over "
        f"{score.details['words']:g} words of the mean over a word's senses. Layer 0 is the input embedding.",
        ("vectors", "right"),
        tuple((name, _share(value)) for name, value in rows),
    )


def _tags() -> Table:
    variants = _read("ablations.json")["variants"]
    layers = len(next(iter(variants.values()))["senses by layer"])
    rows = [
        (name, tag, *(_share(value) for value in found["tags by layer"][tag]))
        for tag in ("part of speech", "who is meant")
        for name, found in variants.items()
    ]
    return Table(
        "Gold tags that a linear probe reads off the vectors of words",
        "python -m experiments.ablations --bf16",
        "The small models of the ablations; words whose spelling leaves the tag open, in stories on which "
        "the probe was not fitted. Layer 0 is the input embedding.",
        ("model", "tag", *(f"layer {layer}" for layer in range(layers))),
        tuple(rows),
    )


def _names(layers: dict[str, float], tasks: dict[str, Any]) -> Table:
    rows = [("a linear map, " + name, _share(f1)) for name, f1 in layers.items() if name != "fine-tuned"]
    rows += [(f"fine-tuned, {name}", _interval(tasks[name])) for name in ("names", "names, every piece")]
    return Table(
        "Names of people, places and pets",
        _TUNING,
        "F1 in the pocket model: a linear map on vectors as they are, and the standard head with everything "
        "trained. *Every piece*: trained on the tags of all pieces of a word.",
        ("how", "F1"),
        tuple(rows),
    )


def _interval(one: dict[str, Any]) -> str:
    return f"{one['score']:.3f} ({one['interval'][0]:.3f} to {one['interval'][1]:.3f})"


def _bank() -> Table:
    found = _read("real_english.json")["bank"]
    return Table(
        "Real English: the two senses of *bank*",
        "python -m bertviz_lite.chapters.chapter_12.real_english",
        "all-MiniLM-L6-v2, nearest centroid. Matched: the word stands at the same place in a sentence of "
        "each sense. Crossed: a word of the other sense stands near. *Other words*: their mean embedding.",
        ("vectors", "matched", "crossed"),
        tuple((name, _of(*one["matched"]), _of(*one["crossed"])) for name, one in found.items()),
    )


# Sentences


def sentence_tables() -> list[Table]:
    """Return the tables of what is known of sentences: which one follows, is right, or means the same."""
    scores = _pocket()
    minimal, following = scores["minimal_pairs"], scores["next_part"]
    rows = [(TITLES["next_part"], _sure(following.value, following.n), _beside(following))]
    rows += [(f"the same, {name}", _share(value), "") for name, value in following.details.items()]
    rows += [(TITLES["minimal_pairs"], _sure(minimal.value, minimal.n), _beside(minimal))]
    rows += [(f"minimal pairs: {name}", _share(value), "") for name, value in minimal.details.items()]
    return [
        Table(
            "Does it follow, and is it right?",
            "python -m bertviz_lite.evaluation.scores",
            f"The pocket model: {following.n:,} pairs of parts, half of them true; {minimal.n:,} sentences, "
            "each beside one that differs in a word and is wrong.",
            ("what", "right", "beside it"),
            tuple(rows),
        ),
        _tellings(),
        _english(),
        _relations(),
        _second_head(),
        *(_tasks(tuned["tasks"], tuned["baselines"]) for tuned in (_tuned(),) if tuned),
    ]


def _tellings() -> Table:
    return Table(
        "Which of five texts tells the same event?",
        "python -m bertviz_lite.evaluation.similarity",
        f"The pocket model, all layers trained for this with each pooling, one run each; {_QUESTIONS} new "
        "events. *No tanh* is the pooler without its tanh.",
        ("pooling", "right"),
        tuple((name, _sure(value, _QUESTIONS)) for name, value in similarity.ALL_LAYERS.items()),
    )


def _english() -> Table:
    count = len(similarity.english_questions())
    return Table(
        "Real English: which text means the same?",
        'python -c "from bertviz_lite.evaluation.similarity import *; print(english_scores(poolings()))"',
        f"all-MiniLM-L6-v2 as it is, and shared words; {count} questions.",
        ("vectors", "or is of the same topic", "or has like words"),
        tuple(
            (name, _sure(two, count), _sure(three, count)) for name, (two, three) in similarity.MINILM.items()
        ),
    )


def _relations() -> Table:
    found = _read("real_english.json")["same meaning nearer than"]
    others = RELATIONS[1:]
    return Table(
        "Real English: is the same meaning nearer than …",
        "python -m bertviz_lite.chapters.chapter_12.real_english",
        "all-MiniLM-L6-v2, by the cosine of pooled vectors: the same meaning in other words, against the "
        "sentence denied, one on the same topic, and an unrelated one.",
        ("pooling", *others),
        tuple((name, *(_of(*one[relation]) for relation in others)) for name, one in found.items()),
    )


def _second_head() -> Table:
    variants = _read("ablations.json")["variants"]
    kinds = list(next(iter(variants.values()))["pairs"])
    rows = [
        (
            name,
            kind,
            *(_share(found["pairs"][kind][how]) for how in ("head", "probe of vectors", "probe of words")),
        )
        for kind in kinds
        for name, found in variants.items()
    ]
    return Table(
        "What the second head tells, and what a probe could",
        "python -m experiments.ablations --bf16",
        "The small models of the ablations: parts of another story, and parts that have changed places; half "
        "of the pairs are true. *Short*: two to four sentences in all.",
        ("model", "false pairs", "its head", "probe of vectors", "probe of words"),
        tuple(rows),
    )


def _tasks(tasks: dict[str, Any], baselines: dict[str, dict[str, float]]) -> Table:
    return Table(
        "The town's tasks, fine-tuned",
        _TUNING,
        "The pocket model with the standard head of each task. Beside it what needs no model: the most "
        "frequent answer, and a linear map of word counts.",
        ("task", "measure", "score", "beside it"),
        tuple(
            (
                name.replace("_", " "),
                tasks[name]["metric"],
                _interval(tasks[name]),
                ", ".join(f"{how} {value:.3f}" for how, value in simple.items()),
            )
            for name, simple in baselines.items()
        ),
    )


# Models


def model_tables() -> list[Table]:
    """Return the tables that compare whole models: recipes, and reading one way."""
    tuned = _tuned()
    more = [_curve(tuned["curve"]), _rates(tuned["rates"])] if tuned else []
    return [_recipes(), _sides(), *more]


def _recipes() -> Table:
    everything = _read("ablations.json")
    recipe, variants = everything["recipe"], everything["variants"]
    names = ("masked_words", "agreement", "pronoun", "mention", "consequence", "next_part", "minimal_pairs")
    return Table(
        "One decision of the recipe changed",
        "python -m experiments.ablations --bf16",
        f"Each trained from nothing in {recipe['steps']:,} steps of {recipe['batch_size']} inputs, then "
        "asked as the pocket model is. *Another seed* shows how much is luck. Losses: the last logged.",
        ("model", "parameters", "loss of words", "loss of pairs", *(TITLES[name] for name in names)),
        tuple(
            (
                name,
                f"{found['parameters']:,}",
                *(_share(loss) for loss in found["losses"][-1][1:]),
                *(_share(found["scores"][one][0]) for one in names),
            )
            for name, found in variants.items()
        ),
    )


def _sides() -> Table:
    found = _read("one_way.json")
    names = {
        "left": "what stands left",
        "right": "what stands right",
        "glued": "both guesses, glued",
        "best glue": "both guesses, best glue",
        "both": "everything",
    }
    return Table(
        "Reading one way and both ways",
        "python -m experiments.one_way",
        f"Pieces guessed, of {found['after']['pieces']:,}, by pocket models that see one side, before and "
        f"after {found['steps']:,} more steps of training that way.",
        ("sees", "before", "after"),
        tuple(
            (words, *(_sure(found[when][name], found[when]["pieces"]) for when in ("before", "after")))
            for name, words in names.items()
        ),
    )


def _curve(curve: dict[str, dict[str, list[float]]]) -> Table:
    sizes = list(next(iter(curve.values())))

    def seeds(found: list[float]) -> str:
        return f"{sum(found) / len(found):.3f} ({min(found):.3f} to {max(found):.3f})"

    return Table(
        "Feelings, learned from more and more examples",
        _TUNING,
        f"Accuracy, the mean of {len(next(iter(curve.values()))[sizes[0]])} seeds; in these brackets the "
        "worst and the best of them.",
        ("start", *(f"{int(size):,} examples" for size in sizes)),
        tuple((start, *(seeds(found[size]) for size in sizes)) for start, found in curve.items()),
    )


def _rates(rates: dict[str, dict[str, float]]) -> Table:
    return Table(
        "Learning rates, and what is forgotten",
        _TUNING,
        "Feelings: accuracy, and the loss of the last steps. *Masked words*: the share that the old head "
        "still guesses after the training, *before* it in the first row.",
        ("learning rate", "accuracy", "last loss", "masked words"),
        tuple(
            (name, *(_share(one.get(key)) for key in ("accuracy", "last loss", "masked words")))
            for name, one in rates.items()
        ),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the results and write them to a file."""
    parser = argparse.ArgumentParser(prog="python -m experiments.results", description=main.__doc__)
    parser.add_argument(
        "--output", type=Path, default=DOCUMENT, help="the file to write (default: docs/results.md)"
    )
    options = parser.parse_args(arguments)
    text = document()
    sys.stdout.write(text)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    write_text(options.output, text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
